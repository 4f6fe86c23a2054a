"""Transactions, cancellation, and errors of the file in words."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import threading
from pathlib import Path

import apsw
import pytest

from workbench.errors import UnavailableError
from workbench.store import connecting, faults, open_store
from workbench.store.database import Database, open_database
from workbench.store.driver import Cursor
from workbench.store.tools import ToolStore

from .conftest import SPACES, MakeDraft


def _put(key: str, cursor: Cursor) -> None:
    cursor.execute("INSERT INTO meta VALUES (?, '')", (key,))


async def _keys(database: Database) -> list[str]:
    return [key for (key,) in await database.fetch("SELECT key FROM meta ORDER BY key")]


async def test_a_write_that_raises_leaves_nothing(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "registry.db")

    def fail(cursor: Cursor) -> None:
        _put("a", cursor)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        await database.write(fail)
    await database.write(lambda cursor: _put("b", cursor))
    with pytest.raises(sqlite3.IntegrityError):
        await database.write(lambda cursor: _put("b", cursor))
    assert await _keys(database) == ["b"]
    await database.close()


async def test_a_cancelled_write_is_rolled_back(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "registry.db")
    started, proceed = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slow(cursor: Cursor) -> None:
        _put("cancelled", cursor)
        loop.call_soon_threadsafe(started.set)
        proceed.wait()

    task = asyncio.create_task(database.write(slow))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    proceed.set()
    await database.write(lambda cursor: _put("next", cursor))
    assert await _keys(database) == ["next"]
    await database.close()


async def test_concurrent_writes_all_arrive(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "registry.db")
    await asyncio.gather(
        *(database.write(lambda cursor, n=n: _put(f"{n:02}", cursor)) for n in range(20))  # type: ignore[misc]
    )
    assert await _keys(database) == [f"{n:02}" for n in range(20)]
    await database.close()


async def test_the_reader_cannot_write(tmp_path: Path) -> None:
    database = await open_database(tmp_path / "registry.db")
    with pytest.raises(UnavailableError) as refused:
        await database.read(lambda cursor: _put("a", cursor))
    assert refused.value.code == "registry_readonly"
    await database.close()


async def test_a_locked_registry_is_said_after_the_wait(
    home: Path, monkeypatch: pytest.MonkeyPatch, draft: MakeDraft
) -> None:
    monkeypatch.setattr(connecting, "BUSY_SECONDS", 0)
    store = await open_store(home)
    await store.count()
    other = apsw.Connection(str(home / "registry.db"))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UnavailableError) as locked:
        await store.save([draft()])
    assert locked.value.code == "registry_locked"
    assert str(home / "registry.db") in locked.value.message
    other.execute("ROLLBACK")
    other.close()
    await store.save([draft()])
    await store.close()


async def test_a_long_reader_hinders_no_writer(
    store: ToolStore, raw: apsw.Connection, draft: MakeDraft
) -> None:
    raw.execute("BEGIN; SELECT * FROM tools")
    for n in range(20):
        await store.save([draft(version=f"1.0.{n}")])
    assert list(raw.execute("SELECT * FROM tools")) == []
    raw.execute("COMMIT")
    assert len(await store.versions("public", "mailer")) == 20


async def test_a_full_disk_refuses_the_whole_save(store: ToolStore, draft: MakeDraft) -> None:
    await store.save([draft("first")])

    def shrink(cursor: Cursor) -> None:
        [(pages,)] = cursor.execute("PRAGMA page_count").fetchall()
        cursor.execute(f"PRAGMA max_page_count = {pages + 1}")

    await store._database.write(shrink)
    with pytest.raises(UnavailableError) as full:
        await store.save([draft(f"t{n}", description="word " * 500) for n in range(50)])
    assert full.value.code == "registry_full"
    assert [row.tool_id for row in await store.rows(SPACES)] == ["first"]


@pytest.mark.parametrize("with_backup", [True, False])
async def test_a_damaged_registry_is_said_with_the_way_back(home: Path, with_backup: bool) -> None:
    (home / "backups").mkdir(parents=True)
    (home / "registry.db").write_bytes(b"this was a registry once" * 1000)
    if with_backup:
        for stamp in ("2-20250101T000000.0Z", "1-20260101T000000.0Z"):
            (home / "backups" / f"registry-{stamp}.db").touch()
    with pytest.raises(UnavailableError) as corrupt:
        await open_store(home)
    assert corrupt.value.code == "registry_corrupt"
    newest = "registry-1-20260101T000000.0Z.db" if with_backup else "no backup"
    assert newest in corrupt.value.suggestion


async def test_a_damaged_page_is_found_when_looked_for(home: Path, draft: MakeDraft) -> None:
    store = await open_store(home)
    await store.save([draft(f"tool_{n}", description="x" * 500) for n in range(200)])
    assert await store.integrity() == []
    await store.close()
    registry = home / "registry.db"
    data = bytearray(registry.read_bytes())
    half = len(data) // 2
    data[half:] = b"\xa5" * (len(data) - half)
    registry.write_bytes(data)
    store = await open_store(home)
    assert await store.integrity()
    with pytest.raises(UnavailableError) as corrupt:
        for n in range(200):
            await store.find(f"tool_{n}", ["public"])
    assert corrupt.value.code == "registry_corrupt"
    await store.close()


async def test_a_home_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnavailableError) as unreadable:
        await open_store(tmp_path / "file" / "home")
    assert unreadable.value.code == "registry_unreadable"
    (tmp_path / "home" / "registry.db").mkdir(parents=True)
    with pytest.raises(UnavailableError) as folder:
        await open_store(tmp_path / "home")
    assert folder.value.code == "registry_unreadable"


async def test_vectors_loaded_once_are_there_for_a_writer_opened_later(home: Path) -> None:
    await (await open_store(home)).close()
    database = await open_database(home / "registry.db")
    version = await database.load_vectors()
    sql = "SELECT vec_version()"
    assert await database.fetch(sql) == [(version,)]
    assert await database.write(lambda c: c.execute(sql).fetchall()) == [(version,)]
    assert await database.load_vectors() == version
    await database.close()


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EACCES, "registry_readonly"),
        (errno.EROFS, "registry_readonly"),
        (errno.ENOSPC, "registry_full"),
        (errno.EIO, "registry_unreadable"),
    ],
)
def test_what_the_system_refuses_is_said_in_our_words(number: int, code: str) -> None:
    path = Path("/somewhere/registry.db")
    assert faults.of_system(OSError(number, "no"), path).code == code


async def test_info_tells_what_a_doctor_asks(store: ToolStore, home: Path) -> None:
    info = await store.info()
    assert info["path"] == str(home / "registry.db")
    assert info["journal_mode"] == "wal"
    assert info["schema_version"] == 3
    assert info["sqlite_vec_version"].startswith("v")
    assert tuple(map(int, info["sqlite_version"].split("."))) >= (3, 51, 3)


async def test_the_data_version_changes_with_each_commit(
    store: ToolStore, raw: apsw.Connection
) -> None:
    first = await store.data_version()
    assert await store.data_version() == first
    raw.execute("INSERT INTO meta VALUES ('a', 'b')")
    second = await store.data_version()
    assert second != first
    await store.meta_set("a", "c")
    assert await store.data_version() != second
    assert await store.meta_get("a") == "c"
    assert await store.meta_get("b") is None
