"""From a search to a tree: the hits, each below its chain, and what in them matched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.text import one_line
from workbench.core.tool import Hit, ToolRow, ToolVersion
from workbench.errors import WorkbenchError
from workbench.tui.browsing import GROUPS, group_node, root_order
from workbench.tui.outline import Node, Outline, tool_node
from workbench.tui.vocabulary import marks, quoted

if TYPE_CHECKING:
    from workbench.store.search import SearchPage
    from workbench.workbench import Workbench

MOST = 200
"""How many hits are shown; the best."""

_MAX_DEPTH = 16
_EXCERPT = 46
_SPLIT = re.compile(r"[^\w.-]+")
_PARTS = re.compile(r"[_.-]+")
_EXECUTORS = ("runtime", "mcp_server")


@dataclass(frozen=True, slots=True)
class Found:
    """A search and its answer. `by_type` counts all types, whichever of them is shown."""

    query: str
    facet: str
    total: int
    capped: bool
    by_type: dict[str, int]
    outline: Outline
    best: Node | None


async def find(workbench: Workbench, query: str, facet: str) -> Found:
    types = [facet] if facet else []
    page = await workbench.search(query, tool_types=types, limit=MOST)
    whole = await workbench.search(query, limit=1) if facet else page
    outline, best = await _grouped(workbench, page, query)
    return Found(query, facet, page.total, page.capped, whole.by_type, outline, best)


def query_words(query: str) -> tuple[str, ...]:
    """What to mark in results: words and their parts, the longest first."""
    whole = [word for word in _SPLIT.split(query.lower()) if word]
    parts = [part for word in whole for part in _PARTS.split(word) if part]
    words = sorted({*whole, *parts}, key=lambda word: (-len(word), word))
    return tuple(word for word in words if len(word) > 1) or tuple(words[:1])


def spans(text: str, words: tuple[str, ...]) -> list[tuple[int, int]]:
    """Where in `text` one of the words is."""
    if not words:
        return []
    pattern = "|".join(re.escape(word) for word in words)
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def excerpt(row: ToolRow, words: tuple[str, ...]) -> str:
    """A piece of the description around the match, where the id does not show one."""
    if spans(row.tool_id, words):
        return ""
    text = " ".join(one_line(row.description).split())
    places = spans(text, words)
    if not places:
        return ""
    start = max(0, places[0][0] - 10)
    if start:
        start = text.find(" ", start, places[0][0]) + 1 or start
    end = min(len(text), start + _EXCERPT)
    if end < len(text):
        end = max(text.rfind(" ", start, end), places[0][1])
    more = marks().more
    return quoted(f"{more if start else ''}{text[start:end]}{more if end < len(text) else ''}")


async def _grouped(
    workbench: Workbench, page: SearchPage, query: str
) -> tuple[Outline, Node | None]:
    words = query_words(query)
    grouping = _Grouping(workbench)
    best: Node | None = None
    for hit in page.hits:
        node = await grouping.place(hit)
        node.is_hit = True
        node.excerpt = excerpt(hit.row, words)
        best = best or node
    return Outline(grouping.finished(), words), best


class _Grouping:
    """Nodes of one search, made from the root down, each tool once."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._nodes: dict[tuple[str, ...], Node] = {}
        self._executors: dict[tuple[str, str], ToolRow | None] = {}

    async def place(self, hit: Hit) -> Node:
        parent: Node | None = None
        chain = await self._chain(hit.row)
        top = chain[0]
        if top.tool_type in GROUPS:
            parent = self._keep(group_node(top.tool_type))
        elif top.tool_type != "primitive":
            parent = self._keep(Node(("broken",), "broken chains", "broken"))
        for row in chain:
            parent = self._keep(tool_node(row, parent))
        assert parent is not None  # noqa: S101 a chain has at least the hit
        return parent

    def finished(self) -> list[Node]:
        roots = [node for node in self._nodes.values() if node.parent is None]
        for root in roots:
            _count(root)
        return sorted(roots, key=root_order)

    def _keep(self, node: Node) -> Node:
        if node.key in self._nodes:
            return self._nodes[node.key]
        self._nodes[node.key] = node
        node.children, node.is_expanded = [], True
        if node.parent is not None:
            assert node.parent.children is not None  # noqa: S101 set above when it was kept
            node.parent.children.append(node)
        return node

    async def _chain(self, row: ToolRow) -> list[ToolRow]:
        """From the primitive, or as far down as the chain goes, to `row`."""
        chain = [row]
        while chain[0].executor is not None and len(chain) <= _MAX_DEPTH:
            executor = await self._executor(chain[0])
            if executor is None or any(executor.tool_id == one.tool_id for one in chain):
                break
            chain.insert(0, executor)
        return chain

    async def _executor(self, row: ToolRow) -> ToolRow | None:
        """The tool that carries this one, as its own space sees it."""
        key = (row.space, str(row.executor))
        if key not in self._executors:
            try:
                tool = await self._workbench.get(f"{row.space}/{row.tool_id}")
                carrier = (await self._workbench.chain(tool)).executor
            except WorkbenchError:
                carrier = None
            self._executors[key] = row_of(carrier) if isinstance(carrier, ToolVersion) else None
        return self._executors[key]


def row_of(tool: ToolVersion) -> ToolRow:
    """A whole tool as lists show it."""
    manifest = tool.manifest
    return ToolRow(
        space=tool.space,
        tool_id=tool.tool_id,
        tool_type=tool.tool_type,
        executor=tool.executor,
        name=str(manifest.get("name") or ""),
        description=str(manifest.get("description") or ""),
        category=str(manifest.get("category") or ""),
        version=tool.version,
        effect=tool.effect,
        is_builtin=tool.is_builtin,
        is_official=tool.is_official,
        children=0,
        updated_at=tool.created_at,
        evidence=tool.evidence,
        declared_effect=tool.declared_effect,
        trust=tool.trust,
    )


def _count(node: Node) -> int:
    """Sorts as the tree does, and counts the hits below each node."""
    children = node.children or []
    children.sort(key=lambda child: (child.tool_type not in _EXECUTORS, child.label))
    node.total = len(children)
    node.count = sum(_count(child) + child.is_hit for child in children)
    return node.count
