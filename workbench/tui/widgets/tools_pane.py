"""The list pane: search line, facets, the tree of all tools or of what was found, the legend."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Static

from workbench.core.text import one_line
from workbench.tui.outline import Node, Outline
from workbench.tui.searching import MOST, Found
from workbench.tui.vocabulary import marks, quoted
from workbench.tui.widgets.facets import Facets
from workbench.tui.widgets.legend import Legend
from workbench.tui.widgets.search_line import SearchLine
from workbench.tui.widgets.tool_tree import ToolTree

TWO_PANES = 100


class ToolsPane(Vertical):
    tool_tree = query_one("#tree", ToolTree)
    line = query_one("#search", SearchLine)
    facets = query_one("#facets", Facets)

    @dataclass
    class SearchWanted(Message):
        query: str
        facet: str

    class SearchLeft(Message):
        """All tools are shown again."""

    class NothingFound(Message):
        pass

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self.outline = Outline()
        self._total = 0
        self._found: Found | None = None
        self._facet = ""
        self._before: tuple[Node | None, int] = (None, 0)
        self._aside = ""

    def compose(self) -> ComposeResult:
        self.border_title = "Tools"
        yield SearchLine(id="search")
        yield Facets(id="facets")
        yield Static("Opening the registry", id="tree-note", markup=False)
        yield ToolTree(id="tree")
        yield Legend(id="legend")

    # All tools

    def show_outline(self, outline: Outline, total: int) -> None:
        """Another tree of all tools; the cursor stays on the tool it is on."""
        self.outline = outline
        self.count(total)
        if self.line.query_text:
            self.search()
        else:
            self._note("")
            top = self.tool_tree.scroll_offset.y if self.tool_tree.node else None
            self.tool_tree.show(outline, self.tool_tree.node, top)

    def update_lines(self, total: int) -> None:
        """The outline has changed in place."""
        self.count(total)
        if self.line.query_text:
            self.search()
        else:
            self.tool_tree.update_lines()

    def count(self, total: int) -> None:
        self._total = total
        if not self.line.query_text:
            self.line.show_count(f"{total:,}")

    def say(self, sentence: str) -> None:
        """A sentence in place of the tree."""
        self._note(sentence)

    def advise(self, sentence: str) -> None:
        """A sentence above the tree, as long as nothing is searched."""
        self._aside = sentence
        if not self.is_searching and self.outline.roots:
            self._note("")

    def go_to(self, key: tuple[str, ...]) -> None:
        """The cursor on a tool that is loaded; a search ends there."""
        node = self.outline.find(key)
        if self.line.query_text:
            self._before = (node, 0)
            self.line.set_query("")
        else:
            self.tool_tree.show(self.outline, node)

    # Searching

    @property
    def is_searching(self) -> bool:
        return self.has_class("-searching")

    @on(SearchLine.Changed)
    def take_query(self, event: SearchLine.Changed) -> None:
        event.stop()
        if event.query:
            if not self.is_searching:
                self._before = (self.tool_tree.node, self.tool_tree.scroll_offset.y)
            self.add_class("-searching")
            self.search()
        elif self.is_searching:
            self._leave_search()

    def search(self) -> None:
        self.post_message(self.SearchWanted(self.line.query_text, self._facet))

    def _leave_search(self) -> None:
        self.remove_class("-searching")
        self._found, self._facet = None, ""
        self._note("")
        self.line.show_count(f"{self._total:,}")
        node, top = self._before
        # Later: what the tree posts while we handle a message would end here.
        self.tool_tree.call_later(self.tool_tree.show, self.outline, node, top)
        self.post_message(self.SearchLeft())

    def show_found(self, found: Found) -> None:
        if found.query != self.line.query_text or found.facet != self._facet:
            return
        is_same = self._found is not None and self._found.query == found.query
        keep = self.tool_tree.node if is_same else None
        self._found = found
        self.facets.show(found.by_type, found.facet, capped=found.capped)
        self.line.show_count(f"{found.total:,}{'+' if found.capped else ''} of {self._total:,}")
        best = found.outline.find(keep.key) if keep else None
        self.tool_tree.show(found.outline, best or found.best)
        nothing = f"Nothing matches {quoted(one_line(found.query))}. Press esc to clear the search."
        self._note("" if found.best else nothing)
        if found.best is None:
            self.post_message(self.NothingFound())

    @on(SearchLine.Left)
    def enter_results(self, event: SearchLine.Left) -> None:
        event.stop()
        self.screen.set_focus(self.tool_tree)

    @on(Facets.Picked)
    def take_facet(self, event: Facets.Picked) -> None:
        event.stop()
        self._facet = event.facet
        self._found = None
        self.search()

    # Words

    def _note(self, sentence: str) -> None:
        sentence = sentence or ("" if self.is_searching else self._aside)
        note = self.query_one("#tree-note", Static)
        note.update(sentence)
        note.display = bool(sentence)
        self.subtitle()

    def subtitle(self) -> None:
        subtitle = "by executor chain"
        if self.screen.size.width < TWO_PANES:
            subtitle = f"{marks().enter} opens detail"
        if self._found is not None:
            shown = f"best {MOST} {marks().dot} " if self._found.total > MOST else ""
            subtitle = f"{shown}esc clears"
        self.border_subtitle = subtitle
