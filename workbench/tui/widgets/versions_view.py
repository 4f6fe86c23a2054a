"""The Versions tab: the history, newest first, and what the selected version changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.core.tool import VersionRow
from workbench.tui.messages import DiffWanted
from workbench.tui.overview.lines import Lines, cut, heading, padded, safe
from workbench.tui.vocabulary import marks
from workbench.tui.widgets.page import Page

if TYPE_CHECKING:
    from workbench.core.diff import Difference

_MOST_LINES = 2_000
_HASH = 8


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
        self._versions: Sequence[VersionRow] = ()

    def compose(self) -> ComposeResult:
        yield OptionList(id="version-list", compact=True, markup=False)
        with VerticalScroll(id="version-scroll"):
            yield DifferencePage(id="version-diff")

    def show(self, versions: Sequence[VersionRow]) -> None:
        self._versions = versions
        chooser = self.query_one(OptionList)
        chooser.clear_options()
        chooser.add_options([Option(_entry(row)) for row in versions])
        if versions:
            chooser.highlighted = 0

    def show_difference(self, before: str, after: str, difference: Difference) -> None:
        self._page(partial(difference_lines, before, after, difference))

    @on(OptionList.OptionHighlighted)
    def ask_for_difference(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        index = event.option_index
        if index + 1 < len(self._versions):
            versions = self._versions
            self.post_message(DiffWanted(versions[index + 1].version, versions[index].version))
        else:
            first = "The first version: there is none before it."
            self._page(lambda width: [cut(Content.styled(first, "$muted"), width)])

    def _page(self, build: Callable[[int], Lines]) -> None:
        self.query_one(DifferencePage).show(build)
        self.query_one("#version-scroll").scroll_home(animate=False)


def _entry(row: VersionRow) -> Content:
    mark = Content.styled(f"{marks().signed if row.is_latest else ' '} ", "$primary")
    version = padded(safe(row.version, "bold" if row.is_latest else ""), 16)
    date = safe(row.created_at[:10], "$muted")
    digest = safe(row.content_hash[:_HASH], "$faint")
    changelog = safe(" ".join(row.changelog.split()) or marks().dot, "$muted")
    return mark + version + date + Content("  ") + digest + Content("  ") + changelog


def difference_lines(before: str, after: str, difference: Difference, width: int) -> Lines:
    """A unified diff with its signs, manifest first, then each file."""
    title = f"{before} {marks().arrow} {after}"
    lines: Lines = [heading("CHANGES", width, safe(title, "$muted"))]
    if difference.is_empty:
        return [*lines, Content.styled("Nothing differs.", "$muted")]
    lines += [_diff_line(line, width) for line in difference.text[2:]]
    if not difference.text and difference.fields and not difference.files:
        lines += [safe(f"{one.kind}  {one.path}", "$muted") for one in difference.fields]
    for change in difference.files:
        lines += [Content(""), safe(f"{change.path}  {change.kind}", "bold")]
        if not change.lines:
            lines.append(Content.styled("binary: not shown", "$muted"))
        lines += [_diff_line(line, width) for line in change.lines[2:]]
    if len(lines) > _MOST_LINES:
        rest = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], Content.styled(f"{rest:,} more lines", "$faint")]
    return lines


def _diff_line(line: str, width: int) -> Content:
    if line.startswith("@@"):
        return cut(safe(line, "$primary"), width)
    if line.startswith("+"):
        return padded(safe(line), width).stylize_before("on $diff-added-background")
    if line.startswith("-"):
        shown = marks().minus + line[1:]
        return padded(safe(shown), width).stylize_before("on $diff-removed-background")
    return cut(safe(line, "$muted"), width)
