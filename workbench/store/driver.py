"""APSW with the face of the sqlite3 module, as far as aiosqlite looks at it.

`Connection` and `Cursor` offer what `aiosqlite.Connection` and `aiosqlite.Cursor` call.
They differ from sqlite3 in these ways:

- Always autocommit: whoever wants a transaction writes BEGIN. `commit` and `rollback` do
  nothing outside one, `isolation_level` is None and stays None.
- `execute` runs all statements of its text, and `executescript` does not commit first.
- A `row_factory` is any callable of (cursor, row); `sqlite3.Row` wants a real sqlite3 cursor.
- `backup` copies into another connection of this module only.
- Not there, because aiosqlite never asks: aggregates, collations, blobs, `serialize`, `with`.
"""

from __future__ import annotations

import functools
import io
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from workbench.store.apsw_errors import as_sqlite3, translated

Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]
Description = tuple[tuple[str, None, None, None, None, None, None], ...]

_DML = re.compile(
    r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE | re.DOTALL
)


@functools.lru_cache(maxsize=256)
def _changes_rows(sql: str) -> bool:
    return _DML.match(sql) is not None


class Cursor:
    """One statement at a time, read one row ahead as sqlite3 does: a statement is finished,
    and its snapshot let go, as soon as its last row was fetched."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.arraysize = 1
        self.row_factory = connection.row_factory
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.description: Description | None = None
        self._ahead: Row | None = None
        self._raw = connection.raw.cursor()
        self._raw.exec_trace = self._describe

    def _describe(self, raw: apsw.Cursor, sql: str, bindings: apsw.Bindings | None) -> bool:
        """Called before each statement runs: the one time when columns are known of a
        statement that will return no row."""
        columns = raw.get_description()
        self.description = (
            tuple((name, None, None, None, None, None, None) for name, _ in columns)
            if columns
            else None
        )
        return True

    @translated
    def execute(self, sql: str, parameters: Parameters = ()) -> Cursor:
        self._ahead = None
        self._raw.execute(sql, parameters)
        self._ahead = next(self._raw, None)
        self.rowcount = -1
        if _changes_rows(sql):
            self.rowcount = self.connection.raw.changes()
            self.lastrowid = self.connection.raw.last_insert_rowid()
        return self

    @translated
    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        if not _changes_rows(sql):
            raise sqlite3.ProgrammingError("executemany() can only execute DML statements.")
        self._ahead = None
        total = 0
        for bindings in parameters:
            self._raw.execute(sql, bindings).fetchall()
            total += self.connection.raw.changes()
        self.rowcount = total
        return self

    @translated
    def executescript(self, sql_script: str) -> Cursor:
        self._ahead = None
        self._raw.execute(sql_script).fetchall()
        self.rowcount = -1
        return self

    @translated
    def fetchone(self) -> Any:
        row = self._ahead
        if row is None:
            return None
        self._ahead = next(self._raw, None)
        return self._shaped(row)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        rows: list[Any] = []
        while len(rows) < (self.arraysize if size is None else size) and self._ahead is not None:
            rows.append(self.fetchone())
        return rows

    @translated
    def fetchall(self) -> list[Any]:
        if self._ahead is None:
            return []
        rows = [self._ahead, *self._raw.fetchall()]
        self._ahead = None
        if self.row_factory is None and self.connection.text_factory is str:
            return rows
        return [self._shaped(row) for row in rows]

    def __iter__(self) -> Iterator[Any]:
        while self._ahead is not None:
            yield self.fetchone()

    @translated
    def close(self) -> None:
        self._ahead = None
        self._raw.close()

    def _shaped(self, row: Row) -> Any:
        text = self.connection.text_factory
        if text is not str:
            row = tuple(text(cell.encode()) if isinstance(cell, str) else cell for cell in row)
        return row if self.row_factory is None else self.row_factory(self, row)


class Connection:
    """An APSW connection that looks like one of sqlite3. `raw` is the APSW connection."""

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        self.row_factory: Callable[[Cursor, Row], Any] | None = None
        self.text_factory: Callable[[bytes], Any] = str

    @translated
    def cursor(self) -> Cursor:
        return Cursor(self)

    def execute(self, sql: str, parameters: Parameters = ()) -> Cursor:
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        return self.cursor().executemany(sql, parameters)

    def executescript(self, sql_script: str) -> Cursor:
        return self.cursor().executescript(sql_script)

    @translated
    def commit(self) -> None:
        if self.raw.in_transaction:
            self.raw.execute("COMMIT")

    @translated
    def rollback(self) -> None:
        if self.raw.in_transaction:
            self.raw.execute("ROLLBACK")

    @translated
    def close(self) -> None:
        self.raw.close()

    @translated
    def interrupt(self) -> None:
        self.raw.interrupt()

    @property
    def in_transaction(self) -> bool:
        return self.raw.in_transaction

    @property
    def total_changes(self) -> int:
        return self.raw.total_changes()

    @property
    def isolation_level(self) -> None:
        return None

    @isolation_level.setter
    def isolation_level(self, value: str | None) -> None:
        if value is not None:
            raise sqlite3.NotSupportedError("transactions are begun by BEGIN, not by themselves")

    @translated
    def create_function(
        self,
        name: str,
        narg: int,
        func: Callable[..., Any] | None,
        *,
        deterministic: bool = False,
    ) -> None:
        self.raw.create_scalar_function(name, func, narg, deterministic=deterministic)

    @translated
    def enable_load_extension(self, enabled: bool) -> None:
        self.raw.enable_load_extension(enabled)

    @translated
    def load_extension(self, path: str) -> None:
        self.raw.load_extension(path)

    @translated
    def set_progress_handler(self, handler: Callable[[], int | None] | None, n: int) -> None:
        self.raw.set_progress_handler(None if handler is None else lambda: bool(handler()), n)

    @translated
    def set_trace_callback(self, handler: Callable[[str], Any] | None) -> None:
        if handler is None:
            self.raw.trace_v2(0)
        else:
            self.raw.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: handler(event["sql"]))

    @translated
    def set_authorizer(self, callback: Callable[..., int] | None) -> None:
        self.raw.set_authorizer(callback)

    @translated
    def backup(
        self,
        target: Connection,
        *,
        pages: int = -1,
        progress: Callable[[int, int, int], None] | None = None,
        name: str = "main",
        sleep: float = 0.250,
    ) -> None:
        if not isinstance(target, Connection):
            raise sqlite3.NotSupportedError("the target must be a connection of this driver")
        with target.raw.backup("main", self.raw, name) as copy:
            while not copy.done:
                status = apsw.SQLITE_OK
                try:
                    copy.step(pages if pages > 0 else -1)
                except (apsw.BusyError, apsw.LockedError) as error:
                    status = as_sqlite3(error).sqlite_errorcode
                    time.sleep(sleep)
                if progress is not None:
                    progress(status, copy.remaining, copy.page_count)

    def iterdump(self) -> Iterator[str]:
        """The database as SQL, line by line (with virtual tables, unlike sqlite3's)."""
        from apsw.shell import Shell  # large, and hardly ever wanted

        text = io.StringIO()
        Shell(stdout=text, db=self.raw).process_command(".dump")  # type: ignore[no-untyped-call]
        yield from text.getvalue().splitlines()
