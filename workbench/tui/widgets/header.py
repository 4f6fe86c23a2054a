"""The first row: what this is, which modes there are, how many tools. It never moves."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from workbench.tui.overview.lines import cut, padded
from workbench.tui.vocabulary import counted, marks

MODES = (("1", "Library", "Lib"),)
_FULL = 100


class Header(Widget):
    tools: reactive[int | None] = reactive(None)
    mode: reactive[str] = reactive("Library")

    def render(self) -> Content:
        width = self.size.width
        mark = Content.styled(f" {marks().logo} ", "$primary")
        name = Content.styled("Workbench", "bold") if width >= _FULL else Content("")
        modes = [self._mode(*mode, short=width < _FULL) for mode in MODES]
        left = mark + name + Content("   " if name else "") + Content("").join(modes)
        text = "" if self.tools is None else counted(self.tools, "tool")
        right = Content.styled(f"{text} ", "$muted")
        return cut(padded(left, max(0, width - right.cell_length)) + right, width)

    def _mode(self, key: str, name: str, shorter: str, *, short: bool) -> Content:
        label = shorter if short else name
        if name == self.mode:
            return Content.styled(f" {key} {label} ", "bold $primary on $selected-background")
        return Content.assemble((f" {key} ", "$faint"), (f"{label} ", "$muted"))
