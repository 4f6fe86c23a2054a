"""Several programs on one registry, and programs that are stopped in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from tests.cli.conftest import api_text, script_folder
from tests.conftest import DRILL_SCALE, ROOT, RunCli, cli_environment

TOOLS = 3_000 * min(DRILL_SCALE, 5)


@contextmanager
def _started(*arguments: str, cwd: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "workbench", *arguments],
        env=cli_environment(**environment),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs the tests in the background has Ctrl-C ignored for all it starts.
        preexec_fn=_obey_interrupts,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _obey_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _many(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:05}.yaml").write_text(api_text(f"tool_{number:05}"))
    return folder


def _stored(home: Path) -> set[str]:
    connection = apsw.Connection(str(home / "registry.db"))
    try:
        assert connection.pragma("integrity_check") == "ok"
        rows = connection.execute("SELECT tool_id FROM tools WHERE absent_since IS NULL")
        return {str(tool_id) for (tool_id,) in rows}
    finally:
        connection.close()


@pytest.mark.drill
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_was_printed_is_stored_however_an_add_ends(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path, stop: signal.Signals
) -> None:
    _many(tmp_path / "many", TOOLS)
    with _started("add", "many", cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(stop)
        rest, errors = process.stdout.read(), process.stderr.read()
    printed = [line.split()[0] for line in (first + rest).splitlines() if line.endswith("created")]
    assert 0 < len(printed) < TOOLS
    assert set(printed) <= _stored(seeded_home)
    assert "Traceback" not in errors
    if stop is signal.SIGINT:
        assert process.returncode == 130
        assert errors.strip() == "cancelled"
    else:
        assert process.returncode == -stop
    again = run_cli("add", "many", "--quiet")
    assert again.code == 0
    assert len(_stored(seeded_home) & {f"tool_{n:05}" for n in range(TOOLS)}) == TOOLS


def test_a_second_interrupt_leaves_no_traceback_either(seeded_home: Path, tmp_path: Path) -> None:
    _many(tmp_path / "many", 3_000)
    with _started("add", "many", cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        for _ in range(20):
            process.send_signal(signal.SIGINT)
        process.stdout.read()
        errors = process.stderr.read()
    assert "Traceback" not in errors
    assert process.returncode in (130, -signal.SIGINT)
    _stored(seeded_home)


_WRITER = """
import asyncio, sys
from pathlib import Path
from workbench.workbench import open_workbench

async def main(name, count):
    folder = Path(name)
    async with open_workbench() as workbench:
        for number in range(count):
            (folder / "shared.yaml").write_text(
                "tool_id: shared\\ntool_type: api\\nexecutor: http_client\\n"
                f"version: '{name}.0.{number}'\\n"
                "config: {method: GET, url: 'https://example.com/'}\\n"
            )
            async for batch in workbench.add(folder):
                assert all(one.ok for one in batch), batch

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


