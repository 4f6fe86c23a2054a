"""Every rule, broken on purpose: the codes that are promised, at their lines, and nothing else."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.tool_types.cases import RULES, Case, cases
from tests.tool_types.conftest import Registry
from workbench import paths
from workbench.core.codes import CODES
from workbench.core.problems import Problem, apply
from workbench.core.tool import TOOL_TYPES
from workbench.dialect_names import load_names
from workbench.sources.reader import read_tools

ALL = {file.stem: list(cases(file.name)) for file in sorted(RULES.glob("*.txt"))}
CASES = [
    pytest.param(case, id=f"{stem}: {case.title}") for stem, found in ALL.items() for case in found
]

AT_RUN = {"value_missing", "output_mismatch"}
DAMAGE = {"yaml_syntax", "duplicate_key", "unknown_key", "wrong_type", "bad_version", "not_one_of"}
"""What a fix must never bring about. It may bring to light what was hidden before."""
ON_DISK = {"special_file", "unreadable_file"}
IN_A_TREE = {"duplicate_tool", "library_not_found", "reserved_id", "version_taken"}
"""Seen beside other tools only; the tests of trees have them."""


def said(problems: list[Problem]) -> list[tuple[str, int, str]]:
    """Without a line as line 0, so that it sorts."""
    return sorted((problem.file, problem.line or 0, problem.code) for problem in problems)


@pytest.mark.parametrize("case", CASES)
def test_a_broken_rule_is_named_at_its_line_and_nothing_else_is_said(
    registry: Registry, case: Case
) -> None:
    if "javascript_syntax" in case.codes and shutil.which("node") is None:
        pytest.skip("node checks JavaScript")
    problems = registry.check_case(case)
    expected = sorted((file, line or 0, code) for file, line, code in case.expected)
    assert said(problems) == expected, [problem.message for problem in problems]


@pytest.mark.parametrize("case", CASES)
def test_a_fix_settles_its_problem_and_breaks_nothing(registry: Registry, case: Case) -> None:
    problems = registry.check_case(case)
    before = Counter(problem.code for problem in problems)
    for problem in problems:
        if problem.fix is None:
            continue
        text = apply(case.files[case.manifest].decode(), [problem.fix])
        mended = Case(
            case.title,
            case.manifest,
            {**case.files, case.manifest: text.encode()},
            case.neighbours,
        )
        after = Counter(problem.code for problem in registry.check_case(mended))
        assert after[problem.code] < before[problem.code], (problem.message, text)
        assert not DAMAGE & set(after - before), (problem.message, text)


def test_every_code_has_a_case() -> None:
    covered = {code for found in ALL.values() for case in found for code in case.codes}
    assert covered <= set(CODES)
    assert set(CODES) - covered == AT_RUN | ON_DISK | IN_A_TREE


def test_every_type_has_a_valid_case() -> None:
    for tool_type in TOOL_TYPES:
        assert any(not case.expected for case in ALL[tool_type]), tool_type


def test_every_problem_has_a_sentence_of_its_own(registry: Registry) -> None:
    """No message is empty, none shows a Python class or a traceback."""
    for found in ALL.values():
        for case in found:
            for problem in registry.check_case(case):
                assert problem.message
                assert "<class" not in problem.message
                assert problem.severity is CODES[problem.code][0]


def read_folder(folder: Path) -> list[tuple[str, str]]:
    (reading,) = read_tools(folder, load_names(paths.seeds()))
    return [(problem.file, problem.code) for problem in reading.problems]


@pytest.fixture
def tool_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tool"
    folder.mkdir()
    text = 'tool_id: t\ntool_type: script\nversion: "1.0.0"\nexecutor: python_runtime\n'
    (folder / "tool.yaml").write_text(text + "config: {entrypoint: main.py}\n")
    (folder / "main.py").write_text("print(1)\n")
    return folder


def test_a_symlink_among_the_files_is_a_problem_and_is_not_followed(
    tool_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (tool_folder / "link.txt").symlink_to(tmp_path / "secret")
    (reading,) = read_tools(tool_folder, load_names(paths.seeds()))
    assert [(p.file, p.code) for p in reading.problems] == [("link.txt", "special_file")]
    assert [file.path for file in reading.files] == ["main.py"]


def test_a_symlink_in_place_of_the_manifest_is_a_problem(tool_folder: Path, tmp_path: Path) -> None:
    (tool_folder / "tool.yaml").rename(tmp_path / "elsewhere.yaml")
    (tool_folder / "tool.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert read_folder(tool_folder) == [("", "special_file")]


def test_a_pipe_among_the_files_is_a_problem_and_is_not_waited_for(tool_folder: Path) -> None:
    os.mkfifo(tool_folder / "pipe")
    assert read_folder(tool_folder) == [("pipe", "special_file")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_a_problem(tool_folder: Path) -> None:
    (tool_folder / "main.py").chmod(0)
    assert read_folder(tool_folder) == [("main.py", "unreadable_file")]


def test_a_path_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert read_folder(tmp_path / "gone.yaml") == [("", "unreadable_file")]
