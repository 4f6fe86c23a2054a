"""APSW's exceptions as those of the sqlite3 module, so that code above sees one family."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import apsw

P = ParamSpec("P")
T = TypeVar("T")

_CLASSES: tuple[tuple[type[apsw.Error], type[sqlite3.Error]], ...] = (
    (apsw.ConstraintError, sqlite3.IntegrityError),
    (apsw.MismatchError, sqlite3.IntegrityError),
    (apsw.CorruptError, sqlite3.DatabaseError),
    (apsw.NotADBError, sqlite3.DatabaseError),
    (apsw.FormatError, sqlite3.DatabaseError),
    (apsw.AuthError, sqlite3.DatabaseError),
    (apsw.TooBigError, sqlite3.DataError),
    (apsw.InternalError, sqlite3.InternalError),
    (apsw.NotFoundError, sqlite3.InternalError),
    (apsw.MisuseError, sqlite3.ProgrammingError),
    (apsw.RangeError, sqlite3.ProgrammingError),
    (apsw.BindingsError, sqlite3.ProgrammingError),
    (apsw.ConnectionClosedError, sqlite3.ProgrammingError),
    (apsw.CursorClosedError, sqlite3.ProgrammingError),
    (apsw.IncompleteExecutionError, sqlite3.ProgrammingError),
    (apsw.ThreadingViolationError, sqlite3.ProgrammingError),
    (apsw.ForkingViolationError, sqlite3.ProgrammingError),
)


def as_sqlite3(error: apsw.Error) -> sqlite3.Error:
    """The sqlite3 exception for an APSW one; what is not listed is operational
    (busy, locked, cannot open, input/output, full, read-only, SQL error, interrupt, …)."""
    kind = next((ours for theirs, ours in _CLASSES if isinstance(error, theirs)), None)
    translated = (kind or sqlite3.OperationalError)(str(error))
    code = getattr(error, "extendedresult", None) or getattr(error, "result", None)
    if code:
        _name(translated, code)
    return translated


def undecodable(error: UnicodeDecodeError) -> sqlite3.Error:
    """Stored text that is not UTF-8: nothing of ours wrote that, the file is damaged."""
    translated = sqlite3.DatabaseError(f"could not decode stored text: {error}")
    _name(translated, apsw.SQLITE_CORRUPT)
    return translated


def _name(error: sqlite3.Error, code: int) -> None:
    name = apsw.mapping_extended_result_codes.get(code) or apsw.mapping_result_codes.get(code)
    error.sqlite_errorcode = code
    error.sqlite_errorname = str(name or f"SQLITE_{code}")


def translated(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function of the adapter raise sqlite3's exceptions."""

    @functools.wraps(function)
    def wrapper(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return function(*arguments, **keywords)
        except apsw.Error as error:
            raise as_sqlite3(error) from error
        except UnicodeDecodeError as error:
            raise undecodable(error) from error

    return wrapper
