"""Older forms become folders with a manifest, and stay the same tools."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, RunCli, cli_environment
from tests.migration_cases import (
    CANONICAL,
    DUNDER,
    FORMS,
    LINE,
    OLD_YAML,
    PLAIN,
    answer,
    below,
    older_project,
    put,
    show,
)  # fmt: skip
from workbench.core.manifest_text import manifest_text
from workbench.core.source import read_yaml


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return older_project(tmp_path / "p")


# What becomes of the three forms


@pytest.mark.parametrize(
    ("tool_id", "before", "after"),
    [
        ("add_up", "scripts/sums/add_up.py", "tools/sums/add_up"),
        ("hello", "tools/hello.py", "tools/hello"),
        ("shout", "tools/deep/er/shout_it.py", "tools/deep/er/shout"),
    ],
)
def test_a_script_becomes_a_folder_and_stays_the_same_tool(
    run_cli: RunCli, project: Path, tool_id: str, before: str, after: str
) -> None:
    old = show(run_cli, project, tool_id)
    done = run_cli("migrate", tool_id, "--yes", cwd=project)
    assert done.code == 0, done.err
    tree = project / ".ai"
    assert not (tree / before).exists()
    name = Path(before).name
    assert set(below(tree / after)) == {"tool.yaml", name}
    assert (tree / after / name).read_text("utf-8") == FORMS[tool_id]
    new = show(run_cli, project, tool_id)
    changed = {key for key in old if old[key] != new.get(key)} | (set(new) - set(old))
    form = {"version", "versions", "changelog", "path", "content_hash", "chain", "created_at"}
    assert changed == form
    assert new["parameters"] == old["parameters"]
    assert new["path"] == str(tree / after / "tool.yaml")
    assert new["version"] == re.sub(r"\d+$", lambda last: str(int(last[0]) + 1), old["version"])
    checked = answer(run_cli("validate", tree / after, "--json", cwd=project))
    assert checked["valid"] and checked["problems"] == []


def test_what_a_script_says_is_said_by_its_manifest(run_cli: RunCli, project: Path) -> None:
    assert run_cli("migrate", ".ai", "--yes", cwd=project).code == 0
    tools = project / ".ai/tools"
    said = {
        tool_id: read_yaml((tools / path / "tool.yaml").read_text("utf-8"))
        for tool_id, path in (
            ("add_up", "sums/add_up"),
            ("hello", "hello"),
            ("shout", "deep/er/shout"),
        )
    }
    assert [document.problems for document in said.values()] == [[], [], []]
    plain, dunder, front = (document.value for document in said.values())
    assert plain["mutates_state"] is True
    assert plain["parameters"] == [
        {"name": "a", "type": "integer", "required": True},
        {"name": "b", "type": "integer", "default": 2},
        {"name": "label", "type": "string"},
        {"name": "how", "type": "string", "enum": ["sum", "list"], "default": "sum"},
    ]
    assert dunder["config"] == {"entrypoint": "hello.py", "requires": ["httpx>=0.28"]}
    assert dunder["lib_imports"] == ["greetings"]
    assert dunder["tags"] == ["yes", "1.10", "plain"]
    assert front["description"] == "Loud: very #loud"
    assert front["presets"] == {"loud": {"text": "on"}}
    assert front["parameters"][0]["pattern"] == "^[^/~]"
    keys = list(front)
    assert keys[:4] == ["tool_id", "tool_type", "version", "executor"]
    assert keys.index("config") < keys.index("parameters") < keys.index("mutates_state")


def test_a_script_in_the_old_area_goes_to_its_category(run_cli: RunCli, project: Path) -> None:
    put(
        project / ".ai/scripts/any/where/hi.py",
        '__version__ = "1.0.0"\n__category__ = "Nice Words"\n',
    )
    assert run_cli("migrate", "hi", "--yes", cwd=project).code == 0
    assert (project / ".ai/tools/nice_words/hi/hi.py").is_file()
    assert not (project / ".ai/scripts/any").exists()
    assert (project / ".ai/scripts/sums/add_up.py").is_file()


def test_a_signature_line_is_left_out_and_said_so(run_cli: RunCli, project: Path) -> None:
    script = put(project / ".ai/tools/signed.py", "#!/usr/bin/env python3\n" + LINE + "x = 1\n")
    done = run_cli("migrate", script, "--yes", cwd=project)
    assert "its signature was that of the old form and is left out" in done.out
    moved = project / ".ai/tools/signed/signed.py"
    assert moved.read_text("utf-8") == "#!/usr/bin/env python3\nx = 1\n"
    assert show(run_cli, project, "signed")["signature"] == "unsigned"


def test_a_tool_that_was_signed_is_signed_again_in_its_new_form(
    run_cli: RunCli, project: Path
) -> None:
    assert run_cli("sign", "hello", cwd=project).code == 0
    assert run_cli("migrate", "hello", "--yes", cwd=project).code == 0
    assert show(run_cli, project, "hello")["signature"] == "unsigned"
    assert (project / ".ai/tools/hello/hello.py").read_text("utf-8") == DUNDER
    assert run_cli("sign", "hello", cwd=project).code == 0
    assert show(run_cli, project, "hello")["signature"] == "signed"


def test_permissions_are_kept(run_cli: RunCli, project: Path) -> None:
    (project / ".ai/tools/hello.py").chmod(0o750)
    assert run_cli("migrate", "hello", "--yes", cwd=project).code == 0
    assert (project / ".ai/tools/hello/hello.py").stat().st_mode & 0o777 == 0o750


def test_the_version_skips_those_that_are_taken(run_cli: RunCli, project: Path) -> None:
    script = project / ".ai/tools/hello.py"
    for version in ("2.3.1", "2.3.0"):
        script.write_text(DUNDER.replace("2.3.0", version), "utf-8")
        assert show(run_cli, project, "hello")["version"] == version
    done = run_cli("migrate", "hello", "--yes", cwd=project)
    assert "2.3.0 is known already, so this is 2.3.2" in done.out
    assert show(run_cli, project, "hello")["versions"] == ["2.3.2", "2.3.1", "2.3.0"]


def test_modules_beside_a_script_are_named(run_cli: RunCli, project: Path) -> None:
    put(project / ".ai/scripts/sums/near.py", "import json\nfrom add_up import main\n")
    done = run_cli("migrate", ".ai/scripts/sums/near.py", "--dry-run", cwd=project)
    assert "it imports add_up from beside it" in done.out


# Several at once, and loose files


def test_a_folder_of_several_is_migrated_and_what_is_broken_is_listed(
    run_cli: RunCli, project: Path
) -> None:
    broken = put(project / ".ai/scripts/broken.py", "def main(:\n")
    done = run_cli("migrate", ".ai", "--yes", "--json", cwd=project)
    assert done.code == 1
    shape = answer(done)
    states = {one.get("tool_id") or one["name"]: one["status"] for one in shape["tools"]}
    assert states == {
        "hello": "migrated", "add_up": "migrated", "shout": "migrated", str(broken): "refused"
    }  # fmt: skip
    (refused,) = [one for one in shape["tools"] if one["status"] == "refused"]
    assert refused["error"]["problems"][0]["code"] == "python_syntax"
    assert broken.read_text() == "def main(:\n"
    said = run_cli("migrate", broken, "--yes", cwd=project)
    assert said.code == 1
    assert ".ai/scripts/broken.py:1:10: error python_syntax" in said.err


def test_loose_scripts_get_a_folder_beside_them_and_stay(run_cli: RunCli, tmp_path: Path) -> None:
    put(tmp_path / "loose/one.py", PLAIN)
    put(tmp_path / "loose/sub/two.py", DUNDER.replace('__lib_imports__ = ["greetings"]\n', ""))
    put(tmp_path / "loose/other.yaml", "services: {web: {image: x}}\n")
    before = below(tmp_path / "loose")
    done = run_cli("migrate", "loose")
    assert done.code == 0, done.err
    after = below(tmp_path / "loose")
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) == {
        "one/tool.yaml", "one/one.py", "sub/two/tool.yaml", "sub/two/two.py"
    }  # fmt: skip
    assert 'version: "1.0.0"' in after["one/tool.yaml"].decode()
    assert 'version: "2.3.0"' in after["sub/two/tool.yaml"].decode()
    assert run_cli("add", "loose/one").out == "one 1.0.0 created\n"


def test_a_loose_script_that_was_added_gets_the_next_version(
    run_cli: RunCli, tmp_path: Path
) -> None:
    put(tmp_path / "one.py", PLAIN)
    assert run_cli("add", "one.py").code == 0
    assert run_cli("migrate", "one.py", "--to", "made").code == 0
    assert 'version: "1.0.1"' in (tmp_path / "made/one/tool.yaml").read_text()
    assert run_cli("add", "made/one").out == "one 1.0.1 new version\n"


def test_a_tool_of_the_registry_gets_a_version_in_the_new_form(
    run_cli: RunCli, tmp_path: Path
) -> None:
    put(tmp_path / "one.py", PLAIN)
    assert run_cli("add", "one.py").code == 0
    assert run_cli("migrate", "one", "--to", "made", "--json").code == 0
    assert (tmp_path / "made/one/one.py").read_text() == PLAIN
    done = answer(run_cli("migrate", "one", "--json"))
    assert [one["version"] for one in done["tools"]] == ["1.0.1"]
    shown = answer(run_cli("show", "one", "--json"))
    assert shown["version"] == "1.0.1"
    assert shown["space"] == "public"
    assert run_cli("show", "one", "--manifest").out.startswith("tool_id: one\n")
    assert run_cli("migrate", "one").out == "nothing to do: 1 tool in canonical form\n"


def test_a_script_moves_into_the_tree_that_to_names(run_cli: RunCli, project: Path) -> None:
    put(project / "one.py", PLAIN)
    assert run_cli("migrate", "one.py", "--to", ".ai/tools/new", cwd=project).code == 0
    assert show(run_cli, project, "one")["space"] == "project"
    assert (project / "one.py").is_file()
    again = run_cli("migrate", "one.py", "--to", ".ai/tools/newer", cwd=project)
    assert again.code == 4
    assert "tools/new/one has the id one already" in again.err


def test_four_hundred_scripts_are_one_call(run_cli: RunCli, tmp_path: Path) -> None:
    project = tmp_path / "many"
    for number in range(400):
        put(project / f".ai/scripts/s{number % 7}/tool_{number:03}.py", f"X = {number}\n")
    done = answer(run_cli("migrate", ".ai/scripts", "--yes", "--json", cwd=project))
    assert (len(done["tools"]), done["failed"]) == (400, 0)
    assert not (project / ".ai/scripts").exists()
    assert len(list(project.glob(".ai/tools/*/*/tool.yaml"))) == 400
    assert run_cli("validate", ".ai", cwd=project).out == "400 tools checked: no problems\n"


# Older manifests


def test_an_older_manifest_becomes_canonical_and_its_files_stay(
    run_cli: RunCli, project: Path
) -> None:
    folder = project / ".ai/tools/ops/deploy"
    put(folder / "tool.yaml", OLD_YAML)
    put(folder / "go.sh", "#!/bin/sh\necho go\n")
    put(folder / ".env", "A=1\n")
    old = show(run_cli, project, "deploy")
    assert run_cli("migrate", "deploy", cwd=project).code == 4
    done = run_cli("migrate", "deploy", "--yes", cwd=project)
    assert done.code == 0, done.err
    assert "comments in the old manifest are not kept" in done.out
    new = show(run_cli, project, "deploy")
    assert (new["version"], new["parameters"], new["config"]) == (
        "1.0.1", old["parameters"], old["config"]
    )  # fmt: skip
    text = (folder / "tool.yaml").read_text()
    assert "executor: bash_runtime\n" in text and 'default: "2026-01-01"' in text
    assert (folder / "go.sh").read_text() == "#!/bin/sh\necho go\n"
    assert (folder / ".env").exists()
    assert run_cli("migrate", "deploy", cwd=project).out.startswith("nothing to do")


def test_a_manifest_in_the_old_area_moves_as_it_is(run_cli: RunCli, project: Path) -> None:
    put(project / ".ai/scripts/web/health.yaml", CANONICAL)
    before = show(run_cli, project, "health")
    assert run_cli("migrate", "health", "--yes", cwd=project).code == 0
    assert (project / ".ai/tools/web/health.yaml").read_text() == CANONICAL
    assert not (project / ".ai/scripts/web").exists()
    after = show(run_cli, project, "health")
    assert after["content_hash"] == before["content_hash"]


def test_outside_a_tree_an_older_manifest_can_be_kept(run_cli: RunCli, tmp_path: Path) -> None:
    put(tmp_path / "old/deploy/tool.yaml", OLD_YAML)
    put(tmp_path / "old/deploy/go.sh", "echo go\n")
    before = below(tmp_path / "old")
    refused = run_cli("migrate", "old", "--keep")
    assert refused.code == 2
    assert "cannot be kept as it is: its manifest is rewritten" in refused.err
    assert run_cli("migrate", "old", "--to", "new").code == 0
    assert below(tmp_path / "old") == before
    assert set(below(tmp_path / "new")) == {"deploy/tool.yaml", "deploy/go.sh"}
    assert run_cli("validate", "new").code == 0


# The samples and the guide


def test_the_scripts_of_the_samples_migrate_and_are_valid(run_cli: RunCli, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", ".ruff_cache")
    project = Path(shutil.copytree(ROOT / "sample_tools", tmp_path / "samples", ignore=ignored))
    ids = ("days_between", "roman", "title_case")
    before = {tool_id: show(run_cli, project, tool_id) for tool_id in ids}
    done = answer(run_cli("migrate", ".ai", "--yes", "--json", cwd=project))
    assert sorted(one["tool_id"] for one in done["tools"]) == sorted(ids)
    assert done["failed"] == 0
    for tool_id in ids:
        after = show(run_cli, project, tool_id)
        assert after["parameters"] == before[tool_id]["parameters"]
        assert after["files"] == before[tool_id]["files"]
    checked = answer(run_cli("validate", ".ai", "--json", cwd=project))
    assert checked["problems"] == []


def test_the_guide_works_as_it_is_written(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    page = (ROOT / "docs/migration.md").read_text("utf-8")
    project = tmp_path / "p"
    pattern = r"(?m)^`(\S+)`, as it (was|is written):\n\n```\w+\n((?s:.*?))^```"
    files = [(match[1], match[2], match[3]) for match in re.finditer(pattern, page)]
    assert [kind for _, kind, _ in files] == ["was", "is written", "was", "was"]
    for path, kind, text in files:
        if kind == "was":
            put(project / path, text)
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in block.splitlines()
    ]
    assert len(lines) > 10
    undo = lines.index("workbench versions days_between")
    for line in lines[:undo]:
        _run(line, project)
    for path, kind, text in files:
        if kind == "is written":
            # Signing put its line before what was written.
            assert (project / path).read_text("utf-8").split("\n", 1)[1] == text
    assert (project / "greet/greet.py").is_file() and (project / ".ai/tools/words/greet").is_dir()
    for line in lines[undo:]:
        _run(line, project)
    assert (project / ".ai/tools/dates/days_between.py").read_text("utf-8") == files[0][2]
    assert show(run_cli, project, "ping")["version"] == "2.0.2"


def _run(line: str, project: Path) -> None:
    assert line.startswith("workbench ")
    command = line.replace("workbench", f"{sys.executable} -m workbench", 1)
    done = subprocess.run(
        ["bash", "-c", command], cwd=project, env=cli_environment(), capture_output=True,
        text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(
    "text",
    ["", " a", "a: b", "x #y", "#x", "yes", "1.10", "017", "1e3", "2026-01-01", "null", "~", "- a",
     "{a}", "%x", "@a", "*a", "&a", "!a", "|", "? a", "a\nb\n", "\n a\n", "a\x85b", "a\u2028b",
     "\ufeffa", "é 漢字 🙂", "<<", "=", "word " * 60, "x\r\ny", "'", '"', "https://example.com/?a=b"],
)  # fmt: skip
def test_a_manifest_reads_as_it_was_written(text: str) -> None:
    manifest = {
        "version": "1.0.0",
        "tool_id": "x",
        "name": text,
        "config": {text: [text, {text: 1}]},
    }
    document = read_yaml(manifest_text(manifest))
    assert document.value == manifest
    assert document.problems == []
