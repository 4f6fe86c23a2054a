"""The one owner of stdout and stderr, and the exit codes.

All text passes through `workbench.core.text` on its way out. Results go to stdout,
diagnostics to stderr.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from workbench.core.text import one_line, printable
from workbench.errors import (
    InvalidError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
    WorkbenchError,
)


class Exit(IntEnum):
    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    PENDING = 5
    UNAVAILABLE = 6
    CANCELLED = 130


_EXITS: tuple[tuple[type[WorkbenchError], Exit], ...] = (
    (UsageError, Exit.USAGE),
    (NotFoundError, Exit.NOT_FOUND),
    (InvalidError, Exit.FAILED),
    (RefusedError, Exit.REFUSED),
    (UnavailableError, Exit.UNAVAILABLE),
)
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


MAX_PROBLEMS = 100
"""How many problems of one tool are shown to people."""


def exit_of(error: WorkbenchError) -> Exit:
    return next((code for kind, code in _EXITS if isinstance(error, kind)), Exit.FAILED)


def open_closed_streams() -> None:
    """A stream that was closed before we began leads nowhere from now on."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def discard_output() -> None:
    """What is still to be written to stdout goes nowhere, also when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


class Output:
    """Prints results as people or as programs want them."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self._colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self._colour_errors = sys.stderr.isatty() and "NO_COLOR" not in os.environ
        self._in_progress = False

    def json(self, value: Any) -> None:
        """One JSON document. Everything that is not ASCII is escaped, so no byte can act."""
        _write(sys.stdout, json.dumps(value, indent=2, ensure_ascii=True) + "\n")

    def line(self, text: str = "", style: str = "") -> None:
        """One line of the result; foreign text may be in it."""
        _write(sys.stdout, self._styled(one_line(text), style, self._colour) + "\n")

    def block(self, text: str) -> None:
        """Several lines of the result, as they are."""
        _write(sys.stdout, printable(text).rstrip("\n") + "\n")

    def original(self, text: str) -> None:
        """A text exactly as it was written, where no terminal could obey it."""
        if sys.stdout.isatty():
            self.block(text)
            return
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()

    def table(self, rows: Sequence[Sequence[str]], head: Sequence[str]) -> None:
        """Columns as wide as needed; the last one is cut at the terminal's edge."""
        lines = [list(head), *([one_line(cell) for cell in row] for row in rows)]
        widths = [max(_cells(line[i]) for line in lines) for i in range(len(head))]
        room = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 10_000
        for number, cells in enumerate(lines):
            padded = [
                cell + " " * (width - _cells(cell))
                for cell, width in zip(cells, widths, strict=True)
            ]
            text = _cut("  ".join(padded).rstrip(), room)
            self.line(text, "dim" if number == 0 else "")

    def note(self, text: str, style: str = "dim") -> None:
        """A diagnostic."""
        _write(sys.stderr, self._styled(one_line(text), style, self._colour_errors) + "\n")

    def progress(self, text: str) -> None:
        """A line that replaces itself on a terminal, and is not there elsewhere."""
        if sys.stderr.isatty():
            width = shutil.get_terminal_size((80, 24)).columns - 1
            _write(sys.stderr, "\r" + one_line(text)[:width].ljust(width))
            self._in_progress = True

    def end_progress(self) -> None:
        if self._in_progress:
            width = shutil.get_terminal_size((80, 24)).columns - 1
            _write(sys.stderr, "\r" + " " * width + "\r")
            self._in_progress = False

    def error(self, error: WorkbenchError, action: str | None = None) -> None:
        """An error: an object on stdout for programs, sentences on stderr for people."""
        if self.as_json:
            self.json(error.as_dict(action=action))
            return
        self.note(f"{error.error}: {error.message}", "red")
        self.problems(getattr(error, "problems", ()), "")
        for line in getattr(error, "changed_lines", ()):
            self.note(f"  {line}", {"+": "green", "-": "red"}.get(line[:1], ""))
        if error.suggestion:
            self.note(f"  {error.suggestion}", "")

    def problems(self, problems: Sequence[Any], name: str) -> None:
        """The problems of one tool, errors first where there are more than a person reads."""
        if len(problems) <= MAX_PROBLEMS:
            for problem in problems:
                self.problem(problem, name)
            return
        for problem in sorted(problems, key=lambda one: one.severity != "error")[:MAX_PROBLEMS]:
            self.problem(problem, name)
        hidden = len(problems) - MAX_PROBLEMS
        self.note(f"{name}: {hidden:,} more problems; --json lists them all".lstrip(": "), "")

    def problem(self, problem: Any, name: str) -> None:
        """One problem, in the form editors and terminals can jump to."""
        place = name
        if problem.file:
            # Beside the manifest, so that a terminal can jump to it.
            folder, slash, _ = name.rpartition("/")
            place = f"{folder}{slash}{problem.file}" if slash else f"{name} {problem.file}".strip()
        if problem.line is not None:
            place = f"{place}:{problem.line}:{problem.column or 1}"
        style = {"error": "red", "warning": "yellow", "hint": "cyan"}[problem.severity]
        head = f"{place}: {problem.severity}" if place else str(problem.severity)
        path = f" at {problem.path}" if problem.path and problem.line is None else ""
        self.note(f"{head} {problem.code}{path}: {problem.message}", style)
        if problem.hint:
            self.note(f"    {problem.hint}", "")

    def _styled(self, text: str, style: str, colour: bool) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if colour and style and text else text


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _cut(text: str, room: int) -> str:
    """The text, or as much of it as fits into `room` columns with a mark that it goes on."""
    if _cells(text) <= room:
        return text
    used = end = 0
    while used + _cell(text[end]) < room:
        used += _cell(text[end])
        end += 1
    return text[:end] + "…"


def _write(stream: Any, text: str) -> None:
    """Writes what the stream can encode; the rest escaped."""
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text)
    stream.flush()
