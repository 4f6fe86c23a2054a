"""Reading one tool whole: a version with its manifest and files, and the history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.core import versions
from workbench.core.tool import Effect, Evidence, ToolVersion, VersionRow
from workbench.store.driver import Cursor


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as its row has it: the text, or the key of its blob."""

    path: str
    is_entrypoint: bool
    text: str | None
    key: str | None


def find(
    cursor: Cursor,
    tool_id: str,
    spaces: Sequence[str],
    version: str | None,
    *,
    files: bool,
    absent: bool,
) -> tuple[ToolVersion, list[StoredFile]] | None:
    """A version without its files, and the files to be read into it."""
    for space in spaces:
        tools = cursor.execute(
            "SELECT id, is_builtin, absent_since IS NOT NULL, claimed_hash FROM tools"
            " WHERE namespace = ? AND tool_id = ? AND (? OR absent_since IS NULL)",
            (space, tool_id, absent),
        ).fetchall()
        if tools:
            return _version(cursor, space, tools[0], version, files=files)
    return None


def history(cursor: Cursor, space: str, tool_id: str) -> list[VersionRow]:
    """All versions, the greatest first; of equals the later saved first."""
    rows = cursor.execute(
        "SELECT version, v.content_hash, changelog, v.created_at, is_latest,"
        " (SELECT count(*) FROM tool_version_files f WHERE f.tool_version_id = v.id)"
        " FROM tools t JOIN tool_versions v ON v.tool_id = t.id"
        " WHERE t.namespace = ? AND t.tool_id = ? ORDER BY v.rowid",
        (space, tool_id),
    ).fetchall()
    found = [
        VersionRow(version, content_hash, changelog, created_at, bool(is_latest), files)
        for version, content_hash, changelog, created_at, is_latest, files in rows
    ]
    found.sort(key=lambda row: versions.parse(row.version) or versions.Version(0, 0, 0))
    return found[::-1]


def _version(
    cursor: Cursor, space: str, tool: tuple[Any, ...], version: str | None, *, files: bool
) -> tuple[ToolVersion, list[StoredFile]] | None:
    identity, is_builtin, is_absent, claimed = tool
    wanted = "is_latest = 1" if version is None else "version = ?"
    rows = cursor.execute(
        "SELECT id, manifest, content_hash, effect, is_shipped, created_at, manifest_yaml,"  # noqa: S608
        " manifest_file, is_latest, replaced_hash, declared_effect"
        f" FROM tool_versions WHERE tool_id = ? AND {wanted}",
        (identity,) if version is None else (identity, version),
    ).fetchall()
    if not rows:
        return None
    version_id, manifest, content_hash, effect, is_shipped, created_at, text, file, *rest = rows[0]
    is_latest, replaced, declared = rest
    found = ToolVersion(
        space=space,
        manifest=json.loads(manifest),
        effect=Effect(effect),
        is_builtin=bool(is_builtin),
        is_official=bool(is_shipped),
        is_absent=bool(is_absent),
        created_at=created_at,
        evidence=Evidence(content_hash, claimed if is_latest else None, replaced),
        declared_effect=Effect(declared),
        text=text,
        manifest_file=file,
    )
    return found, _files(cursor, version_id) if files else []


def _files(cursor: Cursor, version_id: str) -> list[StoredFile]:
    rows = cursor.execute(
        "SELECT path, is_entrypoint, content_text, storage_key FROM tool_version_files"
        " WHERE tool_version_id = ? ORDER BY path",
        (version_id,),
    ).fetchall()
    return [StoredFile(path, bool(entry), text, key) for path, entry, text, key in rows]
