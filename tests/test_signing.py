"""Signing: the owner's word for a tool as it is, and what happens when it is no longer that."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest
import yaml

from tests.conftest import RunCli
from tests.projects import api, script, write
from tests.test_trees import FORMS, IDS
from workbench import paths, seeding
from workbench.core.tool import Effect, Trust
from workbench.errors import InvalidError, MismatchError, RefusedError, UnavailableError
from workbench.gate.trust import chain_trust
from workbench.sources import writing
from workbench.workbench import open_workbench


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(
        tmp_path / "project",
        {"tools/s/tool.yaml": script("s"), "tools/s/main.py": "#!/usr/bin/env python3\nprint(1)\n"},
    )


def _manifest_file(project: Path, path: str) -> Path:
    place = project / ".ai" / path
    names = ("tool.yaml", "SKILL.md")
    return place if place.is_file() else next(place / n for n in names if (place / n).exists())


async def test_every_form_carries_one_line_however_often_it_is_signed(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "forms", FORMS)
    async with open_workbench(seeded_home, project=project) as workbench:
        for tool_id, path in IDS.items():
            if path.startswith("scripts/"):
                with pytest.raises(RefusedError) as refused:
                    await workbench.sign(tool_id)
                assert refused.value.code == "read_only_area"
                continue
            before = await workbench.get(tool_id, files=True)
            own = _manifest_file(project, path)
            original = own.read_bytes()
            for _ in range(2):
                signed = await workbench.sign(tool_id)
                assert own.read_bytes().count(b"kiwi-mcp:validated:") == 1
            assert signed.path == own
            assert signed.tool.trust is Trust.SIGNED
            assert signed.tool.content_hash == before.content_hash == signed.content_hash
            assert signed.line.split(":")[-1] == signed.content_hash
            bare = [line for line in own.read_bytes().splitlines(True) if b"kiwi-mcp" not in line]
            assert b"".join(bare) == original
    assert (project / ".ai/skills/do-it/SKILL.md").read_text().startswith("---\n# kiwi-mcp")
    assert yaml.safe_load((project / ".ai/tools/alias/tool.yaml").read_text())["tool_id"] == "alias"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tools/s/main.py", "print(1)", "print(2)"),
        ("tools/s/tool.yaml", "mutates_state: false", "mutates_state: true"),
    ],
)
async def test_one_changed_byte_is_a_mismatch_that_says_what_changed(
    seeded_home: Path, project: Path, path: str, old: str, new: str
) -> None:
    async with open_workbench(seeded_home, project=project) as workbench:
        await workbench.sign("s")
        file = project / ".ai" / path
        file.write_text(file.read_text().replace(old, new))
        await workbench.sync()
        tool = await workbench.get("s")
        assert tool.trust is Trust.ALTERED
        assert tool.effect is Effect.WRITES  # what it says of itself is no longer believed
        with pytest.raises(MismatchError) as mismatch:
            await workbench.require_unaltered(tool)
        assert mismatch.value.error == "Content hash mismatch"
        lines = mismatch.value.changed_lines
        assert any(line.startswith("-") and old in line for line in lines)
        assert any(line.startswith("+") and new in line for line in lines)
        assert not any("kiwi-mcp" in line for line in lines)
        file.write_text(file.read_text().replace(new, old))
        await workbench.sync()
        assert (await workbench.get("s")).trust is Trust.SIGNED


async def test_taking_the_line_away_does_not_hide_a_change(
    seeded_home: Path, project: Path
) -> None:
    async with open_workbench(seeded_home, project=project) as workbench:
        await workbench.sign("s")
        write(project, {"tools/s/tool.yaml": script("s") + "description: other\n"})
        await workbench.sync()
        assert (await workbench.get("s")).trust is Trust.ALTERED
        write(project, {"tools/s/tool.yaml": script("s")})
        await workbench.sync()
        assert (await workbench.get("s")).trust is Trust.SIGNED  # the content is what was signed
        write(project, {"tools/s/tool.yaml": script("s", version="1.1.0")})
        await workbench.sync()
        assert (await workbench.get("s")).trust is Trust.UNSIGNED  # a new version is a new tool


async def test_a_line_alone_proves_nothing_and_a_wrong_one_proves_a_change(
    seeded_home: Path, project: Path
) -> None:
    async with open_workbench(seeded_home, project=project) as workbench:
        content_hash = (await workbench.get("s")).content_hash
        for claimed, trust in ((content_hash, Trust.UNSIGNED), ("0" * 64, Trust.ALTERED)):
            line = f"# kiwi-mcp:validated:2026-01-01T00:00:00Z:{claimed}\n"
            write(project, {"tools/s/tool.yaml": line + script("s")})
            await workbench.sync()
            assert (await workbench.get("s")).trust is trust
        with pytest.raises(MismatchError):
            await workbench.copy("s", "user")
        await workbench.sign("s")
        assert (await workbench.get("s")).trust is Trust.SIGNED


async def test_what_is_not_valid_is_not_signed(seeded_home: Path, project: Path) -> None:
    async with open_workbench(seeded_home, project=project) as workbench:
        write(project, {"tools/r.yaml": script("r", "gone").replace("entrypoint: main.py", "")})
        await workbench.sync()
        (await workbench.get("s")).manifest  # noqa: B018 - it is still there
        write(project, {"tools/t/tool.yaml": script("t", "own"), "tools/t/main.py": "1\n",
                        "tools/own.yaml": "tool_id: own\ntool_type: runtime\nversion: '1.0.0'\n"
                        "executor: subprocess\nconfig: {command: python3}\n"})  # fmt: skip
        await workbench.sync()
        await workbench.delete("own", force=True)
        with pytest.raises(InvalidError) as invalid:
            await workbench.sign("t")
        assert invalid.value.problems[0].code == "executor_not_found"
        assert "kiwi-mcp" not in (project / ".ai/tools/t/tool.yaml").read_text()


async def test_a_chain_is_signed_when_every_member_is(seeded_home: Path, tmp_path: Path) -> None:
    files = {
        "tools/t/tool.yaml": script("t", "own"),
        "tools/t/main.py": "1\n",
        "tools/own.yaml": "tool_id: own\ntool_type: runtime\nversion: '1.0.0'\n"
        "executor: subprocess\nconfig: {command: python3}\n",
    }
    project = write(tmp_path / "p", files)
    async with open_workbench(seeded_home, project=project) as workbench:

        async def trust() -> Trust:
            return chain_trust(await workbench.chain(await workbench.get("t")))

        assert await trust() is Trust.UNSIGNED
        await workbench.sign("t")
        assert await trust() is Trust.UNSIGNED
        await workbench.sign("own")
        assert await trust() is Trust.SIGNED
        write(project, {"tools/own.yaml": files["tools/own.yaml"].replace("python3", "evil")})
        await workbench.sync()
        assert await trust() is Trust.ALTERED


async def test_shipped_tools_count_while_they_are_what_ships(
    seeded_home: Path, tmp_path: Path
) -> None:
    hashes = seeding.content_hashes(paths.seeds())
    assert sorted(seeding.shipped_hashes(paths.seeds())) == hashes, "`make seeds` writes the list"
    async with open_workbench(seeded_home) as workbench:
        rows = await workbench.rows(limit=999)
        assert {row.trust for row in rows} == {Trust.SIGNED}
    connection = apsw.Connection(str(seeded_home / "registry.db"))
    connection.execute("DROP TRIGGER tool_versions_immutable")
    connection.execute(
        "UPDATE tool_versions SET content_hash = printf('%064d', 1)"
        " WHERE tool_id = (SELECT id FROM tools WHERE tool_id = 'read_file')"
    )
    connection.close()
    async with open_workbench(seeded_home) as workbench:
        assert (await workbench.get("read_file")).trust is Trust.UNSIGNED


async def test_registry_only_tools_are_attested_without_a_line(
    seeded_home: Path, tmp_path: Path
) -> None:
    (tmp_path / "x.yaml").write_text(api("x"))
    async with open_workbench(seeded_home) as workbench:
        async for _ in workbench.add(tmp_path / "x.yaml"):
            pass
        assert (await workbench.row("x")).trust is Trust.UNSIGNED
        signed = await workbench.sign("x")
        assert signed.path is None
        assert (await workbench.row("x")).trust is Trust.SIGNED
    assert (tmp_path / "x.yaml").read_text() == api("x")
    assert (seeded_home / "keys").stat().st_mode & 0o777 == 0o700
    assert (seeded_home / "keys/owner.ed25519").stat().st_mode & 0o777 == 0o600


async def test_what_the_owner_signed_is_believed_about_itself(
    seeded_home: Path, project: Path
) -> None:
    async with open_workbench(seeded_home, project=project) as workbench:
        assert (await workbench.get("s")).effect is Effect.WRITES
        await workbench.sign("s")
        assert (await workbench.get("s")).effect is Effect.READS
        assert (await workbench.row("s")).effect is Effect.READS


async def test_a_signed_copy_stays_signed_and_a_restored_one_too(
    seeded_home: Path, own_machine: Path, project: Path
) -> None:
    async with open_workbench(seeded_home, project=project) as workbench:
        await workbench.sign("s")
        await workbench.copy("s", "user")
        assert (await workbench.get("user/s")).trust is Trust.SIGNED
        await workbench.delete("project/s")
        await workbench.restore("project/s")
        assert (await workbench.get("project/s")).trust is Trust.SIGNED


def test_the_command_signs_one_many_and_all(run_cli: RunCli, project: Path) -> None:
    write(project, {"tools/a.yaml": api("a"), "tools/b.yaml": api("b"), "scripts/c.py": "x = 1\n"})
    one = json.loads(run_cli("sign", "s", "--json", cwd=project).out)
    assert (one["tool_id"], one["status"], one["space"]) == ("s", "signed", "project")
    assert one["signature"].startswith("kiwi-mcp:validated:2")
    assert one["signature"].endswith(f"Z:{one['hash']}")
    rest = run_cli("sign", "--all", "--json", cwd=project)
    assert rest.code == 4  # the old folder is only read
    by_id = {tool["tool_id"]: tool for tool in json.loads(rest.out)["tools"]}
    assert {tool_id: tool.get("status") for tool_id, tool in by_id.items()} == {
        "a": "signed",
        "b": "signed",
        "c": None,
    }
    assert by_id["c"]["code"] == "read_only_area"
    assert run_cli("sign", cwd=project).code == 2
    assert run_cli("sign", "nothing", cwd=project).code == 3
    (project / ".ai/tools/a.yaml").write_text(api("a", description="changed"))
    again = run_cli("sign", "a", cwd=project)
    assert again.code == 0
    assert "+description: changed" in again.err
    shown = json.loads(run_cli("show", "s", "--json", cwd=project).out)
    assert (shown["signature"], shown["chain_signature"]) == ("signed", "signed")


async def test_what_could_not_be_written_is_not_signed(
    seeded_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with open_workbench(seeded_home, project=project) as workbench:
        with monkeypatch.context() as patch:
            patch.setattr(writing, "write_file", full)
            with pytest.raises(UnavailableError):
                await workbench.sign("s")
        assert (await workbench.get("s")).trust is Trust.UNSIGNED
        await workbench.sign("s")
        assert (await workbench.get("s")).trust is Trust.SIGNED
