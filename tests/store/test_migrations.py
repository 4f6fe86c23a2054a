"""Old or new, never between; a verified copy before; newer ones left alone."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import sqlite3
import sys
from pathlib import Path

import apsw
import pytest

from workbench.errors import UnavailableError
from workbench.store import migrations, open_store
from workbench.store.tools import ToolStore

from .conftest import MakeDraft

NEWEST = migrations.known(migrations.FOLDER)[-1].number


def _query(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


async def _open_and_close(home: Path) -> None:
    await (await open_store(home)).close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the migrations, to which a test may add."""
    copy = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, copy)
    monkeypatch.setattr(migrations, "FOLDER", copy)
    return copy


async def test_a_fresh_registry_gets_and_records_them_all(store: ToolStore, home: Path) -> None:
    found = _query(home / "registry.db", "SELECT number, name, sha256 FROM migrations")
    assert found == [
        (m.number, m.name, hashlib.sha256(m.path.read_bytes()).hexdigest())
        for m in migrations.known(migrations.FOLDER)
    ]
    assert _query(home / "registry.db", "PRAGMA user_version") == [(len(found),)]
    assert not (home / "backups").exists()


def test_home_and_registry_are_for_the_owner_only(home: Path) -> None:
    asyncio.run(_open_and_close(home))
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "registry.db").stat().st_mode & 0o777 == 0o600


async def test_a_migration_that_fails_leaves_the_old_and_a_good_backup(
    home: Path, folder: Path, draft: MakeDraft
) -> None:
    store = await open_store(home)
    await store.save([draft()])
    await store.close()
    before = _query(home / "registry.db", "SELECT name, sql FROM sqlite_schema ORDER BY name")

    (folder / "0009_bad.sql").write_text("CREATE TABLE half (a); INSERT INTO nowhere VALUES (1);")
    migrations.known.cache_clear()
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        await open_store(home)

    registry = home / "registry.db"
    assert _query(registry, "SELECT name, sql FROM sqlite_schema ORDER BY name") == before
    assert _query(registry, "PRAGMA user_version") == [(NEWEST,)]
    [backup] = (home / "backups").iterdir()
    assert backup.name.startswith(f"registry-{NEWEST}-")
    assert _query(backup, "SELECT tool_id FROM tools") == [("mailer",)]
    assert _query(backup, "PRAGMA integrity_check") == [("ok",)]


async def test_the_newest_five_backups_are_kept(home: Path, folder: Path) -> None:
    for number in range(NEWEST, 10):
        (folder / f"{number + 1:04}_next.sql").write_text(f"CREATE TABLE next_{number} (a);")
        migrations.known.cache_clear()
        await _open_and_close(home)
    kept = sorted(path.name.split("-")[1] for path in (home / "backups").iterdir())
    assert kept == ["5", "6", "7", "8", "9"]


async def test_a_newer_registry_is_refused_and_not_touched(home: Path) -> None:
    await _open_and_close(home)
    _query(home / "registry.db", "PRAGMA user_version = 99")
    before = (home / "registry.db").read_bytes()
    with pytest.raises(UnavailableError) as refused:
        await open_store(home)
    assert refused.value.code == "registry_newer"
    assert str(home / "registry.db") in refused.value.message
    assert (home / "registry.db").read_bytes() == before


async def test_a_registry_that_becomes_newer_while_open_is_refused(
    store: ToolStore, home: Path, draft: MakeDraft
) -> None:
    _query(home / "registry.db", "PRAGMA user_version = 99")
    with pytest.raises(UnavailableError) as written:
        await store.save([draft()])
    with pytest.raises(UnavailableError) as read:
        await store.count()
    assert written.value.code == read.value.code == "registry_newer"


async def test_processes_that_start_at_once_migrate_once(home: Path) -> None:
    code = (
        "import asyncio, sys, pathlib\n"
        "from workbench.store import open_store\n"
        "async def main():\n"
        "    store = await open_store(pathlib.Path(sys.argv[1]))\n"
        "    print(await store.count())\n"
        "    await store.close()\n"
        "asyncio.run(main())\n"
    )
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, str(home), stdout=asyncio.subprocess.PIPE
        )
        for _ in range(4)
    ]
    outputs = [(await process.communicate())[0] for process in processes]
    assert outputs == [b"0\n"] * 4
    assert _query(home / "registry.db", "SELECT count(*) FROM migrations") == [(NEWEST,)]
    assert not (home / "backups").exists()


_KILLED = """
import os, pathlib, signal, sys
from workbench.store import migrations
from workbench.store.connecting import open_here
path, left = pathlib.Path(sys.argv[1]), int(sys.argv[2])
connection = open_here(path, read_only=False)
def count(sql):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
connection.set_trace_callback(count)
migrations.migrate(connection, path)
"""


async def test_killed_at_any_statement_it_is_old_or_new(home: Path) -> None:
    killed = 0
    for statement in range(1, 80, 3):
        registry = home / f"{statement}" / "registry.db"
        registry.parent.mkdir(parents=True)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _KILLED, str(registry), str(statement)
        )
        killed += await process.wait() != 0
        [(schema,)] = _query(registry, "PRAGMA user_version")
        tables = {name for (name,) in _query(registry, "SELECT name FROM sqlite_schema")}
        assert ("tools" in tables, "search_text" in tables) == (schema >= 1, schema >= 2)  # type: ignore[operator]
        assert ("attestations" in tables) == (schema >= 3)  # type: ignore[operator]
        assert ("migrations" in tables) == (schema >= 1)  # type: ignore[operator]
        store = await open_store(registry.parent)
        assert await store.integrity() == []
        await store.close()
        assert _query(registry, "SELECT count(*) FROM migrations") == [(NEWEST,)]
    assert killed > 5
