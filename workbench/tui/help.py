"""All keys in one panel, made from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from workbench.tui.overview.lines import Lines, heading, padded
from workbench.tui.vocabulary import marks
from workbench.tui.widgets.footer import key_text

_TITLES = {
    "app": "EVERYWHERE",
    "library": "LIBRARY",
    "tree": "TREE",
    "search": "SEARCH LINE",
    "detail": "DETAIL",
    "banner": "WHEN THE REGISTRY FAILS",
}
_WIDTH = 66
_KEYS = 16


class HelpScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss(None)", "close", key_display="esc",
                id="help.close", tooltip="Close this"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="help.down", tooltip="Scroll down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="help.up", tooltip="Scroll up"),
    ]  # fmt: skip

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help") as panel:
            panel.border_title = "Keys"
            panel.border_subtitle = "esc closes"
            lines = help_lines([self.app, self._about, *self._about.walk_children()])
            yield Static(Content("\n").join(lines), id="help-text")

    def action_scroll(self, by: int) -> None:
        self.query_one("#help").scroll_relative(y=by, animate=False)


def help_lines(nodes: list[DOMNode]) -> Lines:
    """Every binding that has an id, once, under the title of its family."""
    families: dict[str, list[Binding]] = {family: [] for family in _TITLES}
    seen: set[str] = set()
    for node in nodes:
        for binding in _named(node):
            family = str(binding.id).partition(".")[0]
            if binding.id not in seen and family in families:
                seen.add(str(binding.id))
                families[family].append(binding)
    lines: Lines = []
    for family, bindings in families.items():
        if bindings:
            lines += [heading(_TITLES[family], _WIDTH), *map(_line, bindings), Content("")]
    return lines[:-1]


def _named(node: DOMNode) -> Iterator[Binding]:
    for binding in type(node).BINDINGS:
        if isinstance(binding, Binding) and binding.id:
            yield binding


def _line(binding: Binding) -> Content:
    keys = " ".join(_key(key.strip()) for key in binding.key.split(","))
    name = Content.styled(f" {keys}", "bold $primary")
    return padded(name, _KEYS) + Content.styled(binding.tooltip or binding.description, "$muted")


def _key(key: str) -> str:
    names = {
        "question_mark": "?",
        "slash": "/",
        "equals_sign": "=",
        "left_square_bracket": "[",
        "right_square_bracket": "]",
        "escape": "esc",
        "down": marks().down,
        "up": marks().up,
        "left": marks().left,
        "right": marks().right,
        "pagedown": "pgdn",
        "pageup": "pgup",
    }
    named = names.get(key, key)
    return key_text(f"^{named[5:]}" if named.startswith("ctrl+") else named)
