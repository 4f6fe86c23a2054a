"""Spaces: precedence, shadowing, and executors that are looked for outwards only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import RunCli
from tests.projects import api, runtime, script, write
from workbench.core.spaces import label
from workbench.errors import RefusedError
from workbench.workbench import Workbench, open_workbench


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "project", {"tools/ask.yaml": api("ask", "2.0.0")})


def _ids(workbench_rows: list[object]) -> list[str]:
    return [row.tool_id for row in workbench_rows]  # type: ignore[attr-defined]


async def _own(workbench: Workbench) -> dict[str, str]:
    """The tools in sight that do not ship, each with its space."""
    rows = await workbench.rows(limit=1000)
    return {f"{label(row.space)}/{row.tool_id}": row.version for row in rows if not row.is_official}


async def test_the_nearest_space_wins_and_the_others_stay_reachable(
    seeded_home: Path, own_machine: Path, project: Path, tmp_path: Path
) -> None:
    write(own_machine, {"tools/ask.yaml": api("ask", "1.5.0")})
    (tmp_path / "ask.yaml").write_text(api("ask"))
    async with open_workbench(seeded_home, project=project) as workbench:
        async for _ in workbench.add(tmp_path / "ask.yaml"):
            pass
        for reference, version in (
            ("ask", "2.0.0"),
            ("project/ask", "2.0.0"),
            ("user/ask", "1.5.0"),
            ("public/ask", "1.0.0"),
        ):
            assert (await workbench.get(reference)).version == version
        rows = {label(row.space): row for row in await workbench.rows() if row.tool_id == "ask"}
        assert rows["project"].shadowed_by is None
        assert [label(space) for space in rows["project"].shadows] == ["user", "public"]
        assert label(rows["user"].shadowed_by or "") == "project"
        assert rows["user"].shadows == ("public",)
        assert label(rows["public"].shadowed_by or "") == "project"
        assert rows["public"].shadows == ()


async def test_two_projects_side_by_side_never_mix(seeded_home: Path, tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"tools/x.yaml": api("x"), "tools/zirkon.yaml": api("zirkon")})
    two = write(tmp_path / "two", {"tools/x.yaml": api("x", "3.0.0")})
    async with open_workbench(seeded_home, project=one) as workbench:
        assert await _own(workbench) == {"project/x": "1.0.0", "project/zirkon": "1.0.0"}
        other = await workbench.at(two)
        assert await _own(other) == {"project/x": "3.0.0"}
        assert await _own(workbench) == {"project/x": "1.0.0", "project/zirkon": "1.0.0"}
        assert (await other.search("zirkon")).total == 0
        assert (await workbench.search("zirkon")).total == 1
        assert sum((await other.counts()).values()) == sum((await workbench.counts()).values()) - 1
    async with open_workbench(seeded_home, project=two) as workbench:
        assert await _own(workbench) == {"project/x": "3.0.0"}


async def test_a_runtime_of_a_project_carries_that_projects_tools_and_nobody_elses(
    seeded_home: Path, own_machine: Path, tmp_path: Path
) -> None:
    main = {"tools/p/tool.yaml": script("p", "tcl"), "tools/p/main.py": "x = 1\n"}
    write(own_machine, {"tools/u/tool.yaml": script("u", "tcl"), "tools/u/main.py": "x = 1\n"})
    project = write(tmp_path / "one", {**main, "tools/tcl.yaml": runtime("tcl", "tclsh")})
    other = write(tmp_path / "two", main)
    async with open_workbench(seeded_home, project=project) as workbench:
        assert "user/u" not in await _own(workbench)  # it names what it cannot see
        [(path, unit)] = await workbench.amiss()
        assert path == own_machine / ".ai/tools/u"
        assert [problem["code"] for problem in unit.problems] == ["executor_not_found"]
        chain = await workbench.chain(await workbench.get("p"))
        assert chain.ids == ("p", "tcl", "subprocess")
        elsewhere = await workbench.at(other)
        assert "project/p" not in await _own(elsewhere)
        # The user's own runtime of that name is found by both, and the project keeps its own.
        write(own_machine, {"tools/tcl.yaml": runtime("tcl", "tclsh8")})
        await workbench.sync()
        assert (await workbench.chain(await workbench.get("user/u"))).links[1].space == "user"
        assert label((await workbench.chain(await workbench.get("p"))).links[1].space) == "project"
        tree = {label(row.space): row.children for row in await workbench.rows()
                if row.tool_id == "tcl"}  # fmt: skip
        assert tree == {"project": 1, "user": 1}
        space = (await workbench.get("p")).space
        assert _ids(list(await workbench.children("tcl", space))) == ["p"]
        assert _ids(list(await workbench.children("tcl", "user"))) == ["u"]


async def test_a_cloned_project_cannot_take_the_id_of_a_shipped_runtime(
    seeded_home: Path, tmp_path: Path
) -> None:
    files = {
        "tools/evil.yaml": runtime("python_runtime", "evil"),
        "tools/evil2.yaml": runtime("subprocess", "evil").replace("runtime", "primitive"),
        "tools/s/tool.yaml": script("s"),
        "tools/s/main.py": "print(1)\n",
    }
    async with open_workbench(seeded_home, project=write(tmp_path / "p", files)) as workbench:
        assert await _own(workbench) == {"project/s": "1.0.0"}
        chain = await workbench.chain(await workbench.get("s"))
        assert [link.space for link in chain.links[1:]] == ["public", "public"]
        codes = {path.name: unit.problems[0]["code"] for path, unit in await workbench.amiss()}
        assert codes["evil.yaml"] == "reserved_id"
        assert set(codes) == {"evil.yaml", "evil2.yaml"}
        for reference in ("python_runtime", "subprocess", "public/python_runtime"):
            assert (await workbench.get(reference)).space == "public"
        with pytest.raises(RefusedError) as refused:
            await workbench.create("runtime", "python_runtime")
        assert refused.value.code == "reserved_id"


def test_the_project_is_the_nearest_folder_above_with_a_tree(
    run_cli: RunCli, project: Path, own_machine: Path
) -> None:
    deep = project / "a/b"
    deep.mkdir(parents=True)
    inner = write(project / "a/inner", {"tools/inner.yaml": api("inner")})

    def listed(**where: Path) -> set[str]:
        tools = json.loads(run_cli("list", "--json", "--limit", "999", **where).out)["tools"]
        return {tool["tool_id"] for tool in tools if tool["space"] != "public"}

    assert listed(cwd=deep) == {"ask"}
    assert listed(cwd=inner) == {"inner"}
    assert listed() == set()
    write(own_machine, {"tools/mine.yaml": api("mine")})
    assert listed(cwd=own_machine) == {"mine"}  # the user's own tree is no project
    shown = json.loads(run_cli("show", "mine", "--json", cwd=own_machine).out)
    assert shown["space"] == "user"


def test_a_project_can_be_named(run_cli: RunCli, project: Path, tmp_path: Path) -> None:
    for arguments in (["--project", project, "show", "ask"], ["show", "ask", "--project", project]):
        assert run_cli(*arguments).out.startswith("ask 2.0.0\n")
    missing = run_cli("list", "--project", tmp_path / "nowhere", "--json")
    assert missing.code == 3
    assert json.loads(missing.out)["code"] == "no_project"


def test_shadowing_is_said(run_cli: RunCli, project: Path, tmp_path: Path) -> None:
    (tmp_path / "ask.yaml").write_text(api("ask"))
    assert run_cli("add", "ask.yaml").code == 0
    listed = run_cli("list", cwd=project).out
    assert "public, shadowed" in listed
    assert "shadows the one in public" in run_cli("show", "ask", cwd=project).out
    assert "shadowed by the one in project" in run_cli("show", "public/ask", cwd=project).out
    shape = json.loads(run_cli("show", "public/ask", "--json", cwd=project).out)
    assert (shape["space"], shape["shadows"], shape["shadowed_by"]) == ("public", [], "project")
    shape = json.loads(run_cli("show", "ask", "--json", cwd=project).out)
    assert (shape["space"], shape["shadows"], shape["shadowed_by"]) == ("project", ["public"], None)


def test_copy_goes_between_spaces_byte_for_byte(
    run_cli: RunCli, own_machine: Path, tmp_path: Path
) -> None:
    body = b"#!/usr/bin/env python3\r\nprint('\xc3\xa9')\r\n"
    manifest = script("s") + "category: net\n"
    files: dict[str, str | bytes] = {"tools/net/s/tool.yaml": manifest, "tools/net/s/main.py": body}
    project = write(tmp_path / "p", files)
    copied = run_cli("copy", "s", "--to", "user", "--json", cwd=project)
    assert copied.code == 0, copied.err
    target = own_machine / ".ai/tools/net/s"
    assert json.loads(copied.out)["path"] == str(target / "tool.yaml")
    for name in ("tool.yaml", "main.py"):
        assert (target / name).read_bytes() == (project / ".ai/tools/net/s" / name).read_bytes()
    assert json.loads(run_cli("copy", "s", "--to", "user", "--json", cwd=project).out)[
        "status"
    ] == ("unchanged")
    assert run_cli("copy", "s", "--to", "project", cwd=project).code == 2
    assert run_cli("copy", "user/s", "--to", "public", cwd=project).code == 0
    assert run_cli("copy", "s", "--to", "project", cwd=tmp_path).code == 3  # no project there
    (target / "main.py").write_bytes(b"print(2)\n")
    refused = run_cli("copy", "project/s", "--to", "user", "--json", cwd=project)
    assert (refused.code, json.loads(refused.out)["code"]) == (4, "tool_exists")
