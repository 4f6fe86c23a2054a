from __future__ import annotations

import pytest

from workbench.core import files
from workbench.core.files import check_files, path_fault
from workbench.core.tool import ToolFile


@pytest.mark.parametrize(
    "path",
    [
        *("main.py", "lib/a/b.py", "a b.txt", ".hidden", "é/日本.txt", "a..b", "x" * 512),
        *("console.txt", "common/x", "lpt10", "a-b_c+d@e,f=g.txt", "...x"),
    ],
)
def test_plain_relative_paths_may_be(path: str) -> None:
    assert path_fault(path) is None


@pytest.mark.parametrize(
    "path",
    [
        *("", "/etc/passwd", "/root-evil", "~/x", "~", "C:x", "c:/x", "..", "../x", "a/../b"),
        *("a/..", "./x", "a/./b", "a//b", "a/", "a\\b", "..\\x", "\\\\host\\x", "x" * 513),
        *("a\0b", "a\nb", "a\x1bb", "a\x7f", "a\ud800", "a\u202eb", "a\u200bb", "a\u2028b"),
        *("a:b", "a*", "a?", 'a"', "a<b", "a|b", "x.", "x ", "dir./x", "dir /x"),
        *("con", "CON.txt", "a/Nul", "aux.tar.gz", "com1", "lpt9.x", "PRN/x"),
    ],
)
def test_paths_that_lead_out_or_that_a_platform_cannot_hold_may_not(path: str) -> None:
    assert path_fault(path)


def found(*paths: str) -> list[tuple[str, str]]:
    return [(p.code, p.file) for p in check_files([ToolFile(path, b"") for path in paths])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("main.py", "Main.py"),
        ("lib/a", "LIB/a"),
        ("caf\u00e9", "cafe\u0301"),
        ("stra\u00dfe", "STRASSE"),
        ("\u212b", "\u00c5"),
    ],
)
def test_paths_that_collide_by_case_or_unicode_form_are_named(one: str, other: str) -> None:
    assert found(one, other) == [("path_collision", other)]


def test_paths_that_differ_otherwise_do_not_collide() -> None:
    assert found("a", "b", "a.py", "a/b") == []


def test_a_bad_path_is_named_shortly() -> None:
    (problem,) = check_files([ToolFile("../" + "x" * 1000, b"")])
    assert len(problem.message) < 200


def test_the_sum_of_the_files_has_a_limit() -> None:
    data = bytes(files.MAX_FILE_BYTES)
    four = [ToolFile(f"f{n}", data) for n in range(4)]
    assert list(check_files(four)) == []
    assert [p.code for p in check_files([*four, ToolFile("one", b"x")])] == ["file_too_large"]


def test_the_number_of_files_has_a_limit() -> None:
    many = [ToolFile(f"f{n}", b"") for n in range(files.MAX_FILES + 1)]
    assert list(check_files(many[1:])) == []
    assert [p.code for p in check_files(many)] == ["too_many_files"]
