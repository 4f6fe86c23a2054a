"""The first row: which project, which modes there are, how many tools. It never moves."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from workbench.tui.overview.lines import cut, padded, safe
from workbench.tui.vocabulary import counted, marks

MODES = (("1", "Library", "Lib"),)
_FULL = 100
_NAME = 32


class Header(Widget):
    tools: reactive[int | None] = reactive(None)
    mode: reactive[str] = reactive("Library")
    project: reactive[str | None] = reactive(None)
    """The name of the project's folder; "" where there is none, None before that is known."""
    reading: reactive[str] = reactive("")
    """How far a sync of many files is."""

    def render(self) -> Content:
        width = self.size.width
        mark = Content.styled(f" {marks().logo} ", "$primary")
        modes = [self._mode(*mode, short=width < _FULL) for mode in MODES]
        left = mark + self._place(width) + Content("").join(modes)
        text = "" if self.tools is None else counted(self.tools, "tool")
        right = Content.styled(f"{text} ", "$muted")
        if self.reading:
            busy = Content.styled(f"{marks().busy} {self.reading}", "$primary")
            right = busy + Content("   ") + right
        return cut(padded(left, max(0, width - right.cell_length)) + right, width)

    def _place(self, width: int) -> Content:
        """The program's name where there is room, and the project's."""
        name = Content.styled("Workbench", "bold") if width >= _FULL else Content("")
        if self.project is None:
            return name + Content("   ") if name else name
        style = "$muted" if self.project else "$faint"
        project = cut(safe(self.project or "no project", style), min(_NAME, width // 4))
        slash = Content.styled(" / ", "$faint") if name else Content("")
        return name + slash + project + Content("   ")

    def _mode(self, key: str, name: str, shorter: str, *, short: bool) -> Content:
        label = shorter if short else name
        if name == self.mode:
            return Content.styled(f" {key} {label} ", "bold $primary on $selected-background")
        return Content.assemble((f" {key} ", "$faint"), (f"{label} ", "$muted"))
