"""The ten tool types, one file each, and the list of them."""

from __future__ import annotations

from workbench.core.tool import Effect, Manifest
from workbench.tool_types import (
    api,
    composite,
    directive,
    knowledge,
    mcp_server,
    mcp_tool,
    primitive,
    runtime,
    script,
    thread,
)
from workbench.tool_types.base import ToolType

TYPES: dict[str, ToolType] = {
    module.TYPE.name: module.TYPE
    for module in (
        primitive,
        runtime,
        mcp_server,
        mcp_tool,
        script,
        api,
        directive,
        thread,
        knowledge,
        composite,
    )
}


def effect_of(manifest: Manifest, *, trusted: bool) -> Effect:
    """What running a tool does. Its own word counts only when it is trusted, or when it
    says more than was assumed."""
    inferred = TYPES[manifest["tool_type"]].effect(manifest)
    if (manifest.get("effects") or {}).get("destroys"):
        inferred = Effect.DESTROYS
    said = manifest.get("mutates_state")
    if said is False and trusted:
        return Effect.READS
    if said is True and inferred is Effect.READS:
        return Effect.WRITES
    return inferred


__all__ = ["TYPES", "ToolType", "effect_of"]
