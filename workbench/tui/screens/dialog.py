"""A small panel over the screen: some text that can be scrolled, and keys that answer it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from workbench.tui.overview.lines import Lines
from workbench.tui.widgets.page import Page


class DialogPage(Page):
    def __init__(self, build: Callable[[int], Lines], *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._build = build

    def lines(self, width: int) -> Lines:
        return self._build(width)


class Dialog(ModalScreen[bool]):
    """Answers True or False. Here nothing but esc and n answers; Enter never does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "dismiss(False)", "close", key_display="esc", id="dialog.close"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="dialog.down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="dialog.up"),
        Binding("ctrl+d,pagedown", "scroll(10)", "Down", show=False, id="dialog.page-down"),
        Binding("ctrl+u,pageup", "scroll(-10)", "Up", show=False, id="dialog.page-up"),
    ]
    AUTO_FOCUS = "#dialog"

    def __init__(self, title: str, build: Callable[[int], Lines], keys: Content) -> None:
        super().__init__()
        self._title, self._build, self._keys = title, build, keys

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="dialog") as panel:
            panel.border_title = self._title
            panel.border_subtitle = self._keys
            yield DialogPage(self._build, id="dialog-page")

    def action_scroll(self, by: int) -> None:
        self.query_one("#dialog").scroll_relative(y=by, animate=False)


def key_line(*pairs: tuple[str, str]) -> Content:
    """The keys that answer, and what they answer."""
    cells = [
        Content.assemble((key, "bold $primary"), (f" {does}", "$muted")) for key, does in pairs
    ]
    return Content("   ").join(cells)
