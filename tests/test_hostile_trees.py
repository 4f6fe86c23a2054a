"""File trees that mean harm: each leaves a named problem at its path, and the rest loads."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import DRILL_SCALE, RunCli
from tests.projects import api, runtime, script, write
from workbench import paths
from workbench.core.files import MAX_FILES
from workbench.core.source import MAX_BYTES
from workbench.sources.names import MAX_FOLDERS_DEEP
from workbench.sources.scan import Scan, scan
from workbench.workbench import Workbench, open_workbench

FINE = {"tools/fine.yaml": api("fine"), "tools/z/tool.yaml": script("whole"), "tools/z/main.py": ""}


async def _ids(workbench: Workbench) -> set[str]:
    rows = await workbench.rows(limit=100_000)
    return {row.tool_id for row in rows if row.space != "public"}


async def _problems(workbench: Workbench) -> dict[str, list[str]]:
    """The codes of problems by the path they are at, below the project's tree."""
    root = workbench.trees[0].root
    return {
        path.relative_to(root).as_posix(): [problem["code"] for problem in unit.problems]
        for path, unit in await workbench.amiss()
    }


async def _open(home: Path, project: Path) -> tuple[set[str], dict[str, list[str]]]:
    async with open_workbench(home, project=project) as workbench:
        return await _ids(workbench), await _problems(workbench)


def _link(to: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(to, target_is_directory=True)


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def _device(path: Path) -> None:
    try:
        os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))  # /dev/zero
    except (PermissionError, OSError):
        pytest.skip("no devices can be made here")


def _huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 10 * 1024**4)  # sparse


SPECIAL: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "link to a file outside": (
        "tools/x.yaml",
        _link("../../../outside/secret.yaml"),
        "special_file",
    ),
    "link to a folder outside": ("tools/x", _link("../../../outside"), "special_file"),
    "link to the root": ("tools/x", _link("/"), "special_file"),
    "link to its own tree": ("tools/x", _link(".."), "special_file"),
    "link to itself": ("tools/x.yaml", _link("x.yaml"), "special_file"),
    "dangling link": ("tools/x.yaml", _link("nowhere"), "special_file"),
    "fifo": ("tools/x.yaml", os.mkfifo, "special_file"),
    "socket": ("tools/x.yaml", _socket, "special_file"),
    "device": ("tools/x.yaml", _device, "special_file"),
    "fifo as a manifest": ("tools/x/tool.yaml", os.mkfifo, "special_file"),
    "folder as a manifest": ("tools/x/tool.yaml", Path.mkdir, "special_file"),
    "link as a manifest": ("tools/x/tool.yaml", _link("/etc/passwd"), "special_file"),
    "one huge file": ("tools/x.yaml", _huge, "too_large"),
    "an area that is a file": ("knowledge", Path.touch, "special_file"),
    "an area that is a fifo": ("knowledge", os.mkfifo, "special_file"),
    "an area that is a link": ("knowledge", _link("../../outside"), "special_file"),
}


