"""The registry file: one connection that reads, one that writes, and no other way in.

A read or a write is a plain function of a cursor that runs as a whole in the connection's
own thread, so that a batch of 1,000 rows costs one hop. The function must not touch asyncio.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import aiosqlite

from workbench.store import faults, migrations
from workbench.store.connecting import connect, load_vectors
from workbench.store.driver import Connection, Cursor, Parameters

T = TypeVar("T")


class Database:
    """Made by `open_database`. Errors of the file are UnavailableErrors that name it;
    sqlite3.IntegrityError passes through to whoever can explain it."""

    def __init__(self, path: Path, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._reader = reader
        self._writer: aiosqlite.Connection | None = None
        self._has_vectors = False
        self._opening = asyncio.Lock()

    async def read(self, function: Callable[[Cursor], T]) -> T:
        """Run `function` over one consistent snapshot."""
        return await self._run(self._reader, self._transaction("BEGIN", function))

    async def fetch(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        """All rows of one query."""
        return await self.read(lambda cursor: cursor.execute(sql, parameters).fetchall())

    async def write(self, function: Callable[[Cursor], T]) -> T:
        """Run `function` in one transaction: all of it is durable when this returns, none of
        it happened when this raises. The one exception: a cancellation that comes while
        the commit itself is under way comes too late."""
        cancelled = threading.Event()

        def unless_cancelled(cursor: Cursor) -> T:
            result = function(cursor)
            if cancelled.is_set():
                raise asyncio.CancelledError
            return result

        writer = await self._writing()
        try:
            return await self._run(writer, self._transaction("BEGIN IMMEDIATE", unless_cancelled))
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def data_version(self) -> int:
        """A number that changes when anyone else, or our own writer, has committed."""
        return int((await self.fetch("PRAGMA data_version"))[0][0])

    async def load_vectors(self) -> str:
        """Load sqlite-vec into every connection, now or when it is opened; its version."""
        async with self._opening:
            self._has_vectors = True
            if self._writer is not None:
                await load_vectors(self._writer)
        return await load_vectors(self._reader)

    async def close(self) -> None:
        try:
            if self._writer is not None:
                await self._writer.close()
        finally:
            await self._reader.close()

    async def migrate(self) -> None:
        """Bring the schema up to date. Costs one pragma when it is."""
        try:
            async with self._reader.execute("PRAGMA user_version") as cursor:
                [(found,)] = await cursor.fetchall()
        except sqlite3.Error as error:
            raise faults.explained(error, self.path) from error
        if migrations.is_due(found, self.path):
            writer = await self._writing()
            await self._run(writer, lambda c: migrations.migrate(c, self.path))

    async def _writing(self) -> aiosqlite.Connection:
        async with self._opening:
            if self._writer is None:
                self._writer = await _connected(self.path, read_only=False)
                if self._has_vectors:
                    await load_vectors(self._writer)
            return self._writer

    async def _run(
        self, connection: aiosqlite.Connection, function: Callable[[Connection], T]
    ) -> T:
        """Run a function in the thread of a connection. aiosqlite has only a private name
        for that; each of its public methods is this with a fixed function."""
        try:
            raw = cast(Connection, connection._conn)
            return cast(T, await connection._execute(function, raw))  # type: ignore[no-untyped-call]
        except sqlite3.Error as error:
            raise faults.explained(error, self.path) from error

    def _transaction(
        self, begin: str, function: Callable[[Cursor], T]
    ) -> Callable[[Connection], T]:
        def run(connection: Connection) -> T:
            cursor = connection.cursor()
            cursor.execute(begin)
            try:
                # A newer program may have migrated the file since we opened it.
                [(found,)] = cursor.execute("PRAGMA user_version").fetchall()
                migrations.is_due(found, self.path)
                result = function(cursor)
                cursor.execute("COMMIT")
            except BaseException:
                connection.rollback()
                raise
            return result

        return run


async def open_database(path: Path) -> Database:
    """Open the registry file; it and its folder are made, and it is migrated, if need be."""
    _make(path)
    database = Database(path, await _connected(path, read_only=True))
    try:
        await database.migrate()
    except BaseException:
        await database.close()
        raise
    return database


def _make(path: Path) -> None:
    """For the owner's eyes only, before SQLite would make it for everyone's."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise faults.of_system(error, path) from error


async def _connected(path: Path, *, read_only: bool) -> aiosqlite.Connection:
    try:
        return await connect(path, read_only=read_only)
    except sqlite3.Error as error:
        raise faults.explained(error, path) from error
