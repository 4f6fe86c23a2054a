"""Files with problems: what is wrong with each, and the branch of the tree that lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.problems import Severity
from workbench.tui.outline import PAGE, Node
from workbench.tui.places import shown_path

if TYPE_CHECKING:
    from workbench.workbench import Workbench

KIND = "problems"
_FEW = 10
"""Up to this many, the branch starts folded out."""


@dataclass(frozen=True, slots=True)
class AmissFile:
    """One file or folder of a tree and its problems, as plain data from the registry."""

    path: str
    space: str
    tool_id: str | None
    is_stored: bool
    """It is a tool all the same: what is wrong is no error."""
    problems: tuple[Mapping[str, Any], ...]

    @property
    def severity(self) -> Severity:
        """That of the worst."""
        return worst(severity_of(problem) for problem in self.problems)

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0].removeprefix(".ai/")


def severity_of(problem: Mapping[str, Any]) -> Severity:
    try:
        return Severity(str(problem.get("severity")))
    except ValueError:  # of a newer version
        return Severity.ERROR


def worst(severities: Any) -> Severity:
    order = list(Severity)
    return min(severities, key=order.index, default=Severity.HINT)


async def find_amiss(workbench: Workbench) -> list[AmissFile]:
    found = []
    for path, unit in await workbench.amiss():
        space = next((tree.space for tree in workbench.trees if path.is_relative_to(tree.root)), "")
        shown = shown_path(workbench, path)
        stored = unit.state == "stored"
        found.append(AmissFile(shown, space, unit.tool_id, stored, tuple(unit.problems)))
    return sorted(found, key=lambda one: (list(Severity).index(one.severity), one.path))


def problems_root(files: Sequence[AmissFile]) -> Node:
    """The branch; its children are filled in where it is folded out."""
    mark = worst(file.severity for file in files)
    root = Node((KIND,), "problems", KIND, count=len(files), total=len(files), severity=mark)
    root.is_expanded = len(files) <= _FEW
    return root


def fill(root: Node, files: Sequence[AmissFile], more: int = 0) -> None:
    """The children of the branch: as many as are there already, or a page; and `more`."""
    limit = max(PAGE, len(root.children or ())) + more
    root.total = root.count = len(files)
    root.severity = worst(file.severity for file in files)
    root.children = [
        Node(
            key=(KIND, file.path),
            label=file.name,
            tool_type=KIND,
            parent=root,
            note=file.folder,
            severity=file.severity,
            amiss=file,
        )
        for file in files[:limit]
    ]
