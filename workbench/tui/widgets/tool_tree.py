"""The tree of tools by executor chain. It draws an `Outline` and asks for what is not loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from workbench.tui.outline import Kind, Line, Node, Outline
from workbench.tui.vocabulary import marks
from workbench.tui.widgets.tree_rows import fold_cell, line_content


class ToolTree(ScrollView, can_focus=True):
    """Lines are drawn when they come into view; a key press costs two lines."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"tool-tree--cursor", "tool-tree--bar"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", show=False, id="tree.down", tooltip="Next line"),
        Binding("up,k", "move(-1)", "Up", show=False, id="tree.up", tooltip="Line before"),
        Binding(
            "right,l",
            "unfold",
            "Fold out",
            show=False,
            id="tree.unfold",
            tooltip="Fold out, or go to the first below",
        ),
        Binding(
            "left,h",
            "fold",
            "Fold in",
            show=False,
            id="tree.fold",
            tooltip="Fold in, or go to the one above in the chain",
        ),
        Binding("enter", "choose", "open", id="tree.open", tooltip="Go to the detail of the tool"),
        Binding("space", "toggle_fold", "fold", id="tree.toggle", tooltip="Fold in or out"),
        Binding("g", "top", "Top", show=False, id="tree.top", tooltip="First line (press gg)"),
        Binding("home", "move(-1000000)", "Top", show=False, id="tree.home", tooltip="First line"),
        Binding("G,end", "move(1000000)", "End", show=False, id="tree.end", tooltip="Last line"),
        Binding(
            "ctrl+d,pagedown",
            "page(1)",
            "Half page down",
            show=False,
            id="tree.page-down",
            tooltip="Half a page down",
        ),
        Binding(
            "ctrl+u,pageup",
            "page(-1)",
            "Half page up",
            show=False,
            id="tree.page-up",
            tooltip="Half a page up",
        ),
    ]

    cursor: var[int] = var(-1)
    hovered: var[int] = var(-1)

    @dataclass
    class Highlighted(Message):
        """The cursor is on another node."""

        tree: ToolTree
        node: Node

        @property
        def control(self) -> ToolTree:
            return self.tree

    @dataclass
    class Chosen(Highlighted):
        """Enter or a click on a node."""

    @dataclass
    class ChildrenWanted(Highlighted):
        """The node was folded out and has nothing loaded, or more than is loaded is wanted."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._outline = Outline()
        self._lines: list[Line] = []
        self._told: tuple[str, ...] = ()
        self._waits_for_g = False
        self.is_touched = False
        """Somebody has folded something, or gone somewhere: the outline is theirs now."""

    # What is shown

    @property
    def outline(self) -> Outline:
        return self._outline

    @property
    def node(self) -> Node | None:
        """The node under the cursor."""
        return self._lines[self.cursor].node if 0 <= self.cursor < len(self._lines) else None

    @property
    def text(self) -> str:
        """All lines as they read, for people who look for one."""
        return "\n".join(self._content(index).plain.rstrip() for index in range(len(self._lines)))

    def show(self, outline: Outline, cursor: Node | None = None, top: int | None = None) -> None:
        """Another outline, with the cursor on a node of it and `top` as the first line."""
        self._outline = outline
        self._lines = outline.lines()
        if not self._lines:
            self._told = ()
        self._resize_canvas()
        self._place(cursor.key if cursor else (), keep_row=None)
        if top is not None:
            self.scroll_to(y=top, animate=False, immediate=True)
        else:
            self._reveal()

    def update_lines(self) -> None:
        """The outline has changed; the cursor and what is around it stay where they are."""
        key = self.node.key if self.node else ()
        kind = self._lines[self.cursor].kind if self.node else Kind.NODE
        keep_row = self.cursor - self.scroll_offset.y
        index = self.cursor
        self._lines = self._outline.lines()
        self._resize_canvas()
        if kind is Kind.MORE:  # what was loaded begins where “more” stood
            self._move_to(min(index, len(self._lines) - 1))
        else:
            self._place(key, keep_row=keep_row, fallback=index)

    def _resize_canvas(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._lines))
        self.refresh()

    def _place(
        self,
        key: tuple[str, ...],
        keep_row: int | None,
        fallback: int = 0,
    ) -> None:
        """The cursor on the line with this key, or on the nearest ancestor that is shown."""
        places = {(line.node.key, line.kind): index for index, line in enumerate(self._lines)}
        found = places.get((key, Kind.NODE))
        while found is None and key:
            found, key = places.get((key, Kind.NODE)), key[:-1]
        if found is None:
            found = min(fallback, len(self._lines) - 1)
        self._move_to(found, reveal=False)
        if keep_row is not None:
            self.scroll_to(y=max(0, found - keep_row), animate=False, immediate=True)

    # Drawing

    def _content(self, index: int) -> Content:
        width = max(1, self.scrollable_content_region.width - 1)
        return line_content(
            self._lines[index], self._outline.words, width, is_cursor=index == self.cursor
        )

    def render_line(self, y: int) -> Strip:
        index = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        style = self.visual_style
        if index >= len(self._lines):
            return Strip.blank(width, style.rich_style)
        is_cursor = index == self.cursor
        if is_cursor or index == self.hovered:
            style = self.get_visual_style("tool-tree--cursor")
        bar = marks().bar if is_cursor else " "
        bar_style = self.get_visual_style("tool-tree--bar") if is_cursor else style
        [strip, *_] = Visual.to_strips(
            self, self._content(index), width - 1, 1, style, apply_selection=False, pad=True
        )
        return Strip([Segment(bar, bar_style.rich_style), *strip], width)

    def on_resize(self) -> None:
        self._resize_canvas()
        self._reveal()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    def watch_cursor(self, before: int, after: int) -> None:
        self._refresh_line(before)
        self._refresh_line(after)

    def watch_hovered(self, before: int, after: int) -> None:
        self._refresh_line(before)
        self._refresh_line(after)

    def _refresh_line(self, index: int) -> None:
        y = index - self.scroll_offset.y
        if 0 <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    # Moving

    def _move_to(self, index: int, *, reveal: bool = True) -> None:
        self.cursor = index
        node = self.node
        if reveal:
            self._reveal()
        if node is not None and node.key != self._told:
            self._told = node.key
            self.post_message(self.Highlighted(self, node))

    def _reveal(self) -> None:
        """Scrolls so that the cursor is in view, its excerpt too."""
        if self.cursor < 0:
            return
        height = 1
        if self.cursor + 1 < len(self._lines):
            height += self._lines[self.cursor + 1].kind is Kind.EXCERPT
        region = Region(0, self.cursor, 1, height)
        self.scroll_to_region(region, animate=False, immediate=True, force=True)

    def action_move(self, by: int) -> None:
        if not self._lines:
            return
        last = len(self._lines) - 1
        index = min(max(self.cursor + by, 0), last)
        step = 1 if by > 0 else -1
        while 0 < index < last and self._lines[index].kind is Kind.EXCERPT:
            index += step
        if self._lines[index].kind is Kind.EXCERPT:
            index -= 1
        self._move_to(index)

    def action_page(self, direction: int) -> None:
        self.action_move(direction * max(1, self.size.height // 2))

    def action_top(self) -> None:
        """The first g waits for the second."""
        if self._waits_for_g:
            self._waits_for_g = False
            self.action_move(-1_000_000)
        else:
            self._waits_for_g = True

    def on_key(self, event: events.Key) -> None:
        if event.key != "g":
            self._waits_for_g = False

    # Folding

    def action_toggle_fold(self) -> None:
        line = self._line
        if line is None:
            return
        if line.kind is Kind.MORE:
            self._want(line.node)
        elif line.node.can_fold:
            self._fold(line.node, expanded=not line.node.is_expanded)

    def action_unfold(self) -> None:
        line = self._line
        if line is None:
            return
        if line.kind is Kind.MORE:
            self._want(line.node)
        elif line.node.can_fold and not line.node.is_expanded:
            self._fold(line.node, expanded=True)
        elif line.node.can_fold and line.node.children:
            self.action_move(1)

    def action_fold(self) -> None:
        line = self._line
        if line is None:
            return
        if line.kind is Kind.NODE and line.node.can_fold and line.node.is_expanded:
            self._fold(line.node, expanded=False)
            return
        parent = line.node if line.kind is Kind.MORE else line.node.parent
        if parent is not None:
            self._place(parent.key, keep_row=None)
            self._reveal()

    def action_choose(self) -> None:
        line = self._line
        if line is None:
            return
        if line.kind is Kind.MORE:
            self._want(line.node)
        elif line.node.row is None and line.node.amiss is None:
            self.action_toggle_fold()
        else:
            self.post_message(self.Chosen(self, line.node))

    def fold_all(self, *, expanded: bool) -> None:
        """Folds every loaded branch in or out; the roots stay open."""
        for node in self._outline.nodes():
            if node.children and (expanded or node.parent is not None):
                node.is_expanded = expanded
        self.update_lines()
        self._reveal()

    @property
    def _line(self) -> Line | None:
        return self._lines[self.cursor] if 0 <= self.cursor < len(self._lines) else None

    def _fold(self, node: Node, *, expanded: bool) -> None:
        self.is_touched = True
        node.is_expanded = expanded
        if expanded and node.children is None:
            self._want(node)
        self.update_lines()

    def _want(self, node: Node) -> None:
        if not node.is_loading:
            node.is_loading = True
            self.update_lines()
            self.post_message(self.ChildrenWanted(self, node))

    # The mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        index = event.y + self.scroll_offset.y
        self.hovered = index if index < len(self._lines) else -1

    def on_leave(self) -> None:
        self.hovered = -1

    def on_click(self, event: events.Click) -> None:
        index = event.y + self.scroll_offset.y
        if index >= len(self._lines):
            return
        line = self._lines[index]
        if line.kind is Kind.EXCERPT:
            index -= 1
        self._move_to(index)
        place = fold_cell(line)
        if line.kind is Kind.MORE or (place is not None and place <= event.x <= place + 1):
            self.action_toggle_fold()
        elif event.chain == 2:
            self.action_choose()
