"""What the palette offers: what the Library can do, and every tool by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.command import Hit, Hits, Provider
from textual.content import Content
from textual.markup import escape

from workbench.core.text import one_line
from workbench.errors import WorkbenchError
from workbench.tui.searching import query_words
from workbench.tui.vocabulary import marks, type_mark, type_tint, type_word
from workbench.tui.widgets.tree_rows import highlighted

if TYPE_CHECKING:
    from workbench.tui.app import WorkbenchApp
    from workbench.tui.screens.library import LibraryScreen

_MOST = 12
_HELP = 76
_BEST = 0.9
"""Below a command whose title fits exactly, above one that fits by chance."""


def library_commands(library: LibraryScreen) -> Iterator[SystemCommand]:
    fold = library.tool_tree.fold_all
    rows: list[tuple[str, str, Callable[[], None]]] = [
        ("Search tools", "Type words; the tree shows what fits", library.action_search),
        ("Sign", "Sign the selected tool, after a look at it", library.action_sign),
        ("Changes", "What changed since it was signed", library.action_since_signing),
        ("Copy id", "Copy the id of the selected tool", library.action_copy_id),
        ("Next tab", "Overview, Manifest, Files, Versions", partial(library.action_tab, 1)),
        ("Previous tab", "The same, backwards", partial(library.action_tab, -1)),
        ("Expand all", "Fold out every branch that is loaded", partial(fold, expanded=True)),
        ("Collapse all", "Fold in to the executors", partial(fold, expanded=False)),
    ]
    for title, about, action in rows:
        yield SystemCommand(title, about, action)


class ToolCommands(Provider):
    """Go to a tool."""

    async def search(self, query: str) -> Hits:
        from workbench.tui.app import WorkbenchApp

        app = self.app
        if not isinstance(app, WorkbenchApp) or app.workbench is None:
            return
        try:
            page = await app.workbench.search(query, limit=_MOST)
        except WorkbenchError:
            return
        words = query_words(query)
        for place, hit in enumerate(page.hits):
            row = hit.row
            label = Content.assemble(
                (f"{type_mark(row.tool_type)} ", type_tint(row.tool_type)),
                highlighted(one_line(row.tool_id), words, ""),
                (f"  {type_word(row.tool_type)}", "$muted"),
            )
            yield Hit(
                _BEST - place / 100,
                label,
                partial(_reveal, app, row.space, row.tool_id),
                text=row.tool_id,
                help=_plain(row.description),
            )


def _reveal(app: WorkbenchApp, space: str, tool_id: str) -> None:
    app.library.action_reveal(space, tool_id)


def _plain(text: str) -> str:
    """One line that the palette will not take for markup."""
    line = " ".join(one_line(text).split())
    return escape(line if len(line) <= _HELP else f"{line[: _HELP - 1]}{marks().more}")
