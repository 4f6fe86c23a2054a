"""Migration changes nothing by accident: it asks, refuses, and leaves originals where they are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pexpect
import pytest

from tests.cli.conftest import on_terminal
from tests.conftest import RunCli
from tests.migration_cases import CANONICAL, DUNDER, PLAIN, answer, below, older_project, put, show
from workbench.sources import writing
from workbench.workbench import open_workbench


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return older_project(tmp_path / "p")


def test_a_dry_run_prints_what_would_be_written_and_changes_nothing(
    run_cli: RunCli, project: Path
) -> None:
    before = below(project)
    said = run_cli("migrate", ".ai", "--dry-run", cwd=project)
    assert said.code == 0
    assert "  writes .ai/tools/sums/add_up/tool.yaml\n" in said.out
    assert "  removes .ai/scripts/sums/add_up.py\n" in said.out
    assert "\ntool_id: add_up\ntool_type: script\n" in said.out
    shape = answer(run_cli("migrate", ".ai", "--dry-run", "--json", cwd=project))
    assert shape["dry_run"] is True
    assert {one["status"] for one in shape["tools"]} == {"planned"}
    assert below(project) == before
    assert show(run_cli, project, "add_up")["versions"] == ["1.0.0"]
    run_cli("migrate", ".ai", "--yes", cwd=project)
    for one in shape["tools"]:
        assert (Path(one["target"]) / "tool.yaml").read_text() == one["manifest"]


def test_without_a_terminal_an_original_goes_only_with_yes(run_cli: RunCli, project: Path) -> None:
    before = below(project)
    refused = run_cli("migrate", ".ai/scripts", "--json", cwd=project)
    assert refused.code == 4
    assert answer(refused)["code"] == "confirmation_needed"
    assert below(project) == before


def _ask(project: Path, *arguments: str) -> pexpect.spawn:
    child = on_terminal("migrate", *arguments, cwd=project, columns=200, NO_COLOR="1")
    child.expect_exact("[y/N]: ")
    return child


def _finish(child: pexpect.spawn) -> tuple[int | None, str]:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, str(child.before)


def test_on_a_terminal_it_asks_once_and_lists_what_moves(run_cli: RunCli, project: Path) -> None:
    before = below(project)
    child = _ask(project, ".ai")
    asked = str(child.before)
    assert ".ai/scripts/sums/add_up.py → .ai/tools/sums/add_up" in asked
    assert "Migrate 3 tools and remove 3 originals?" in asked
    child.sendline("n")
    assert _finish(child)[0] == 130
    assert below(project) == before
    child = _ask(project, ".ai")
    child.sendline("y")
    assert _finish(child)[0] == 0
    assert (project / ".ai/tools/sums/add_up/tool.yaml").is_file()


def test_a_script_that_changes_while_it_is_asked_about_stays(
    run_cli: RunCli, project: Path
) -> None:
    child = _ask(project, "hello")
    script = put(project / ".ai/tools/hello.py", DUNDER + "# changed\n")
    child.sendline("y")
    code, said = _finish(child)
    assert code == 4
    assert "changed while this was under way" in said
    assert script.read_text() == DUNDER + "# changed\n"
    assert not (project / ".ai/tools/hello").exists()


def test_keep_needs_a_place_outside_the_tree(
    run_cli: RunCli, project: Path, tmp_path: Path
) -> None:
    before = below(project)
    for extra in ((), ("--to", ".ai/tools/other")):
        refused = run_cli("migrate", "hello", "--keep", *extra, "--yes", "--json", cwd=project)
        assert refused.code == 2
        assert answer(refused)["tools"][0]["error"]["code"] == "keep_needs_to"
    assert below(project) == before
    assert run_cli("migrate", "hello", "--keep", "--to", tmp_path / "out", cwd=project).code == 0
    assert below(project) == before
    # The module that the tree shared comes along, so that the copy is whole.
    copied = {"hello/tool.yaml", "hello/hello.py", "hello/greetings.py"}
    assert set(below(tmp_path / "out")) == copied
    assert run_cli("validate", tmp_path / "out").code == 0


@pytest.mark.parametrize(
    ("there", "text", "script", "code"),
    [
        ("tools/one/mine.txt", "mine", "tools/one.py", "path_exists"),
        ("tools/words/tool.yaml", CANONICAL, "scripts/words/one.py", "bad_place"),
        ("tools/lib/x.py", "X = 1\n", "tools/lib.py", "path_exists"),
        ("tools/a/b.yaml", CANONICAL.replace("health", "one"), "tools/z/one.py", "tool_exists"),
        ("tools/x.yaml", CANONICAL, "tools/outputs.py", "bad_place"),
        ("tools/x.yaml", CANONICAL, "tools/tool.yaml.py", "bad_place"),
        ("tools/x.yaml", CANONICAL, "tools/bash_runtime.py", "reserved_id"),
    ],
)
def test_a_place_or_an_id_that_is_taken_is_refused_and_nothing_is_lost(
    run_cli: RunCli, project: Path, there: str, text: str, script: str, code: str
) -> None:
    put(project / ".ai" / there, text)
    put(project / ".ai" / script, PLAIN)
    before = below(project)
    refused = run_cli("migrate", f".ai/{script}", "--yes", "--json", cwd=project)
    assert refused.code == 4
    assert answer(refused)["tools"][0]["error"]["code"] == code
    assert below(project) == before


def test_a_place_that_cannot_be_written_is_said_and_nothing_is_lost(
    run_cli: RunCli, project: Path
) -> None:
    put(project / ".ai/tools/sums", "a file where a folder should be")
    before = below(project)
    refused = run_cli("migrate", "add_up", "--yes", "--json", cwd=project)
    assert refused.code == 6
    assert answer(refused)["tools"][0]["error"]["code"] == "path_unwritable"
    assert below(project) == before


async def _migrate_while(project: Path, tool_id: str) -> list[str]:
    """The codes of what failed, in this process."""
    async with open_workbench(project=project) as workbench:
        result = await workbench.migrate(await workbench.plan_migration(tool_id))
    return [failure.error.code for failure in result.failures]


@pytest.mark.parametrize("spoilt", ["copy", "original", "both"])
async def test_what_changes_after_it_was_written_leaves_the_original(
    seeded_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, spoilt: str
) -> None:
    create = writing.create_folder
    script = project / ".ai/tools/hello.py"

    def spoil(root: Path, path: str, files: Mapping[str, bytes]) -> None:
        create(root, path, files)
        for one in (root / path / "hello.py", script):
            if spoilt == "both" or (one == script) == (spoilt == "original"):
                one.write_text("changed = True\n")

    monkeypatch.setattr(writing, "create_folder", spoil)
    assert await _migrate_while(project, "hello") == ["file_changed"]
    assert script.read_text() == (DUNDER if spoilt == "copy" else "changed = True\n")
    assert not (project / ".ai/tools/hello").exists()


async def test_an_original_that_cannot_be_removed_leaves_no_second_tool(
    seeded_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(root: Path, path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    before = below(project)
    remove = writing.remove_file
    monkeypatch.setattr(
        writing, "remove_file", lambda r, p: (refuse if p == "tools/hello.py" else remove)(r, p)
    )
    assert await _migrate_while(project, "hello") == ["path_unwritable"]
    assert below(project) == before


def test_a_module_is_no_tool_of_its_own(run_cli: RunCli, project: Path) -> None:
    run_cli("migrate", "hello", "--yes", cwd=project)
    put(project / ".ai/scripts/lib/shared.py", "X = 1\n")
    before = below(project)
    for path in (
        ".ai/tools/lib/greetings.py", ".ai/scripts/lib/shared.py", ".ai/tools/hello/hello.py"
    ):  # fmt: skip
        refused = run_cli("migrate", path, "--yes", "--json", cwd=project)
        assert refused.code == 4
        assert answer(refused)["code"] == "not_a_tool"
    assert below(project) == before
    done = answer(run_cli("migrate", ".ai/scripts", "--yes", "--json", cwd=project))
    assert [one["tool_id"] for one in done["tools"]] == ["add_up"]


def test_links_are_not_followed(run_cli: RunCli, project: Path, tmp_path: Path) -> None:
    outside = put(tmp_path / "outside.py", PLAIN)
    (project / ".ai/scripts/linked.py").symlink_to(outside)
    (tmp_path / "loose.py").symlink_to(outside)
    refused = run_cli("migrate", "loose.py")
    assert refused.code == 1
    assert "special_file" in refused.err
    done = run_cli("migrate", ".ai/scripts", "--yes", cwd=project)
    assert done.code == 1
    assert "special_file" in done.err
    assert outside.read_text() == PLAIN
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / ".ai/tools/gone").symlink_to(elsewhere)
    put(project / ".ai/scripts/x.py", '__version__ = "1.0.0"\n__category__ = "gone"\n')
    refused = run_cli("migrate", "x", "--yes", cwd=project)
    assert refused.code == 6
    assert "no folder on the way is a link" in refused.err
    assert not list(elsewhere.iterdir())
    assert (project / ".ai/scripts/x.py").is_file()


def test_the_tools_of_another_project_are_left_to_it(
    run_cli: RunCli, project: Path, tmp_path: Path
) -> None:
    refused = run_cli("migrate", "p/.ai/scripts")
    assert refused.code == 4
    assert f"add --project {project}" in refused.err
    assert run_cli("migrate", "p/.ai/scripts", "--yes", "--project", "p").code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("missing.py",), 3),
        (("no_such_tool",), 3),
        (("",), 2),
        (("subprocess@1.0.0",), 2),
        ((".", "--to", "file.txt"), 2),
    ],
)
def test_calls_that_mean_nothing_say_so(
    run_cli: RunCli, tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    put(tmp_path / "file.txt", "")
    finished = run_cli("migrate", *arguments)
    assert finished.code == code, finished.err
    assert finished.err and not finished.has_traceback


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_what_cannot_be_read_or_written_stays(run_cli: RunCli, project: Path) -> None:
    script = project / ".ai/tools/hello.py"
    script.chmod(0)
    assert run_cli("migrate", script, "--yes", cwd=project).code == 1
    script.chmod(0o644)
    (project / ".ai/tools").chmod(0o555)
    refused = run_cli("migrate", "hello", "--yes", cwd=project)
    (project / ".ai/tools").chmod(0o755)
    assert refused.code == 6
    assert script.read_text() == DUNDER


def test_canonical_tools_need_nothing(run_cli: RunCli, tmp_path: Path) -> None:
    put(tmp_path / "health.yaml", CANONICAL)
    put(tmp_path / "note.md", "---\ntitle: A note\n---\n# A note\n")
    done = run_cli("migrate", ".")
    assert (done.code, done.out) == (0, "nothing to do: 2 tools in canonical form\n")
    assert (tmp_path / "health.yaml").read_text() == CANONICAL
