"""The adapter, as aiosqlite uses it, on real files."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import aiosqlite
import apsw
import pytest

from workbench.store.apsw_errors import as_sqlite3
from workbench.store.connecting import connect, load_vectors, open_here


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[aiosqlite.Connection]:
    opened = await connect(tmp_path / "a.db", read_only=False)
    await opened.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
    yield opened
    await opened.close()


async def test_rows_come_back_one_by_one_in_chunks_and_all(
    connection: aiosqlite.Connection,
) -> None:
    await connection.executemany("INSERT INTO t VALUES (?, ?)", [(n, str(n)) for n in range(200)])
    async with connection.execute("SELECT a FROM t ORDER BY a") as cursor:
        assert await cursor.fetchone() == (0,)
        assert list(await cursor.fetchmany()) == [(1,)]
        assert list(await cursor.fetchmany(2)) == [(2,), (3,)]
        assert [row async for row in cursor] == [(n,) for n in range(4, 200)]
        assert await cursor.fetchone() is None
        assert list(await cursor.fetchall()) == []


async def test_counts_and_row_ids_are_those_of_sqlite3(connection: aiosqlite.Connection) -> None:
    cursor = await connection.execute("INSERT INTO t VALUES (7, 'x')")
    assert (cursor.rowcount, cursor.lastrowid) == (1, 7)
    many = await connection.executemany("INSERT INTO t VALUES (?, 'y')", [(8,), (9,)])
    assert many.rowcount == 2
    cursor = await connection.execute(" -- a comment\n UPDATE t SET b = 'z'")
    assert cursor.rowcount == 3
    cursor = await connection.execute("SELECT 1")
    assert cursor.rowcount == -1
    assert connection.total_changes == 6
    assert await connection.execute_insert("INSERT INTO t VALUES (12, 'x')") == (12,)
    assert list(await connection.execute_fetchall("SELECT max(a) FROM t")) == [(12,)]


async def test_an_empty_result_still_has_columns(connection: aiosqlite.Connection) -> None:
    cursor = await connection.execute("SELECT a, b AS c FROM t")
    assert [column[0] for column in cursor.description] == ["a", "c"]
    cursor = await connection.execute("DELETE FROM t")
    assert cursor.description is None


async def test_a_single_fetched_row_holds_no_snapshot(
    connection: aiosqlite.Connection, tmp_path: Path
) -> None:
    await connection.execute("INSERT INTO t VALUES (1, 'x')")
    cursor = await connection.execute("SELECT a FROM t")
    assert await cursor.fetchone() == (1,)
    other = apsw.Connection(str(tmp_path / "a.db"))
    other.execute("INSERT INTO t VALUES (2, 'y')")
    busy, _, _ = next(other.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    other.close()
    assert busy == 0


async def test_transactions_are_begun_by_hand(connection: aiosqlite.Connection) -> None:
    await connection.commit()
    await connection.rollback()
    await connection.execute("INSERT INTO t VALUES (1, 'kept')")
    assert not connection.in_transaction
    await connection.execute("BEGIN IMMEDIATE")
    await connection.execute("INSERT INTO t VALUES (2, 'gone')")
    assert connection.in_transaction
    await connection.rollback()
    await connection.execute("BEGIN")
    await connection.execute("INSERT INTO t VALUES (3, 'kept')")
    await connection.commit()
    assert list(await connection.execute_fetchall("SELECT a FROM t")) == [(1,), (3,)]
    assert connection.isolation_level is None
    with pytest.raises(sqlite3.NotSupportedError):
        connection.isolation_level = "DEFERRED"


async def test_factories_shape_rows_and_text(connection: aiosqlite.Connection) -> None:
    connection.row_factory = lambda cursor, row: dict(  # type: ignore[assignment]
        zip((column[0] for column in cursor.description), row, strict=True)
    )
    connection.text_factory = bytes
    cursor = await connection.execute("SELECT 1 AS one, 'é' AS text")
    assert cursor.row_factory is not None
    assert list(await cursor.fetchall()) == [{"one": 1, "text": "é".encode()}]


async def test_functions_traces_progress_and_authorizers_are_called(
    connection: aiosqlite.Connection,
) -> None:
    seen: list[str] = []
    await connection.create_function("twice", 1, lambda n: 2 * n, deterministic=True)
    await connection.set_trace_callback(seen.append)
    assert list(await connection.execute_fetchall("SELECT twice(21)")) == [(42,)]
    await connection.set_trace_callback(None)  # type: ignore[arg-type]
    await connection.execute("SELECT 2")
    assert seen == ["SELECT twice(21)"]

    await connection.set_progress_handler(lambda: 1, 1)
    with pytest.raises(sqlite3.OperationalError) as interrupted:
        await connection.execute(
            "WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n"
        )
    assert interrupted.value.sqlite_errorname == "SQLITE_INTERRUPT"
    await connection.set_progress_handler(None, 0)  # type: ignore[arg-type]

    await connection.set_authorizer(
        lambda action, *_: (
            sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_DELETE else sqlite3.SQLITE_OK
        )
    )
    with pytest.raises(sqlite3.DatabaseError):
        await connection.execute("DELETE FROM t")
    await connection.set_authorizer(None)
    await connection.execute("DELETE FROM t")
    await connection.interrupt()


async def test_a_script_a_backup_and_a_dump_keep_everything(
    connection: aiosqlite.Connection, tmp_path: Path
) -> None:
    await connection.executescript("INSERT INTO t VALUES (1, 'x'); INSERT INTO t VALUES (2, 'y');")
    steps: list[int] = []
    async with await _plain(tmp_path / "b.db") as copy:
        await connection.backup(copy, pages=1, progress=lambda s, left, of: steps.append(left))
        assert list(await copy.execute_fetchall("SELECT b FROM t")) == [("x",), ("y",)]
    assert steps[-1] == 0
    lines = [line async for line in connection.iterdump()]
    async with await _plain(tmp_path / "c.db") as again:
        await again.executescript("\n".join(lines))
        assert list(await again.execute_fetchall("SELECT a FROM t")) == [(1,), (2,)]
    with pytest.raises(sqlite3.NotSupportedError):
        await connection.backup(sqlite3.connect(":memory:"))


async def _plain(path: Path) -> aiosqlite.Connection:
    def connector() -> sqlite3.Connection:
        from workbench.store.driver import Connection

        return Connection(apsw.Connection(str(path)))  # type: ignore[return-value]

    return aiosqlite.Connection(connector, 64)


async def test_every_connection_has_our_settings(tmp_path: Path) -> None:
    for read_only in (False, True):
        connection = await connect(tmp_path / "a.db", read_only=read_only)
        values = {
            name: (await connection.execute_fetchall(f"PRAGMA {name}"))[0][0]  # type: ignore[index]
            for name in (
                "journal_mode",
                "synchronous",
                "foreign_keys",
                "trusted_schema",
                "busy_timeout",
                "query_only",
            )
        }
        assert connection._thread.daemon
        await connection.close()
        assert values == {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "trusted_schema": 0,
            "busy_timeout": 30_000,
            "query_only": int(read_only),
        }


async def test_a_reading_connection_refuses_to_write(
    connection: aiosqlite.Connection, tmp_path: Path
) -> None:
    reader = await connect(tmp_path / "a.db", read_only=True)
    with pytest.raises(sqlite3.OperationalError) as refused:
        await reader.execute("DELETE FROM t")
    await reader.close()
    assert refused.value.sqlite_errorname.startswith("SQLITE_READONLY")


async def test_vectors_load_on_demand_and_twice(connection: aiosqlite.Connection) -> None:
    with pytest.raises(sqlite3.OperationalError):
        await connection.execute("SELECT vec_version()")
    assert await load_vectors(connection) == await load_vectors(connection)
    with pytest.raises(sqlite3.OperationalError):
        await connection.load_extension("/nothing")


async def test_errors_are_those_of_sqlite3_with_their_cause(
    connection: aiosqlite.Connection, tmp_path: Path
) -> None:
    await connection.execute("INSERT INTO t VALUES (1, 'x')")
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE") as constraint:
        await connection.execute("INSERT INTO t VALUES (1, 'x')")
    assert constraint.value.sqlite_errorname == "SQLITE_CONSTRAINT_PRIMARYKEY"
    assert isinstance(constraint.value.__cause__, apsw.ConstraintError)
    with pytest.raises(sqlite3.OperationalError, match="syntax"):
        await connection.execute("SELEC")
    with pytest.raises(sqlite3.ProgrammingError):
        await connection.execute("SELECT ?", ())
    with pytest.raises(sqlite3.ProgrammingError):
        await connection.executemany("SELECT ?", [(1,)])
    with pytest.raises(sqlite3.DatabaseError) as text:
        await connection.execute_fetchall("SELECT CAST(x'ff' AS TEXT)")
    assert text.value.sqlite_errorname == "SQLITE_CORRUPT"
    with pytest.raises(sqlite3.OperationalError) as missing:
        await connect(tmp_path / "no" / "a.db", read_only=True)
    assert missing.value.sqlite_errorname.startswith("SQLITE_CANTOPEN")
    (tmp_path / "junk.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(sqlite3.DatabaseError) as junk:
        open_here(tmp_path / "junk.db", read_only=False)
    assert junk.value.sqlite_errorname == "SQLITE_NOTADB"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (apsw.BusyError, sqlite3.OperationalError),
        (apsw.LockedError, sqlite3.OperationalError),
        (apsw.CantOpenError, sqlite3.OperationalError),
        (apsw.IOError, sqlite3.OperationalError),
        (apsw.FullError, sqlite3.OperationalError),
        (apsw.ReadOnlyError, sqlite3.OperationalError),
        (apsw.ConstraintError, sqlite3.IntegrityError),
        (apsw.CorruptError, sqlite3.DatabaseError),
        (apsw.NotADBError, sqlite3.DatabaseError),
        (apsw.MisuseError, sqlite3.ProgrammingError),
        (apsw.TooBigError, sqlite3.DataError),
        (apsw.InternalError, sqlite3.InternalError),
    ],
)
def test_each_class_has_its_counterpart(
    theirs: type[apsw.Error], ours: type[sqlite3.Error]
) -> None:
    translated = as_sqlite3(theirs("why"))
    assert type(translated) is ours
    assert str(translated) == "why"
