"""Saving drafts as versions, inside one transaction that the caller holds."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from workbench.core import references, versions
from workbench.core.spaces import PUBLIC
from workbench.core.tool import Draft, Outcome, Saved, ToolFile
from workbench.errors import RefusedError
from workbench.store import indexing
from workbench.store.blobs import inline_text
from workbench.store.driver import Cursor

_BUILTIN_TYPES = frozenset({"primitive", "runtime"})

_INSERT_TOOL = """
INSERT INTO tools (tool_type, executor_id, name, description, category, subcategory, tags,
    visibility, latest_version, effect, updated_at, content_hash, claimed_hash, replaced_hash,
    declared_effect, is_official, is_builtin, id, namespace, tool_id, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_UPDATE_TOOL = """
UPDATE tools SET tool_type = ?, executor_id = ?, name = ?, description = ?, category = ?,
    subcategory = ?, tags = ?, visibility = ?, latest_version = ?, effect = ?, updated_at = ?,
    content_hash = ?, claimed_hash = ?, replaced_hash = ?, declared_effect = ?,
    is_official = ?, is_builtin = is_builtin OR ?
WHERE row = ?"""

_INSERT_VERSION = """
INSERT INTO tool_versions (id, tool_id, version, manifest, manifest_yaml, manifest_file,
    content_hash, effect, declared_effect, replaced_hash, changelog, is_latest, is_shipped,
    created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_INSERT_FILE = """
INSERT INTO tool_version_files (id, tool_version_id, path, media_type, sha256, size_bytes,
    is_entrypoint, content_text, storage_key, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is stored of a tool before a draft of it is saved."""

    row: int
    id: str
    is_absent: bool
    hashes: Mapping[str, str]
    """Content hash by version, oldest first."""
    latest: str


def save(cursor: Cursor, drafts: Sequence[Draft], *, shipped: bool) -> list[Saved]:
    """Save all drafts in order, or raise. Blobs of their files are written already."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    reserved = set() if shipped else _reserved(cursor)
    results = []
    for draft in drafts:
        tool_id = str(draft.manifest["tool_id"])
        if tool_id in reserved:
            raise RefusedError(
                f"{tool_id} is the id of a shipped primitive or runtime",
                code="reserved_id",
                suggestion="Choose another tool_id.",
                tool_id=tool_id,
            )
        results.append(_save_one(cursor, draft, shipped, now))
    return results


def new_id() -> str:
    """A UUID of version 7: its start is the time, so that new rows go to the end of an index."""
    number = time.time_ns() // 1_000_000 << 80 | int.from_bytes(os.urandom(10))
    number = number & ~(0xF << 76 | 0x3 << 62) | 0x7 << 76 | 0x2 << 62
    digits = f"{number:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def reindex(cursor: Cursor, row: int) -> None:
    """Index a tool by its stored latest version, for one that comes back from absence."""
    [(version, manifest)] = cursor.execute(
        "SELECT v.id, v.manifest FROM tools t JOIN tool_versions v"
        " ON v.tool_id = t.id AND v.is_latest = 1 WHERE t.row = ?",
        (row,),
    ).fetchall()
    texts = cursor.execute(
        "SELECT path, content_text FROM tool_version_files"
        " WHERE tool_version_id = ? AND content_text IS NOT NULL ORDER BY path",
        (version,),
    ).fetchall()
    files = [ToolFile(path, text.encode()) for path, text in texts]
    indexing.remove(cursor, row)
    indexing.add(cursor, row, json.loads(manifest), files)


def _reserved(cursor: Cursor) -> set[str]:
    rows = cursor.execute(
        "SELECT tool_id FROM tools WHERE is_builtin = 1 AND namespace = ?", (PUBLIC,)
    ).fetchall()
    return {tool_id for (tool_id,) in rows}


def _save_one(cursor: Cursor, draft: Draft, shipped: bool, now: str) -> Saved:
    tool_id, version = str(draft.manifest["tool_id"]), str(draft.manifest["version"])
    known = _known(cursor, draft.space, tool_id)
    if known is None:
        _create(cursor, draft, shipped, now)
        return Saved(draft.space, tool_id, version, Outcome.CREATED)
    replaced = known.hashes.get(version)
    if replaced in (None, draft.content_hash):
        replaced = None
    else:
        version = _beside(draft, shipped, known)
        draft = replace(draft, manifest={**draft.manifest, "version": version})
    is_new = version not in known.hashes
    if is_new:
        _add_version(cursor, known, draft, shipped, now, replaced)
    elif _leads(known, draft, shipped) and version != known.latest:
        _lead(cursor, known, draft, shipped, now, replaced)
    back = known.is_absent and not shipped
    _settle(cursor, known, shipped, version, draft.claimed_hash)
    if is_new:
        outcome = Outcome.VERSIONED
    else:
        returns = back or (version != known.latest and _leads(known, draft, shipped))
        outcome = Outcome.RESTORED if returns else Outcome.UNCHANGED
    return Saved(draft.space, tool_id, version, outcome)


def _beside(draft: Draft, shipped: bool, known: _Known) -> str:
    """The version under which content is kept whose own is taken by other content: what ships
    and what lies in a file tree is there, whatever it says of itself."""
    version = str(draft.manifest["version"])
    if not shipped and draft.space == PUBLIC:
        raise _version_exists(str(draft.manifest["tool_id"]), version, known.hashes)
    kind = versions.SHIPPED if shipped else versions.LOCAL
    return versions.beside(version, kind, draft.content_hash)


def _leads(known: _Known, draft: Draft, shipped: bool) -> bool:
    """Whether a version is the latest: in a file tree the one that lies there, elsewhere the
    greatest."""
    version = str(draft.manifest["version"])
    if draft.space != PUBLIC and not shipped:
        return True
    return versions.latest([*known.hashes, version]) == version


def _known(cursor: Cursor, space: str, tool_id: str) -> _Known | None:
    tools = cursor.execute(
        "SELECT row, id, absent_since IS NOT NULL, latest_version FROM tools"
        " WHERE namespace = ? AND tool_id = ?",
        (space, tool_id),
    ).fetchall()
    if not tools:
        return None
    row, identity, is_absent, latest = tools[0]
    hashes = cursor.execute(
        "SELECT version, content_hash FROM tool_versions WHERE tool_id = ? ORDER BY rowid",
        (identity,),
    ).fetchall()
    return _Known(row, identity, bool(is_absent), dict(hashes), latest)


def _create(cursor: Cursor, draft: Draft, shipped: bool, now: str) -> None:
    identity = new_id()
    where = (identity, draft.space, draft.manifest["tool_id"], now)
    cursor.execute(_INSERT_TOOL, (*_mirrored(draft, shipped, now, None), *where))
    row = cursor.connection.raw.last_insert_rowid()
    _insert_version(cursor, identity, draft, shipped, now, None, is_latest=True)
    _insert_uses(cursor, row, draft)
    indexing.add(cursor, row, draft.manifest, draft.files)


def _add_version(
    cursor: Cursor, known: _Known, draft: Draft, shipped: bool, now: str, replaced: str | None
) -> None:
    _insert_version(cursor, known.id, draft, shipped, now, replaced, is_latest=False)
    if _leads(known, draft, shipped):
        _lead(cursor, known, draft, shipped, now, replaced)
    else:
        cursor.execute("UPDATE tools SET updated_at = ? WHERE row = ?", (now, known.row))


def _lead(
    cursor: Cursor, known: _Known, draft: Draft, shipped: bool, now: str, replaced: str | None
) -> None:
    """Makes a stored version the latest, and the tool what that version says."""
    cursor.execute(
        "UPDATE tool_versions SET is_latest = 0 WHERE tool_id = ? AND is_latest = 1", (known.id,)
    )
    cursor.execute(
        "UPDATE tool_versions SET is_latest = 1 WHERE tool_id = ? AND version = ?",
        (known.id, draft.manifest["version"]),
    )
    cursor.execute(_UPDATE_TOOL, (*_mirrored(draft, shipped, now, replaced), known.row))
    if not known.is_absent:  # else it is indexed if and when it comes back
        indexing.remove(cursor, known.row)
        indexing.add(cursor, known.row, draft.manifest, draft.files)
    cursor.execute("DELETE FROM tool_uses WHERE tool_row = ?", (known.row,))
    _insert_uses(cursor, known.row, draft)


def _insert_version(
    cursor: Cursor,
    identity: str,
    draft: Draft,
    shipped: bool,
    now: str,
    replaced: str | None,
    *,
    is_latest: bool,
) -> None:
    version_id = new_id()
    cursor.execute(
        _INSERT_VERSION,
        (
            version_id,
            identity,
            draft.manifest["version"],
            json.dumps(dict(draft.manifest), ensure_ascii=False, separators=(",", ":")),
            draft.text,
            draft.manifest_file,
            draft.content_hash,
            str(draft.effect),
            str(draft.declared_effect),
            replaced,
            str(draft.manifest.get("changelog") or ""),
            int(is_latest),
            int(shipped),
            now,
        ),
    )
    for file in draft.files:
        text = inline_text(file)
        key = file.sha256 if text is None else None
        what = (file.path, file.media_type, file.sha256, len(file.data), int(file.is_entrypoint))
        cursor.execute(_INSERT_FILE, (new_id(), version_id, *what, text, key, now))


def _insert_uses(cursor: Cursor, row: int, draft: Draft) -> None:
    for used in draft.uses:
        cursor.execute("INSERT INTO tool_uses (used_id, tool_row) VALUES (?, ?)", (used, row))


def _mirrored(draft: Draft, shipped: bool, now: str, replaced: str | None) -> tuple[Any, ...]:
    """The columns of `tools` that repeat the latest version, as both statements take them."""
    manifest = draft.manifest
    return (
        manifest["tool_type"],
        _executor_id(manifest),
        str(manifest.get("name") or manifest["tool_id"]),
        str(manifest.get("description") or ""),
        str(manifest.get("category") or ""),
        str(manifest.get("subcategory") or ""),
        json.dumps(list(manifest.get("tags") or ()), ensure_ascii=False),
        str(manifest.get("visibility") or "public"),
        manifest["version"],
        str(draft.effect),
        now,
        draft.content_hash,
        draft.claimed_hash,
        replaced,
        str(draft.declared_effect),
        int(shipped),
        int(shipped and manifest["tool_type"] in _BUILTIN_TYPES),
    )


def _executor_id(manifest: Mapping[str, Any]) -> str | None:
    """The id in the executor's reference: trees hang a tool under it in whatever version."""
    reference = manifest.get("executor")
    parsed = references.try_parse(str(reference)) if reference is not None else None
    return parsed.tool_id if parsed is not None else reference


def _settle(
    cursor: Cursor, known: _Known, shipped: bool, version: str, claimed: str | None
) -> None:
    """What a person saves again is back; what they deleted stays deleted when it only ships."""
    cursor.execute(
        "UPDATE tools SET claimed_hash = ?1 WHERE row = ?2 AND latest_version = ?3"
        " AND claimed_hash IS NOT ?1",
        (claimed, known.row, version),
    )
    if shipped:
        _mark_shipped(cursor, known, version)
    elif known.is_absent:
        cursor.execute("UPDATE tools SET absent_since = NULL WHERE row = ?", (known.row,))
        reindex(cursor, known.row)


def _mark_shipped(cursor: Cursor, known: _Known, version: str) -> None:
    """What ships with the program is official, and a primitive or runtime of it built in."""
    cursor.execute(
        "UPDATE tool_versions SET is_shipped = 1 WHERE tool_id = ? AND version = ?",
        (known.id, version),
    )
    cursor.execute(
        "UPDATE tools SET is_official = latest_version = ?2,"
        " is_builtin = is_builtin OR tool_type IN ('primitive', 'runtime') WHERE row = ?1",
        (known.row, version),
    )


def _version_exists(tool_id: str, version: str, taken: Mapping[str, str]) -> RefusedError:
    return RefusedError(
        f"{tool_id} has a version {version} with other content; versions do not change",
        code="version_exists",
        suggestion=f"raise the version to {versions.next_patch(version, taken)}",
        tool_id=tool_id,
    )
