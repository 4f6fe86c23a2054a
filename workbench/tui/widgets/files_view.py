"""The Files tab: where a tool lies, the list of its files, and the one that is selected."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from workbench.core.tool import ToolFile
from workbench.tui.overview.lines import safe
from workbench.tui.vocabulary import marks
from workbench.tui.widgets.source_view import MAX_CHARACTERS, SourceView

_STEP = 1024


class FilesView(Vertical):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._files: Sequence[ToolFile] = ()
        self._keep = False

    def compose(self) -> ComposeResult:
        yield Static("", id="file-place", markup=False)
        yield OptionList(id="file-list", compact=True, markup=False)
        yield Static("", id="file-note", markup=False)
        yield SourceView(id="file-source")

    def show(self, files: Sequence[ToolFile], place: str, *, keep: bool = False) -> None:
        """With `keep` these are the files of the same tool, and the chosen one stays chosen."""
        chooser = self.query_one(OptionList)
        before = self._chosen(chooser.highlighted) if keep else None
        self._files = files
        self.query_one("#file-place", Static).update(_place(place))
        chooser.clear_options()
        widest = max((len(file.path) for file in files), default=0)
        chooser.add_options([Option(_entry(file, min(widest, 60))) for file in files])
        chooser.display = bool(files)
        if not files:
            self._say("It has no files: all of it is in the manifest.")
            return
        first = next((i for i, file in enumerate(files) if file.is_entrypoint), 0)
        paths = [file.path for file in files]
        chooser.highlighted = paths.index(before) if before in paths else first
        self._keep = before in paths

    def _chosen(self, index: int | None) -> str | None:
        return self._files[index].path if index is not None and index < len(self._files) else None

    @on(OptionList.OptionHighlighted)
    def show_file(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index < len(self._files):
            self._show_one(self._files[event.option_index])

    @on(OptionList.OptionSelected)
    def enter_file(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        source = self.query_one(SourceView)
        if source.display:
            source.focus()

    def _show_one(self, file: ToolFile) -> None:
        text = file.text
        if text is None:
            self._say(f"Binary, {size_text(len(file.data))}: not shown.")
            return
        source = self.query_one(SourceView)
        whole = source.show(text, file.path, keep=self._keep)
        self._keep = False
        source.display = True
        note = "" if whole else f"The first {MAX_CHARACTERS:,} characters of {len(text):,}."
        self._note(note)

    def _say(self, text: str) -> None:
        self.query_one(SourceView).display = False
        self._note(text)

    def _note(self, text: str) -> None:
        note = self.query_one("#file-note", Static)
        note.update(text)
        note.display = bool(text)


def _place(place: str) -> Content:
    if not place:
        return Content.styled("Only in the registry: no file tree holds it.", "$muted")
    return Content.styled("in ", "$muted") + safe(place, "$value-string")


def _entry(file: ToolFile, width: int) -> Content:
    mark = f"{marks().folded} " if file.is_entrypoint else "  "
    role = Content.styled("  entrypoint" if file.is_entrypoint else "", "$muted")
    size = Content.styled(f"{size_text(len(file.data)):>9}", "$muted")
    path = safe(file.path)
    gap = Content(" " * max(1, width - path.cell_length + 1))
    return Content.styled(mark, "$primary") + path + gap + size + role


def size_text(size: int) -> str:
    if size < _STEP:
        return f"{size} B"
    if size < _STEP * _STEP:
        return f"{size / _STEP:.1f} kB"
    return f"{size / _STEP / _STEP:.1f} MB"
