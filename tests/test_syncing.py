"""Bringing the registry up to date with a tree: only what changed, and whatever else happens."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DRILL_SCALE, RunCli, cli_environment
from tests.projects import api, script, write
from workbench.core.reading import Reading
from workbench.sources import reader
from workbench.sources import scan as scanning
from workbench.store.trees import TreeStore
from workbench.trees import Report
from workbench.workbench import Workbench, open_workbench


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as old enough to be relied upon."""
    monkeypatch.setattr(scanning, "_FRESH_NS", -(10**18))


async def _tools(workbench: Workbench) -> dict[str, str]:
    rows = await workbench.rows(limit=100_000)
    return {row.tool_id: row.version for row in rows if row.space != "public"}


async def _codes(workbench: Workbench) -> dict[str, list[str]]:
    return {
        path.name: [problem["code"] for problem in unit.problems]
        for path, unit in await workbench.amiss()
    }


async def _history(workbench: Workbench, tool_id: str) -> list[tuple[str, bool]]:
    rows = await workbench.versions(tool_id, workbench.trees[0].space)
    return [(row.version, row.is_latest) for row in rows]


def _counts(report: Report) -> tuple[int, int, int]:
    return report.read, report.stored, report.absent


@pytest.mark.usefixtures("settled")
async def test_only_what_changed_is_read(seeded_home: Path, tmp_path: Path) -> None:
    project = write(tmp_path / "p", {f"tools/t{n}.yaml": api(f"t{n}") for n in range(5)})
    write(project, {"tools/f/tool.yaml": script("f"), "tools/f/main.py": "", "tools/bad.yaml": "["})
    async with open_workbench(seeded_home, project=project) as workbench:
        assert _counts(await workbench.sync()) == (0, 0, 0)
        write(project, {"tools/f/main.py": "print()\n"})
        assert _counts(await workbench.sync()) == (1, 1, 0)
        write(project, {"tools/new.yaml": api("new")})
        assert _counts(await workbench.sync()) == (1, 1, 0)
        (project / ".ai" / "tools" / "t0.yaml").unlink()
        assert _counts(await workbench.sync()) == (0, 0, 1)
        assert (await workbench.sync()).is_quiet


