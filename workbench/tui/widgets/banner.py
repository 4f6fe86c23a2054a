"""A fault of the registry, above everything else until it is over: what, and what helps."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from workbench.errors import WorkbenchError
from workbench.tui.overview.lines import safe
from workbench.tui.vocabulary import marks


class Banner(Static, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "retry", "try again", id="banner.retry", tooltip="Open the registry again"),
    ]

    class RetryAsked(Message):
        pass

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__("", id=id, markup=False)
        self._can_retry = False

    def show(self, error: WorkbenchError, *, retry: bool = False) -> None:
        self._can_retry = retry
        parts = [Content.assemble((f"{marks().failed} ", "bold"), safe(error.message, "bold"))]
        if error.suggestion:
            parts.append(Content("  ") + safe(error.suggestion))
        if retry:
            parts.append(Content.assemble("  ", ("r", "bold $primary"), " tries again"))
        self.update(Content("\n").join(parts))
        self.add_class("-shown")
        if retry:
            self.focus()

    def clear(self) -> None:
        self.remove_class("-shown")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._can_retry if action == "retry" else True

    def action_retry(self) -> None:
        self.post_message(self.RetryAsked())
