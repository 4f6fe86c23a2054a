"""The Versions tab: the history, newest first, and what the selected version changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.core.tool import Trust, VersionRow
from workbench.tui.details import Details
from workbench.tui.messages import DiffWanted, TrustWanted
from workbench.tui.overview.lines import Lines, cut, heading, padded, safe
from workbench.tui.trust import is_local, short_version, trust_glyph
from workbench.tui.vocabulary import marks
from workbench.tui.widgets.page import Page

if TYPE_CHECKING:
    from workbench.core.diff import Difference

_LONGEST_ROWS = 40
"""Rows that one changed line may take."""
_MOST_LINES = 2_000
_HASH = 8
_JUDGED = 30
"""So many of the newest versions are asked whether they are signed."""


class DifferencePage(Page):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._build: Callable[[int], Lines] = lambda _: []

    def show(self, build: Callable[[int], Lines]) -> None:
        self._build = build
        self.rebuild()

    def lines(self, width: int) -> Lines:
        return self._build(width)


class VersionsView(Vertical):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._details: Details | None = None
        self._since = False
        """Whether the first entry is what changed since signing."""
        self._trust: dict[str, Trust] = {}

    def compose(self) -> ComposeResult:
        yield OptionList(id="version-list", compact=True, markup=False)
        with VerticalScroll(id="version-scroll"):
            yield DifferencePage(id="version-diff")

    def show(self, details: Details, *, keep: bool = False) -> None:
        """With `keep` it is the same tool again, and the chosen version stays chosen."""
        chooser = self.query_one(OptionList)
        before = self._chosen(chooser.highlighted) if keep else None
        self._details = details
        self._since = details.since is not None
        self._trust = {details.tool.version: details.tool.trust}
        chooser.clear_options()
        chooser.add_options([Option(self._entry(index)) for index in range(self._count)])
        entries = [self._chosen(index) for index in range(self._count)]
        if entries:
            chooser.highlighted = entries.index(before) if before in entries else 0
        others = [row.version for row in details.versions[:_JUDGED]]
        self.post_message(TrustWanted(others))

    def show_trust(self, trust: Mapping[str, Trust]) -> None:
        self._trust |= trust
        chooser = self.query_one(OptionList)
        for index in range(chooser.option_count):
            chooser.replace_option_prompt_at_index(index, self._entry(index))

    def show_difference(self, before: str, after: str, difference: Difference) -> None:
        title = f"{short_version(before)} {marks().arrow} {short_version(after)}"
        self._page(partial(difference_lines, title, difference))

    def choose_first(self) -> None:
        if self._count:
            self.query_one(OptionList).highlighted = 0

    @property
    def _versions(self) -> Sequence[VersionRow]:
        return self._details.versions if self._details else ()

    @property
    def _count(self) -> int:
        return len(self._versions) + self._since

    def _chosen(self, index: int | None) -> str | None:
        """The version at a place of the list; "" for what changed since signing."""
        if index is None or not 0 <= index < self._count:
            return None
        return "" if self._since and index == 0 else self._versions[index - self._since].version

    def _entry(self, index: int) -> Content:
        if self._since and index == 0:
            mark = trust_glyph(Trust.ALTERED)
            return mark + Content.styled(" since signing", "bold $warning")
        assert self._details is not None  # noqa: S101 there are versions
        row = self._versions[index - self._since]
        is_current = row.version == self._details.tool.version
        role = ("on disk" if self._details.place else "current") if is_current else ""
        return entry(row, self._trust.get(row.version), role)

    @on(OptionList.OptionHighlighted)
    def ask_for_difference(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        details = self._details
        if details is None:
            return
        index = event.option_index - self._since
        if index < 0:
            if details.since is not None:
                self._page(partial(difference_lines, "since signing", details.since))
        elif index + 1 < len(self._versions):
            versions = self._versions
            self.post_message(DiffWanted(versions[index + 1].version, versions[index].version))
        else:
            first = "The first version: there is none before it."
            self._page(lambda width: [cut(Content.styled(first, "$muted"), width)])

    def _page(self, build: Callable[[int], Lines]) -> None:
        self.query_one(DifferencePage).show(build)
        self.query_one("#version-scroll").scroll_home(animate=False)


def entry(row: VersionRow, trust: Trust | None, role: str) -> Content:
    """A version on one line: trust, number, what it is now, when, content, what it says."""
    mark = trust_glyph(trust) if trust is not None else Content(" ")
    version = padded(safe(short_version(row.version), "bold" if role else ""), 16)
    now = padded(safe(role, "$primary"), 9)
    date = safe(row.created_at[:10], "$muted")
    digest = safe(row.content_hash[:_HASH], "$faint")
    said = " ".join(row.changelog.split())
    if is_local(row.version):
        said = "its file, under a number that was taken"
    return Content("  ").join([mark + " " + version + now + date, digest, safe(said, "$muted")])


def difference_lines(title: str, difference: Difference, width: int) -> Lines:
    """A unified diff with its signs, manifest first, then each file."""
    lines: Lines = [heading("CHANGES", width, safe(title, "$muted"))]
    if difference.is_empty:
        return [*lines, Content.styled("Nothing differs.", "$muted")]
    lines += [part for line in difference.text[2:] for part in _diff_line(line, width)]
    if not difference.text and difference.fields and not difference.files:
        lines += [safe(f"{one.kind}  {one.path}", "$muted") for one in difference.fields]
    for change in difference.files:
        lines += [Content(""), safe(f"{change.path}  {change.kind}", "bold")]
        if not change.lines:
            lines.append(Content.styled("binary: not shown", "$muted"))
        lines += [part for line in change.lines[2:] for part in _diff_line(line, width)]
    if len(lines) > _MOST_LINES:
        rest = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], Content.styled(f"{rest:,} more lines", "$faint")]
    return lines


def _diff_line(line: str, width: int) -> Lines:
    """A line of a diff; one that changed is shown to its end, whatever room that takes."""
    if line.startswith("@@"):
        return [cut(safe(line, "$primary"), width)]
    if not line.startswith(("+", "-")):
        return [cut(safe(line, "$muted"), width)]
    is_added = line.startswith("+")
    text = line if is_added else marks().minus + line[1:]
    whole = cut(safe(text), width * _LONGEST_ROWS)
    ground = "on $diff-added-background" if is_added else "on $diff-removed-background"
    rows = whole.wrap(max(1, width)) or [whole]
    return [padded(row, width).stylize_before(ground) for row in rows]
