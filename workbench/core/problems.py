"""What validation says: problems with a stable code, a place and, where it is mechanical, a fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Path = tuple[str | int, ...]

BYTE_ORDER_MARK = "\ufeff"
# What ends a line to YAML, and so in every place that counts lines.
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text between two places (lines and columns from 1, end exclusive)."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that settles a problem, ready to be applied to the source text."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `line` and `column` count from 1; they are None where there is no text."""

    severity: Severity
    code: str
    message: str
    path: str = ""
    line: int | None = None
    column: int | None = None
    hint: str = ""
    fix: Fix | None = None
    file: str = ""

    def as_dict(self) -> dict[str, Any]:
        shape: dict[str, Any] = {
            "severity": str(self.severity),
            "code": self.code,
            "message": self.message,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "hint": self.hint,
        }
        if self.file:
            shape["file"] = self.file
        if self.fix is not None:
            shape["fix"] = {
                "title": self.fix.title,
                "edits": [
                    {
                        "line": edit.line,
                        "column": edit.column,
                        "end_line": edit.end_line,
                        "end_column": edit.end_column,
                        "text": edit.text,
                    }
                    for edit in self.fix.edits
                ],
            }
        return shape


def stored_problem(shape: Mapping[str, Any]) -> Problem:
    """A problem that was kept as a dict, again; its fix was for a text of then."""
    known = {key: value for key, value in shape.items() if key not in ("severity", "fix")}
    return Problem(Severity(shape["severity"]), **known)


def path_text(path: Path) -> str:
    """`("config", "steps", 0, "tool")` as `config.steps[0].tool`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def has_errors(problems: Iterable[Problem]) -> bool:
    return any(problem.severity is Severity.ERROR for problem in problems)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """By place, errors first where several share one."""
    rank = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.HINT: 2}
    return sorted(
        problems,
        key=lambda p: (p.file, p.line or 0, p.column or 0, rank[p.severity], p.code),
    )


def line_starts(text: str) -> list[int]:
    """Where each line begins. A byte order mark is not part of the first."""
    first = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    return [first, *(match.end() for match in _BREAK.finditer(text))]


def apply(text: str, fixes: Sequence[Fix]) -> str:
    """The text with fixes applied; of overlapping edits the first given wins."""
    starts = line_starts(text)

    def offset(line: int, column: int) -> int:
        return min(starts[min(line - 1, len(starts) - 1)] + column - 1, len(text))

    chosen: list[tuple[int, int, str]] = []
    for fix in fixes:
        spans = [
            (offset(e.line, e.column), offset(e.end_line, e.end_column), e.text) for e in fix.edits
        ]
        if all(end <= a or start >= b for start, end, _ in spans for a, b, _ in chosen):
            chosen.extend(spans)
    for start, end, replacement in sorted(chosen, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text
