"""The Library: the tree of tools, the search over it, and the detail of the selected one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, ParamSpec

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.getters import query_one
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from workbench.core.text import one_line
from workbench.errors import NotFoundError, WorkbenchError
from workbench.tui import messages
from workbench.tui.browsing import apply
from workbench.tui.librarian import Librarian
from workbench.tui.outline import Node, Outline, append_children
from workbench.tui.searching import MOST, Found
from workbench.tui.vocabulary import marks, quoted
from workbench.tui.widgets.banner import Banner
from workbench.tui.widgets.facets import Facets
from workbench.tui.widgets.footer import Footer
from workbench.tui.widgets.header import Header
from workbench.tui.widgets.legend import Legend
from workbench.tui.widgets.search_line import SearchLine
from workbench.tui.widgets.tool_detail import ToolDetail
from workbench.tui.widgets.tool_tree import ToolTree

if TYPE_CHECKING:
    from workbench.workbench import Workbench

P = ParamSpec("P")

_LOOK_EVERY = 0.5
_TWO_PANES = 100


class LibraryScreen(Screen[None]):
    AUTO_FOCUS = "#tree"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 as Textual declares it
        (0, "-tiny"),
        (60, "-one-pane"),
        (_TWO_PANES, "-two-panes"),
        (140, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 as Textual declares it
        (0, "-flat"),
        (15, "-short"),
        (38, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search", key_display="/", id="library.search", priority=True,
                tooltip="Search tools by name and words"),
        Binding("right_square_bracket", "tab(1)", "tabs", key_display="[ ]",
                id="library.next-tab", tooltip="Next tab of the detail"),
        Binding("left_square_bracket", "tab(-1)", "Tab before", show=False, key_display="[",
                id="library.previous-tab", tooltip="Previous tab of the detail"),
        Binding("y", "copy_id", "copy id", id="library.copy-id",
                tooltip="Copy the id of the selected tool"),
        Binding("f3", "facet(1)", "type", id="library.facet",
                tooltip="While searching: show the next type only"),
        Binding("escape", "back", "back", key_display="esc", id="library.back",
                tooltip="One level back; never quits"),
        Binding("1", "list", "Library", show=False, id="library.list",
                tooltip="Go to the list of tools"),
    ]  # fmt: skip

    tool_tree = query_one("#tree", ToolTree)
    detail = query_one("#detail", ToolDetail)
    line = query_one("#search", SearchLine)
    facets = query_one("#facets", Facets)
    banner = query_one("#banner", Banner)

    def __init__(self) -> None:
        super().__init__()
        self.workbench: Workbench | None = None
        self._librarian: Librarian | None = None
        self._outline = Outline()
        self._total = 0
        self._found: Found | None = None
        self._facet = ""
        self._before: tuple[Node | None, int] = (None, 0)

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        yield Banner(id="banner")
        with Horizontal(id="body"):
            with Vertical(id="tools") as tools:
                tools.border_title = "Tools"
                yield SearchLine(id="search")
                yield Facets(id="facets")
                yield Static("Opening the registry", id="tree-note", markup=False)
                yield ToolTree(id="tree")
                yield Legend(id="legend")
            yield ToolDetail(id="detail")
        yield Static(
            "Workbench needs 60 columns and 15 rows. Make the window larger.", id="too-small"
        )
        yield Footer(id="footer")

    # Opening

    def start(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self._librarian = Librarian(workbench, self.post_message)
        self.banner.clear()
        self.tool_tree.focus()
        self._work("outline", self._librarian.open_outline)
        self.set_interval(_LOOK_EVERY, self._look)
        self.refresh_bindings()

    def show_failure(self, error: WorkbenchError) -> None:
        """The registry could not be opened: what happened, and the one thing to try."""
        self._note("There is nothing to show: the registry is not open.")
        self.detail.say("The registry is not open.")
        self.banner.show(error, retry=True)

    @on(Banner.RetryAsked)
    def retry(self) -> None:
        from workbench.tui.app import WorkbenchApp

        self.banner.clear()
        self._note("Opening the registry")
        if isinstance(self.app, WorkbenchApp):
            self.app.open()

    def _work(
        self, group: str, errand: Callable[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Sends the librarian; a new errand of the same group takes the place of the old one."""
        self.run_worker(
            partial(errand, *args, **kwargs),
            group=group,
            exclusive=True,
            exit_on_error=False,
            description=group,
        )

    @on(Worker.StateChanged)
    def tell_of_defect(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            text = f"{type(event.worker.error).__name__}: {event.worker.error}"
            self.notify(one_line(text), title="Defect", severity="error", markup=False)

    @on(messages.RegistryFailed)
    def show_error(self, event: messages.RegistryFailed) -> None:
        if isinstance(event.error, NotFoundError):
            self.detail.say(one_line(event.error.message) + ". It may have been deleted.")
        else:
            self.banner.show(event.error)

    # The tree

    @on(messages.OutlineLoaded)
    def show_outline(self, event: messages.OutlineLoaded) -> None:
        self._outline = event.outline
        self._count(event.survey.total)
        if not self.line.query_text:
            self._note("")
            self.tool_tree.show(self._outline, self.tool_tree.node)
        else:
            self._search()

    @on(ToolTree.ChildrenWanted)
    def load_children(self, event: ToolTree.ChildrenWanted) -> None:
        if self._librarian is not None:
            group = f"children of {event.node.key}"
            self._work(group, self._librarian.load_children, event.node)

    @on(messages.ChildrenLoaded)
    def add_children(self, event: messages.ChildrenLoaded) -> None:
        node = event.node
        node.is_loading = False
        append_children(node, event.rows)
        if not event.rows:
            node.total = len(node.children or ())
        self.tool_tree.update_lines()

    @on(messages.ChildrenFailed)
    def show_children_error(self, event: messages.ChildrenFailed) -> None:
        event.node.is_loading = False
        event.node.is_expanded = bool(event.node.children)
        self.tool_tree.update_lines()
        self.banner.show(event.error)

    @on(ToolTree.Highlighted)
    def show_details(self, event: ToolTree.Highlighted) -> None:
        node = event.node
        if node.row is None:
            self.workers.cancel_group(self, "details")
            self.detail.show_group(node)
        elif self._librarian is not None:
            self.detail.expect()
            self._work("details", self._librarian.load_details, node.row.space, node.row.tool_id)

    @on(ToolTree.Chosen)
    def open_detail(self) -> None:
        self.add_class("-detail-open")
        self.detail.focus_content()

    @on(messages.DetailsLoaded)
    def fill_detail(self, event: messages.DetailsLoaded) -> None:
        node = self.tool_tree.node
        tool = event.details.tool
        if node is not None and node.row is not None and node.label == tool.tool_id:
            self.detail.show(event.details)

    @on(messages.DiffWanted)
    def load_difference(self, event: messages.DiffWanted) -> None:
        details = self.detail.details
        if self._librarian is not None and details is not None:
            reference = f"{details.tool.space}/{details.tool.tool_id}"
            self._work("diff", self._librarian.compare, reference, event.before, event.after)

    @on(messages.DiffLoaded)
    def show_difference(self, event: messages.DiffLoaded) -> None:
        self.detail.show_difference(event.before, event.after, event.difference)

    # What changes under us

    def _look(self) -> None:
        if self._librarian is not None:
            self._work("changes", self._librarian.look_for_changes, self._outline)

    @on(messages.RegistrySurveyed)
    def take_changes(self, event: messages.RegistrySurveyed) -> None:
        self.banner.clear()
        apply(event.survey, event.outline)
        self._count(event.survey.total)
        if self.line.query_text:
            self._search()
        else:
            self.tool_tree.update_lines()
        node = self.tool_tree.node
        if node is not None and node.row is not None and self._librarian is not None:
            self._work("details", self._librarian.load_details, node.row.space, node.row.tool_id)

    def _count(self, total: int) -> None:
        self._total = total
        self.query_one(Header).tools = total
        if not self.line.query_text:
            self.line.show_count(f"{total:,}")

    # Searching

    @on(SearchLine.Changed)
    def take_query(self, event: SearchLine.Changed) -> None:
        if event.query:
            if not self.has_class("-searching"):
                self._before = (self.tool_tree.node, self.tool_tree.scroll_offset.y)
            self.add_class("-searching")
            self._search()
        elif self.has_class("-searching"):
            self._leave_search()

    def _search(self) -> None:
        if self._librarian is not None:
            self._work("search", self._librarian.search, self.line.query_text, self._facet)

    def _leave_search(self) -> None:
        self.workers.cancel_group(self, "search")
        self.remove_class("-searching")
        self._found, self._facet = None, ""
        self._note("")
        self.line.show_count(f"{self._total:,}")
        node, top = self._before
        self.tool_tree.show(self._outline, node, top)
        self.refresh_bindings()

    @on(messages.SearchFinished)
    def show_found(self, event: messages.SearchFinished) -> None:
        found = event.found
        if found.query != self.line.query_text or found.facet != self._facet:
            return
        is_same = self._found is not None and self._found.query == found.query
        keep = self.tool_tree.node if is_same and self._found is not None else None
        self._found = found
        self.facets.show(found.by_type, found.facet, capped=found.capped)
        self.line.show_count(f"{found.total:,}{'+' if found.capped else ''} of {self._total:,}")
        best = found.outline.find(keep.key) if keep else None
        self.tool_tree.show(found.outline, best or found.best)
        nothing = f"Nothing matches {quoted(one_line(found.query))}. Press esc to clear the search."
        self._note("" if found.best else nothing)
        if found.best is None:
            self.detail.say("No match, so nothing is selected. Press esc to see all tools.")
        self.refresh_bindings()

    @on(SearchLine.Left)
    def enter_results(self) -> None:
        self.set_focus(self.tool_tree)

    @on(Facets.Picked)
    def take_facet(self, event: Facets.Picked) -> None:
        self._facet = event.facet
        self._found = None
        self._search()

    def _note(self, sentence: str) -> None:
        """A sentence in place of the tree."""
        note = self.query_one("#tree-note", Static)
        note.update(sentence)
        note.display = bool(sentence)
        self._subtitle()

    def _subtitle(self) -> None:
        subtitle = "by executor chain"
        if self.size.width < _TWO_PANES:
            subtitle = f"{marks().enter} opens detail"
        if self._found is not None:
            shown = f"best {MOST} {marks().dot} " if self._found.total > MOST else ""
            subtitle = f"{shown}esc clears"
        self.query_one("#tools").border_subtitle = subtitle

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "facet":
            return self.has_class("-searching")
        if action == "back":
            return self._can_go_back
        if action in ("tab", "copy_id"):
            return self.workbench is not None
        if action == "search":
            return not (self.is_mounted and self.line.input.has_focus)
        return True

    @property
    def _can_go_back(self) -> bool:
        inside = self.detail.has_focus_within if self.is_mounted else False
        return inside or self.has_class("-searching") or self.has_class("-detail-open")

    def on_resize(self) -> None:
        self._subtitle()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget is self.tool_tree or event.widget is self.line.input:
            self.remove_class("-detail-open")
        self.refresh_bindings()

    def action_search(self) -> None:
        self.remove_class("-detail-open")
        self.set_focus(self.line.input)

    def action_list(self) -> None:
        self.remove_class("-detail-open")
        self.set_focus(self.tool_tree)

    def action_back(self) -> None:
        if self.has_class("-detail-open") or self.detail.has_focus_within:
            self.action_list()
        elif self.has_class("-searching"):
            self.line.set_query("")
        elif self.workbench is None:
            self.banner.focus()
        self.refresh_bindings()

    def action_tab(self, by: int) -> None:
        self.detail.step_tab(by)

    def action_facet(self, by: int) -> None:
        self.facets.step(by)

    def action_copy_id(self) -> None:
        node = self.tool_tree.node
        if node is not None and node.row is not None:
            self.app.copy_to_clipboard(one_line(node.row.tool_id))
            self.notify(f"Copied {one_line(node.row.tool_id)}", timeout=2, markup=False)

    def action_reveal(self, space: str, tool_id: str) -> None:
        """Goes to a tool in the tree, wherever it is."""
        if self._librarian is not None:
            self._work("locate", self._librarian.locate, self._outline, space, tool_id)

    @on(messages.ToolLocated)
    def go_to_tool(self, event: messages.ToolLocated) -> None:
        if event.key is None:
            self.line.set_query(event.tool_id)
            return
        node = self._outline.find(event.key)
        if self.line.query_text:
            self._before = (node, 0)
            self.line.set_query("")
        else:
            self.tool_tree.show(self._outline, node)
