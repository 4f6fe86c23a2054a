"""All that the detail pane shows of one tool, fetched at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.chain import Chain
from workbench.core.tool import ToolRow, ToolVersion, Trust, VersionRow
from workbench.tui.places import shown_path

if TYPE_CHECKING:
    from workbench.core.diff import Difference
    from workbench.workbench import Workbench

USERS_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Details:
    tool: ToolVersion
    row: ToolRow
    chain: Chain
    versions: Sequence[VersionRow]
    users: Sequence[ToolRow]
    """The first of the tools that name this one as their executor."""
    used_by: int
    place: str = ""
    """The file that holds its manifest, as people say it; "" if it lives only in the registry."""
    since: Difference | None = None
    """Of an altered tool: what changed since it was signed, if that is known."""

    @property
    def reference(self) -> str:
        return f"{self.tool.space}/{self.tool.tool_id}"

    @property
    def is_altered(self) -> bool:
        return self.tool.trust is Trust.ALTERED


async def load_details(workbench: Workbench, space: str, tool_id: str) -> Details:
    tool = await workbench.get(f"{space}/{tool_id}", files=True)
    row = await workbench.row(f"{space}/{tool_id}")
    chain = await workbench.chain(tool)
    versions = await workbench.versions(tool.tool_id, tool.space)
    users = await workbench.dependants(tool.tool_id, tool.space, limit=USERS_SHOWN)
    used_by = len(users)
    if used_by == USERS_SHOWN:
        used_by = max(used_by, row.children)
    path = await workbench.path_of(tool)
    place = shown_path(workbench, path) if path is not None else ""
    altered = tool.trust is Trust.ALTERED
    since = await workbench.changes_since_signing(tool) if altered else None
    return Details(tool, row, chain, versions, users, used_by, place, since)
