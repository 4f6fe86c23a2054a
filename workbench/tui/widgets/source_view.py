"""Source text, read only, with line numbers and colours; what cannot be shown is said."""

from __future__ import annotations

from textual.theme import Theme
from textual.widgets import TextArea

from workbench.core.text import printable
from workbench.tui.syntax import THEME, language_of, source_theme

MAX_CHARACTERS = 200_000
_HIGHLIGHTED = 100_000
"""Larger texts are shown without colours: parsing them would be felt."""


class SourceView(TextArea):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(
            "",
            id=id,
            read_only=True,
            show_line_numbers=True,
            soft_wrap=True,
            compact=True,
            highlight_cursor_line=False,
            show_cursor=False,
            tab_behavior="focus",
        )

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._restyle)
        self._restyle()

    def _restyle(self, _: Theme | None = None) -> None:
        self.register_theme(source_theme(self.app.theme_variables))
        self.theme = THEME
        self.notify_style_update()

    def show(self, text: str, name: str, *, keep: bool = False) -> bool:
        """Shows a text; the name tells the language. False if its end is left out. With `keep`
        it is another state of the same text, and stays scrolled where it is."""
        shown = printable(text[:MAX_CHARACTERS]).expandtabs(4)
        language = language_of(name) if len(shown) <= _HIGHLIGHTED else None
        self.language = language if language in self.available_languages else None
        if keep and shown == self.text:
            return len(text) <= MAX_CHARACTERS
        top = self.scroll_offset.y
        self.load_text(shown)
        if keep:
            self.scroll_to(y=top, animate=False)
        else:
            self.scroll_home(animate=False)
        return len(text) <= MAX_CHARACTERS
