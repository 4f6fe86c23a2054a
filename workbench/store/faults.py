"""What went wrong with the registry file, said so that a person can act on it."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import apsw

from workbench.errors import UnavailableError

REGISTRY = "registry.db"
BACKUPS = "backups"

_CODES = {
    apsw.SQLITE_BUSY: "registry_locked",
    apsw.SQLITE_LOCKED: "registry_locked",
    apsw.SQLITE_PROTOCOL: "registry_locked",
    apsw.SQLITE_CORRUPT: "registry_corrupt",
    apsw.SQLITE_NOTADB: "registry_corrupt",
    apsw.SQLITE_READONLY: "registry_readonly",
    apsw.SQLITE_FULL: "registry_full",
    apsw.SQLITE_CANTOPEN: "registry_unreadable",
    apsw.SQLITE_IOERR: "registry_unreadable",
    apsw.SQLITE_PERM: "registry_unreadable",
}

_SYSTEM_CODES = {
    errno.EACCES: "registry_readonly",
    errno.EPERM: "registry_readonly",
    errno.EROFS: "registry_readonly",
    errno.ENOSPC: "registry_full",
}

_SENTENCES = {
    "registry_locked": (
        "The registry {path} is locked by another program",
        "Wait until the other program has finished, or end it, and try again.",
    ),
    "registry_corrupt": ("The registry {path} is damaged", "{restore}"),
    "registry_readonly": (
        "The registry {path} cannot be written",
        "Make the file and its folder writable for you, or set WORKBENCH_HOME to a folder that is.",
    ),
    "registry_full": (
        "There is no room left for the registry {path}",
        "Free some space on that disk and try again; nothing was half-written.",
    ),
    "registry_unreadable": (
        "The registry {path} cannot be opened or read",
        "Check that the folder exists, that it is yours and that its disk works, or set "
        "WORKBENCH_HOME to another folder.",
    ),
}


def explained(error: sqlite3.Error, path: Path) -> Exception:
    """The error to raise instead: an UnavailableError where the file is the trouble, and the
    error itself where our SQL is, or where a constraint spoke (its module can say more)."""
    code = _CODES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return error if code is None else unavailable(code, path, str(error))


def unavailable(code: str, path: Path, detail: str) -> UnavailableError:
    """The error for one of the codes above."""
    message, suggestion = _SENTENCES[code]
    return UnavailableError(
        f"{message.format(path=path)}: {detail}",
        code=code,
        suggestion=suggestion.format(restore=_restore(path)),
    )


def of_system(error: OSError, path: Path) -> UnavailableError:
    """The error for what the operating system refused at or beside the registry."""
    code = _SYSTEM_CODES.get(error.errno or 0, "registry_unreadable")
    return unavailable(code, path, str(error))


def newer(path: Path, found: int, known: int) -> UnavailableError:
    return UnavailableError(
        f"The registry {path} has schema {found}; this program knows schemas up to {known}",
        code="registry_newer",
        suggestion="Use the newer Workbench that wrote it, or set WORKBENCH_HOME to another "
        "folder. The registry was left as it is.",
    )


def newest_backup(home: Path) -> Path | None:
    return max((home / BACKUPS).glob("registry-*.db"), key=taken_at, default=None)


def taken_at(backup: Path) -> str:
    """The time in the name of a backup, `registry-<schema>-<UTC>.db`; such times sort as text."""
    return backup.stem.rpartition("-")[2]


def _restore(path: Path) -> str:
    backup = newest_backup(path.parent)
    aside = f"End all Workbench programs and move {path} (with -wal and -shm) aside"
    if backup is None:
        return (
            f"{aside}; a new registry is made at the next start. There is no backup in "
            f"{path.parent / BACKUPS}."
        )
    return f"{aside}, then copy the newest backup {backup} to {path}."
