"""What a look at a tree finds, and what makes it look different."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.core.files import MAX_FILES
from workbench.sources import scan as scanning
from workbench.sources.scan import Scan, scan

LONG_AGO = 10**18


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as old enough to be relied upon."""
    monkeypatch.setattr(scanning, "_FRESH_NS", -LONG_AGO)


def _tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.fsencode(name))
    return root


def _prints(found: Scan) -> dict[str, str]:
    return {unit.path: unit.fingerprint for unit in found.units}


def _problems(found: Scan) -> dict[str, str]:
    return {unit.path: unit.problem.code for unit in found.units if unit.problem is not None}


def _refusing(
    real: Callable[..., Any], name: str, error: type[OSError] = PermissionError
) -> Callable[..., Any]:
    """A function of the system that refuses one path."""

    def refuse(path: Any = ".", *rest: Any, **named: Any) -> Any:
        if isinstance(path, (str, Path)) and str(path).endswith(name):
            raise error(13, "Permission denied", str(path))
        return real(path, *rest, **named)

    return refuse


def test_units_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    _tree(tmp_path, "tools/b.yaml", "tools/a/tool.yaml", "tools/a/x.yaml", "tools/a.yml")
    _tree(tmp_path, "skills/s/SKILL.md", "directives/d/e.md", "knowledge/k.md", "scripts/o.py")
    _tree(tmp_path, "tools/lib/shared.py", "tools/notes.txt", "tools/.hidden.yaml", "other/x.yaml")
    assert [unit.path for unit in scan(tmp_path).units] == [
        "directives/d/e.md",
        "knowledge/k.md",
        "scripts/o.py",
        "skills/s",
        "tools/a",
        "tools/a.yml",
        "tools/b.yaml",
    ]


def test_no_tree_is_an_empty_one(tmp_path: Path) -> None:
    assert scan(tmp_path / "nowhere") == Scan()
    (tmp_path / "file").touch()
    assert scan(tmp_path / "file" / ".ai") == Scan()


@pytest.mark.usefixtures("settled")
def test_fingerprints_stay_while_nothing_changes_and_differ_by_every_change(
    tmp_path: Path,
) -> None:
    _tree(tmp_path, "tools/a.yaml", "tools/t/tool.yaml", "tools/t/in/data.txt")
    before = _prints(scan(tmp_path))
    assert all(before.values())
    assert _prints(scan(tmp_path)) == before
    data = tmp_path / "tools" / "t" / "in" / "data.txt"
    changes: list[Callable[[], object]] = [
        lambda: data.write_text("longer than it was before"),
        lambda: data.chmod(0o600),
        lambda: data.rename(data.with_name("other.txt")),
        lambda: (data.parent / "more.txt").touch(),
        lambda: (data.parent / "more.txt").unlink(),
        lambda: (data.parent / "new").mkdir(),
    ]
    seen = {before["tools/t"]}
    for change in changes:
        change()
        now = _prints(scan(tmp_path))
        assert now["tools/a.yaml"] == before["tools/a.yaml"]
        assert now["tools/t"] not in seen
        seen.add(now["tools/t"])


