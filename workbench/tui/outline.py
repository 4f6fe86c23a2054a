"""The tree as data: nodes that load their children late, and the lines they make when shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from workbench.core.problems import Severity
from workbench.core.tool import ToolRow

if TYPE_CHECKING:
    from workbench.tui.amiss import AmissFile

PAGE = 200


@dataclass(eq=False, slots=True)
class Node:
    """A tool, or a group: of tools without an executor, of those whose `executor` is gone, or of
    files with problems, which are nodes too. `children` is None until loaded."""

    key: tuple[str, ...]
    label: str
    tool_type: str
    row: ToolRow | None = None
    parent: Node | None = None
    children: list[Node] | None = None
    is_expanded: bool = False
    count: int = 0
    """What the right edge shows: descendants or children."""
    total: int = 0
    """How many direct children there are, loaded or not."""
    note: str = ""
    executor: str = ""
    """Of a group: the executor that all in it name and that is not there."""
    severity: Severity | None = None
    """Of the branch of problems and of the files in it: that of the worst."""
    amiss: AmissFile | None = None
    excerpt: str = ""
    is_hit: bool = False
    is_loading: bool = False

    @property
    def can_fold(self) -> bool:
        return self.total > 0

    @property
    def is_inner(self) -> bool:
        """Shown with a count instead of effect and version."""
        if self.amiss is not None:
            return False
        return self.row is None or self.total > 0 or self.tool_type == "primitive"

    @property
    def missing(self) -> int:
        return max(0, self.total - len(self.children or ()))


class Kind(Enum):
    NODE = "node"
    EXCERPT = "excerpt"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Line:
    """One row on the screen. `lasts` says for each level below the root whether the branch
    that the line lies on is the last of its siblings."""

    kind: Kind
    node: Node
    lasts: tuple[bool, ...]


@dataclass(eq=False, slots=True)
class Outline:
    roots: list[Node] = field(default_factory=list)
    words: tuple[str, ...] = ()
    """What was searched for, to be marked in the labels."""

    def lines(self) -> list[Line]:
        found: list[Line] = []
        for root in self.roots:
            _add_lines(root, (), found)
        return found

    def nodes(self) -> Iterator[Node]:
        """Every loaded node."""
        waiting = list(reversed(self.roots))
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children or ())

    def find(self, key: tuple[str, ...]) -> Node | None:
        """The loaded node with this key, in one step for each level."""
        nodes: Sequence[Node] = self.roots
        found = None
        for depth in range(1, len(key) + 1):
            found = next((node for node in nodes if node.key == key[:depth]), None)
            if found is None:
                return None
            nodes = found.children or ()
        return found


def tool_node(row: ToolRow, parent: Node | None = None) -> Node:
    """The node of one tool, not yet loaded."""
    key = (*(parent.key if parent else ()), f"{row.space}/{row.tool_id}")
    return Node(
        key=key,
        label=row.tool_id,
        tool_type=row.tool_type,
        row=row,
        parent=parent,
        count=row.children,
        total=0 if _repeats(row, parent) else row.children,
    )


def merge_children(node: Node, rows: Sequence[ToolRow]) -> None:
    """Gives `node` exactly these children; known ones keep what is loaded and folded out."""
    known = {child.key: child for child in node.children or ()}
    merged: list[Node] = []
    for row in rows:
        fresh = tool_node(row, node)
        old = known.get(fresh.key)
        if old is not None:
            old.row, old.tool_type = row, row.tool_type
            old.count, old.total = fresh.count, fresh.total
        merged.append(old or fresh)
    node.children = merged


def append_children(node: Node, rows: Sequence[ToolRow]) -> None:
    known = {child.key for child in node.children or ()}
    fresh = [tool_node(row, node) for row in rows]
    node.children = [*(node.children or ()), *(one for one in fresh if one.key not in known)]


def _repeats(row: ToolRow, parent: Node | None) -> bool:
    """Whether the tool is its own ancestor, as in a circular chain."""
    while parent is not None:
        if parent.row is not None and parent.row.tool_id == row.tool_id:
            return True
        parent = parent.parent
    return False


def _add_lines(node: Node, lasts: tuple[bool, ...], found: list[Line]) -> None:
    found.append(Line(Kind.NODE, node, lasts))
    children = node.children if node.is_expanded and node.children else []
    if node.excerpt:
        found.append(Line(Kind.EXCERPT, node, lasts))
    missing = node.missing if node.is_expanded and node.children is not None else 0
    for index, child in enumerate(children):
        is_last = index == len(children) - 1 and not missing
        _add_lines(child, (*lasts, is_last), found)
    if missing:
        found.append(Line(Kind.MORE, node, (*lasts, True)))
