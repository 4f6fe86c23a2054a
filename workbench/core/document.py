"""A value that was read from text, and the place of each of its parts in that text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from workbench.core.problems import Edit, Fix, Path, Problem


class Mark(NamedTuple):
    """Where something stands: lines and columns from 1, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass
class Document:
    """A value, and where each part of it was written."""

    value: Any = None
    keys: dict[Path, Mark] = field(default_factory=dict)
    values: dict[Path, Mark] = field(default_factory=dict)
    plain: dict[Path, str] = field(default_factory=dict)
    """Scalars written without quotes that are not simply text, as written."""
    problems: list[Problem] = field(default_factory=list)

    def key(self, path: Path) -> Mark | None:
        """The place of the key at `path`, or of the nearest thing around it."""
        while path:
            if mark := self.keys.get(path) or self.values.get(path):
                return mark
            path = path[:-1]
        return self.values.get(())

    def at(self, path: Path) -> Mark | None:
        """The place of the value at `path`, or of the nearest thing around it."""
        return self.values.get(path) or self.key(path)

    def quoted(self, path: Path, text: str) -> Fix | None:
        """The fix that writes `text` in quotes at `path`."""
        mark = self.values.get(path)
        return None if mark is None else Fix(f'Write "{text}"', (Edit(*mark, f'"{text}"'),))

    def shifted(self, lines: int, columns: int = 0) -> Document:
        """The same document as part of a text in which it begins `lines` lines later, its first
        line `columns` further to the right."""

        def place(line: int, column: int) -> tuple[int, int]:
            return line + lines, column + columns if line == 1 else column

        def move(mark: Mark) -> Mark:
            return Mark(*place(*mark[:2]), *place(*mark[2:]))

        def moved(problem: Problem) -> Problem:
            if problem.line is None or problem.column is None:
                return problem
            line, column = place(problem.line, problem.column)
            return replace(problem, line=line, column=column, fix=moved_fix(problem.fix))

        def moved_fix(fix: Fix | None) -> Fix | None:
            if fix is None:
                return None
            return Fix(
                fix.title,
                tuple(
                    Edit(
                        *move(Mark(edit.line, edit.column, edit.end_line, edit.end_column)),
                        edit.text,
                    )
                    for edit in fix.edits
                ),
            )

        return Document(
            self.value,
            {path: move(mark) for path, mark in self.keys.items()},
            {path: move(mark) for path, mark in self.values.items()},
            self.plain,
            [moved(problem) for problem in self.problems],
        )
