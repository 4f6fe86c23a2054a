"""Requirement strings of Python packages, in manifests and in requirements.txt."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.requirements import InvalidRequirement, Requirement

from workbench.core.codes import problem_at
from workbench.core.problems import Path, Problem
from workbench.core.reading import Reading


def fault(text: str) -> str | None:
    """Why `text` is not a requirement, or None."""
    try:
        Requirement(text)
    except InvalidRequirement as error:
        return str(error).splitlines()[0]
    return None


def check_requirements(reading: Reading, path: Path, texts: list[str]) -> Iterator[Problem]:
    for index, text in enumerate(texts):
        if reason := fault(text):
            yield reading.problem(
                "bad_requirement",
                (*path, index),
                f"{text[:60]!r} is not a requirement: {reason}",
                hint="as in httpx>=0.24",
            )


def check_file(name: str, text: str) -> Iterator[Problem]:
    """Each line of a requirements file; options and includes are left to the installer."""
    for number, line in enumerate(text.splitlines(), 1):
        requirement = line.split(" #")[0].strip()
        if not requirement or requirement.startswith(("#", "-")):
            continue
        if reason := fault(requirement):
            yield problem_at(
                "bad_requirement",
                f"{requirement[:60]!r} is not a requirement: {reason}",
                line=number,
                column=1,
                file=name,
            )
