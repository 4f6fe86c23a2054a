"""File trees: every form loads and keeps its bytes, files win, and edits go back to the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import RunCli
from tests.projects import api, script, write
from workbench.core.tool import Outcome
from workbench.errors import InvalidError, RefusedError
from workbench.sources import scan
from workbench.workbench import Workbench, open_workbench

FORMS: dict[str, str | bytes] = {
    "tools/canonical/tool.yaml": script("canonical"),
    "tools/canonical/main.py": b"\xef\xbb\xbfprint('caf\xc3\xa9')\r\n",
    "tools/canonical/data/raw.bin": bytes(range(256)),
    "tools/single.yaml": "# a comment\r\n" + api("single").replace("\n", "\r\n") + "---\r\n",
    "tools/old/tool.yaml": (
        "tool_id: old_mapping\nversion: '1.0.0'\nexecutor:\n  type: python\n  entrypoint: run.py\n"
    ),
    "tools/old/run.py": "print(1)\n",
    "tools/alias/tool.yaml": (
        "tool_id: alias\ntool_type: bash\nversion: '1.0.0'\nexecutor_id: bash_runtime\n"
        "config: {entrypoint: a.sh}\n"
    ),
    "tools/alias/a.sh": "echo hi\n",
    "tools/deep/er/meta.py": (
        '"""Metadata in names."""\n__version__ = "1.2.0"\n__tool_type__ = "python"\n'
        '__executor_id__ = "python_runtime"\n__category__ = "x"\n\n\ndef main(a: int):\n'
        "    return a\n"
    ),
    "tools/docstring.py": (
        '"""---\ntool_id: docstring\nversion: "1.0.0"\ndescription: In a docstring.\n---\n"""\n\n\n'
        "def main(word: str = 'x'):\n    return word\n"
    ),
    "scripts/legacy.py": "def main(path: str, top: int = 3):\n    return path\n",
    "directives/writing/review.md": (
        "# Review\n\n```xml\n<directive name='review' version='1.0.0'>\n"
        "  <metadata><description>Reviews.</description><category>w</category>"
        "<model tier='fast'/></metadata>\n"
        "  <process><step name='a'><action>Read.</action></step></process>\n</directive>\n```\n"
    ),
    "knowledge/notes/note.md": "---\ntitle: A note\ntags: [a]\nentry_type: pattern\n---\n\nText.\n",
    "knowledge/prose.md": "# Just prose, no tool\n",
    "skills/do-it/SKILL.md": "---\nname: do-it\ndescription: Does it.\n---\nDo it.\n",
    "skills/do-it/assets/a.txt": "asset\n",
    "tools/lib/shared.py": "not a tool = (\n",
    "tools/readme.md": "no tool\n",
    "outputs/tools/x/output.json": "{}",
}
IDS = {
    "canonical": "tools/canonical",
    "single": "tools/single.yaml",
    "old_mapping": "tools/old",
    "alias": "tools/alias",
    "meta": "tools/deep/er/meta.py",
    "docstring": "tools/docstring.py",
    "legacy": "scripts/legacy.py",
    "review": "directives/writing/review.md",
    "note": "knowledge/notes/note.md",
    "do-it": "skills/do-it",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "project"


async def _own(workbench: Workbench) -> dict[str, str]:
    rows = await workbench.rows(limit=1000)
    return {row.tool_id: row.version for row in rows if not row.is_official}


async def test_all_forms_load_from_one_tree_and_keep_their_bytes(
    seeded_home: Path, project: Path
) -> None:
    write(project, FORMS)
    async with open_workbench(seeded_home, project=project) as workbench:
        assert set(await _own(workbench)) == set(IDS)
        assert await workbench.amiss() == []
        for tool_id, path in IDS.items():
            tool = await workbench.get(tool_id, files=True)
            where = project / ".ai" / path
            if tool.text is not None:
                own = where / "tool.yaml" if where.is_dir() else where
                assert tool.text.encode() == own.read_bytes(), tool_id
            for file in tool.files:
                source = where / file.path if where.is_dir() else where
                assert file.data == source.read_bytes(), file.path
            assert (await workbench.chain(tool)).fault is None
        canonical = await workbench.get("canonical", files=True)
        assert [file.path for file in canonical.files] == ["data/raw.bin", "main.py"]


async def test_an_unchanged_tree_reads_nothing(
    seeded_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "_FRESH_NS", 0)
    write(project, FORMS)
    async with open_workbench(seeded_home, project=project) as workbench:
        before = await workbench.data_version()
        report = await workbench.sync()
        assert report.is_quiet
        assert await workbench.data_version() == before
        (project / ".ai/tools/single.yaml").write_text(api("single", "1.1.0"))
        report = await workbench.sync()
        assert (report.read, report.stored) == (1, 1)


async def test_files_win_also_when_they_go_back(seeded_home: Path, project: Path) -> None:
    write(project, {"tools/x.yaml": api("x")})
    async with open_workbench(seeded_home, project=project) as workbench:
        for text, version in (
            (api("x", "2.0.0"), "2.0.0"),
            (api("x", "1.5.0"), "1.5.0"),
            (api("x"), "1.0.0"),
        ):
            write(project, {"tools/x.yaml": text})
            await workbench.sync()
            assert await _own(workbench) == {"x": version}
            assert (await workbench.get("x")).version == version
        space = (await workbench.get("x")).space
        history = await workbench.versions("x", space)
        assert [row.version for row in history] == ["2.0.0", "1.5.0", "1.0.0"]


async def test_other_content_under_a_known_version_is_local_with_a_warning(
    seeded_home: Path, project: Path
) -> None:
    write(project, {"tools/x.yaml": api("x")})
    async with open_workbench(seeded_home, project=project) as workbench:
        before = await workbench.get("x")
        write(project, {"tools/x.yaml": api("x", description="Other.")})
        await workbench.sync()
        now = await workbench.get("x")
        assert now.version == f"1.0.0+local.{now.content_hash[:8]}"
        assert now.manifest["description"] == "Other."
        [(path, unit)] = await workbench.amiss()
        assert path == project / ".ai/tools/x.yaml"
        assert [(p["code"], p["severity"]) for p in unit.problems] == [("version_taken", "warning")]
        assert "1.0.1" in unit.problems[0]["hint"]
        write(project, {"tools/x.yaml": api("x")})
        await workbench.sync()
        assert (await workbench.get("x")).content_hash == before.content_hash
        assert (await workbench.get("x")).version == "1.0.0"
        assert await workbench.amiss() == []


async def test_a_vanished_file_makes_the_tool_absent_and_it_can_come_back(
    seeded_home: Path, project: Path
) -> None:
    write(project, {"tools/x.yaml": api("x"), "tools/y.yaml": api("y")})
    async with open_workbench(seeded_home, project=project) as workbench:
        space = (await workbench.get("x")).space
        (project / ".ai/tools/x.yaml").unlink()
        await workbench.sync()
        assert await _own(workbench) == {"y": "1.0.0"}
        assert len(await workbench.versions("x", space)) == 1
        saved = await workbench.restore("x")
        assert saved.outcome is Outcome.RESTORED
        assert await _own(workbench) == {"x": "1.0.0", "y": "1.0.0"}
        assert (project / ".ai/tools/x.yaml").read_text() == api("x")


async def test_one_broken_file_hides_no_other_and_heals(seeded_home: Path, project: Path) -> None:
    files = {f"tools/t{n}.yaml": api(f"t{n}") for n in range(5)}
    write(project, {**files, "tools/t2.yaml": "tool_id: [\n", "tools/t3.yaml": api("t1")})
    async with open_workbench(seeded_home, project=project) as workbench:
        assert set(await _own(workbench)) == {"t0", "t1", "t4"}
        amiss = {path.name: unit.problems[0]["code"] for path, unit in await workbench.amiss()}
        assert amiss == {"t2.yaml": "yaml_syntax", "t3.yaml": "duplicate_tool"}
        write(project, {"tools/t2.yaml": api("t2"), "tools/t3.yaml": api("t3")})
        await workbench.sync()
        assert set(await _own(workbench)) == {f"t{n}" for n in range(5)}
        assert await workbench.amiss() == []


async def test_a_tool_may_come_before_what_carries_it(seeded_home: Path, project: Path) -> None:
    write(project, {"tools/a/tool.yaml": script("a", "zz_runtime"), "tools/a/main.py": "x = 1\n"})
    async with open_workbench(seeded_home, project=project) as workbench:
        assert await _own(workbench) == {}
        write(
            project,
            {
                "tools/z.yaml": "tool_id: zz_runtime\ntool_type: runtime\nversion: '1.0.0'\n"
                "executor: subprocess\nconfig: {command: python3}\n"
            },
        )
        await workbench.sync()
        assert set(await _own(workbench)) == {"a", "zz_runtime"}
        assert await workbench.amiss() == []


async def test_shared_modules_are_part_of_each_version(seeded_home: Path, project: Path) -> None:
    manifest = script("a") + "lib_imports: [shared]\n"
    write(project, {"tools/a/tool.yaml": manifest, "tools/a/main.py": "import shared\n"})
    async with open_workbench(seeded_home, project=project) as workbench:
        assert await _own(workbench) == {}
        [(_, unit)] = await workbench.amiss()
        assert unit.problems[0]["code"] == "library_not_found"
        write(project, {"tools/lib/shared.py": "x = 1\n"})
        await workbench.sync()
        tool = await workbench.get("a", files=True)
        assert {file.path: file.data for file in tool.files}["shared.py"] == b"x = 1\n"
        write(project, {"tools/lib/shared.py": "x = 2\n"})
        await workbench.sync()
        assert (await workbench.get("a")).version.startswith("1.0.0+local.")
        await workbench.delete("a")
        assert not (project / ".ai/tools/a").exists()
        assert (project / ".ai/tools/lib/shared.py").exists()


async def test_new_tools_go_to_the_projects_tree_and_without_one_to_the_registry(
    seeded_home: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {})
    async with open_workbench(seeded_home, project=project) as workbench:
        saved = await workbench.create("script", "fresh")
        assert saved.outcome is Outcome.CREATED
        path = await workbench.path_of(await workbench.get("fresh"))
        assert path is not None and path.is_file()
        assert path.is_relative_to(project / ".ai/tools")
        with pytest.raises(RefusedError) as refused:
            await workbench.create("script", "fresh")
        assert refused.value.code == "tool_exists"
        await workbench.create("script", "fresh", "public")
        assert (await workbench.get("public/fresh")).space == "public"
    monkeypatch.chdir(tmp_path)
    async with open_workbench(seeded_home) as workbench:
        saved = await workbench.create("script", "elsewhere")
        assert saved.space == "public"


async def test_a_file_that_changed_meanwhile_is_not_overwritten(
    seeded_home: Path, project: Path
) -> None:
    write(project, {"tools/x.yaml": api("x")})
    async with open_workbench(seeded_home, project=project) as workbench:
        write(project, {"tools/x.yaml": "mine, just now\n"})
        for change in (workbench.delete("x"), workbench.sign("x")):
            with pytest.raises(RefusedError) as refused:
                await change
            assert refused.value.code == "file_changed"
    assert (project / ".ai/tools/x.yaml").read_text() == "mine, just now\n"


async def test_an_earlier_version_is_restored_into_its_file(
    seeded_home: Path, project: Path
) -> None:
    files = {"tools/s/tool.yaml": script("s"), "tools/s/main.py": "print(1)\n"}
    write(project, {**files, "tools/s/old.txt": "old\n"})
    async with open_workbench(seeded_home, project=project) as workbench:
        (project / ".ai/tools/s/old.txt").unlink()
        newer = {"tools/s/tool.yaml": script("s", version="2.0.0"), "tools/s/new.txt": "new\n"}
        write(project, {**newer, "tools/s/main.py": "print(2)\n"})
        await workbench.sync()
        saved = await workbench.restore("s@1.0.0")
        assert saved.version == "2.0.1"
    folder = project / ".ai/tools/s"
    assert sorted(path.name for path in folder.iterdir()) == ["main.py", "old.txt", "tool.yaml"]
    assert (folder / "main.py").read_text() == "print(1)\n"
    assert 'version: "2.0.1"' in (folder / "tool.yaml").read_text()


def test_the_command_line_says_which_files_are_amiss(run_cli: RunCli, project: Path) -> None:
    write(project, {"tools/x.yaml": api("x"), "tools/bad.yaml": "tool_id: [\n"})
    listed = run_cli("list", cwd=project)
    assert listed.code == 0
    assert "bad.yaml" in listed.err and "workbench validate" in listed.err
    checked = run_cli("validate", ".ai", "--json", cwd=project)
    assert checked.code == 1
    assert [tool["valid"] for tool in json.loads(checked.out)["tools"]] == [False, True]


async def test_a_broken_file_is_not_passed_over_for_a_tool_further_out(
    seeded_home: Path, own_machine: Path, project: Path
) -> None:
    write(own_machine, {"tools/x.yaml": api("x", "3.0.0")})
    write(project, {"tools/x.yaml": api("x"), "tools/y.yaml": api("y")})
    async with open_workbench(seeded_home, project=project) as workbench:
        for text in ("tool_id: [\n", api("x").replace("http_client", "gone")):
            write(project, {"tools/x.yaml": text})
            await workbench.sync()
            for reference in ("x", "project/x"):
                with pytest.raises(InvalidError) as invalid:
                    await workbench.get(reference)
                assert str(project / ".ai/tools/x.yaml") in invalid.value.message
                assert invalid.value.problems
            assert (await workbench.get("user/x")).version == "3.0.0"
            assert (await workbench.get("y")).version == "1.0.0"
        (project / ".ai/tools/x.yaml").unlink()
        await workbench.sync()
        assert (await workbench.get("x")).version == "3.0.0"
