"""Rules that hold the shape of the program: tools are data, faces are thin, a list costs a list."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, RunCli, cli_environment

PACKAGE = ROOT / "workbench"
CODE = sorted(path for path in PACKAGE.rglob("*.py") if PACKAGE / "seeds" not in path.parents)
SLOW = ("textual", "rich", "pydantic", "jsonschema", "yaml", "mcp", "httpx")
MAX_LINES = 400
MAX_FUNCTION_LINES = 60


def _seeded(*folders: str) -> list[str]:
    """The ids of what ships in these folders, read without the program."""
    found = []
    for folder in folders:
        for path in sorted((PACKAGE / "seeds" / folder).rglob("*.yaml")):
            found += re.findall(r"^tool_id: *(\S+)", path.read_text("utf-8"), re.MULTILINE)
    return found


def test_there_are_seeds_and_code_to_look_at() -> None:
    assert len(_seeded("runtimes", "servers")) > 8
    assert len(CODE) > 50


@pytest.mark.parametrize("tool_id", _seeded("runtimes", "servers"))
def test_no_code_knows_a_runtime_or_a_server_by_name(tool_id: str) -> None:
    word = re.compile(rf"(?<![\w-]){re.escape(tool_id)}(?![\w-])")
    naming = [str(path.relative_to(ROOT)) for path in CODE if word.search(path.read_text("utf-8"))]
    assert naming == []


def _imported(program: str) -> set[str]:
    """The top-level packages that are loaded when `program` has run in a fresh interpreter."""
    probe = (
        f"import json, sys\n{program}\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", probe],
        env=cli_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(finished.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "command", [["list"], ["tree"], ["show", "subprocess"], ["versions", "subprocess"], ["--help"]]
)
def test_looking_imports_nothing_slow(seeded_home: Path, command: list[str]) -> None:
    loaded = _imported(f"from workbench.cli.main import _run\nassert _run({command!r}) == 0")
    assert "workbench" in loaded
    assert sorted(loaded & set(SLOW)) == []


def test_importing_the_command_line_opens_and_loads_nothing(own_machine: Path) -> None:
    loaded = _imported("import workbench.cli.main")
    assert sorted(loaded & {*SLOW, "apsw", "aiosqlite", "sqlite3"}) == []
    assert not own_machine.exists()


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_and_functions_have_one_job(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert long == []


def test_a_runtime_of_ones_own_is_one_yaml_file(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "tcl_runtime.yaml").write_text(
        "tool_id: tcl_runtime\ntool_type: runtime\nversion: '1.0.0'\nexecutor: subprocess\n"
        "config: {command: tclsh, args: ['{entrypoint}'], params: flags, extensions: ['.tcl']}\n"
    )
    (tmp_path / "hello").mkdir()
    (tmp_path / "hello" / "hello.tcl").write_text('puts "hello"\n')
    (tmp_path / "hello" / "tool.yaml").write_text(
        "tool_id: hello\ntool_type: script\nversion: '1.0.0'\nexecutor: tcl_runtime\n"
        "config: {entrypoint: hello.tcl}\n"
    )
    assert run_cli("add", "hello").code == 1
    assert run_cli("add", "tcl_runtime.yaml").out == "tcl_runtime 1.0.0 created\n"
    assert run_cli("add", "hello").out == "hello 1.0.0 created\n"
    shown = json.loads(run_cli("show", "hello", "--json").out)
    assert [link["tool_id"] for link in shown["chain"]] == ["hello", "tcl_runtime", "subprocess"]
    assert shown["chain"][-1]["tool_type"] == "primitive"
    assert "hello 1.0.0  script" in run_cli("tree", "tcl_runtime").out
