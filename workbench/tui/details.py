"""All that the detail pane shows of one tool, fetched at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.chain import Chain
from workbench.core.tool import ToolRow, ToolVersion, VersionRow

if TYPE_CHECKING:
    from workbench.workbench import Workbench

USERS_SHOWN = 24


@dataclass(frozen=True, slots=True)
class Details:
    tool: ToolVersion
    chain: Chain
    versions: Sequence[VersionRow]
    users: Sequence[ToolRow]
    """The first of the tools that name this one as their executor."""
    used_by: int


async def load_details(workbench: Workbench, space: str, tool_id: str) -> Details:
    tool = await workbench.get(f"{space}/{tool_id}", files=True)
    chain = await workbench.chain(tool)
    versions = await workbench.versions(tool.tool_id, tool.space)
    users = await workbench.dependants(tool.tool_id, limit=USERS_SHOWN)
    used_by = len(users)
    if used_by == USERS_SHOWN:
        rows = await workbench.rows(
            tool_types=[tool.tool_type], after=_just_before(tool.tool_id), limit=1
        )
        used_by = rows[0].children if rows and rows[0].tool_id == tool.tool_id else used_by
    return Details(tool, chain, versions, users, used_by)


def _just_before(tool_id: str) -> tuple[str, str]:
    """The place in the order of (tool_id, space) right before a tool."""
    return (tool_id, "")
