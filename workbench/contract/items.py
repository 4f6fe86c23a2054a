"""What all operations on tools share: which kind is meant, and from which project it is seen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.contract.checks import Given, kind_of
from workbench.core import references
from workbench.core.spaces import LABELS
from workbench.core.tool import ToolVersion
from workbench.errors import NotFoundError, UsageError
from workbench.workbench import Workbench

ALIASES = ("directive", "knowledge", "script")
"""Item types that mean the tools of one type."""
ITEM_TYPES = ("tool", *ALIASES)


def item_type_of(arguments: Mapping[str, Any]) -> str:
    """The item type that a call names, for the error that answers it."""
    given = arguments.get("item_type")
    return given if isinstance(given, str) and given in ITEM_TYPES else ITEM_TYPES[0]


def item_type(given: Given) -> str:
    return given.required("item_type", choices=ITEM_TYPES)


def tool_types(kind: str) -> tuple[str, ...]:
    """The tool types that an item type stands for; none stands for all."""
    return (kind,) if kind in ALIASES else ()


def check_project(arguments: Mapping[str, Any]) -> Path:
    """The folder that `project_path` names."""
    value = arguments.get("project_path")
    if value is None or value == "":
        raise UsageError(
            "project_path says from which project the tools are seen",
            error="project_path is required",
            code="project_path_required",
            suggestion='add "project_path": "/absolute/path"',
        )
    if not isinstance(value, str):
        raise _bad_project(f"project_path is a string, not {kind_of(value)}")
    if not Path(value).is_absolute():
        raise _bad_project(f"project_path {value[:200]!r} is not absolute")
    if not os.path.isdir(value):  # noqa: PTH112 - Path.is_dir raises for a long name
        raise _bad_project(f"project_path {value[:200]!r} is not an existing folder")
    return Path(value)


def _bad_project(message: str) -> UsageError:
    return UsageError(
        message,
        code="bad_project_path",
        suggestion="name an existing folder by its absolute path, such as /path/to/project",
    )


async def seen_from(workbench: Workbench, project: Path) -> Workbench:
    """The registry as it is seen from a project, with the files as they are now."""
    here = await workbench.at(project)
    if here is workbench:
        await here.sync()
    return here


def located(given: Given, item_id: str, name: str, space: str | None) -> str:
    """The reference `item_id` within the space that the parameter `name` gives."""
    reference = references.parse(item_id)
    if space is None:
        return str(reference)
    if reference.space not in (None, space):
        raise given.bad(name, f"says {space}, and item_id says {reference.space}")
    return str(references.Reference(reference.tool_id, space, reference.version))


def location(given: Given, name: str = "location") -> str | None:
    return given.text(name, choices=LABELS)


async def find(here: Workbench, reference: str, kind: str, *, files: bool = False) -> ToolVersion:
    """The tool that a reference means, if it is of the type that was asked for."""
    tool = await here.get(reference, files=files)
    check_kind(tool.tool_id, tool.tool_type, kind)
    return tool


async def exists(here: Workbench, tool_id: str, space: str | None) -> bool:
    try:
        await here.get(str(references.Reference(tool_id, space)))
    except NotFoundError:
        return False
    return True


def check_kind(tool_id: str, tool_type: str, kind: str) -> None:
    if kind in ALIASES and tool_type != kind:
        also = f' or "{tool_type}"' if tool_type in ALIASES else ""
        raise NotFoundError(
            f"there is no {kind} {tool_id}; it is a tool of the type {tool_type}",
            tool_id=tool_id,
            suggestion=f'ask for it with "item_type": "tool"{also}',
        )
