"""What asks first, on a real terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from tests.cli.conftest import on_terminal
from tests.conftest import RunCli

Spawn = Callable[..., pexpect.spawn]


@pytest.fixture
def spawn(run_cli: RunCli, tmp_path: Path) -> Spawn:
    """A command on a terminal, with a tool `greeter` to act on."""
    assert run_cli("new", "script", "greeter").code == 0

    def start(*arguments: str) -> pexpect.spawn:
        return on_terminal(*arguments, cwd=tmp_path, NO_COLOR="1")

    return start


def _finish(child: pexpect.spawn) -> tuple[int | None, str]:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, str(child.before)


def test_yes_deletes(spawn: Spawn, run_cli: RunCli) -> None:
    child = spawn("delete", "greeter")
    child.expect_exact("Delete greeter 0.1.0? [y/N]: ")
    child.sendline("y")
    code, said = _finish(child)
    assert code == 0
    assert "greeter is deleted" in said
    assert run_cli("show", "greeter").code == 3


@pytest.mark.parametrize("answer", ["n", "", "no"])
def test_anything_but_yes_changes_nothing(spawn: Spawn, run_cli: RunCli, answer: str) -> None:
    child = spawn("delete", "greeter")
    child.expect_exact("[y/N]: ")
    child.sendline(answer)
    code, said = _finish(child)
    assert code == 130
    assert "cancelled" in said
    assert "Traceback" not in said
    assert run_cli("show", "greeter").code == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["ctrl-c", "ctrl-d"])
def test_a_way_out_of_the_question_changes_nothing(spawn: Spawn, run_cli: RunCli, key: str) -> None:
    child = spawn("delete", "greeter")
    child.expect_exact("[y/N]: ")
    child.send(key)
    code, said = _finish(child)
    assert code == 130
    assert "Traceback" not in said
    assert run_cli("show", "greeter").code == 0


def test_restoring_asks_too_and_names_what_comes_back(spawn: Spawn, run_cli: RunCli) -> None:
    run_cli("delete", "greeter", "--yes")
    child = spawn("restore", "greeter")
    child.expect_exact("Restore greeter 0.1.0? [y/N]: ")
    child.sendline("y")
    assert _finish(child)[0] == 0
    assert run_cli("show", "greeter").code == 0


def test_nothing_is_asked_about_a_tool_that_is_not_there(spawn: Spawn) -> None:
    for command in ("delete", "restore"):
        code, said = _finish(spawn(command, "nothing_here"))
        assert code == 3
        assert "[y/N]" not in said


def test_nothing_is_asked_about_a_tool_that_others_need(spawn: Spawn, run_cli: RunCli) -> None:
    code, said = _finish(spawn("delete", "workbench_mcp"))
    assert code == 4
    assert "is used by load_skill" in said
    assert "[y/N]" not in said


def test_with_json_the_question_is_not_in_the_answer(spawn: Spawn, run_cli: RunCli) -> None:
    child = spawn("delete", "greeter", "--json")
    child.expect_exact("[y/N]: ")
    child.sendline("y")
    code, said = _finish(child)
    assert code == 0
    assert json.loads(said[said.index("{") :]) == {"tool_id": "greeter", "status": "deleted"}
