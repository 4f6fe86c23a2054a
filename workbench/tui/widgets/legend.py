"""KEY: what the marks in the tree mean."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from workbench.core.tool import Effect, Trust
from workbench.tui.overview.lines import Lines, heading, padded
from workbench.tui.vocabulary import (
    EFFECT_STYLES,
    TRUST_STYLES,
    TYPES,
    marks,
    type_mark,
    type_tint,
    type_word,
)


class Legend(Widget):
    def render(self) -> Content:
        width = self.content_size.width
        each = max(1, width // 4)
        cells = _cells()
        lines: Lines = [heading("KEY", width)]
        for start in range(0, len(cells), 4):
            row = [padded(cell, each) for cell in cells[start : start + 4]]
            lines.append(Content("").join(row))
        return Content("\n").join(lines)


def _cells() -> list[Content]:
    found = [_cell(type_mark(kind), type_tint(kind), type_word(kind)) for kind in TYPES]
    found += [_cell(marks().trust[one], TRUST_STYLES[one], str(one)) for one in Trust]
    found += [_cell(marks().effects[one], EFFECT_STYLES[one], str(one)) for one in Effect]
    return found


def _cell(mark: str, tint: str, word: str) -> Content:
    return Content.assemble((f"{mark} ", tint), (word, "$muted"))
