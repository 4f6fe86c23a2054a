"""Opening a registry file: which settings every connection of ours has, and why."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import cast

import aiosqlite
import apsw

from workbench.store import driver
from workbench.store.apsw_errors import translated

BUSY_SECONDS = 30
_ROWS_PER_HOP = 64

# FULL, since NORMAL loses acknowledged commits when the power goes. The schema is not
# trusted: a registry may come from elsewhere. A WAL that a long reader made large shrinks.
# No memory map: a failing disk must be an error, not a signal that ends the program.
_SETTINGS = """
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA cache_size = -16384;
PRAGMA temp_store = MEMORY;
PRAGMA journal_size_limit = 67108864;
"""


async def connect(path: Path, *, read_only: bool) -> aiosqlite.Connection:
    """Open the registry. A read-only connection never changes the file, not even to WAL.

    Raises sqlite3's exceptions.
    """

    def connector() -> sqlite3.Connection:
        return cast(sqlite3.Connection, open_here(path, read_only=read_only))

    connection = aiosqlite.Connection(connector, _ROWS_PER_HOP)
    # aiosqlite has no parameter for it; a program that ends must not wait for this thread.
    connection._thread.daemon = True
    try:
        return await connection
    except BaseException:
        # aiosqlite has told the thread to stop but does not wait; a loop that closes first
        # would leave it with nobody to report to.
        await asyncio.to_thread(connection._thread.join)
        raise


@translated
def open_here(path: Path, *, read_only: bool) -> driver.Connection:
    """The same in the calling thread, without aiosqlite."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    raw = apsw.Connection(str(path), flags=flags)
    try:
        raw.set_busy_timeout(BUSY_SECONDS * 1000)
        raw.execute(_SETTINGS)
        if read_only:
            raw.execute("PRAGMA query_only = ON")
        else:
            _use_wal(raw)
    except BaseException:
        raw.close(force=True)
        raise
    return driver.Connection(raw)


def _use_wal(raw: apsw.Connection) -> None:
    """Switch to WAL unless it is on. The switch ignores the busy timeout, hence the loop."""
    deadline = time.monotonic() + BUSY_SECONDS
    mode = raw.pragma("journal_mode")
    while mode != "wal":
        try:
            mode = raw.pragma("journal_mode", "wal")
        except (apsw.BusyError, apsw.LockedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            if mode != "wal":
                raise apsw.CantOpenError(f"this place allows no write-ahead log (only {mode})")


async def load_vectors(connection: aiosqlite.Connection) -> str:
    """Load sqlite-vec into a connection and return its version. Doing it again is harmless."""
    import sqlite_vec

    await connection.enable_load_extension(True)
    try:
        await connection.load_extension(sqlite_vec.loadable_path())
    finally:
        await connection.enable_load_extension(False)
    async with connection.execute("SELECT vec_version()") as cursor:
        rows = list(await cursor.fetchall())
    return str(rows[0][0])
