"""The search line: where a query is typed, with the count of what it found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from workbench.tui.vocabulary import marks


class SearchInput(Input):
    """Arrows and Enter lead into the results; Esc clears, then leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "leave", "results", id="search.results", tooltip="Go to the results"),
        Binding("enter", "leave", "open", id="search.open", tooltip="Go to the best hit"),
        Binding("escape", "clear", "clear", id="search.clear", tooltip="Clear, then leave"),
        Binding(
            "f3", "screen.facet(1)", "type", id="search.facet", tooltip="Show the next type only"
        ),
    ]

    def action_leave(self) -> None:
        self.post_message(SearchLine.Left())

    def action_clear(self) -> None:
        if self.value:
            self.value = ""
        else:
            self.post_message(SearchLine.Left())


class SearchLine(Horizontal):
    @dataclass
    class Changed(Message):
        query: str

    class Left(Message):
        """The person goes on to the tree."""

    def compose(self) -> ComposeResult:
        yield Static("/", id="search-mark")
        yield SearchInput(
            placeholder=f"search tools{marks().more}", compact=True, id="search-input"
        )
        yield Static("", id="search-count", markup=False)

    @property
    def input(self) -> SearchInput:
        return self.query_one(SearchInput)

    @property
    def query_text(self) -> str:
        return self.input.value.strip()

    def show_count(self, text: str) -> None:
        self.query_one("#search-count", Static).update(text)

    def set_query(self, text: str) -> None:
        self.input.value = text
        self.input.cursor_position = len(text)

    @on(Input.Changed)
    def tell_query(self, event: Input.Changed) -> None:
        event.stop()
        self.set_class(bool(event.value), "-active")
        self.post_message(self.Changed(event.value.strip()))

    def on_click(self) -> None:
        self.input.focus()
