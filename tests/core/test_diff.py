from __future__ import annotations

from typing import Any

from workbench.core.diff import Difference, difference
from workbench.core.tool import ToolFile


def compare(before: dict[str, Any], after: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    found = difference((before, None, ()), (after, None, ()), ("1.0.0", "1.0.1"))
    return {change.path: (change.kind, change.as_dict()) for change in found.fields}


def files(before: list[ToolFile], after: list[ToolFile]) -> Difference:
    return difference(({}, None, before), ({}, None, after), ("1.0.0", "1.0.1"))


def test_the_same_is_no_difference() -> None:
    side = ({"a": {"b": [1]}}, "a:\n", [ToolFile("x", b"1")])
    found = difference(side, side, ("1", "2"))
    assert found.is_empty
    assert found.as_dict() == {"fields": [], "manifest": [], "files": []}


def test_keys_are_added_removed_and_changed_by_their_path() -> None:
    before = {"a": 1, "config": {"x": 1, "y": [1, 2]}, "gone": None}
    after = {"a": 1, "config": {"x": 2, "y": [1, 2, 3]}, "new": None}
    assert compare(before, after) == {
        "config.x": ("changed", {"path": "config.x", "before": 1, "after": 2}),
        "config.y": ("changed", {"path": "config.y", "before": [1, 2], "after": [1, 2, 3]}),
        "gone": ("removed", {"path": "gone", "before": None}),
        "new": ("added", {"path": "new", "after": None}),
    }


def test_a_mapping_that_became_something_else_is_one_change() -> None:
    assert list(compare({"a": {"b": 1}}, {"a": 5})) == ["a"]


def test_the_text_is_compared_line_by_line() -> None:
    found = difference(({}, "a: 1\nb: 2\n", ()), ({}, "a: 1\nb: 3\n", ()), ("1.0.0", "1.0.1"))
    assert list(found.text)[:2] == ["--- 1.0.0", "+++ 1.0.1"]
    assert list(found.text)[-2:] == ["-b: 2", "+b: 3"]


def test_files_are_added_removed_and_changed() -> None:
    found = files(
        [ToolFile("same", b"1"), ToolFile("gone", b"a\n"), ToolFile("main.py", b"a\nb\n")],
        [ToolFile("same", b"1"), ToolFile("new", b"n\n"), ToolFile("main.py", b"a\nc\n")],
    )
    assert [(change.path, change.kind) for change in found.files] == [
        ("gone", "removed"),
        ("main.py", "changed"),
        ("new", "added"),
    ]
    assert "main.py@1.0.0" in found.files[1].lines[0]
    assert found.files[1].lines[-2:] == ("-b", "+c")
    assert not found.is_empty


def test_binary_files_change_without_lines() -> None:
    found = files([ToolFile("x", b"\0a")], [ToolFile("x", b"\0b")])
    assert [(change.kind, change.lines) for change in found.files] == [("changed", ())]
