"""What reaches stdout and stderr: never a control byte, whatever the tools say of themselves."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pyte
import pytest

from tests.cli.conftest import Cli, api_text, on_terminal, script_folder
from tests.conftest import RunCli, cli_environment

# As YAML and JSON escapes: such bytes cannot stand in a manifest as they are.
ATTACK = (
    "\\e]52;c;eA==\\a \\e[2J \\e]8;;http://x\\e\\\\ \\x9b31m \\x90q \\x07 \\r \\b \\x7f \\x85 "
    "\\u202e \\u2066 \\u200f \\u2028 [/] [@click=app.quit]x[/]"
)
MANIFEST = f"""
tool_id: evil
tool_type: api
version: "1.0.0"
executor: http_client
name: "{ATTACK}"
description: "{ATTACK}"
category: "{ATTACK}"
author: "{ATTACK}"
tags: ["{ATTACK}"]
changelog: "{ATTACK}"
config: {{method: GET, url: "https://example.com/", query: {{q: "{{word}}"}}}}
parameters:
  - {{name: word, type: string, description: "{ATTACK}", default: "{ATTACK}"}}
"""
BAD = f"""
tool_id: "{ATTACK}"
tool_type: "{ATTACK}"
version: "{ATTACK}"
executor: "{ATTACK}"
"{ATTACK}": 1
config: {{"{ATTACK}": "{ATTACK}"}}
"""
# Everything that a terminal might obey, but newlines (and, where colours are, our own SGR).
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
OURS = re.compile("\x1b\\[(?:0|1|2|31|32|33|36)m")
COMMANDS = (
    ("list", "--type", "api"),
    ("show", "evil"),
    ("show", "evil", "--manifest"),
    ("show", "evil", "--file", "\x1b[2J"),
    ("tree", "http_client"),
    ("versions", "evil"),
    ("diff", "evil"),
    ("validate", "evil"),
    ("validate", "bad.yaml"),
    ("validate", "folder\x1b[2J"),
    ("add", "bad.yaml"),
    ("add", "evil.yaml"),
    ("add", "folder\x1b[2J"),
    ("add", "\x1b]0;x\x07"),
    ("show", "\x1b[2J"),
    ("new", "\x1b[2J", "x"),
    ("new", "script", "\x1b[2J\u202e"),
    ("help", "\x1b[2J"),
    ("\x1b[2J",),
    ("list", "--\x1b[2J"),
    ("list", "--type", "\x1b[2J\x9b"),
    ("restore", "\x1b[2J", "--yes"),
)


@pytest.fixture
def evil(cli: Cli, tmp_path: Path) -> Path:
    """A registry and a folder full of text that wants to be obeyed."""
    (tmp_path / "evil.yaml").write_text(MANIFEST)
    (tmp_path / "bad.yaml").write_text(BAD)
    assert cli("add", "evil.yaml").code == 0
    newer = MANIFEST.replace("1.0.0", "1.1.0").replace("eA==", "eQ==")
    (tmp_path / "evil.yaml").write_text(newer)
    assert cli("add", "evil.yaml").code == 0
    folder = script_folder(tmp_path / "folder\x1b[2J", "evil_script")
    (folder / "tool.yaml").write_text((folder / "tool.yaml").read_text().replace("evil", "Evil"))
    return tmp_path


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["human", "json"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c).encode().hex()[:12])
def test_no_control_byte_is_printed(
    cli: Cli, evil: Path, command: tuple[str, ...], form: tuple[str, ...]
) -> None:
    if form and command[0] == "\x1b[2J":
        form = ()
    said = cli(*command, *form)
    both = said.out + said.err
    if command[-1] == "--manifest":
        both = both.replace("\r", "")
    assert not UNFIT.search(both), UNFIT.findall(both)
    assert said.code in (0, 1, 2, 3)
    if form:
        json.loads(said.out)


def test_what_was_escaped_can_still_be_read(cli: Cli, evil: Path) -> None:
    shown = cli("show", "evil").out
    assert "\\x1b]52;c;eQ==\\x07" in shown
    assert "\\u202e" in shown
    assert json.loads(cli("show", "evil", "--json").out)["description"].startswith("\x1b]52")


def _in_terminal(*arguments: str, cwd: Path, columns: int = 80, **environment: str) -> str:
    """All that a terminal of that size would have been sent, both streams."""
    child = on_terminal(*arguments, cwd=cwd, columns=columns, **environment)
    child.expect(pexpect.EOF)
    child.close()
    assert isinstance(child.before, str)
    return child.before


@pytest.mark.parametrize(
    "command",
    [
        ("list", "--type", "api"),
        ("show", "evil"),
        ("show", "evil", "--manifest"),
        ("versions", "evil"),
        ("diff", "evil"),
        ("validate", "bad.yaml"),
        ("add", "bad.yaml"),
    ],
    ids=" ".join,
)
def test_a_terminal_gets_our_colours_and_nothing_else(
    cli: Cli, evil: Path, command: tuple[str, ...]
) -> None:
    raw = _in_terminal(*command, cwd=evil)
    plain = OURS.sub("", raw).replace("\r\n", "\n")
    if command[0] == "add":  # its line of progress goes back to the start of the line
        plain = re.sub("\r[^\r\n]* *", "", plain).replace("\r", "")
    assert not UNFIT.search(plain), UNFIT.findall(plain)
    assert "Traceback" not in raw
    assert raw.strip()


def test_a_python_file_full_of_escapes_is_safe_on_a_terminal_and_whole_in_a_pipe(
    run_cli: RunCli, tmp_path: Path
) -> None:
    body = "print('\x1b[2J\x9b')\r\n\n\n"
    folder = script_folder(tmp_path / "t")
    (folder / "main.py").write_bytes(body.encode())
    assert run_cli("add", "t").code == 0
    assert run_cli("show", "greeter", "--file", "main.py").out == body
    raw = _in_terminal("show", "greeter", "--file", "main.py", cwd=tmp_path)
    assert raw.startswith("print('\\x1b[2J\\x9b')")
    assert not UNFIT.search(raw.replace("\r\n", "\n"))


def test_colours_are_for_terminals_that_want_them(run_cli: RunCli, tmp_path: Path) -> None:
    assert "\x1b[2m" in _in_terminal("list", cwd=tmp_path)
    assert "\x1b" not in _in_terminal("list", cwd=tmp_path, NO_COLOR="1")
    assert "\x1b" not in run_cli("list").out


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_list_fits_a_narrow_terminal(run_cli: RunCli, tmp_path: Path, columns: int) -> None:
    lines = OURS.sub("", _in_terminal("list", cwd=tmp_path, columns=columns)).splitlines()
    assert max(len(line) for line in lines) <= columns
    assert any(line.endswith("…") for line in lines)


@pytest.mark.parametrize("columns", [50, 61])
def test_wide_characters_take_the_room_they_take(
    run_cli: RunCli, tmp_path: Path, columns: int
) -> None:
    for name, text in (("wide", "日本語" * 30), ("thin", "e\u0301" * 90), ("mixed", "a日" * 40)):
        (tmp_path / "t.yaml").write_text(api_text(name, extra=f"description: {text}\n"), "utf-8")
        assert run_cli("add", "t.yaml").code == 0
    raw = _in_terminal("list", "--type", "api", cwd=tmp_path, columns=columns, NO_COLOR="1")
    screen = pyte.Screen(columns, 24)
    pyte.Stream(screen).feed(raw)
    _, *rows = [line for line in screen.display if line.strip()]
    assert [row.split()[0] for row in rows] == ["mixed", "thin", "wide"]
    assert all("…" in row for row in rows)
    assert "日" in rows[2]


def test_a_pipe_gets_whole_lines_however_narrow_the_terminal(run_cli: RunCli) -> None:
    listed = run_cli("list", environment={"COLUMNS": "20"})
    assert "…" not in listed.out
    assert max(len(line) for line in listed.out.splitlines()) > 80


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii:strict", "LC_ALL": "C"},
    ],
    ids=lambda e: " ".join(f"{k}={v}" for k, v in e.items()),
)
def test_a_locale_that_knows_no_unicode_works(
    run_cli: RunCli, tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "t.yaml").write_text(
        api_text("wide", extra="description: ünïcödé ✓ 日本\n"), "utf-8"
    )
    for command in (
        ("add", "t.yaml"),
        ("list",),
        ("show", "wide"),
        ("tree",),
        ("doctor",),
        ("help",),
        ("show", "nothing"),
    ):
        said = run_cli(*command, environment=environment)
        assert not said.has_traceback
        assert said.code in (0, 1, 3)
    assert (
        json.loads(run_cli("show", "wide", "--json", environment=environment).out)["description"]
        == "ünïcödé ✓ 日本"
    )


def _piped(command: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    program = f"{sys.executable} -m workbench"
    return subprocess.run(
        ["bash", "-c", command.replace("workbench", program)],
        env=cli_environment(),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    [
        "workbench list | head -1",
        "workbench list --json | head -1",
        "workbench tree | true",
        "workbench show nothing --json | true",
        "workbench show nothing 2>&1 | true",
        "workbench show subprocess --manifest | true",
        "workbench help | true",
        "workbench --help | true",
        "workbench | true",
        "workbench doctor | head -1",
    ],
)
def test_a_reader_that_has_seen_enough_is_no_error(
    seeded_home: Path, tmp_path: Path, command: str
) -> None:
    for _ in range(3):
        assert _piped(command, tmp_path).stderr == b""


def test_head_gets_its_line(seeded_home: Path, tmp_path: Path) -> None:
    assert _piped("workbench list | head -1", tmp_path).stdout.startswith(b"tool_id ")


@pytest.mark.parametrize(
    "command",
    ["workbench list", "workbench show nothing --json", "workbench help", "workbench --version"],
)
def test_a_full_disk_behind_stdout_is_a_sentence(
    seeded_home: Path, tmp_path: Path, command: str
) -> None:
    finished = _piped(f"{command} > /dev/full", tmp_path)
    assert finished.returncode == 6
    assert finished.stderr.decode().startswith("Unavailable: ")
    assert finished.stderr.count(b"\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(seeded_home: Path, tmp_path: Path, closed: str) -> None:
    for command, code in (("list", 0), ("show nothing", 3), ("delete write_file", 4)):
        finished = _piped(f"workbench {command} {closed}", tmp_path)
        assert finished.returncode == code
        assert b"Traceback" not in finished.stderr
    findings = json.loads(_piped("workbench doctor --json", tmp_path).stdout)["findings"]
    assert next(one for one in findings if one["name"] == "registry")["state"] == "ok"


def test_json_is_ascii_and_one_document(cli: Cli, evil: Path) -> None:
    for command in (("list",), ("show", "evil"), ("tree",), ("versions", "evil"), ("diff", "evil")):
        said = cli(*command, "--json")
        assert said.out.isascii()
        value: Any = json.loads(said.out)
        assert isinstance(value, dict)
        assert said.err == ""


def test_the_environment_of_the_developer_is_out_of_sight(own_machine: Path) -> None:
    assert os.environ["HOME"] == str(own_machine)
    assert "NO_COLOR" not in os.environ