@pytest.mark.drill
def test_two_programs_add_versions_of_one_tool_and_all_are_there(
    run_cli: RunCli, tmp_path: Path
) -> None:
    count = 50 * DRILL_SCALE
    writers = []
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
        writers.append(
            subprocess.Popen(
                [sys.executable, "-c", _WRITER, name, str(count)],
                env=cli_environment(),
                cwd=tmp_path,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
    for writer in writers:
        _, errors = writer.communicate()
        assert (writer.returncode, errors) == (0, "")
    found = json.loads(run_cli("versions", "shared", "--json").out)["versions"]
    wanted = {f"{name}.0.{number}" for name in "12" for number in range(count)}
    assert {row["version"] for row in found} == wanted
    assert [row["version"] for row in found if row["is_latest"]] == [f"2.0.{count - 1}"]


def test_programs_that_start_together_on_no_registry_all_succeed(tmp_path: Path) -> None:
    home = str(tmp_path / "fresh")
    environment = cli_environment(WORKBENCH_HOME=home)
    programs = [
        subprocess.Popen(
            [sys.executable, "-m", "workbench", "list", "--json"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    answers = [(*program.communicate(), program.returncode) for program in programs]
    assert {(errors, code) for _, errors, code in answers} == {("", 0)}
    totals = {json.loads(out)["total"] for out, _, _ in answers}
    assert len(totals) == 1


def test_a_program_killed_while_it_makes_the_registry_leaves_it_usable(
    run_cli: RunCli, tmp_path: Path
) -> None:
    total = json.loads(run_cli("list", "--json").out)["total"]
    home = tmp_path / "fresh"
    with _started("list", cwd=tmp_path, WORKBENCH_HOME=str(home)) as process:
        while not (home / "registry.db").exists() and process.poll() is None:
            pass
    listed = run_cli("list", "--json", environment={"WORKBENCH_HOME": str(home)})
    assert listed.code == 0
    assert json.loads(listed.out)["total"] == total


def test_while_another_program_reads_for_long_a_write_succeeds(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    reader = apsw.Connection(str(seeded_home / "registry.db"))
    reader.execute("BEGIN")
    before = reader.execute("SELECT count(*) FROM tools").fetchone()
    assert run_cli("add", script_folder(tmp_path / "t")).code == 0
    assert reader.execute("SELECT count(*) FROM tools").fetchone() == before
    reader.execute("ROLLBACK")
    reader.close()


def _bound(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command for which file modes hold, which they do not for root."""
    rights = "-dac_override,-dac_read_search,-fowner"
    tamed = ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}"]
    return subprocess.run(
        [*(tamed if os.geteuid() == 0 else []), sys.executable, "-m", "workbench", *arguments],
        env=cli_environment(WORKBENCH_HOME=str(home)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def locked_home(seeded_home: Path) -> Iterator[Path]:
    """A registry that may only be looked at."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root can write everywhere, and there is no setpriv to forget that")
    _lock(seeded_home, 0o555, 0o444)
    yield seeded_home
    _lock(seeded_home, 0o755, 0o644)


def _lock(top: Path, folder_mode: int, file_mode: int) -> None:
    for place, folders, files in os.walk(top):
        for name in [".", *folders]:
            Path(place, name).chmod(folder_mode)
        for name in files:
            Path(place, name).chmod(file_mode)


def test_a_folder_that_may_not_be_written_is_a_clear_refusal(locked_home: Path) -> None:
    for arguments in (("new", "script", "x"), ("delete", "write_file", "--yes")):
        refused = _bound(locked_home, *arguments)
        assert refused.returncode == 6
        assert "Traceback" not in refused.stderr
        assert str(locked_home) in refused.stderr
        assert "WORKBENCH_HOME" in refused.stderr
    looked = _bound(locked_home, "list")
    assert looked.returncode in (0, 6)
    assert "Traceback" not in looked.stderr


def test_a_folder_that_may_not_be_made_is_a_clear_refusal(locked_home: Path) -> None:
    refused = _bound(locked_home / "below", "list", "--json")
    assert refused.returncode == 6
    assert json.loads(refused.stdout)["code"] == "registry_readonly"
    assert refused.stderr == ""


def test_files_that_may_not_be_read_are_named(
    locked_home: Path, seeded_template: Path, tmp_path: Path
) -> None:
    for name in ("open", "closed", "half"):
        script_folder(tmp_path / "tree" / name, f"{name}_one")
    (tmp_path / "tree" / "closed").chmod(0)
    (tmp_path / "tree" / "half" / "main.py").chmod(0)
    home = tmp_path / "home"
    shutil.copytree(seeded_template, home)
    found = _bound(home, "validate", str(tmp_path / "tree"))
    (tmp_path / "tree" / "closed").chmod(0o755)
    assert found.returncode == 1
    assert f"{tmp_path}/tree/closed: error unreadable_file" in found.stderr
    assert "main.py: error unreadable_file" in found.stderr
    assert "3 tools checked" in found.stdout


def test_the_program_is_the_one_under_test(run_cli: RunCli) -> None:
    import workbench

    assert Path(workbench.__file__).parent == ROOT / "workbench"
