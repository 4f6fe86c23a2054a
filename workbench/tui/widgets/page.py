"""A text that is laid out anew for every width it gets, as tall as it then is."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from workbench.tui.overview.lines import Lines


class Page(Widget):
    auto_links = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._built: tuple[int, Content] | None = None

    def lines(self, width: int) -> Lines:
        """The page for a width; no line may be wider."""
        raise NotImplementedError

    def rebuild(self) -> None:
        self._built = None
        self.refresh(layout=True)

    def render(self) -> Content:
        return self._at(self.content_size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._at(width).plain.count("\n") + 1

    def _at(self, width: int) -> Content:
        if self._built is None or self._built[0] != width:
            lines = self.lines(width) if width > 0 else []
            self._built = (width, Content("\n").join(lines))
        return self._built[1]
