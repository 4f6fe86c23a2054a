"""Errors: their shape, their fixed texts and the exit codes."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, script_folder
from tests.conftest import RunCli

SITUATIONS = {
    "usage": (("show", "Not A Tool"), 2, "Invalid call", "bad_reference"),
    "an unknown option": (("list", "--fly"), 2, "Invalid call", "usage"),
    "a missing argument": (("show",), 2, "Invalid call", "usage"),
    "an argument too many": (("list", "x"), 2, "Invalid call", "usage"),
    "an unknown command": (("lisst",), 2, "Invalid call", "unknown_command"),
    "an unknown type": (("list", "--type", "gadget"), 2, "Invalid call", "usage"),
    "no tool": (("show", "nothing_here"), 3, "Tool not found", "not_found"),
    "no version": (("show", "python_runtime@7.0.0"), 3, "Tool not found", "not_found"),
    "no path": (("add", "nowhere"), 3, "Tool not found", "path_not_found"),
    "refused": (("delete", "subprocess", "--yes"), 4, "Refused", "reserved_id"),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_an_error_has_its_shape_its_fixed_text_and_its_exit_code(cli: Cli, situation: str) -> None:
    arguments, code, text, name = SITUATIONS[situation]
    found = cli(*arguments, "--json")
    assert found.code == code
    assert found.err == ""
    error = json.loads(found.out)
    assert list(error) == [
        key
        for key in ("error", "code", "item_type", "tool_id", "action", "message", "suggestion")
        if key != "tool_id" or "tool_id" in error
    ]
    assert (error["error"], error["code"]) == (text, name)
    assert error["item_type"] == "tool"
    assert error["action"] == arguments[0]
    assert error["message"]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_for_people_an_error_is_a_sentence_on_stderr(run_cli: RunCli, situation: str) -> None:
    arguments, code, text, _ = SITUATIONS[situation]
    found = run_cli(*arguments)
    assert (found.code, found.out) == (code, "")
    assert found.err.startswith(f"{text}: ")
    assert len(found.err.splitlines()) <= 3


def test_an_error_about_a_tool_names_it(cli: Cli) -> None:
    for arguments in (("show", "nothing_here"), ("delete", "subprocess", "--yes")):
        assert json.loads(cli(*arguments, "--json").out)["tool_id"] == arguments[1]


def test_a_misspelt_command_gets_a_proposal(cli: Cli) -> None:
    assert "did you mean `workbench list`?" in cli("lisst").err
    assert "`workbench help` lists the commands" in cli("qqqqqq").err


def test_problems_of_a_tool_are_listed_in_the_answer(cli: Cli, tmp_path: Path) -> None:
    added = cli("add", script_folder(tmp_path / "t", body="def (\n"), "--json")
    assert added.code == 1
    [tool] = json.loads(added.out)["tools"]
    assert tool["status"] == "refused"
    assert [problem["code"] for problem in tool["problems"]] == ["python_syntax"]


def test_a_refusal_inside_an_add_carries_the_error_object(cli: Cli, tmp_path: Path) -> None:
    cli("add", script_folder(tmp_path / "t"))
    added = cli("add", script_folder(tmp_path / "t", body="print('other')\n"), "--json")
    assert added.code == 4
    error = json.loads(added.out)["tools"][0]["error"]
    assert error["error"] == "Refused"
    assert error["code"] == "version_exists"
    assert error["tool_id"] == "greeter"
    assert error["action"] == "add"
    assert "1.0.1" in error["suggestion"]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_registry_of_garbage_is_unavailable(
    run_cli: RunCli, seeded_home: Path, as_json: bool
) -> None:
    (seeded_home / "registry.db").write_bytes(b"garbage " * 10_000)
    for name in ("registry.db-wal", "registry.db-shm"):
        (seeded_home / name).unlink(missing_ok=True)
    for command in (("list",), ("add", "/tmp"), ("doctor",), ()):  # noqa: S108
        found = run_cli(*command, *(["--json"] if as_json and command else []))
        assert found.code == 6
        assert not found.has_traceback
        assert f"The registry {seeded_home / 'registry.db'} is damaged" in found.out + found.err
    assert (seeded_home / "registry.db").read_bytes().startswith(b"garbage")


def test_a_newer_registry_is_refused_and_left_alone(run_cli: RunCli, seeded_home: Path) -> None:
    connection = sqlite3.connect(seeded_home / "registry.db")
    connection.execute("PRAGMA user_version = 999")
    connection.commit()
    connection.close()
    found = run_cli("list", "--json")
    assert found.code == 6
    error = json.loads(found.out)
    assert (error["error"], error["code"]) == ("Unavailable", "registry_newer")
    assert "schema 999" in error["message"]
    with sqlite3.connect(seeded_home / "registry.db") as again:
        assert again.execute("PRAGMA user_version").fetchone() == (999,)


def test_a_damaged_page_is_said_and_not_shown_as_a_traceback(
    run_cli: RunCli, seeded_home: Path
) -> None:
    run_cli("list")
    path = seeded_home / "registry.db"
    data = bytearray(path.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 200] = b"\xa5" * 200
    path.write_bytes(bytes(data))
    for command in ("list", "doctor", "tree"):
        found = run_cli(command)
        assert found.code in (1, 6)
        assert not found.has_traceback
        assert "damaged" in found.out + found.err or "malformed" in found.out + found.err


@pytest.mark.parametrize("place", ["file", "file/below", "dangling/below", "/proc/nope"])
def test_a_home_that_cannot_be_is_unavailable(run_cli: RunCli, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "dangling").symlink_to("nowhere/at/all")
    found = run_cli("list", environment={"WORKBENCH_HOME": str(tmp_path / place)})
    assert found.code == 6
    assert not found.has_traceback
    assert "WORKBENCH_HOME" in found.err


def test_a_registry_that_is_a_folder_is_unavailable(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "home" / "registry.db").mkdir(parents=True)
    found = run_cli("list", environment={"WORKBENCH_HOME": str(tmp_path / "home")})
    assert found.code == 6
    assert not found.has_traceback
