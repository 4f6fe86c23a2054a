"""The four tabs of a tool, each filled when it is looked at."""

from __future__ import annotations

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import TabbedContent, TabPane, Tabs

from workbench.core.diff import Difference
from workbench.core.tool import ToolVersion, Trust
from workbench.tui.details import Details
from workbench.tui.widgets.files_view import FilesView
from workbench.tui.widgets.overview_page import OverviewPage
from workbench.tui.widgets.source_view import SourceView
from workbench.tui.widgets.versions_view import VersionsView

_CONTENT = {
    "overview": "#overview-scroll",
    "manifest": "#manifest-source",
    "files": "#file-list",
    "versions": "#version-list",
}
"""The tabs in their order, and what in each takes the focus."""


class DetailTabs(Vertical):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._details: Details | None = None
        self._filled: set[str] = set()
        self._kept: set[str] = set()
        """Tabs that have shown this very tool before."""

    def compose(self) -> ComposeResult:
        with TabbedContent(id="detail-tabs"):
            with TabPane("Overview", id="overview"), VerticalScroll(id="overview-scroll"):
                yield OverviewPage(id="overview-page")
            with TabPane("Manifest", id="manifest"):
                yield SourceView(id="manifest-source")
            with TabPane("Files", id="files"):
                yield FilesView(id="files-view")
            with TabPane("Versions", id="versions"):
                yield VersionsView(id="versions-view")

    def on_mount(self) -> None:
        self.query_one(Tabs).can_focus = False

    def show(self, details: Details) -> None:
        """Another tool, or the same one as it is now, which stays scrolled where it is."""
        before = self._details.reference if self._details else None
        tool = details.tool
        is_same = before == details.reference
        self._kept = self._kept | self._filled if is_same else set()
        self._details = details
        self._filled.clear()
        self._label("files", "Files", len(tool.files))
        self._label("versions", "Versions", len(details.versions))
        self._fill(self.active)
        if not is_same:
            self.query_one("#overview-scroll").scroll_home(animate=False)

    def show_difference(self, before: str, after: str, difference: Difference) -> None:
        self.query_one(VersionsView).show_difference(before, after, difference)

    def show_trust(self, trust: Mapping[str, Trust]) -> None:
        self.query_one(VersionsView).show_trust(trust)

    def show_newest_change(self) -> None:
        """To the Versions tab, with what changed last."""
        self.query_one(TabbedContent).active = "versions"
        self._fill("versions")
        self.query_one(VersionsView).choose_first()

    @property
    def active(self) -> str:
        return self.query_one(TabbedContent).active or "overview"

    def step(self, by: int) -> None:
        tabs = list(_CONTENT)
        following = tabs[(tabs.index(self.active) + by) % len(tabs)]
        self.query_one(TabbedContent).active = following

    def focus_content(self) -> None:
        """Focus on what can be scrolled or chosen in the active tab."""
        self.screen.set_focus(self.query_one(_CONTENT[self.active]))

    @on(TabbedContent.TabActivated)
    def fill_tab(self, event: TabbedContent.TabActivated) -> None:
        event.stop()
        had_focus = self.has_focus_within
        self._fill(self.active)
        if had_focus:
            self.focus_content()

    def _fill(self, tab: str) -> None:
        details = self._details
        if details is None or tab in self._filled:
            return
        self._filled.add(tab)
        keep = tab in self._kept
        if tab == "overview":
            self.query_one(OverviewPage).show(details)
        elif tab == "manifest":
            text, name = manifest_text(details.tool)
            self.query_one("#manifest-source", SourceView).show(text, name, keep=keep)
        elif tab == "files":
            self.query_one(FilesView).show(details.tool.files, details.place, keep=keep)
        else:
            self.query_one(VersionsView).show(details, keep=keep)

    def _label(self, tab: str, word: str, count: int) -> None:
        label = Content.assemble(word, (f" {count}", "$faint"))
        self.query_one(TabbedContent).get_tab(tab).label = label


def manifest_text(tool: ToolVersion) -> tuple[str, str]:
    """The manifest as written, and a file name that tells its language."""
    if tool.text is not None:
        return tool.text, "tool.yaml"
    for file in tool.files:
        if file.path == tool.manifest_file and file.text is not None:
            return file.text, file.path
    import yaml  # only tools without a text of their own pay for it

    return yaml.safe_dump(dict(tool.manifest), sort_keys=False, allow_unicode=True), "tool.yaml"
