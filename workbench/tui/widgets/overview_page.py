"""The Overview tab: one text, laid out for the width it gets."""

from __future__ import annotations

from textual.content import Content

from workbench.tui.details import Details
from workbench.tui.overview.chain import chain_section
from workbench.tui.overview.effects import config_section, effects_section, users_section
from workbench.tui.overview.lines import Lines, beside, paragraphs
from workbench.tui.overview.notices import notices
from workbench.tui.overview.parameters import parameters_section
from workbench.tui.widgets.page import Page

_SIDE_BY_SIDE = 90
_CARDS = 88
"""From this width of the page on, chains are cards."""
_GAP = 3


class OverviewPage(Page):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._details: Details | None = None

    def show(self, details: Details) -> None:
        self._details = details
        self.rebuild()

    def lines(self, width: int) -> Lines:
        return page_lines(self._details, width) if self._details else []


def page_lines(details: Details, width: int) -> Lines:
    tool = details.tool
    about = str(tool.manifest.get("description") or "")
    lines = notices(details, width)
    lines += paragraphs(about or "It has no description.", width, "" if about else "$faint")
    lines.append(Content(""))
    lines += chain_section(details, width, wide=width >= _CARDS)
    lines += parameters_section(tool.manifest, width)
    lines += _effects_and_config(details, width)
    lines += users_section(details.users, details.used_by, width)
    return lines


def _effects_and_config(details: Details, width: int) -> Lines:
    tool = details.tool
    blank = Content("")
    half = (width - _GAP) // 2
    if width >= _SIDE_BY_SIDE:
        left, right = effects_section(tool, half), config_section(tool, width - half - _GAP)
        if left and right:
            return [*beside(left, right, half, _GAP), blank]
    sections = (effects_section(tool, width), config_section(tool, width))
    return [line for section in sections if section for line in (*section, blank)]
