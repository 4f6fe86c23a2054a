"""Modules that the tools of a tree share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.core.files import MAX_FILES
from workbench.core.reading import Reading
from workbench.core.tool import ToolFile
from workbench.sources.library import bring, folder_of, module, own_files
from workbench.sources.reader import read_tools, read_unit

MANIFEST = (
    "tool_id: t\ntool_type: script\nversion: '1.0.0'\nexecutor: python_runtime\n"
    "config: {entrypoint: main.py}\n"
)


def _write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _reading(*names: object, files: tuple[ToolFile, ...] = ()) -> Reading:
    return Reading({"tool_id": "t", "lib_imports": list(names)}, files=files)


def _paths(files: tuple[ToolFile, ...]) -> list[str]:
    return [file.path for file in files]


def test_a_module_is_a_file_or_a_folder(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    _write(tools / "lib" / "one.py", "one")
    _write(tools / "lib" / "many" / "__init__.py")
    _write(tools / "lib" / "many" / "in" / "x.py")
    _write(tools / "lib" / "many" / "__pycache__" / "x.pyc")
    assert _paths(module(tools, "one")) == ["one.py"]
    assert _paths(module(tools, "many")) == ["many/__init__.py", "many/in/x.py"]
    assert module(tools, "none") == ()


def test_a_tool_brings_what_it_names_and_its_own_stands_for_a_module(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    _write(tools / "lib" / "one.py", "shared")
    _write(tools / "lib" / "two.py", "shared")
    reading = _reading("one", "two", files=(ToolFile("two.py", b"own"),))
    bring(reading, tools)
    assert {file.path: file.data for file in reading.files} == {
        "one.py": b"shared",
        "two.py": b"own",
    }
    assert _paths(own_files(reading, tools)) == ["two.py"]
    assert reading.problems == []


def test_a_module_that_is_not_there_is_said_with_its_place(tmp_path: Path) -> None:
    _write(tmp_path / "t" / "tool.yaml", MANIFEST + "lib_imports:\n  - here\n  - gone\n")
    _write(tmp_path / "t" / "main.py")
    _write(tmp_path / "lib" / "here.py")
    tree = tmp_path.rename(tmp_path.with_name("tools"))
    reading = read_unit(tree.parent, "tools/t", {})
    (problem,) = reading.problems
    assert (problem.code, problem.line) == ("library_not_found", 8)


@pytest.mark.parametrize("name", ["../secret", "a.b", "", "1x", "a/b", "a\0b", 7, None, ["x"]])
def test_names_that_are_no_modules_lead_nowhere(name: object, tmp_path: Path) -> None:
    _write(tmp_path / "tools" / "secret.py", "secret")
    _write(tmp_path / "tools" / "lib" / "a" / "b.py", "secret")
    reading = _reading(name)
    bring(reading, tmp_path / "tools")
    assert reading.files == ()


def test_links_and_pipes_are_no_modules(tmp_path: Path) -> None:
    secret = _write(tmp_path / "secret.py", "secret")
    library = tmp_path / "tools" / "lib"
    _write(library / "ok.py", "ok")
    (library / "linked.py").symlink_to(secret)
    (library / "folder").symlink_to(tmp_path)
    os.mkfifo(library / "pipe.py")
    for name in ("linked", "folder", "pipe"):
        assert module(tmp_path / "tools", name) == ()
    for linked in ("tools", "tools/lib"):
        other = tmp_path / "other" / linked.replace("/", "-")
        (other / linked).parent.mkdir(parents=True)
        (other / linked).symlink_to(tmp_path / linked)
        assert module(other / "tools", "ok") == ()


def test_a_module_with_too_many_files_is_not_read_to_the_end(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 50):
        _write(tmp_path / "tools" / "lib" / "crowd" / f"m{number}.py")
    assert len(module(tmp_path / "tools", "crowd")) == MAX_FILES + 1


def test_the_nearest_library_above_is_found_also_through_a_link(tmp_path: Path) -> None:
    tool = _write(tmp_path / "tools" / "x" / "tools" / "t" / "tool.yaml", MANIFEST)
    tool.write_text(MANIFEST + "lib_imports: [shared]\n")
    _write(tool.with_name("main.py"))
    assert folder_of(tool) is None
    _write(tmp_path / "tools" / "lib" / "shared.py", "outer")
    assert folder_of(tool) == tmp_path / "tools"
    (tmp_path / "link").symlink_to(tmp_path / "tools")
    for path in (tmp_path / "tools" / "x", tmp_path / "link" / "x" / "tools" / "t"):
        found = {file.path for reading in read_tools(path, {}) for file in reading.files}
        assert found == ({"main.py", "shared.py"} if "link" not in path.parts else {"main.py"})
