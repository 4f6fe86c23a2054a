"""The types among the results, each with its count; one of them can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.style import Style
from textual.widget import Widget

from workbench.tui.vocabulary import TYPES, type_mark, type_tint


class Facets(Widget):
    auto_links = False
    chosen: var[str] = var("")

    @dataclass
    class Picked(Message):
        """A type to show alone, or "" for all."""

        facet: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._counts: Mapping[str, int] = {}
        self._capped = False

    def show(self, counts: Mapping[str, int], chosen: str, *, capped: bool) -> None:
        self._counts, self._capped = counts, capped
        self.chosen = chosen
        self.set_class(bool(counts) or bool(chosen), "-some")
        self.refresh()

    def render(self) -> Content:
        total = f"{sum(self._counts.values()):,}{'+' if self._capped else ''}"
        line = self._cell("", Content(f"all {total}"))
        room = self.size.width - line.cell_length
        cells = [self._type_cell(kind) for kind in self._shown]
        last = self._shown.index(self.chosen) + 1 if self.chosen in self._shown else 1
        first = 0
        while sum(cell.cell_length for cell in cells[first:last]) > room and first < last - 1:
            first += 1  # the chosen one stays in view
        for cell in cells[first:]:
            if line.cell_length + cell.cell_length > self.size.width:
                break
            line += cell
        return line

    def _type_cell(self, kind: str) -> Content:
        mark = (f"{type_mark(kind)} ", "" if kind == self.chosen else type_tint(kind))
        return self._cell(kind, Content.assemble(mark, f"{self._counts.get(kind, 0):,}"))

    def _cell(self, facet: str, label: Content) -> Content:
        style = "bold $background on $primary" if facet == self.chosen else "$muted"
        picked = Style.from_meta({"@click": ("pick", (facet,))})
        return (Content(" ") + label + Content(" ")).stylize_before(style).stylize(picked)

    @property
    def _shown(self) -> list[str]:
        return [kind for kind in TYPES if self._counts.get(kind) or kind == self.chosen]

    def action_pick(self, facet: str) -> None:
        self.post_message(self.Picked(facet))

    def step(self, by: int) -> None:
        """To the next type that has hits, and from the last to all."""
        choices = ["", *self._shown]
        self.action_pick(choices[(choices.index(self.chosen) + by) % len(choices)])