@pytest.mark.parametrize("case", SPECIAL)
async def test_what_is_no_plain_file_is_a_problem_at_its_path(
    case: str, seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", dict(FINE))
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text(api("secret"))
    name, make, code = SPECIAL[case]
    (project / ".ai" / name).parent.mkdir(exist_ok=True)
    make(project / ".ai" / name)
    unit = name.removesuffix("/tool.yaml")
    for _ in range(2):  # and the same again when nothing changed
        found, problems = await _open(seeded_home, project)
        assert found == {"fine", "whole"}
        assert problems == {unit: [code]}


async def test_what_is_no_plain_file_in_a_tools_folder_breaks_that_tool_alone(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", dict(FINE))
    for number, make in enumerate((os.mkfifo, _socket, _link("/etc/passwd"), _link("/"))):
        folder = project / ".ai" / "tools" / f"bad{number}"
        write(project, {f"tools/bad{number}/tool.yaml": script(f"bad{number}")})
        write(project, {f"tools/bad{number}/main.py": ""})
        make(folder / "data.txt")
    found, problems = await _open(seeded_home, project)
    assert found == {"fine", "whole"}
    assert set(problems) == {f"tools/bad{number}" for number in range(4)}


async def test_a_tree_that_is_a_link_out_of_its_project_is_neither_read_nor_written(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    elsewhere = write(tmp_path / "elsewhere", dict(FINE))
    project = tmp_path / "project"
    project.mkdir()
    (project / ".ai").symlink_to(elsewhere / ".ai")
    before = sorted(elsewhere.rglob("*"))
    assert await _open(seeded_home, project) == (set(), {".": ["special_file"]})
    made = run_cli("new", "api", "mine", "--project", project)
    assert made.code != 0 and not made.has_traceback
    assert "link" in made.err
    assert sorted(elsewhere.rglob("*")) == before


async def test_a_tree_may_be_a_link_within_its_project(seeded_home: Path, tmp_path: Path) -> None:
    write(tmp_path / "project" / "config", dict(FINE))
    (tmp_path / "project" / ".ai").symlink_to("config/.ai")
    found, problems = await _open(seeded_home, tmp_path / "project")
    assert (found, problems) == ({"fine", "whole"}, {})


async def test_a_persons_own_tree_may_lie_anywhere(
    seeded_home: Path, own_machine: Path, tmp_path: Path
) -> None:
    write(tmp_path / "dots", dict(FINE))
    (own_machine / ".ai").symlink_to(tmp_path / "dots" / ".ai")
    async with open_workbench(seeded_home) as workbench:
        assert await _ids(workbench) == {"fine", "whole"}
        await workbench.create("api", "mine", "user")
        assert list((tmp_path / "dots").rglob("mine.yaml"))
        assert await _ids(workbench) == {"fine", "whole", "mine"}


@pytest.mark.parametrize("swapped", [".ai", ".ai/tools", ".ai/tools/z", ".ai/tools/fine.yaml"])
async def test_a_link_that_comes_after_the_scan_is_refused_when_it_is_opened(
    swapped: str, seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path / "project", dict(FINE))
    outside = write(tmp_path / "outside", {"tools/fine.yaml": api("secret")})
    write(outside, {"tools/z/tool.yaml": api("secret")})
    look = scan

    def swapping(root: Path) -> Scan:
        found = look(root)
        if root.is_relative_to(project) and not (project / swapped).is_symlink():
            (project / swapped).rename(tmp_path / "aside")
            (project / swapped).symlink_to(outside / swapped)
        return found

    monkeypatch.setattr("workbench.trees.scan", swapping)
    found, problems = await _open(seeded_home, project)
    assert (project / swapped).is_symlink()
    assert "secret" not in found
    untouched = {".ai/tools/z": "fine", ".ai/tools/fine.yaml": "whole"}
    assert found == ({untouched[swapped]} if swapped in untouched else set())
    assert problems


NAMES = (
    b"\xff\xfe",
    b"line\nfeed",
    b"carriage\rreturn",
    b"\x1b]0;title\x07\x1b[2J",
    b"c1\xc2\x9b2J",
    "bidi\u202egnp".encode(),
    "tag\U000e0041".encode(),
    b"[@click=app.quit]",
    "字".encode() * 80,
)


async def test_names_that_act_on_a_terminal_never_reach_it(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", dict(FINE))
    for number, name in enumerate(map(os.fsdecode, NAMES)):
        write(project, {f"tools/{name}.yaml": api(f"named{number}")})
        write(project, {f"tools/{name}/tool.yaml": script(f"folder{number}")})
        write(project, {f"tools/{name}/main.py": "", f"tools/{name}.yml": "tool_id: ["})
    for arguments in (
        ("list", "--limit", "100"),
        ("list", "--json"),
        ("validate", project / ".ai"),
        ("validate", "--json", project / ".ai"),
        ("show", "named1"),
        ("sign", "named3"),
    ):
        done = run_cli(*arguments, cwd=project)
        assert not done.has_traceback, arguments
        shown = done.out + done.err
        assert not any(ord(char) < 32 and char != "\n" for char in shown), arguments
        assert not any(char in shown for char in "\x9b\u202e\U000e0041\udcff"), arguments
    found, problems = await _open(seeded_home, project)
    named = {f"{kind}{n}" for kind in ("named", "folder") for n in range(1, len(NAMES))}
    assert found == named | {"fine", "whole"}
    bad = [path for path, codes in problems.items() if codes == ["bad_path"]]
    assert sorted(bad) == [f"tools/\\udcff\\udcfe{end}" for end in ("", ".yaml", ".yml")]


async def test_a_project_whose_own_name_is_not_utf8_works(run_cli: RunCli, tmp_path: Path) -> None:
    project = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfeproject"))
    write(project, {**FINE, "tools/broken.yaml": "tool_id: ["})
    for arguments in (("list",), ("sign", "fine"), ("new", "api", "mine"), ("validate", ".ai")):
        done = run_cli(*arguments, cwd=project)
        assert not done.has_traceback
        assert done.code == (1 if arguments[0] == "validate" else 0)
        assert "\udcff" not in done.out + done.err
    assert "mine" in run_cli("list", cwd=project).out


async def test_a_folder_with_too_many_files_breaks_that_tool_alone(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", {**FINE, "tools/crowd/tool.yaml": script("crowd")})
    for number in range(MAX_FILES + 1):
        (project / ".ai" / "tools" / "crowd" / f"{number}.txt").touch()
    found, problems = await _open(seeded_home, project)
    assert found == {"fine", "whole"}
    assert problems["tools/crowd"][0] == "too_many_files"


async def test_folders_nested_too_deeply_hide_nothing_else(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", dict(FINE))
    deep = "tools/" + "d/" * (MAX_FOLDERS_DEEP + 1)
    write(project, {f"{deep}low.yaml": api("low"), "tools/d/high.yaml": api("high")})
    descriptor = os.open(project / ".ai" / "tools" / "d", os.O_RDONLY)
    for _ in range(MAX_FOLDERS_DEEP + 1):  # longer together than any path may be
        os.mkdir("w" * 200, dir_fd=descriptor)
        inner = os.open("w" * 200, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    found, problems = await _open(seeded_home, project)
    assert found == {"fine", "whole", "high"}
    assert sorted(code for codes in problems.values() for code in codes) == [
        "too_deep",
        "unreadable_file",
    ]


async def test_an_empty_tree_and_one_that_is_a_file(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    empty, odd = tmp_path / "empty", tmp_path / "odd"
    (empty / ".ai").mkdir(parents=True)
    odd.mkdir()
    (odd / ".ai").write_text("not a folder")
    assert await _open(seeded_home, empty) == (set(), {})
    assert await _open(seeded_home, odd) == (set(), {".": ["special_file"]})
    for arguments, code in ((("list",), 0), (("new", "api", "mine", "--project", odd), 3)):
        done = run_cli(*arguments, cwd=odd)
        assert (done.code, done.has_traceback) == (code, False)
    assert (odd / ".ai").read_text() == "not a folder"


async def test_a_stray_manifest_in_an_area_takes_nothing_from_the_others(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", {**FINE, "tools/tool.yaml": api("stray")})
    write(
        project, {"knowledge/tool.yaml": api("nothing"), "knowledge/k.md": "---\ntitle: K\n---\n"}
    )
    found, problems = await _open(seeded_home, project)
    assert (found, problems) == ({"fine", "whole", "stray", "k"}, {})
    for place in ("tools", "tools/tool.yaml", "."):
        assert run_cli("validate", place, cwd=project / ".ai").code == 0, place
    write(project, {"tools/tool.yaml": "tool_id: ["})
    found, problems = await _open(seeded_home, project)
    assert found == {"fine", "whole", "k"}
    assert list(problems) == ["tools/tool.yaml"]


async def test_names_that_differ_by_case_are_two_tools_and_in_one_folder_a_collision(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", {**FINE, "tools/Case.yaml": api("upper")})
    write(project, {"tools/case.yaml": api("lower"), "tools/two/tool.yaml": script("two")})
    write(project, {"tools/two/main.py": "", "tools/two/Data.txt": "", "tools/two/data.txt": ""})
    found, problems = await _open(seeded_home, project)
    if len(list((project / ".ai" / "tools").glob("[Cc]ase.yaml"))) < 2:
        pytest.skip("names do not differ by case here")
    assert found == {"fine", "whole", "upper", "lower"}
    assert problems == {"tools/two": ["path_collision"]}


async def test_a_shared_module_that_is_too_much_breaks_only_who_asks_for_it(
    seeded_home: Path, tmp_path: Path
) -> None:
    sharing = script("sharing") + "lib_imports: [crowd, linked]\n"
    project = write(tmp_path / "project", {**FINE, "tools/s/tool.yaml": sharing})
    write(project, {"tools/s/main.py": "", "tools/lib/ok.py": ""})
    library = project / ".ai" / "tools" / "lib"
    (library / "crowd").mkdir()
    for number in range(MAX_FILES + 100):
        (library / "crowd" / f"m{number}.py").touch()
    (library / "linked.py").symlink_to("/etc/passwd")
    found, problems = await _open(seeded_home, project)
    assert found == {"fine", "whole"}
    assert {"too_many_files", "library_not_found"} <= set(problems["tools/s"])


def test_the_command_line_lists_what_is_fine_and_names_what_is_not(
    run_cli: RunCli, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", {**FINE, "tools/broken.yaml": "tool_id: ["})
    tools = project / ".ai" / "tools"
    os.mkfifo(tools / "pipe.yaml")
    (tools / "loop").symlink_to("loop")
    (tools / "away").symlink_to("/etc")
    (tools / "big.yaml").touch()
    os.truncate(tools / "big.yaml", MAX_BYTES + 1)
    listed = run_cli("list", "--json", cwd=project)
    assert listed.code == 0
    assert {"fine", "whole"} <= {tool["tool_id"] for tool in json.loads(listed.out)["tools"]}
    checked = run_cli("validate", project / ".ai", cwd=project)
    assert (checked.code, checked.has_traceback) == (1, False)
    for name in ("broken.yaml", "pipe.yaml", "away", "big.yaml"):
        assert name in checked.out + checked.err


@pytest.mark.drill
async def test_a_very_large_tree_is_read_once(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 5_000 * DRILL_SCALE
    project = write(tmp_path / "project", {})
    for number in range(count):
        folder = project / ".ai" / "knowledge" / f"{number // 500}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"n{number}.md").write_text(f"---\ntitle: Note {number}\n---\nText.\n")
    monkeypatch.setattr("workbench.sources.scan._FRESH_NS", -(10**18))
    async with open_workbench(seeded_home, project=project) as workbench:
        assert (await workbench.counts())["knowledge"] >= count
        again = await workbench.sync()
    assert (again.read, again.stored, again.absent) == (0, 0, 0)


async def test_a_cloned_project_captures_nobodys_tools(
    run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    write(tmp_path / "machine", {"tools/mine/tool.yaml": script("mine"), "tools/mine/main.py": ""})
    clone = write(
        tmp_path / "clone",
        {
            "tools/a.yaml": runtime("python_runtime", "evil"),
            "tools/b.yaml": (paths.seeds() / "primitives" / "subprocess.yaml").read_text(),
            "tools/perl.yaml": runtime("perl_runtime"),
            "tools/own/tool.yaml": script("own"),
            "tools/own/main.py": "",
            "tools/pearl/tool.yaml": script("pearl", "perl_runtime"),
            "tools/pearl/main.py": "",
        },
    )
    other = write(tmp_path / "other", {"tools/p/tool.yaml": script("sneaky", "perl_runtime")})
    write(other, {"tools/p/main.py": ""})
    async with open_workbench(seeded_home, project=clone) as workbench:
        assert await _ids(workbench) == {"mine", "own", "pearl", "perl_runtime"}
        codes = await _problems(workbench)
        assert codes["tools/a.yaml"] == ["reserved_id"]
        assert codes["tools/b.yaml"] == ["reserved_id"]
        for name, ends in (("own", "public"), ("mine", "public"), ("pearl", "project")):
            chain = await workbench.chain(await workbench.get(name))
            assert chain.fault is None
            assert chain.links[1].space.partition(":")[0] == ends
            assert chain.links[-1].space == "public"
    found, problems = await _open(seeded_home, other)
    assert found == {"mine"}
    assert problems == {"tools/p": ["executor_not_found"]}
    checked = run_cli("validate", clone / ".ai", cwd=clone)
    assert (checked.code, checked.has_traceback) == (1, False)
    assert "reserved_id" in run_cli("validate", "--json", clone / ".ai", cwd=clone).out
