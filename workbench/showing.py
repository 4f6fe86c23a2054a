"""Tools as JSON, the same from every face."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.core import chain as chains
from workbench.core.spaces import label
from workbench.core.tool import ToolRow, ToolVersion, VersionRow
from workbench.gate.trust import chain_trust


def row_dict(row: ToolRow) -> dict[str, Any]:
    """A tool as lists give it."""
    return {
        "tool_id": row.tool_id,
        "tool_type": row.tool_type,
        "version": row.version,
        "executor": row.executor,
        "name": row.name,
        "description": row.description,
        "category": row.category,
        "space": label(row.space),
        "signature": str(row.trust),
        "shadowed_by": label(row.shadowed_by) if row.shadowed_by else None,
        "effect": str(row.effect),
        "is_builtin": row.is_builtin,
        "children": row.children,
        "updated_at": row.updated_at,
    }


def show_dict(
    tool: ToolVersion,
    chain: chains.Chain,
    history: Sequence[VersionRow],
    row: ToolRow | None,
    path: Path | None,
) -> dict[str, Any]:
    """A tool as `show --json` gives it: the canonical manifest, and what is known of it."""
    return {
        **tool.manifest,
        "executor": tool.executor,
        "chain": [
            {
                "tool_id": link.manifest["tool_id"],
                "tool_type": link.manifest["tool_type"],
                "version": link.manifest["version"],
                "space": label(link.space),
                "signature": str(getattr(link, "trust", "unsigned")),
            }
            for link in chain.links
        ],
        "chain_fault": chain.fault.message if chain.fault else None,
        "chain_signature": str(chain_trust(chain)),
        "space": label(tool.space),
        "path": str(path) if path is not None else None,
        "content_hash": tool.content_hash,
        "signature": str(tool.trust),
        "effect": str(tool.effect),
        "isolation": tool.manifest.get("isolation", "standard"),
        "shadows": [label(space) for space in row.shadows] if row is not None else [],
        "shadowed_by": label(row.shadowed_by) if row is not None and row.shadowed_by else None,
        "files": [
            {
                "path": file.path,
                "size_bytes": len(file.data),
                "sha256": file.sha256,
                "is_entrypoint": file.is_entrypoint,
            }
            for file in tool.files
        ],
        "versions": [row.version for row in history],
        "created_at": tool.created_at,
    }
