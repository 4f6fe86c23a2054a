"""The Library: the tree of tools, the search over it, and the detail of the selected one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, ParamSpec

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.getters import query_one
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from workbench.core.text import one_line
from workbench.errors import NotFoundError, WorkbenchError
from workbench.tui import amiss, messages
from workbench.tui.browsing import Survey, apply
from workbench.tui.librarian import Librarian
from workbench.tui.outline import PAGE, append_children
from workbench.tui.screens.library_keys import LIBRARY_KEYS
from workbench.tui.widgets.banner import Banner
from workbench.tui.widgets.facets import Facets
from workbench.tui.widgets.footer import Footer
from workbench.tui.widgets.header import Header
from workbench.tui.widgets.search_line import SearchLine
from workbench.tui.widgets.tool_detail import ToolDetail
from workbench.tui.widgets.tool_tree import ToolTree
from workbench.tui.widgets.tools_pane import TWO_PANES, ToolsPane

if TYPE_CHECKING:
    from workbench.workbench import Workbench

P = ParamSpec("P")

_LOOK_EVERY = 0.5
_LOOKING = "changes"
"""The errand that is not begun anew while it runs: it would never end under steady change."""
_BARE = (
    "{name} has no tools yet. Make one with `workbench new script ID`, or put a file in .ai/tools."
)


class LibraryScreen(Screen[None]):
    AUTO_FOCUS = "#tree"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 as Textual declares it
        (0, "-tiny"),
        (60, "-one-pane"),
        (TWO_PANES, "-two-panes"),
        (140, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 as Textual declares it
        (0, "-flat"),
        (15, "-short"),
        (38, "-tall"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = LIBRARY_KEYS

    tool_tree = query_one("#tree", ToolTree)
    detail = query_one("#detail", ToolDetail)
    tools = query_one("#tools", ToolsPane)
    header = query_one("#header", Header)
    line = query_one("#search", SearchLine)
    facets = query_one("#facets", Facets)
    banner = query_one("#banner", Banner)

    def __init__(self) -> None:
        super().__init__()
        self.workbench: Workbench | None = None
        self._librarian: Librarian | None = None
        self._is_synced = False
        self._had_tool = False

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        yield Banner(id="banner")
        with Horizontal(id="body"):
            yield ToolsPane(id="tools")
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
        self.header.project = workbench.project.name if workbench.project else ""
        self.tool_tree.focus()
        self._work("outline", self._librarian.open_outline)
        self.set_interval(_LOOK_EVERY, self._look)
        self.refresh_bindings()

    def show_failure(self, error: WorkbenchError) -> None:
        """The registry could not be opened: what happened, and the one thing to try."""
        self.tools.say("There is nothing to show: the registry is not open.")
        self.detail.say("The registry is not open.")
        self.banner.show(error, retry=True)

    @on(Banner.RetryAsked)
    def retry(self) -> None:
        from workbench.tui.app import WorkbenchApp

        self.banner.clear()
        self.tools.say("Opening the registry")
        if isinstance(self.app, WorkbenchApp):
            self.app.open()

    def _work(
        self, group: str, errand: Callable[P, Awaitable[None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Sends the librarian; a new errand of the same group takes the place of the old one."""
        self.run_worker(
            partial(errand, *args, **kwargs),
            group=group,
            exclusive=group != _LOOKING,
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
        self._advise(event.survey)
        if self.tool_tree.is_touched:
            self._look_again()
        else:
            self.tools.show_outline(event.outline, event.survey.total)

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

    @on(messages.AmissLoaded)
    def add_problems(self, event: messages.AmissLoaded) -> None:
        event.node.is_loading = False
        amiss.fill(event.node, event.files, more=PAGE if event.node.children else 0)
        self.tool_tree.update_lines()

    @on(messages.ChildrenFailed)
    def show_children_error(self, event: messages.ChildrenFailed) -> None:
        event.node.is_loading = False
        event.node.is_expanded = bool(event.node.children)
        self.tool_tree.update_lines()
        self.banner.show(event.error)

    @on(ToolTree.Highlighted)
    def show_details(self, event: ToolTree.Highlighted) -> None:
        if event.node.row is not None:
            self.detail.expect()
        self._load_details()
        if self._has_tool != self._had_tool:  # a footer costs as much as the rest of a key
            self._had_tool = self._has_tool
            self.refresh_bindings()

    def _load_details(self) -> None:
        """What is under the cursor, in the detail pane."""
        node = self.tool_tree.node
        if node is None:
            return
        if node.row is not None:
            if self._librarian is not None:
                place = (node.row.space, node.row.tool_id)
                self._work("details", self._librarian.load_details, *place)
            return
        self.workers.cancel_group(self, "details")
        if node.amiss is not None:
            self.detail.show_problems(node.amiss)
        else:
            self.detail.show_group(node)

    @on(ToolTree.Chosen)
    def open_detail(self) -> None:
        self.add_class("-detail-open")
        self.detail.focus_content()

    @on(messages.DetailsLoaded)
    def fill_detail(self, event: messages.DetailsLoaded) -> None:
        row = self.tool_tree.node.row if self.tool_tree.node else None
        if row is not None and f"{row.space}/{row.tool_id}" == event.details.reference:
            is_first = self.detail.details is None
            self.detail.show(event.details)
            if is_first:
                self.refresh_bindings()

    @on(messages.DiffWanted)
    def load_difference(self, event: messages.DiffWanted) -> None:
        details = self.detail.details
        if self._librarian is not None and details is not None:
            versions = (event.before, event.after)
            self._work("diff", self._librarian.compare, details.reference, *versions)

    @on(messages.DiffLoaded)
    def show_difference(self, event: messages.DiffLoaded) -> None:
        self.detail.show_difference(event.before, event.after, event.difference)

    @on(messages.TrustWanted)
    def load_trust(self, event: messages.TrustWanted) -> None:
        details = self.detail.details
        if self._librarian is not None and details is not None:
            place = (details.tool.space, details.tool.tool_id)
            self._work("trust", self._librarian.judge, *place, event.versions)

    @on(messages.TrustLoaded)
    def show_trust(self, event: messages.TrustLoaded) -> None:
        details = self.detail.details
        if details is not None and details.reference == f"{event.space}/{event.tool_id}":
            self.detail.show_trust(event.trust)

    # What changes under us

    def _look(self) -> None:
        if self._librarian is not None:
            self._work(_LOOKING, self._librarian.look_for_changes, self.tools.outline)

    def _look_again(self) -> None:
        if self._librarian is not None:
            self._librarian.forget()
            self._look()

    @on(messages.RegistrySurveyed)
    def take_changes(self, event: messages.RegistrySurveyed) -> None:
        self.banner.clear()
        if event.outline is not self.tools.outline:  # another took its place meanwhile
            self._look_again()
            return
        apply(event.survey, event.outline)
        self._advise(event.survey)
        self.tools.update_lines(event.survey.total)
        self._load_details()

    def _advise(self, survey: Survey) -> None:
        """What the header counts, and what to do in a project that has nothing yet."""
        self.header.tools = survey.total
        bare = survey.is_bare and self._is_synced and not survey.faulty
        self.tools.advise(_BARE.format(name=one_line(self.header.project or "")) if bare else "")

    @on(messages.FilesRead)
    def show_progress(self, event: messages.FilesRead) -> None:
        is_over = event.done >= event.total
        self.header.reading = "" if is_over else f"reading {event.done:,} of {event.total:,}"

    @on(messages.FilesSynced)
    def take_files(self, event: messages.FilesSynced) -> None:
        self.header.reading = ""
        self._is_synced = True
        if event.is_first and self._librarian is not None:
            self._work("outline", self._librarian.open_outline)
        self._look()

    @on(messages.FollowingFailed)
    def tell_of_files(self, event: messages.FollowingFailed) -> None:
        self.header.reading = ""
        text = f"Files are not followed any more; this is how they were. {event.error.message}"
        self.notify(one_line(text), severity="warning", timeout=12, markup=False)

    # Searching

    @on(ToolsPane.SearchWanted)
    def search(self, event: ToolsPane.SearchWanted) -> None:
        if self._librarian is not None:
            self._work("search", self._librarian.search, event.query, event.facet)

    @on(ToolsPane.SearchLeft)
    def end_search(self) -> None:
        self.workers.cancel_group(self, "search")
        self.refresh_bindings()

    @on(messages.SearchFinished)
    def show_found(self, event: messages.SearchFinished) -> None:
        self.tools.show_found(event.found)
        self.refresh_bindings()

    @on(ToolsPane.NothingFound)
    def show_nothing(self) -> None:
        self.detail.say("No match, so nothing is selected. Press esc to see all tools.")

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "facet":
            return self.is_mounted and self.tools.is_searching
        if action == "back":
            return self._can_go_back
        if action in ("sign", "since_signing", "copy_id"):
            return self._has_tool
        if action == "tab":
            return self.is_mounted and self.detail.details is not None
        if action == "search":
            return not (self.is_mounted and self.line.input.has_focus)
        return True

    @property
    def _can_go_back(self) -> bool:
        if not self.is_mounted:
            return False
        inside = self.detail.has_focus_within
        return inside or self.tools.is_searching or self.has_class("-detail-open")

    @property
    def _has_tool(self) -> bool:
        node = self.tool_tree.node if self.is_mounted else None
        return node is not None and node.row is not None

    def on_resize(self) -> None:
        self.tools.subtitle()

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
        elif self.tools.is_searching:
            self.line.set_query("")
        elif self.workbench is None:
            self.banner.focus()
        self.refresh_bindings()

    def action_tab(self, by: int) -> None:
        self.detail.step_tab(by)

    def action_sign(self) -> None:
        from workbench.tui.screens.signing import sign_with_owner

        row = self.tool_tree.node.row if self.tool_tree.node else None
        if row is not None and self.workbench is not None:
            place = (row.space, row.tool_id)
            self._work("signing", sign_with_owner, self.app, self.workbench, *place)

    def action_since_signing(self) -> None:
        """To what changed since the tool was signed, or in its last version."""
        if self.detail.details is not None:
            self.add_class("-detail-open")
            self.detail.show_newest_change()

    def action_facet(self, by: int) -> None:
        self.tools.facets.step(by)

    def action_copy_id(self) -> None:
        node = self.tool_tree.node
        if node is not None and node.row is not None:
            self.app.copy_to_clipboard(one_line(node.row.tool_id))
            self.notify(f"Copied {one_line(node.row.tool_id)}", timeout=2, markup=False)

    def action_reveal(self, space: str, tool_id: str) -> None:
        """Goes to a tool in the tree, wherever it is."""
        if self._librarian is not None:
            self.tool_tree.is_touched = True
            self._work("locate", self._librarian.locate, self.tools.outline, space, tool_id)

    @on(messages.ToolLocated)
    def go_to_tool(self, event: messages.ToolLocated) -> None:
        if event.key is None:
            self.line.set_query(event.tool_id)
        else:
            self.tools.go_to(event.key)
