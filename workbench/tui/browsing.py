"""From the registry to the tree: pages of children, and what changed under the loaded ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.tool import ToolRow
from workbench.tui import amiss
from workbench.tui.outline import (
    PAGE,
    Node,
    Outline,
    append_children,
    merge_children,
    tool_node,
)

if TYPE_CHECKING:
    from workbench.workbench import Workbench

FEW = 200
"""Up to this many tools in all, the tree starts folded out."""

GROUPS = {"composite": "composites", "knowledge": "knowledge"}
_NOTES = {"knowledge": "no executor"}
_PAGES_SEARCHED = 5
_FIRST = ("subprocess", "http_client")


@dataclass(frozen=True, slots=True)
class Survey:
    """What the registry says about the loaded part of a tree."""

    counts: Mapping[str, int]
    primitives: Sequence[tuple[ToolRow, int]]
    pages: Sequence[tuple[Node, Sequence[ToolRow]]]
    missing: Sequence[tuple[str, int]] = ()
    """Executors that are named and not there, with how many name them."""
    faulty: Sequence[amiss.AmissFile] = ()
    """Files with problems."""
    is_bare: bool = False
    """The project has no tools yet."""

    @property
    def total(self) -> int:
        return sum(self.counts.values())


async def survey(workbench: Workbench, outline: Outline) -> Survey:
    """Asks again for all that `outline` shows; costs what is shown, not what there is."""
    counts = await workbench.counts()
    rows = await workbench.children(None, tool_types=["primitive"])
    primitives = [(row, await workbench.descendants(row.tool_id)) for row in rows]
    shown = [node for node in outline.nodes() if node.is_expanded and node.children is not None]
    pages = []
    for node in shown:
        if node.tool_type != amiss.KIND:
            limit = max(PAGE, len(node.children or ()))
            pages.append((node, await fetch_children(workbench, node, limit=limit)))
    missing = await workbench.missing_executors()
    files = await amiss.find_amiss(workbench)
    bare = workbench.project is not None and await workbench.is_empty(workbench.trees[0].space)
    return Survey(counts, primitives, pages, missing, files, bare)


def apply(found: Survey, outline: Outline) -> None:
    """Brings `outline` up to date in place. Folded branches forget what they had loaded."""
    for node in list(outline.nodes()):
        if not node.is_expanded:
            node.children = None
    for node, rows in found.pages:
        if node.is_expanded:
            merge_children(node, rows)
    known = {root.key: root for root in outline.roots}
    roots = [known.get(root.key, root) for root in _roots(found)]
    for root, fresh in zip(roots, _roots(found), strict=True):
        root.row, root.count, root.total = fresh.row, fresh.count, fresh.total
        root.severity = fresh.severity
        if root.tool_type == amiss.KIND and root.is_expanded:
            amiss.fill(root, found.faulty)
    outline.roots = roots


async def fresh_outline(workbench: Workbench) -> tuple[Outline, Survey]:
    """The tree as it is first seen: primitives folded out, and all if there are few tools."""
    outline = Outline()
    found = await survey(workbench, outline)
    apply(found, outline)
    few = found.total <= FEW
    waiting = list(outline.roots)
    while waiting:
        node = waiting.pop()
        if not node.total or node.tool_type == amiss.KIND:
            continue
        merge_children(node, await fetch_children(workbench, node))
        node.is_expanded = True
        if few:
            waiting += node.children or ()
    return outline, found


async def fetch_children(
    workbench: Workbench, node: Node, *, after: ToolRow | None = None, limit: int = PAGE
) -> list[ToolRow]:
    """One page of a node's children; `after` is the last one that is there already."""
    key = (after.tool_type, after.tool_id, after.space) if after else None
    if node.executor:
        return await workbench.children(node.executor, None, after=key, limit=limit)
    if node.row is None:
        types = [node.tool_type]
        return await workbench.children(None, tool_types=types, after=key, limit=limit)
    return await workbench.children(node.row.tool_id, node.row.space, after=key, limit=limit)


def group_node(tool_type: str, total: int = 0) -> Node:
    label = GROUPS[tool_type]
    return Node(
        key=(label,),
        label=label,
        tool_type=tool_type,
        count=total,
        total=total,
        note=_NOTES.get(tool_type, ""),
    )


def _missing_node(executor: str, total: int) -> Node:
    return Node(
        key=(f"missing {executor}",),
        label=executor,
        tool_type="broken",
        count=total,
        total=total,
        note="missing",
        executor=executor,
    )


def root_order(node: Node) -> tuple[int, str]:
    if node.row is None:
        last = ("broken", amiss.KIND)
        place = last.index(node.tool_type) + 1 if node.tool_type in last else 0
        return (len(_FIRST) + 1 + place, node.label)
    place = _FIRST.index(node.label) if node.label in _FIRST else len(_FIRST)
    return (place, node.label)


def _roots(found: Survey) -> list[Node]:
    roots = []
    for row, below in found.primitives:
        root = tool_node(row)
        root.count = below
        roots.append(root)
    roots += [group_node(kind, found.counts.get(kind, 0)) for kind in GROUPS]
    roots += [_missing_node(executor, total) for executor, total in found.missing]
    if found.faulty:
        roots.append(amiss.problems_root(found.faulty))
    return sorted((r for r in roots if r.row is not None or r.total), key=root_order)


async def locate(
    workbench: Workbench, outline: Outline, space: str, tool_id: str
) -> tuple[str, ...] | None:
    """The key of a tool, with all above it loaded and folded out; None if it is too far down
    a long list to be loaded, or on no chain that reaches a root."""
    tool = await workbench.get(f"{space}/{tool_id}")
    chain = await workbench.chain(tool)
    path = [f"{link.space}/{link.manifest['tool_id']}" for link in reversed(chain.links)]
    if tool.tool_type in GROUPS:
        path.insert(0, GROUPS[tool.tool_type])
    node = outline.find((path[0],))
    for depth in range(2, len(path) + 1):
        if node is None:
            return None
        node = await _child(workbench, node, tuple(path[:depth]))
    return node.key if node is not None else None


async def _child(workbench: Workbench, node: Node, key: tuple[str, ...]) -> Node | None:
    node.is_expanded = True
    for _ in range(_PAGES_SEARCHED):
        found = next((child for child in node.children or () if child.key == key), None)
        if found is not None or (node.children is not None and not node.missing):
            return found
        last = node.children[-1].row if node.children else None
        append_children(node, await fetch_children(workbench, node, after=last))
    return None
