"""The problems of one file, in place of a tool's detail."""

from __future__ import annotations

from workbench.tui.amiss import AmissFile
from workbench.tui.overview.lines import Lines
from workbench.tui.overview.problem_lines import amiss_lines
from workbench.tui.widgets.page import Page


class ProblemPage(Page):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._file: AmissFile | None = None

    def show(self, file: AmissFile) -> None:
        self._file = file
        self.rebuild()

    def lines(self, width: int) -> Lines:
        return amiss_lines(self._file, width) if self._file else []