async def test_an_edit_of_the_same_size_at_the_same_moment_is_noticed(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a", description="one")})
    path = project / ".ai" / "tools" / "a.yaml"
    frozen = path.stat()
    monkeypatch.setattr(scanning, "_print", lambda _: "as before")  # a clock that does not tick
    async with open_workbench(seeded_home, project=project) as workbench:
        path.write_text(api("a", description="two"))
        assert path.stat().st_size == frozen.st_size
        await workbench.sync()
        assert (await workbench.get("a")).manifest["description"] == "two"


@pytest.mark.usefixtures("settled")
async def test_moved_files_and_swapped_names_keep_their_tools(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a"), "tools/b.yaml": api("b")})
    tools = project / ".ai" / "tools"
    async with open_workbench(seeded_home, project=project) as workbench:
        (tools / "shelf").mkdir()
        (tools / "a.yaml").rename(tools / "shelf" / "elsewhere.yaml")
        assert (await workbench.sync()).absent == 0
        assert await workbench.path_of(await workbench.get("a")) == tools / "shelf/elsewhere.yaml"
        (tools / "b.yaml").rename(tools / "c.yaml")
        (tools / "shelf" / "elsewhere.yaml").rename(tools / "b.yaml")
        (tools / "c.yaml").rename(tools / "shelf" / "elsewhere.yaml")
        assert (await workbench.sync()).absent == 0
        assert await _tools(workbench) == {"a": "1.0.0", "b": "1.0.0"}
        assert await workbench.path_of(await workbench.get("a")) == tools / "b.yaml"
        assert await _codes(workbench) == {}
        assert (await workbench.sync()).is_quiet


@pytest.mark.usefixtures("settled")
async def test_a_file_that_goes_back_in_time_takes_its_tool_along(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a", "1.0.0")})
    path = project / ".ai" / "tools" / "a.yaml"
    async with open_workbench(seeded_home, project=project) as workbench:
        path.write_text(api("a", "2.0.0"))
        await workbench.sync()
        path.unlink()
        assert (await workbench.sync()).absent == 1
        assert await _tools(workbench) == {}
        assert await _history(workbench, "a") == [("2.0.0", True), ("1.0.0", False)]
        path.write_text(api("a", "1.0.0"))
        await workbench.sync()
        assert await _history(workbench, "a") == [("2.0.0", False), ("1.0.0", True)]
        path.write_text(api("a", "1.0.0", description="Other."))
        await workbench.sync()
        (version,) = (await _tools(workbench)).values()
        assert version.startswith("1.0.0+local.")
        assert await _codes(workbench) == {"a.yaml": ["version_taken"]}
        path.write_text(api("a", "1.0.0"))
        await workbench.sync()
        assert await _tools(workbench) == {"a": "1.0.0"}
        assert await _codes(workbench) == {}


@pytest.mark.usefixtures("settled")
async def test_of_two_files_with_one_id_the_first_stays_until_it_goes_or_breaks(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(
        tmp_path / "p", {"tools/m.yaml": api("a", "1.0.0"), "tools/z.yaml": api("a", "2.0.0")}
    )
    tools = project / ".ai" / "tools"
    async with open_workbench(seeded_home, project=project) as workbench:
        assert await _tools(workbench) == {"a": "1.0.0"}
        assert await _codes(workbench) == {"z.yaml": ["duplicate_tool"]}
        (tools / "b.yaml").write_text(api("a", "3.0.0"))  # before the holder, and later
        (tools / "m.yaml").write_text(api("a", "1.1.0"))
        await workbench.sync()
        assert await _tools(workbench) == {"a": "1.1.0"}
        assert set(await _codes(workbench)) == {"b.yaml", "z.yaml"}
        (tools / "m.yaml").write_text(api("a").replace("tool_type: api", "tool_type: nonsense"))
        assert (await workbench.sync()).absent == 0
        assert await _tools(workbench) == {"a": "3.0.0"}
        assert set(await _codes(workbench)) == {"m.yaml", "z.yaml"}
        (tools / "m.yaml").write_text(api("a", "1.1.0"))  # whole again, and too late
        await workbench.sync()
        assert await _tools(workbench) == {"a": "3.0.0"}
        (tools / "b.yaml").unlink()
        await workbench.sync()
        assert await _tools(workbench) == {"a": "1.1.0"}


@pytest.mark.usefixtures("settled")
async def test_a_file_that_could_not_be_read_is_read_again_although_it_looks_the_same(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a"), "tools/f/tool.yaml": script("f")})
    write(project, {"tools/f/main.py": "", "tools/b.yaml": api("b")})
    open_file = os.open

    def failing(path: Any, *rest: Any, **named: Any) -> int:
        if path in ("a.yaml", "main.py"):
            raise OSError(24, "Too many open files")
        return open_file(path, *rest, **named)

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.opening.os.open", failing)
        async with open_workbench(seeded_home, project=project) as workbench:
            assert set(await _tools(workbench)) == {"b"}
            codes = await _codes(workbench)
            assert codes["a.yaml"] == ["unreadable_file"]
            assert "unreadable_file" in codes["f"]
    async with open_workbench(seeded_home, project=project) as workbench:
        assert set(await _tools(workbench)) == {"a", "b", "f"}
        assert await _codes(workbench) == {}


async def test_a_tree_that_goes_between_the_look_and_the_reading(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a"), "tools/f/tool.yaml": script("f")})
    read = reader.read_unit

    def vanishing(root: Path, path: str, names: Any) -> Reading:
        shutil.rmtree(project / ".ai", ignore_errors=True)
        return read(root, path, names)

    with monkeypatch.context() as patched:
        patched.setattr(reader, "read_unit", vanishing)
        async with open_workbench(seeded_home, project=project) as workbench:
            assert await _tools(workbench) == {}
            monkeypatch.undo()
            await workbench.sync()
            assert await _codes(workbench) == {}


async def test_a_file_that_changes_while_it_is_read_ends_as_it_is(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a", "1.0.0")})
    path = project / ".ai" / "tools" / "a.yaml"
    look = os.fstat

    def changing(descriptor: int) -> os.stat_result:
        status = look(descriptor)
        path.write_text(api("a", "1.0.1"))
        return status

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.opening.os.fstat", changing)
        async with open_workbench(seeded_home, project=project):
            pass
    async with open_workbench(seeded_home, project=project) as workbench:
        assert await _tools(workbench) == {"a": "1.0.1"}


def _start(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "workbench", *arguments],
        env=cli_environment(),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


async def test_processes_that_read_one_tree_at_once_lose_nothing(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "p", {f"tools/t{n}.yaml": api(f"t{n}") for n in range(200)})
    running = [_start("list", "--json", cwd=project) for _ in range(3)]
    for number in range(200, 260):  # while they read
        write(project, {f"tools/t{number}.yaml": api(f"t{number}")})
        (project / ".ai" / "tools" / f"t{number - 200}.yaml").unlink()
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors.decode()
        assert b"Traceback" not in errors
    async with open_workbench(seeded_home, project=project) as workbench:
        assert set(await _tools(workbench)) == {f"t{n}" for n in range(60, 260)}
        assert await _codes(workbench) == {}


@pytest.mark.drill
async def test_a_first_reading_that_is_killed_is_taken_up_again(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    count = 1_200
    project = write(tmp_path / "p", {f"tools/t{n}.yaml": api(f"t{n}") for n in range(count)})
    registry = seeded_home / "registry.db-wal"
    for _ in range(DRILL_SCALE):
        process = _start("list", cwd=project)
        size = registry.stat().st_size if registry.exists() else 0
        while process.poll() is None:  # until the first part is on disk
            if registry.exists() and registry.stat().st_size > size:
                process.send_signal(signal.SIGKILL)
                break
            await asyncio.sleep(0.001)
        process.communicate()
    async with open_workbench(seeded_home, project=project) as workbench:
        assert len(await _tools(workbench)) == count
        registry_state = [f for f in await workbench.doctor() if f.name == "registry"]
        assert [str(finding.state) for finding in registry_state] == ["ok"]
    assert run_cli("list", cwd=project).code == 0


async def test_a_tool_that_another_process_moved_meanwhile_stays(
    seeded_home: Path, tmp_path: Path
) -> None:
    """One has looked, the file moves and another syncs that, then the first goes on."""
    project = write(tmp_path / "p", {"tools/a.yaml": api("a")})
    async with (
        open_workbench(seeded_home, project=project) as one,
        open_workbench(seeded_home, project=project) as two,
    ):
        space = one.trees[0].space
        (project / ".ai/tools/a.yaml").rename(project / ".ai/tools/b.yaml")
        await two.sync()
        gone = await one._store.trees.settle(space, str(project / ".ai"), (), ["tools/a.yaml"])
        assert gone == set()
        assert (await one.get("a")).tool_id == "a"


async def test_a_tool_that_was_stored_by_a_sync_that_died_does_not_haunt(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a"), "tools/b.yaml": api("b")})

    async def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(TreeStore, "record", die)
        with pytest.raises(KeyboardInterrupt):
            async with open_workbench(seeded_home, project=project):
                pass
    (project / ".ai/tools/a.yaml").unlink()
    (project / ".ai/tools/b.yaml").unlink()
    async with open_workbench(seeded_home, project=project) as workbench:
        assert [row for row in await workbench.rows(limit=99) if not row.is_official] == []
