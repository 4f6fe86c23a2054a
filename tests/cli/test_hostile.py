"""Inputs that mean harm: refused with the place and the reason, and nothing is written."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli, Listing, api_text, script_folder
from tests.conftest import DRILL_SCALE, RunCli, cli_environment

API = "tool_id: bad\ntool_type: api\nversion: '1.0.0'\nexecutor: http_client\n"
CONFIG = "config: {method: GET, url: 'https://example.com/'}\n"


def _bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    return "\n".join(lines) + "\n"


MANIFESTS: dict[str, tuple[str, bytes]] = {
    "alias bomb": ("too_many_aliases|too_many_values", _bomb().encode()),
    "nesting in flow style": ("too_deep", b"a: " + b"[" * 200_000),
    "nesting in braces": ("too_deep", b"a: " + b"{a: " * 200_000),
    "nesting in block style": ("too_deep", b"- " * 200_000 + b"x"),
    "fifty megabytes": ("too_large", b"#" * 50_000_000),
    "duplicate key": ("duplicate_key", (API + CONFIG + "name: a\nname: b\n").encode()),
    "a version that is a number": (
        "unquoted_version",
        (API + CONFIG).replace("'1.0.0'", "1.10").encode(),
    ),
    "a version that is none": ("bad_version", (API + CONFIG).replace("1.0.0", "latest").encode()),
    "an id that is a boolean": (
        "bad_tool_id|wrong_type|ambiguous_boolean",
        (API + CONFIG).replace("bad", "no").encode(),
    ),
    "NaN": ("not_finite", (API + CONFIG + "x: .nan\n").encode()),
    "infinity": ("not_finite", (API + CONFIG + "x: -.inf\n").encode()),
    "an integer of 70 bits": ("integer_range", (API + CONFIG + f"x: {2**70}\n").encode()),
    "an octal number": ("ambiguous_number", (API + CONFIG + "x: 0o17\n").encode()),
    "a date": ("unquoted_date", (API + CONFIG + "description: 2024-01-01\n").encode()),
    "an escaped lone surrogate": (
        "lone_surrogate",
        (API + CONFIG + 'description: "\\uD800"\n').encode(),
    ),
    "a raw lone surrogate": ("not_utf8", (API + CONFIG).encode() + b"description: \xed\xa0\x80\n"),
    "bytes that are no UTF-8": ("not_utf8", (API + CONFIG).encode() + b"description: \xff\xfe\n"),
    "NUL": ("control_character", (API + CONFIG).encode() + b"description: a\x00b\n"),
    "an escape character": ("control_character", (API + CONFIG).encode() + b"name: \x1b[2J\n"),
    "a Python tag": ("tag_refused", b"a: !!python/object/apply:os.system [id]\n"),
    "two documents": ("several_documents", (API + CONFIG + "---\n" + API).encode()),
    "a list": ("not_a_mapping", b"- a\n"),
    "nothing": ("not_a_mapping|no_manifest|missing_field", b""),
    "a recursive alias": ("recursive_alias", b"a: &a [*a]\n"),
    "an unknown alias": ("unknown_alias", b"a: *b\n"),
    "an id of another case": ("bad_tool_id", (API + CONFIG).replace("bad", "Bad").encode()),
    "an id with an accent": ("bad_tool_id", (API + CONFIG).replace("bad", "bäd").encode()),
    "an id with a decomposed accent": (
        "bad_tool_id",
        (API + CONFIG).replace("bad", "ba\u0308d").encode(),
    ),
    "an id with a Cyrillic letter": (
        "bad_tool_id",
        (API + CONFIG).replace("bad", "b\u0430d").encode(),
    ),
    "an id that is a path": ("bad_tool_id", (API + CONFIG).replace("bad", "../bad").encode()),
    "an id of 200 letters": ("bad_tool_id", (API + CONFIG).replace("bad", "b" * 200).encode()),
    "an id that ends with a newline": (
        "bad_tool_id",
        (API + CONFIG).replace("bad", '"bad\\n"').encode(),
    ),
    "an executor that is not there": (
        "executor_not_found",
        (API + CONFIG).replace("http_client", "http_clientt").encode(),
    ),
    "an executor of the wrong type": (
        "executor_type",
        (API + CONFIG).replace("http_client", "python_runtime").encode(),
    ),
    "itself as its executor": (
        "circular_chain",
        (API + CONFIG).replace("http_client", "bad").encode(),
    ),
    "a schema on the network": (
        "schema_remote_ref",
        (API + CONFIG + "outputs: {$ref: 'http://127.0.0.1:1/x'}\n").encode(),
    ),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_hostile_manifest_is_refused_with_its_place_and_nothing_is_written(
    cli: Cli, listing: Listing, tmp_path: Path, name: str
) -> None:
    wanted, data = MANIFESTS[name]
    (tmp_path / "bad.yaml").write_bytes(data)
    before = listing()
    added = cli("add", "bad.yaml")
    assert added.code == 1
    assert added.out == ""
    assert "bad.yaml" in added.err
    report = cli("validate", "bad.yaml", "--json")
    assert report.code == 1
    problems = json.loads(report.out)["problems"]
    codes = {problem["code"] for problem in problems if problem["severity"] == "error"}
    assert codes & set(wanted.split("|")), codes
    assert all(problem["message"] for problem in problems)
    assert listing() == before


@pytest.mark.parametrize("name", ["alias bomb", "nesting in block style", "fifty megabytes"])
def test_a_hostile_manifest_leaves_no_traceback_in_a_process_of_its_own(
    run_cli: RunCli, tmp_path: Path, name: str
) -> None:
    (tmp_path / "bad.yaml").write_bytes(MANIFESTS[name][1])
    added = run_cli("add", "bad.yaml")
    assert added.code == 1
    assert not added.has_traceback
    assert added.err.count("\n") < 10


def test_a_number_where_a_version_belongs_comes_with_its_line_and_its_fix(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "bad.yaml").write_bytes(MANIFESTS["a version that is a number"][1])
    [problem] = json.loads(cli("validate", "bad.yaml", "--json").out)["problems"]
    assert (problem["line"], problem["column"]) == (3, 10)
    assert "1.10" in problem["message"]
    fixed = cli("validate", "bad.yaml", "--fix")
    assert fixed.code == 0
    assert fixed.err == 'bad.yaml: Write "1.10.0"\n'
    assert 'version: "1.10.0"\n' in (tmp_path / "bad.yaml").read_text()


@pytest.mark.parametrize(
    "entrypoint", ["../secret.py", "/etc/passwd", "a/../../secret.py", "~/x.py", "C:\\x.py"]
)
def test_an_entrypoint_outside_the_folder_is_refused(
    cli: Cli, listing: Listing, tmp_path: Path, entrypoint: str
) -> None:
    (tmp_path / "secret.py").write_text("print('secret')\n")
    folder = script_folder(tmp_path / "t")
    text = (folder / "tool.yaml").read_text().replace("main.py", json.dumps(entrypoint))
    (folder / "tool.yaml").write_text(text)
    before = listing()
    added = cli("add", folder)
    assert added.code == 1
    assert "bad_path" in added.err or "entrypoint_not_found" in added.err
    assert listing() == before


@pytest.mark.parametrize(
    ("one", "two"),
    [("data.txt", "DATA.txt"), ("é.txt", "e\u0301.txt"), ("straße.txt", "STRASSE.txt")],
    ids=["case", "Unicode form", "case folding"],
)
def test_files_that_some_systems_cannot_tell_apart_are_refused(
    cli: Cli, listing: Listing, tmp_path: Path, one: str, two: str
) -> None:
    folder = script_folder(tmp_path / "t")
    (folder / one).write_text("1")
    (folder / two).write_text("2")
    if len(list(folder.iterdir())) != 4:
        pytest.skip("this file system cannot tell them apart")
    before = listing()
    added = cli("add", folder)
    assert added.code == 1
    assert "path_collision" in added.err
    assert listing() == before


@pytest.mark.parametrize(
    "name", ["line\nbreak.txt", "bell\x07.txt", "\x1b]0;title\x07.txt", "tab\t.txt", "\u202etxt.py"]
)
def test_a_file_name_with_control_characters_is_refused_and_shown_escaped(
    run_cli: RunCli, tmp_path: Path, name: str
) -> None:
    folder = script_folder(tmp_path / "t")
    (folder / name).write_text("x")
    added = run_cli("add", folder)
    assert added.code == 1
    assert "bad_path" in added.err
    assert not any(char in added.err for char in "\x1b\x07\t\u202e")
    assert all(line.startswith((str(folder), "    ")) for line in added.err.splitlines())


def test_a_file_name_that_is_no_utf8_is_refused(run_cli: RunCli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t")
    Path(os.fsdecode(bytes(folder) + b"/\xff\xfe.txt")).write_text("x")
    added = run_cli("add", folder)
    assert added.code == 1
    assert "\\udcff\\udcfe.txt" in added.err
    assert json.loads(run_cli("validate", folder, "--json").out)["valid"] is False


def test_markup_in_a_file_name_is_only_text(cli: Cli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t", extra="description: '[/] [@click=app.quit]x[/]'\n")
    text = (folder / "tool.yaml").read_text().replace("description: Greets.\n", "")
    (folder / "tool.yaml").write_text(text)
    (folder / "[bold]x[").write_text("x")
    assert cli("add", folder).code == 0
    shown = cli("show", "greeter").out
    assert "[/] [@click=app.quit]x[/]" in shown
    assert "[bold]x[" in shown


def test_a_link_out_of_the_folder_is_refused(cli: Cli, listing: Listing, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the secret\n")
    folder = script_folder(tmp_path / "t")
    (folder / "notes.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "etc").symlink_to("/etc")
    before = listing()
    added = cli("add", folder)
    assert added.code == 1
    for name in ("notes.txt", "etc"):
        assert f"{name} is a symbolic link" in added.err
    assert "the secret" not in added.out + added.err
    assert listing() == before


def test_a_manifest_that_is_a_link_is_refused_below_a_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(api_text("linked"))
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "tool.yaml").symlink_to(tmp_path / "real.yaml")
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "linked.yaml").symlink_to(tmp_path / "real.yaml")
    for folder in ("tree", "flat"):
        added = cli("add", folder)
        assert added.code == 1
        assert "special_file" in added.err
    assert cli("show", "linked").code == 3


def test_a_link_that_was_named_outright_is_followed(cli: Cli, tmp_path: Path) -> None:
    script_folder(tmp_path / "real" / "t")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "api.yaml").write_text(api_text("linked"))
    (tmp_path / "file.yaml").symlink_to(tmp_path / "api.yaml")
    assert cli("add", "folder").out == "greeter 1.0.0 created\n"
    assert cli("add", "file.yaml").out == "linked 1.0.0 created\n"


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)  # the whole path is too long for a socket


def _device(path: Path) -> None:
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("devices cannot be made here")


@pytest.mark.parametrize("make", [_fifo, _socket, _device], ids=["fifo", "socket", "device"])
def test_what_is_no_plain_file_is_refused_and_never_waited_for(
    cli: Cli, listing: Listing, tmp_path: Path, make: object
) -> None:
    assert callable(make)
    folder = script_folder(tmp_path / "t")
    make(folder / "data.txt")
    make(tmp_path / "flat.yaml")
    before = listing()
    inside, alone = cli("add", folder), cli("add", tmp_path / "flat.yaml")
    assert inside.code == alone.code == 1
    assert "data.txt" in inside.err
    assert "flat.yaml" in alone.err
    assert listing() == before


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null", "/proc/self/mem"])
def test_a_device_named_outright_is_refused(run_cli: RunCli, name: str) -> None:
    validated = run_cli("validate", name)
    assert validated.code == 1
    assert not validated.has_traceback


def test_a_file_that_may_not_be_read_is_one_problem_and_the_rest_loads(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "locked.yaml").write_text(api_text("locked"))
    (tmp_path / "tree" / "open.yaml").write_text(api_text("open"))
    script_folder(tmp_path / "tree" / "closed", "closed")
    opened = os.open

    def guarded(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if str(path).endswith(("locked.yaml", "closed")):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", guarded)
    added = cli("add", "tree")
    assert added.code == 1
    assert "open 1.0.0 created" in added.out
    for name in ("locked.yaml", "closed"):
        assert f"tree/{name}: error unreadable_file: cannot be read: Permission denied" in added.err


def test_a_folder_that_vanishes_while_it_is_read_is_a_problem(
    cli: Cli, listing: Listing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    folder = script_folder(tmp_path / "tree" / "t")
    for number in range(5):
        (folder / f"{number}.txt").write_text("x")
    before = listing()
    status = os.stat
    seen = []

    def vanishing(path: Any, **named: Any) -> os.stat_result:
        if str(path).endswith(".txt"):
            seen.append(path)
            if len(seen) == 3:
                shutil.rmtree(folder)
        return status(path, **named)

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.reader.os.stat", vanishing)
        added = cli("add", "tree")
    assert len(seen) >= 3
    assert added.code == 1
    assert "unreadable_file" in added.err
    assert listing() == before


@pytest.mark.drill
def test_too_many_files_are_refused_before_they_are_all_read(
    run_cli: RunCli, tmp_path: Path
) -> None:
    folder = script_folder(tmp_path / "t")
    for number in range(1_000 * min(20, 3 * DRILL_SCALE)):
        (folder / f"{number}.txt").touch()
    added = run_cli("add", folder)
    assert added.code == 1
    assert "too_many_files" in added.err
    assert added.err.count("\n") < 5
    assert not added.has_traceback


def test_folders_nested_a_hundred_deep_are_refused(cli: Cli, tmp_path: Path) -> None:
    deep = "/".join("d" for _ in range(100))
    inside, outside = script_folder(tmp_path / "t"), tmp_path / "tree"
    (inside / deep).mkdir(parents=True)
    (inside / deep / "x.txt").write_text("x")
    (outside / deep).mkdir(parents=True)
    (outside / deep / "x.yaml").write_text(api_text("deep"))
    for folder in (inside, outside):
        added = cli("add", folder)
        assert added.code == 1
        assert "too_deep" in added.err
    assert cli("show", "deep").code == 3


def _runtime(tool_id: str, executor: str) -> str:
    return (
        f"tool_id: {tool_id}\ntool_type: runtime\nversion: '1.0.0'\n"
        f"executor: {executor}\nconfig: {{command: true}}\n"
    ).replace("true", "'true'")


def test_a_circle_of_executors_is_named(cli: Cli, listing: Listing, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    for one, two in (("a", "b"), ("b", "a")):
        (tmp_path / "tree" / f"{one}.yaml").write_text(_runtime(one, two))
    before = listing()
    for arguments in (("add", "tree"), ("validate", "tree")):
        refused = cli(*arguments)
        assert refused.code == 1
        assert "circular_chain" in refused.err
        assert "a → b → a" in refused.err
    assert listing() == before


def test_a_missing_executor_is_named_with_what_was_meant(cli: Cli, tmp_path: Path) -> None:
    added = cli("add", script_folder(tmp_path / "t", executor="python_runtme"))
    assert added.code == 1
    assert "executor_not_found" in added.err
    assert "python_runtme" in added.err


@pytest.mark.drill
def test_a_chain_of_ten_thousand_links_is_refused(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    count = 500 * DRILL_SCALE
    for number in range(count):
        text = _runtime(f"r{number:05}", f"r{number + 1:05}")
        (tmp_path / "tree" / f"{number}.yaml").write_text(text)
    before = run_cli("list", "--json").out
    refused = run_cli("add", "tree", "--json")
    assert refused.code == 1
    report = json.loads(refused.out)
    assert report["failed"] == count
    codes = {problem["code"] for tool in report["tools"] for problem in tool["problems"]}
    assert codes <= {"chain_too_long", "executor_type", "executor_not_found"}
    assert "chain_too_long" in codes
    assert run_cli("list", "--json").out == before


def test_what_cannot_come_in_is_never_refused_without_a_reason(cli: Cli, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    script_folder(tree / "lost", "lost", executor="no_such_runtime")
    (tree / "uses.yaml").write_text(
        "tool_id: uses\ntool_type: composite\nversion: '1.0.0'\n"
        "config: {steps: [{id: one, tool: lost}]}\n"
    )
    report = json.loads(cli("add", "tree", "--json").out)
    assert {tool["tool_id"] for tool in report["tools"]} == {"lost", "uses"}
    assert all(tool["status"] == "refused" and tool["problems"] for tool in report["tools"])


def test_of_two_tools_with_one_id_that_wait_for_an_executor_neither_is_lost(
    cli: Cli, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    script_folder(tree / "a", "twin", executor="z_runtime", body="print(1)\n")
    script_folder(tree / "b", "twin", executor="z_runtime", body="print(2)\n")
    (tree / "z.yaml").write_text(_runtime("z_runtime", "subprocess"))
    report = json.loads(cli("add", "tree", "--json").out)
    assert [tool["status"] for tool in report["tools"] if tool["tool_id"] == "twin"] == [
        "created",
        "refused",
    ]


def test_the_ids_of_shipped_runtimes_cannot_be_taken(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(_runtime("python_runtime", "subprocess"))
    refused = cli("add", "mine.yaml")
    assert refused.code == 4
    assert "python_runtime is the id of a shipped primitive or runtime" in refused.err


def test_a_hundred_broken_files_among_good_ones_are_a_hundred_problems(
    cli: Cli, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for number in range(100):
        (tree / f"good{number:03}.yaml").write_text(api_text(f"good{number}"))
        (tree / f"bad{number:03}.yaml").write_text("tool_id: [\n")
    added = cli("add", "tree")
    assert added.code == 1
    assert added.out.splitlines()[-1] == "100 created, 100 refused"
    assert sum("bad" in line and "yaml_syntax" in line for line in added.err.splitlines()) == 100


def test_arguments_that_are_no_utf8_are_a_usage_error(seeded_home: Path) -> None:
    finished = subprocess.run(
        [sys.executable.encode(), b"-m", b"workbench", b"show", b"\xff\xfe"],
        env=cli_environment(),
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 2
    assert b"not valid UTF-8" in finished.stderr
    assert b"Traceback" not in finished.stderr


@pytest.mark.parametrize(
    "reference",
    ["", "@", "x@", "@1.0.0", "a/b/c", "../x", "/", "x@1", "x" * 5_000, "x y", "X", "-", "é"],
)
@pytest.mark.parametrize("command", ["show", "tree", "versions", "diff", "restore", "delete"])
def test_what_is_no_reference_is_a_usage_error(cli: Cli, command: str, reference: str) -> None:
    finished = cli(command, reference)
    assert finished.code == 2, finished
    wrong = "is not a version" if reference == "x@1" else "is not a reference to a tool"
    assert wrong in finished.err
    assert len(finished.err) < 600


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5_000, "a/" * 3_000, "nowhere/", "f.yaml/x"])
@pytest.mark.parametrize("command", ["add", "validate"])
def test_a_path_that_cannot_be_is_not_found(
    cli: Cli, tmp_path: Path, command: str, name: str
) -> None:
    (tmp_path / "f.yaml").write_text(api_text("f"))
    finished = cli(command, name)
    assert finished.code == 3
    assert "there is no file or folder" in finished.err


@pytest.mark.parametrize("command", ["add", "validate"])
def test_an_empty_path_is_not_this_folder(cli: Cli, tmp_path: Path, command: str) -> None:
    script_folder(tmp_path / "t")
    finished = cli(command, "")
    assert finished.code == 2
    assert "the path is empty" in finished.err
    assert cli("show", "greeter").code == 3
