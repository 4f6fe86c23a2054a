"""`load`: the text of a tool, and a copy of it in another space."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.contract.checks import Given
from workbench.contract.items import check_project, exists, find, item_type, located, seen_from
from workbench.core import references
from workbench.core.spaces import LABELS
from workbench.core.tool import Outcome, ToolVersion
from workbench.errors import NotFoundError
from workbench.workbench import Workbench

PARAMETERS = ("item_type", "item_id", "source", "destination", "project_path")


async def load(workbench: Workbench, arguments: Mapping[str, Any]) -> dict[str, Any]:
    given = Given(arguments, PARAMETERS)
    project = check_project(arguments)
    kind = item_type(given)
    item_id = given.required("item_id", example="tool_name")
    source = given.required("source", choices=LABELS)
    destination = given.text("destination", choices=LABELS)
    reference = located(given, item_id, "source", source)
    here = await seen_from(workbench, project)
    tool = await _find(here, reference, kind)
    if destination in (None, source):
        return await _shape(here, tool, source)
    saved = await here.copy(reference, str(destination))
    copy = await here.get(f"{saved.space}/{saved.tool_id}", files=True)
    shape = await _shape(here, copy, source)
    metadata = shape.pop("metadata")
    message = f"Tool copied from {source} to {destination}"
    if saved.outcome is Outcome.UNCHANGED:
        message = f"Tool is in {destination} already, the same as in {source}"
    return {**shape, "destination": destination, "message": message, "metadata": metadata}


async def _find(here: Workbench, reference: str, kind: str) -> ToolVersion:
    """The tool in the space that was named. If it is elsewhere, the error says where."""
    wanted = references.parse(reference)
    try:
        return await find(here, reference, kind, files=True)
    except NotFoundError as error:
        if not await exists(here, wanted.tool_id, wanted.space):
            for space in LABELS:
                if await exists(here, wanted.tool_id, space):
                    error.suggestion = f'it is in the {space} space: "source": "{space}"'
                    break
        raise


async def _shape(here: Workbench, tool: ToolVersion, source: str) -> dict[str, Any]:
    path, content = await content_of(here, tool)
    return {
        "name": tool.tool_id,
        "path": str(path) if path is not None else "",
        "content": content,
        "source": source,
        "metadata": {
            "name": tool.tool_id,
            "description": str(tool.manifest.get("description") or ""),
            "version": tool.version,
            "tool_type": tool.tool_type,
            "executor_id": tool.executor,
            "category": str(tool.manifest.get("category") or ""),
        },
    }


async def content_of(here: Workbench, tool: ToolVersion) -> tuple[Path | None, str]:
    """The file with the manifest and its text as it is on disk. A version that does not lie
    there has no file, and its text is the one that was stored."""
    path = await here.path_of(tool)
    current = await here.get(f"{tool.space}/{tool.tool_id}") if path is not None else tool
    if path is not None and current.version == tool.version:
        reading = next(iter(here.read(path)))
        own = reading.file(reading.manifest_file or "")
        text = own.text if own is not None else reading.text
        if text is not None and reading.manifest.get("tool_id") == tool.tool_id:
            return path, text
    own = next((file for file in tool.files if file.path == tool.manifest_file), None)
    text = own.text if own is not None else tool.text
    return None, text or ""
