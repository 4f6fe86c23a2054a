"""Problems as text: what is wrong, where, and what helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from textual.content import Content

from workbench.tui.amiss import AmissFile, severity_of
from workbench.tui.overview.lines import Lines, cut, heading, joined, paragraphs, safe, spread
from workbench.tui.trust import space_link
from workbench.tui.vocabulary import SEVERITY_STYLES, counted, marks

_SHOWN = 100


def amiss_lines(file: AmissFile, width: int) -> Lines:
    """All that is known of a file that is not as it should be."""
    mark = Content.styled(marks().severities[file.severity], SEVERITY_STYLES[file.severity])
    lines = [cut(mark + Content(" ") + safe(file.path, "bold"), width)]
    if file.is_stored and file.tool_id:
        told = Content.styled("It is the tool ", "$muted") + safe(file.tool_id)
        lines.append(cut(told + Content(", ") + space_link(file.space, file.tool_id), width))
    else:
        lines.append(cut(Content.styled("It is no tool until this is fixed.", "$muted"), width))
    count = counted(len(file.problems), "problem")
    lines += [Content(""), heading("PROBLEMS", width, Content.styled(count, "$muted"))]
    lines += problem_lines(file.problems, width)
    return lines


def problem_lines(problems: Iterable[Mapping[str, Any]], width: int) -> Lines:
    """Each problem: mark, place and code, then the sentence, then what helps."""
    lines: Lines = []
    every = list(problems)
    for problem in every[:_SHOWN]:
        severity = severity_of(problem)
        style = SEVERITY_STYLES[severity]
        head = joined(
            [
                Content.styled(f"{marks().severities[severity]} {severity}", style),
                safe(_place(problem), "$muted"),
                safe(problem.get("path") or "", "$value-string"),
            ],
            f" {marks().dot} ",
        )
        lines.append(spread(head, safe(problem.get("code") or "", "$faint"), width))
        lines += _indented(str(problem.get("message") or ""), width, "")
        if problem.get("hint"):
            lines += _indented(f"{marks().network} {problem['hint']}", width, "$muted")
        lines.append(Content(""))
    if (rest := len(every) - _SHOWN) > 0:
        lines.append(Content.styled(f"{rest:,} more", "$faint"))
    return lines


def _place(problem: Mapping[str, Any]) -> str:
    parts = [str(problem["file"])] if problem.get("file") else []
    if problem.get("line"):
        parts.append(f"line {problem['line']}")
    return ", ".join(parts)


def _indented(text: str, width: int, style: str) -> Lines:
    return [Content("  ") + line for line in paragraphs(text, width - 2, style)]
