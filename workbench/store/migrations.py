"""Numbered SQL files, each applied and recorded in one transaction, after a verified backup."""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apsw

from workbench.store import faults
from workbench.store.apsw_errors import translated
from workbench.store.connecting import open_here
from workbench.store.driver import Connection, Cursor
from workbench.store.durable import sync

FOLDER = Path(__file__).parent / "migrations"
KEEP_BACKUPS = 5

_RECORDS = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    sha256 TEXT NOT NULL
) STRICT
"""


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    path: Path


@functools.cache
def known(folder: Path) -> tuple[Migration, ...]:
    """The migrations in a folder, in order."""
    return tuple(
        Migration(int(match[1]), match[2], path)
        for path in sorted(folder.glob("*.sql"))
        if (match := re.fullmatch(r"(\d{4})_(\w+)", path.stem))
    )


def is_due(found: int, path: Path) -> bool:
    """Whether a registry at schema `found` needs migrating; one newer than us is refused."""
    newest = known(FOLDER)[-1].number
    if found > newest:
        raise faults.newer(path, found, newest)
    return found < newest


def migrate(connection: Connection, path: Path) -> None:
    """Apply what is missing. Several processes may do this at once: the write lock decides
    who does it, and the others find it done."""
    backed_up = False
    for migration in known(FOLDER):
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            [(found,)] = cursor.execute("PRAGMA user_version").fetchall()
            is_due(found, path)
            if found < migration.number:
                if not backed_up and _has_content(cursor):
                    _backed_up(path, found)
                backed_up = True
                _apply(cursor, migration)
            cursor.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise


def _backed_up(path: Path, schema: int) -> None:
    try:
        back_up(path, schema)
    except OSError as error:
        raise faults.of_system(error, path) from error


def _has_content(cursor: Cursor) -> bool:
    return bool(cursor.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall())


def _apply(cursor: Cursor, migration: Migration) -> None:
    sql = migration.path.read_bytes()
    cursor.execute(_RECORDS)
    cursor.executescript(sql.decode())
    cursor.execute(
        "INSERT INTO migrations (number, name, applied_at, sha256) VALUES (?, ?, ?, ?)",
        (
            migration.number,
            migration.name,
            datetime.now(UTC).isoformat(timespec="seconds"),
            hashlib.sha256(sql).hexdigest(),
        ),
    )
    cursor.execute(f"PRAGMA user_version = {migration.number:d}")


def back_up(path: Path, schema: int) -> Path:
    """A checked copy of the registry in HOME/backups. The caller holds the write lock, so
    the copy is read by a second connection: SQLite copies nothing from one that writes."""
    folder = path.parent / faults.BACKUPS
    folder.mkdir(mode=0o700, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    backup = folder / f"registry-{schema}-{stamp}.db"
    unchecked = backup.with_suffix(".partial")
    try:
        _copy(path, unchecked)
        unchecked.replace(backup)
        sync(folder)
    finally:
        unchecked.unlink(missing_ok=True)
    for old in sorted(folder.glob("registry-*.db"), key=faults.taken_at)[:-KEEP_BACKUPS]:
        old.unlink(missing_ok=True)
    return backup


@translated
def _copy(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    reading = open_here(source, read_only=True)
    writing = apsw.Connection(str(target))
    try:
        reading.backup(Connection(writing))
        # One file, that can be copied back without a -wal.
        writing.pragma("journal_mode", "delete")
    finally:
        writing.close()
        reading.close()
    sync(target)
    checking = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        verdict = checking.pragma("integrity_check")
    finally:
        checking.close()
    if verdict != "ok":
        raise faults.unavailable("registry_corrupt", source, str(verdict))
