"""The last row: the keys that work where the focus is. What does not fit is left out whole."""

from __future__ import annotations

from textual.binding import ActiveBinding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from workbench.tui.overview.lines import padded
from workbench.tui.vocabulary import marks

STAYING = ("app.help", "app.palette")
"""Bindings at the right edge, which are always there."""


class Footer(Widget):
    auto_links = False

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._update)

    def _update(self, _: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        width = self.size.width
        shown = _shown(self.screen.active_bindings.values())
        staying = [self._key(one) for one in shown if one.binding.id in STAYING]
        right = Content("  ").join(reversed(staying)) + Content(" ")
        line = Content(" ")
        for active in shown:
            if active.binding.id in STAYING:
                continue
            grown = line + self._key(active) + Content("  ")
            if grown.cell_length + right.cell_length > width:
                break
            line = grown
        return padded(line, max(0, width - right.cell_length)) + right

    def _key(self, active: ActiveBinding) -> Content:
        binding = active.binding
        pressed = Style.from_meta({"@click": ("app.simulate_key", (binding.key,))})
        key = key_text(self.app.get_key_display(binding))
        return Content.assemble(
            (key, "bold $footer-key-foreground"), (f" {binding.description}", "$muted")
        ).stylize(pressed)


def key_text(display: str) -> str:
    """A key as this terminal can write it."""
    names = {"⏎": marks().enter, "enter": marks().enter, "↑": marks().up, "↓": marks().down}
    return names.get(display, display)


def _shown(bindings: object) -> list[ActiveBinding]:
    """Each action once, by its first key."""
    found: dict[str, ActiveBinding] = {}
    for active in bindings:  # type: ignore[attr-defined]
        binding = active.binding
        if binding.show and binding.description and active.enabled:
            found.setdefault(binding.id or binding.action, active)
    return list(found.values())