@pytest.mark.usefixtures("settled")
def test_an_mtime_that_is_set_back_hides_nothing(tmp_path: Path) -> None:
    path = _tree(tmp_path, "tools/a.yaml") / "tools" / "a.yaml"
    status = path.stat()
    before = _prints(scan(tmp_path))
    path.write_text("x" * status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_mtime_ns == status.st_mtime_ns
    assert _prints(scan(tmp_path)) != before


def test_what_changed_a_moment_ago_is_not_relied_upon(tmp_path: Path) -> None:
    _tree(tmp_path, "tools/a.yaml", "tools/t/tool.yaml", "tools/lib/m.py")
    found = scan(tmp_path)
    assert _prints(found) == {"tools/a.yaml": "", "tools/t": ""}
    assert found.library != scan(tmp_path).library


def test_an_mtime_in_the_future_does_not_make_a_file_new_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _tree(tmp_path, "tools/a.yaml") / "tools" / "a.yaml"
    os.utime(path, ns=(path.stat().st_mtime_ns + LONG_AGO,) * 2)
    changed = path.stat().st_ctime_ns
    monkeypatch.setattr(
        "workbench.sources.scan.time.time_ns", lambda: changed + scanning._FRESH_NS + 1
    )
    assert _prints(scan(tmp_path))["tools/a.yaml"]


@pytest.mark.usefixtures("settled")
def test_folders_do_not_count_among_the_files_that_are_looked_at(tmp_path: Path) -> None:
    _tree(tmp_path, "tools/t/tool.yaml", "tools/t/z/last.txt")
    for number in range(MAX_FILES + 10):
        (tmp_path / "tools" / "t" / f"d{number}").mkdir()
    before = _prints(scan(tmp_path))
    _tree(tmp_path, "tools/t/z/later.txt")
    assert _prints(scan(tmp_path)) != before


@pytest.mark.usefixtures("settled")
def test_the_library_looks_different_when_a_module_changes(tmp_path: Path) -> None:
    _tree(tmp_path, "tools/a.yaml", "tools/lib/m.py", "tools/lib/p/q.py")
    before = scan(tmp_path)
    (tmp_path / "tools" / "lib" / "p" / "q.py").write_text("changed")
    after = scan(tmp_path)
    assert _prints(before) == _prints(after)
    assert before.library != after.library
    shutil.rmtree(tmp_path / "tools" / "lib")
    assert scan(tmp_path).library == "none"
    (tmp_path / "tools" / "lib").symlink_to("/etc")
    assert scan(tmp_path).library == "none"


@pytest.mark.parametrize("folder", ["tools", "tools/shelf", "tools/t", "tools/t/in"])
def test_a_folder_that_cannot_be_looked_into_is_a_problem_and_nothing_in_it_is_gone(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "tools/a.yaml", "tools/shelf/b.yaml", "tools/t/tool.yaml", "tools/t/in/x.txt")
    _tree(tmp_path, "knowledge/k.md")
    monkeypatch.setattr("workbench.sources.scan.os.scandir", _refusing(os.scandir, folder))
    found = scan(tmp_path)
    assert "knowledge/k.md" in _prints(found)
    if folder == "tools/t/in":  # whoever reads the tool says so
        assert _problems(found) == {}
        return
    assert _problems(found) == {folder: "unreadable_file"}
    assert found.is_unseen(f"{folder}/b.yaml") and not found.is_unseen("knowledge/k.md")
    assert ("tools/a.yaml" in _prints(found)) == (folder != "tools")


def test_a_root_that_cannot_be_searched_hides_no_tool_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path, "tools/a.yaml")
    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.scan.os.lstat", _refusing(os.lstat, "tools"))
        found = scan(tmp_path)
    assert _problems(found) == {"tools": "unreadable_file"}
    assert found.is_unseen("tools/a.yaml")
    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.scan.os.stat", _refusing(os.stat, tmp_path.name))
        found = scan(tmp_path)
    assert _problems(found) == {"": "unreadable_file"}
    assert found.is_unseen("tools/a.yaml") and found.is_unseen("knowledge/k.md")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
@pytest.mark.parametrize("mode", [0o000, 0o400, 0o600])
def test_a_tree_that_is_closed_to_us_is_unseen(mode: int, tmp_path: Path) -> None:
    root = _tree(tmp_path / ".ai", "tools/a.yaml")
    root.chmod(mode)
    try:
        found = scan(root)
    finally:
        root.chmod(0o700)
    assert set(_problems(found).values()) == {"unreadable_file"}
    assert found.is_unseen("tools/a.yaml")


@pytest.mark.parametrize("moment", ["tools", "tools/shelf", "tools/t"])
def test_a_tree_that_goes_during_the_look_is_not_an_error(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = _tree(tmp_path / "x", "tools/a.yaml", "tools/shelf/b.yaml", "tools/t/tool.yaml")
    _tree(root, "tools/t/in/x.txt", "tools/lib/m.py")
    look = os.scandir

    def vanishing(path: Any) -> Any:
        entries = look(path)
        if str(path).endswith(moment):
            shutil.rmtree(root)
        return entries

    monkeypatch.setattr("workbench.sources.scan.os.scandir", vanishing)
    found = scan(root)
    assert not root.exists()
    assert found.unseen == []


def test_names_that_are_not_utf8_are_said_and_never_used(tmp_path: Path) -> None:
    bad = os.fsdecode(b"\xff\xfe")
    _tree(tmp_path, "tools/a.yaml", f"tools/{bad}.yaml", f"tools/{bad}/tool.yaml")
    _tree(tmp_path, f"knowledge/{bad}/deep/k.md")
    found = scan(tmp_path)
    for unit in found.units:
        unit.path.encode("utf-8")
    assert _problems(found) == {
        "knowledge/\\udcff\\udcfe/deep/k.md": "bad_path",
        "tools/\\udcff\\udcfe": "bad_path",
        "tools/\\udcff\\udcfe.yaml": "bad_path",
    }
