"""Reading tools from files and folders, without trusting what lies there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from workbench.core.files import MAX_FILE_BYTES, MAX_FILES
from workbench.core.reading import Reading
from workbench.core.source import MAX_BYTES
from workbench.sources import opening, reader
from workbench.sources.reader import read_tools

MANIFEST = "tool_id: {}\ntool_type: script\nversion: '1.0.0'\nexecutor: python_runtime\n"


def _read(path: Path) -> list[Reading]:
    return list(read_tools(path, {}))


def _ids(path: Path) -> list[object]:
    return [reading.manifest.get("tool_id") for reading in _read(path)]


def _write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or MANIFEST.format(path.stem))
    return path


def _codes(readings: list[Reading]) -> list[str]:
    return [problem.code for reading in readings for problem in reading.problems]


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    for name in ("c.yaml", "a.yaml", "b/x.yaml", "b/a.yml"):
        _write(tmp_path / "tree" / name, MANIFEST.format(name[:-4].replace("/", "_").rstrip(".")))
    assert _ids(tmp_path / "tree") == ["a", "b_a", "b_x", "c"]


def test_a_folder_with_a_manifest_owns_all_its_files(tmp_path: Path) -> None:
    _write(tmp_path / "t" / "tool.yaml", MANIFEST.format("owner"))
    _write(tmp_path / "t" / "main.py", "print()\n")
    _write(tmp_path / "t" / "deep" / "other.yaml", "a: 1\n")
    [reading] = _read(tmp_path)
    assert reading.name == str(tmp_path / "t" / "tool.yaml")
    assert [file.path for file in reading.files] == ["deep/other.yaml", "main.py"]
    assert reading.text == MANIFEST.format("owner")


def test_what_is_no_tool_is_passed_over(tmp_path: Path) -> None:
    for name in ("README.md", "__init__.py", "notes.txt", "settings.yaml", ".hidden.yaml"):
        _write(tmp_path / name)
    for folder in ("__pycache__", "node_modules", "outputs", ".git"):
        _write(tmp_path / folder / "x.yaml")
    _write(tmp_path / ".ai" / "tools" / "real.yaml")
    assert _ids(tmp_path) == ["real"]


def test_a_link_to_a_folder_is_a_problem_and_is_not_followed(tmp_path: Path) -> None:
    _write(tmp_path / "elsewhere" / "far.yaml")
    _write(tmp_path / "tree" / "near.yaml")
    (tmp_path / "tree" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "tree" / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "tree" / "notes").symlink_to(tmp_path / "elsewhere" / "far.yaml")
    linked, near = _read(tmp_path / "tree")
    assert [problem.code for problem in linked.problems] == ["special_file"]
    assert linked.name == str(tmp_path / "tree" / "linked")
    assert near.manifest["tool_id"] == "near"


def test_caches_and_hidden_files_are_no_part_of_a_tool(tmp_path: Path) -> None:
    _write(tmp_path / "tool.yaml", MANIFEST.format("clean"))
    for name in (".env", "main.pyc", "__pycache__/main.cpython-311.pyc", ".git/config"):
        _write(tmp_path / name, "secret")
    [reading] = _read(tmp_path)
    assert reading.files == ()


def test_one_broken_file_is_one_problem_and_the_rest_loads(tmp_path: Path) -> None:
    _write(tmp_path / "a.yaml")
    _write(tmp_path / "b.yaml", "tool_id: [")
    _write(tmp_path / "c.yaml")
    readings = _read(tmp_path)
    assert [bool(one.document.problems) for one in readings] == [False, True, False]
    assert [reading.manifest.get("tool_id") for reading in readings] == ["a", None, "c"]


def test_a_file_that_becomes_a_link_after_the_look_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = _write(tmp_path / "secret.txt", "the secret")
    _write(tmp_path / "t" / "tool.yaml", MANIFEST.format("swapped"))
    data = _write(tmp_path / "t" / "data.txt", "harmless")
    look = os.stat

    def swapping(path: str, **named: Any) -> os.stat_result:
        status = look(path, **named)
        if path == "data.txt" and not data.is_symlink():
            data.unlink()
            data.symlink_to(secret)
        return status

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.reader.os.stat", swapping)
        readings = _read(tmp_path / "t")
    assert data.is_symlink()
    assert _codes(readings) == ["special_file"]
    assert readings[0].files == ()


def test_a_folder_that_becomes_a_link_after_the_look_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "secrets" / "key.txt", "the secret")
    _write(tmp_path / "t" / "tool.yaml", MANIFEST.format("swapped"))
    _write(tmp_path / "t" / "lib" / "x.txt", "harmless")
    look = os.stat

    def swapping(path: str, **named: Any) -> os.stat_result:
        status = look(path, **named)
        if path == "lib" and not (tmp_path / "t" / "lib").is_symlink():
            (tmp_path / "t" / "lib").rename(tmp_path / "aside")
            (tmp_path / "t" / "lib").symlink_to(tmp_path / "secrets")
        return status

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.reader.os.stat", swapping)
        readings = _read(tmp_path / "t")
    assert (tmp_path / "t" / "lib").is_symlink()
    assert _codes(readings) == ["unreadable_file"]
    assert readings[0].files == ()


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path / "t.yaml")
    look = os.fstat

    def growing(descriptor: int) -> os.stat_result:
        status = look(descriptor)
        with path.open("ab") as file:
            file.truncate(MAX_BYTES + 10)
        return status

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.reader.os.fstat", growing)
        readings = _read(path)
    assert _codes(readings) == ["file_too_large"]


def test_sizes_are_looked_at_before_anything_is_read(tmp_path: Path) -> None:
    _write(tmp_path / "big.yaml")
    os.truncate(tmp_path / "big.yaml", 10 * 1024**4)  # sparse: ten tebibytes of nothing
    _write(tmp_path / "t" / "tool.yaml", MANIFEST.format("heavy"))
    _write(tmp_path / "t" / "data.bin", "x")
    os.truncate(tmp_path / "t" / "data.bin", MAX_FILE_BYTES + 1)
    big, heavy = _read(tmp_path)
    assert [problem.code for problem in big.problems] == ["too_large"]
    assert [problem.code for problem in heavy.problems] == ["file_too_large"]
    assert heavy.files == ()


def test_reading_stops_at_one_file_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "tool.yaml", MANIFEST.format("crowded"))
    for number in range(MAX_FILES + 500):
        (tmp_path / f"{number}.txt").touch()
    opened: list[object] = []
    load = opening.load

    def counting(name: str | Path, *rest: object) -> bytes:
        opened.append(name)
        return load(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(reader, "load", counting)
    monkeypatch.setattr(opening, "load", counting)
    [reading] = _read(tmp_path)
    assert len(reading.files) == MAX_FILES + 1
    assert len(opened) == MAX_FILES + 2  # and the manifest


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    for number in range(20):
        _write(tmp_path / f"{number}" / "tool.yaml", MANIFEST.format(f"t{number}"))
        _write(tmp_path / f"{number}" / "a" / "b" / "c.txt", "x")
    (tmp_path / "0" / "a" / "link").symlink_to("/etc")
    (tmp_path / "99" / "tool.yaml").mkdir(parents=True)
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("descriptors cannot be counted here")
    before = len(list(descriptors.iterdir()))
    stopped = read_tools(tmp_path, {})
    next(stopped)
    stopped.close()  # type: ignore[attr-defined]
    assert len(_read(tmp_path)) == 21
    assert len(list(descriptors.iterdir())) == before


def test_a_skill_folder_is_one_tool(tmp_path: Path) -> None:
    _write(
        tmp_path / "skills" / "tidy" / "SKILL.md",
        "---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n",
    )
    _write(tmp_path / "skills" / "tidy" / "list.md", "# List\n")
    [reading] = _read(tmp_path)
    assert reading.manifest["tool_id"] == "tidy"
    assert {file.path for file in reading.files} == {"SKILL.md", "list.md"}
