"""Pieces of text laid out in cells: safe, cut, padded, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from workbench.core.text import one_line, printable
from workbench.tui.vocabulary import marks

Lines = list[Content]


def safe(text: object, style: str | Style = "") -> Content:
    """Foreign text on one line: no markup, no control."""
    return Content.styled(one_line(str(text)), style)


def paragraphs(text: str, width: int, style: str = "") -> Lines:
    """Foreign text of any length, wrapped; empty lines separate paragraphs."""
    lines: Lines = []
    for paragraph in printable(text).strip().split("\n"):
        content = Content.styled(one_line(paragraph), style)
        lines += content.wrap(max(1, width)) if paragraph.strip() else [Content("")]
    return lines


def cut(content: Content, width: int) -> Content:
    """No wider than `width`; an ellipsis says that something is missing."""
    if content.cell_length <= width:
        return content
    if width <= 0:
        return Content("")
    dots = marks().more[:width]
    return content.truncate(width - cell_len(dots)) + Content.styled(dots, "$faint")


def padded(content: Content, width: int) -> Content:
    """Exactly `width` cells."""
    content = cut(content, width)
    return content + Content(" " * (width - content.cell_length))


def spread(left: Content, right: Content, width: int) -> Content:
    """`left` at the left edge and `right` at the right one; the right one stays whole."""
    room = max(0, width - right.cell_length - 1)
    return padded(left, room) + Content(" ") + right if right else cut(left, width)


def heading(title: str, width: int, note: Content | None = None) -> Content:
    """A section's title with a rule to the right edge, where the note stands."""
    start = Content.styled(title, "bold $muted") + Content(" ")
    end = Content(" ") + note if note else Content("")
    dashes = max(0, width - start.cell_length - end.cell_length)
    return start + Content.styled(marks().rule * dashes, "$rule") + end


def beside(left: Sequence[Content], right: Sequence[Content], width: int, gap: int) -> Lines:
    """Two blocks as columns; `width` is that of the left one."""
    height = max(len(left), len(right))
    blank = Content("")
    lines = []
    for index in range(height):
        one = left[index] if index < len(left) else blank
        two = right[index] if index < len(right) else blank
        lines.append(padded(one, width) + Content(" " * gap) + two)
    return lines


def joined(parts: Iterable[Content], separator: str, style: str = "$faint") -> Content:
    return Content.styled(separator, style).join([part for part in parts if part])
