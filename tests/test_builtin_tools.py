"""The shipped file and git tools do what their manifests say, in a real folder and repository."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.core.schema import errors
from workbench.workbench import open_workbench

_CALL = """
import json, sys
sys.path.insert(0, sys.argv[1])
import main
print(json.dumps(main.main(**json.loads(sys.argv[2]))))
"""
Run = Callable[..., dict[str, Any]]


class ToolFailed(Exception):  # noqa: N818 - what a tool says of itself
    """The last line a tool wrote before it gave up."""


@pytest.fixture
async def run(seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a shipped tool in an empty project, from its stored files, and checks its result
    against the outputs it declares."""
    project = tmp_path / "project"
    project.mkdir()
    laid_out: dict[str, dict[str, Any]] = {}
    async with open_workbench(seeded_home) as workbench:
        for row in await workbench.rows(tool_types=("script",), limit=100):
            tool = await workbench.get(row.tool_id, files=True)
            for file in tool.files:
                path = tmp_path / "tools" / row.tool_id / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.data)
            laid_out[row.tool_id] = dict(tool.manifest)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "test@example.com")

    def call(tool_id: str, **values: Any) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-c", _CALL, str(tmp_path / "tools" / tool_id), json.dumps(values)],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ToolFailed(done.stderr.strip().splitlines()[-1])
        result: dict[str, Any] = json.loads(done.stdout)
        assert errors(laid_out[tool_id]["outputs"], result) == []
        return result

    return call


def test_a_file_is_written_read_edited_found_and_deleted(run: Run, tmp_path: Path) -> None:
    assert run("write_file", path="notes/a.txt", content="one\ntwo\n")["created"] is True
    assert run("read_file", path="notes/a.txt")["content"] == "one\ntwo\n"
    run("edit_file", path="notes/a.txt", old_text="two", new_text="three")
    [found] = run("search_files", query="three")["matches"]
    assert (found["path"], found["line"]) == ("notes/a.txt", 2)
    listed = run("list_files", pattern="**/*.txt")["entries"]
    assert [entry["path"] for entry in listed] == ["notes/a.txt"]
    run("delete_file", path="notes/a.txt")
    assert not (tmp_path / "project" / "notes" / "a.txt").exists()


def test_an_edit_that_fits_twice_changes_nothing(run: Run, tmp_path: Path) -> None:
    run("write_file", path="a.txt", content="x x")
    with pytest.raises(ToolFailed, match="replace_all"):
        run("edit_file", path="a.txt", old_text="x", new_text="y")
    assert (tmp_path / "project" / "a.txt").read_text() == "x x"


@pytest.mark.parametrize("path", ["../out.txt", "/etc/hostname", "link/out.txt", "a/../../out.txt"])
@pytest.mark.parametrize("tool_id", ["read_file", "write_file", "edit_file", "delete_file"])
def test_nothing_outside_the_project_is_touched(
    run: Run, tmp_path: Path, tool_id: str, path: str
) -> None:
    outside = tmp_path / "out.txt"
    outside.write_text("secret")
    (tmp_path / "project" / "link").symlink_to(tmp_path)
    values: dict[str, Any] = {
        "read_file": {},
        "write_file": {"content": "changed"},
        "edit_file": {"old_text": "secret", "new_text": "changed"},
        "delete_file": {},
    }[tool_id]
    with pytest.raises(ToolFailed):
        run(tool_id, path=path, **values)
    assert outside.read_text() == "secret"


def test_a_commit_holds_exactly_the_files_it_was_given(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "project"
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    run("write_file", path="mine.txt", content="mine\n")
    run("write_file", path="theirs.txt", content="theirs\n")
    subprocess.run(["git", "add", "theirs.txt"], cwd=project, check=True)
    done = run("git_commit", paths=["mine.txt"], message="feat(notes): mine")
    assert done["committed"] is True
    [commit] = run("git_log")["commits"]
    assert commit["subject"] == "feat(notes): mine"
    status = run("git_status")
    assert [entry["path"] for entry in status["staged"]] == ["theirs.txt"]
    run("edit_file", path="mine.txt", old_text="mine", new_text="ours")
    assert "+ours" in json.dumps(run("git_diff"))
