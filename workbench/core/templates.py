"""The two kinds of holes in manifest text: `{parameter}` and `${VARIABLE}`.

`{{` and `}}` are literal braces. Values that fill a hole are never looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workbench.core.problems import Path

_HOLE = re.compile(
    r"\$\{(?P<variable>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^{}]*))?\}"
    r"|\{\{|\}\}"
    r"|\{(?P<parameter>[A-Za-z_][A-Za-z0-9_.-]*)\}"
)


@dataclass(frozen=True, slots=True)
class Hole:
    """One hole: `name` of a parameter, or of a variable with its default."""

    kind: str
    name: str
    default: str | None
    start: int
    end: int


def holes(text: str) -> Iterator[Hole]:
    """The holes of one string, in order."""
    if "{" not in text:
        return
    for match in _HOLE.finditer(text):
        if name := match["variable"]:
            yield Hole("variable", name, match["default"], match.start(), match.end())
        elif name := match["parameter"]:
            yield Hole("parameter", name, None, match.start(), match.end())


def strings(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every string inside a JSON value, with its path. Keys are never templates."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, (*path, index))


def parameters_in(value: Any) -> set[str]:
    """The names of all parameters that templates inside `value` use."""
    return {
        hole.name for _, text in strings(value) for hole in holes(text) if hole.kind == "parameter"
    }


def variables_in(value: Any) -> set[str]:
    """The names of all environment variables that templates inside `value` use."""
    return {
        hole.name for _, text in strings(value) for hole in holes(text) if hole.kind == "variable"
    }


def unclosed(text: str) -> int | None:
    """Where a `${` begins that is not a variable, or None."""
    position = text.find("${")
    while position != -1:
        if not _HOLE.match(text, position):
            return position
        position = text.find("${", position + 2)
    return None
