"""The detail pane: the head of the selected tool and its tabs, or one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.timer import Timer
from textual.widgets import OptionList, Static

from workbench.core.spaces import label
from workbench.core.tool import Trust
from workbench.tui.amiss import AmissFile
from workbench.tui.details import Details
from workbench.tui.outline import Node
from workbench.tui.overview.lines import safe
from workbench.tui.vocabulary import counted
from workbench.tui.widgets.detail_head import DetailHead
from workbench.tui.widgets.problem_page import ProblemPage

if TYPE_CHECKING:
    from workbench.core.diff import Difference
    from workbench.tui.widgets.detail_tabs import DetailTabs

_SLOW = 0.4
"""After this many seconds of loading the old content is dimmed."""
_GROUPS = {
    "composite": "Tools made of other tools: their steps run through one another.",
    "knowledge": "Texts that agents read. Nothing runs them, so they have no executor.",
    "problems": "Files that are no tools though they should be, or not quite as they should be.",
    "broken": "These name an executor that is not there, or chains that bite their own tail.",
}


class ToolDetail(Vertical):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(1)", "Down", show=False, id="detail.down", tooltip="Scroll down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="detail.up", tooltip="Scroll up"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._details: Details | None = None
        self._tabs: DetailTabs | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static("", id="detail-empty", markup=False)
        with VerticalScroll(id="problem-scroll"):
            yield ProblemPage(id="problem-page")
        yield DetailHead(id="detail-head")

    def on_mount(self) -> None:
        self.say("Nothing is selected. Press / to search.")
        self.call_after_refresh(self._add_tabs)

    async def _add_tabs(self) -> None:
        """The tabs are many widgets; they come after the first paint."""
        from workbench.tui.widgets.detail_tabs import DetailTabs

        tabs = DetailTabs(id="detail-body")
        if self.is_attached:
            await self.mount(tabs)
            self._tabs = tabs
            if self._details is not None:
                tabs.show(self._details)

    @property
    def details(self) -> Details | None:
        return self._details

    # What is shown

    def say(self, sentence: str, title: str = "") -> None:
        """One sentence instead of a tool."""
        self._loaded()
        self._details = None
        self.border_title = safe(title)
        self.query_one("#detail-empty", Static).update(sentence)
        self._show_as("-empty")

    def show_problems(self, file: AmissFile) -> None:
        """A file that is not as it should be, instead of a tool."""
        self._loaded()
        self._details = None
        self.border_title = safe(f"problems / {file.name}")
        self.query_one(ProblemPage).show(file)
        self._show_as("-problems")

    def show_group(self, node: Node) -> None:
        about = _GROUPS.get(node.tool_type, "")
        count = counted(node.count, "file" if node.tool_type == "problems" else "tool")
        self.say(f"{about}\n\n{count}. Press space to fold.", title=node.label)

    def expect(self) -> None:
        """Something else is being loaded; what is there stays, and dims if that takes long."""
        if self._timer is None:
            self._timer = self.set_timer(_SLOW, lambda: self.add_class("-stale"))

    def show(self, details: Details) -> None:
        self._loaded()
        tool = details.tool
        self._details = details
        self._show_as("")
        parts = [label(tool.space), tool.executor, tool.tool_id]
        self.border_title = safe(" / ".join(part for part in parts if part))
        self.query_one(DetailHead).show(details)
        if self._tabs is not None:
            self._tabs.show(details)

    def show_difference(self, before: str, after: str, difference: Difference) -> None:
        if self._tabs is not None:
            self._tabs.show_difference(before, after, difference)

    def show_trust(self, trust: Mapping[str, Trust]) -> None:
        if self._tabs is not None:
            self._tabs.show_trust(trust)

    def show_newest_change(self) -> None:
        if self._tabs is not None and self._details is not None:
            self._tabs.show_newest_change()
            self._tabs.focus_content()

    def step_tab(self, by: int) -> None:
        if self._tabs is not None:
            self._tabs.step(by)

    def focus_content(self) -> None:
        if self.has_class("-problems"):
            self.screen.set_focus(self.query_one("#problem-scroll"))
        elif self._tabs is not None:
            self._tabs.focus_content()

    def action_scroll(self, by: int) -> None:
        focused = self.screen.focused
        if isinstance(focused, OptionList):
            (focused.action_cursor_down if by > 0 else focused.action_cursor_up)()
        elif focused is not None:
            focused.scroll_relative(y=by, animate=False)

    def _show_as(self, state: str) -> None:
        for one in ("-empty", "-problems"):
            self.set_class(one == state, one)

    def _loaded(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.remove_class("-stale")
