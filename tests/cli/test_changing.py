"""`validate`, `new`, `add` and `delete`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli, Listing, api_text, script_folder
from tests.conftest import ROOT, RunCli
from workbench import templates


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_validate_says_that_a_good_tool_has_no_problems(cli: Cli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t")
    assert cli("validate", folder).out == "1 tool checked: no problems\n"
    shape = json.loads(cli("validate", folder, "--json").out)
    assert shape["valid"] is True
    assert shape["problems"] == []
    assert [tool["tool_id"] for tool in shape["tools"]] == ["greeter"]


def test_validate_names_file_line_column_code_and_hint(cli: Cli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t", extra="descripton: typo\n")
    found = cli("validate", "t")
    assert found.code == 1
    assert found.err.startswith("t/tool.yaml:7:1: error unknown_key: ")
    assert found.out == "1 tool checked: 1 error\n"
    [problem] = json.loads(cli("validate", folder, "--json").out)["problems"]
    assert set(problem) >= {"severity", "code", "message", "path", "line", "column", "hint"}


def test_validate_points_into_the_files_of_a_tool(cli: Cli, tmp_path: Path) -> None:
    script_folder(tmp_path / "t", body="x = 1\ndef broken(:\n")
    found = cli("validate", "t")
    assert found.code == 1
    assert "main.py:2:" in found.err
    assert "python_syntax" in found.err


def test_warnings_alone_are_no_failure(cli: Cli, tmp_path: Path) -> None:
    unused = "parameters: [{name: city, type: string, pattern: '(?=a)b'}]\n"
    (tmp_path / "t.yaml").write_text(api_text("warned", extra=unused))
    found = cli("validate", "t.yaml")
    assert found.code == 0
    assert "warning" in found.err
    assert "warning" in found.out
    assert cli("add", "t.yaml").code == 0


def test_of_endless_problems_a_person_sees_a_hundred_and_a_program_all(
    cli: Cli, tmp_path: Path
) -> None:
    warnings = "".join(f"  - {{name: p{n}, type: string, pattern: '(?=a)'}}\n" for n in range(300))
    extra = f"parameters:\n{warnings}unknown_thing: 1\n"
    (tmp_path / "t.yaml").write_text(api_text("endless", extra=extra))
    found = cli("validate", "t.yaml")
    total = len(json.loads(cli("validate", "t.yaml", "--json").out)["problems"])
    assert total > 300
    lines = [line for line in found.err.splitlines() if not line.startswith("    ")]
    assert len(lines) == 101
    assert "unknown_thing" in lines[0]
    assert lines[-1] == f"t.yaml: {total - 100} more problems; --json lists them all"
    refused = [line for line in cli("add", "t.yaml").err.splitlines() if line[0] != " "]
    assert refused == lines


def test_validate_takes_a_reference(cli: Cli) -> None:
    assert cli("validate", "python_runtime").out == "1 tool checked: no problems\n"
    assert cli("validate", "python_runtime@1.0.0").code == 0
    assert cli("validate", "no_such_tool").code == 3
    assert cli("validate", "python_runtime@9.0.0").code == 3


def test_everything_that_ships_validates_without_errors(cli: Cli, listing: Listing) -> None:
    for tool in listing():
        found = cli("validate", str(tool["tool_id"]))
        assert found.code == 0, found.err


def test_a_file_wins_over_a_reference_of_the_same_name(cli: Cli, tmp_path: Path) -> None:
    script_folder(tmp_path / "python_runtime", "other", body="def broken(:\n")
    assert cli("validate", "python_runtime").code == 1


def test_a_stored_tool_without_its_executor_is_invalid(cli: Cli, tmp_path: Path) -> None:
    cli("new", "runtime", "own_runtime")
    cli("add", script_folder(tmp_path / "t", executor="own_runtime"))
    assert cli("delete", "own_runtime", "--yes", "--force").code == 0
    found = cli("validate", "greeter")
    assert found.code == 1
    assert "executor_not_found" in found.err
    assert "own_runtime" in cli("show", "greeter").out


def test_fix_repairs_what_is_mechanical_and_nothing_else(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    text = api_text("fixable", extra="descripton: With a ✓ typo  # kept\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace('"1.0.0"', "1.0").encode())
    path.chmod(0o640)
    fixed = cli("validate", "t.yaml", "--fix")
    assert fixed.code == 0, fixed
    wanted = text.replace("descripton", "description")
    assert path.read_bytes() == b"\xef\xbb\xbf" + wanted.encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(_names(tmp_path)) == ["machine", "t.yaml"]
    assert "Rename to description" in fixed.err


def test_fix_leaves_a_file_alone_that_it_cannot_repair(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(api_text("broken").replace("api", "spaceship"))
    before = path.read_bytes(), path.stat().st_ino
    assert cli("validate", "t.yaml", "--fix").code == 1
    assert (path.read_bytes(), path.stat().st_ino) == before


def test_fix_leaves_a_file_alone_that_changed_since_it_was_read(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(api_text("fixable", extra="descripton: x\n"))
    from workbench.cli import changing

    apply_fixes = changing._apply_fixes
    edited = "# a line that someone typed meanwhile\n" + path.read_text()

    def late(*arguments: Any) -> bool:
        path.write_text(edited)
        return apply_fixes(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(changing, "_apply_fixes", late)
        assert cli("validate", "t.yaml", "--fix").code == 1
    assert path.read_text() == edited


@pytest.mark.parametrize("name", ["tool.py", "fact.md"])
def test_fix_reaches_metadata_inside_other_files(cli: Cli, tmp_path: Path, name: str) -> None:
    front = "---\ntool_id: inside\nversion: 1.0\ndescription: x\n---\n"
    text = {
        "tool.py": f'"""\n{front}"""\n\n\ndef main() -> None:\n    """é"""\n',
        "fact.md": front.replace("tool_id", "id") + "title\n",
    }[name]
    (tmp_path / name).write_bytes(text.encode())
    assert cli("validate", name).code == 1
    fixed = cli("validate", name, "--fix")
    assert fixed.code == 0, fixed
    assert (tmp_path / name).read_bytes() == text.replace("1.0\n", '"1.0.0"\n').encode()


def test_fix_of_a_file_that_cannot_be_replaced_leaves_it_whole(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(api_text("fixable", extra="descripton: x\n"))
    before = path.read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("workbench.cli.changing.shutil.copymode", refuse)
        refused = cli("validate", "t.yaml", "--fix", "--json")
    assert refused.code == 6
    assert json.loads(refused.out)["code"] == "path_unwritable"
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_fix_does_not_pretend_to_change_a_stored_version(cli: Cli) -> None:
    refused = cli("validate", "python_runtime", "--fix")
    assert refused.code == 2
    assert "a stored version does not change" in refused.err


@pytest.mark.parametrize("tool_type", templates.types())
def test_every_template_is_valid_at_once(cli: Cli, tool_type: str, tmp_path: Path) -> None:
    made = cli("new", tool_type, "my_first-tool.x")
    assert (made.code, made.out) == (0, "my_first-tool.x 0.1.0 is in the registry\n")
    checked = cli("validate", "my_first-tool.x")
    assert (checked.code, checked.err) == (0, "")
    shown = json.loads(cli("show", "my_first-tool.x", "--json").out)
    assert shown["tool_type"] == tool_type
    assert shown["chain_fault"] is None
    assert cli("new", tool_type, "another", "--to", tmp_path / "made").code == 0
    assert cli("validate", tmp_path / "made").out == "1 tool checked: no problems\n"
    assert cli("add", tmp_path / "made").code == 0


def test_there_are_templates_for_all_types_but_primitives(cli: Cli) -> None:
    from workbench.core.tool import TOOL_TYPES

    assert set(templates.types()) == set(TOOL_TYPES) - {"primitive"}
    refused = cli("new", "primitive", "x", "--json")
    assert refused.code == 2
    error = json.loads(refused.out)
    assert error["code"] == "unknown_type"
    assert "primitive" in error["message"]
    assert "script" in error["suggestion"]


@pytest.mark.parametrize(
    ("tool_id", "proposal"), [("My Tool", "my_tool"), ("../x", "x"), ("Ünïque", "n_que"), ("!", "")]
)
def test_new_proposes_an_id_that_would_do(cli: Cli, tool_id: str, proposal: str) -> None:
    refused = cli("new", "script", tool_id)
    assert refused.code == 2
    assert (f"try {proposal}\n" if proposal else "begin with a small letter") in refused.err


@pytest.mark.parametrize("tool_type", ["..", ".", "", "script/..", "/etc", "Script"])
def test_a_type_is_never_a_path(cli: Cli, tool_type: str) -> None:
    assert cli("new", tool_type, "x").code == 2


def test_new_refuses_an_id_that_is_taken(cli: Cli) -> None:
    cli("new", "script", "greeter")
    refused = cli("new", "script", "greeter", "--json")
    assert refused.code == 4
    assert json.loads(refused.out)["code"] == "tool_exists"


def test_new_overwrites_no_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "greeter").mkdir()
    (tmp_path / "greeter" / "main.py").write_text("mine")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("greeter", "dangling"):
        assert cli("new", "script", name, "--to", ".").code == 4
    assert (tmp_path / "greeter" / "main.py").read_text() == "mine"
    assert _names(tmp_path / "greeter") == ["main.py"]


def test_new_leaves_nothing_behind_where_it_cannot_write(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    assert cli("new", "script", "greeter", "--to", "file").code == 6
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "tool.yaml":
            raise OSError(28, "No space left on device")
        return write(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        refused = cli("new", "script", "greeter", "--to", "out")
    assert refused.code == 6
    assert "No space left on device" in refused.err
    assert _names(tmp_path / "out") == []


def test_add_reports_each_tool_and_a_sum(cli: Cli, tmp_path: Path) -> None:
    script_folder(tmp_path / "tree" / "a", "a")
    script_folder(tmp_path / "tree" / "b", "b")
    (tmp_path / "tree" / "broken.yaml").write_text("tool_id: [")
    added = cli("add", "tree")
    assert added.code == 1
    assert added.out == "a 1.0.0 created\nb 1.0.0 created\n2 created, 1 refused\n"
    shape = json.loads(cli("add", "tree", "--json").out)
    assert [tool["status"] for tool in shape["tools"]] == ["refused", "unchanged", "unchanged"]
    assert shape["failed"] == 1


def test_quiet_says_only_what_was_refused(cli: Cli, tmp_path: Path) -> None:
    script_folder(tmp_path / "tree" / "a", "a")
    (tmp_path / "tree" / "broken.yaml").write_text("tool_id: [")
    added = cli("add", "tree", "--quiet")
    assert "created\n" not in added.out.replace("1 created, 1 refused", "")
    assert "broken.yaml" in added.err


def test_tools_may_stand_before_their_executors(cli: Cli, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    script_folder(tree / "a", "a", executor="z_runtime")
    cli("new", "runtime", "z_runtime", "--to", tree)
    added = cli("add", "tree")
    assert added.code == 0
    assert added.out == "z_runtime 0.1.0 created\na 1.0.0 created\n2 created\n"


def test_the_same_version_twice_in_one_folder_is_refused_once(cli: Cli, tmp_path: Path) -> None:
    script_folder(tmp_path / "tree" / "a", "same", body="print(1)\n")
    script_folder(tmp_path / "tree" / "b", "same", body="print(2)\n")
    shape = json.loads(cli("add", "tree", "--json").out)
    assert [tool["status"] for tool in shape["tools"]] == ["created", "refused"]
    assert shape["tools"][1]["error"]["code"] == "version_exists"


def test_an_empty_folder_has_no_tools_and_that_is_a_failure(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    added = cli("add", "empty")
    assert added.code == 1
    assert "no tools found in empty" in added.err


def test_the_sample_tools_load(cli: Cli, run_cli: RunCli) -> None:
    from workbench import paths

    added = run_cli("add", paths.sample_tools() / ".ai", "--json")
    assert added.code == 0, added.out[-2000:]
    assert json.loads(added.out)["failed"] == 0
    assert len(json.loads(added.out)["tools"]) > 5


def test_delete_with_dependants_is_refused_and_names_them(cli: Cli, tmp_path: Path) -> None:
    cli("new", "runtime", "own_runtime")
    for number in range(7):
        cli("add", script_folder(tmp_path / "t", f"user_{number}", executor="own_runtime"))
    refused = cli("delete", "own_runtime", "--yes", "--json")
    assert refused.code == 4
    error = json.loads(refused.out)
    assert error["code"] == "has_dependants"
    assert error["message"].endswith("user_0, user_1, user_2, user_3, user_4 …")
    assert cli("show", "own_runtime").code == 0
    assert cli("delete", "own_runtime", "--yes", "--force").code == 0
    assert cli("show", "own_runtime").code == 3


def test_what_cannot_be_deleted_is_said_before_anything_is_asked(cli: Cli) -> None:
    refused = cli("delete", "python_runtime")
    assert refused.code == 4
    assert "shipped" in refused.err
    assert "--yes" not in refused.err


def test_one_version_cannot_be_deleted(cli: Cli) -> None:
    cli("new", "script", "greeter")
    assert cli("delete", "greeter@0.1.0", "--yes").code == 2
    assert cli("show", "greeter").code == 0


def test_without_a_terminal_and_without_yes_nothing_is_changed(run_cli: RunCli) -> None:
    run_cli("new", "script", "greeter")
    run_cli("new", "script", "other")
    run_cli("delete", "other", "--yes")
    for arguments in (("delete", "greeter"), ("restore", "other")):
        refused = run_cli(*arguments, "--json")
        assert refused.code == 4
        error = json.loads(refused.out)
        assert error["code"] == "confirmation_needed"
        assert error["suggestion"] == "add --yes"
    assert run_cli("show", "greeter").code == 0
    assert run_cli("show", "other").code == 3


def test_a_tool_that_is_named_by_its_manifest_has_its_files(cli: Cli, tmp_path: Path) -> None:
    assert cli("new", "script", "greeter", "--to", str(tmp_path)).code == 0
    manifest = str(tmp_path / "greeter" / "tool.yaml")
    assert cli("validate", manifest).code == 0
    assert cli("add", manifest).code == 0
    assert "main.py" in cli("show", "greeter").out


def test_a_deleted_tool_that_is_added_again_is_restored(cli: Cli, tmp_path: Path) -> None:
    cli("new", "script", "greeter", "--to", str(tmp_path))
    cli("add", str(tmp_path / "greeter"))
    cli("delete", "greeter", "--yes")
    assert cli("add", str(tmp_path / "greeter")).out == "greeter 0.1.0 restored\n"


def test_an_executor_that_is_nearly_right_is_guessed_and_fixed(cli: Cli, tmp_path: Path) -> None:
    cli("new", "script", "greeter", "--to", str(tmp_path))
    manifest = tmp_path / "greeter" / "tool.yaml"
    manifest.write_text(manifest.read_text().replace("python_runtime", "pyhton_runtime"))
    refused = cli("add", str(tmp_path / "greeter"))
    assert refused.code == 1
    assert "did you mean python_runtime?" in refused.err
    assert cli("validate", str(manifest), "--fix").code == 0
    assert "executor: python_runtime" in manifest.read_text()


def test_a_tool_that_a_composite_names_is_not_deleted_silently(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(
        'tool_id: both\ntool_type: composite\nversion: "1.0.0"\n'
        "config:\n  steps:\n    - {id: one, tool: read_file, with: {path: a.txt}}\n"
    )
    assert cli("add", str(tmp_path)).code == 0
    refused = cli("delete", "read_file", "--yes")
    assert refused.code == 4
    assert "used by both" in refused.err


def test_templates_bring_no_compiled_files_along(tmp_path: Path) -> None:
    """An installed package has its templates compiled beside them."""
    package = tmp_path / "site" / "workbench"
    shutil.copytree(ROOT / "workbench", package)
    subprocess.run([sys.executable, "-m", "compileall", "-q", package / "seeds"], check=False)
    assert list((package / "seeds/templates").rglob("*.pyc"))
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    made = subprocess.run(
        [sys.executable, "-m", "workbench", "new", "script", "hello", "--to", tmp_path],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert sorted(path.name for path in (tmp_path / "hello").rglob("*")) == ["main.py", "tool.yaml"]
