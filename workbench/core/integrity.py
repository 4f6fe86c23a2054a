"""Canonical bytes and hashes: two tools are the same if and only if these are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import rfc8785

from workbench.core.signature import unsigned
from workbench.core.tool import ToolFile

_SAFE = 2**53 - 1


def canonical_json(value: Any) -> bytes:
    """RFC 8785 JSON. Integers beyond what a double holds become `{"$int": "…"}`, and mappings
    that look like one `{"$int": {…}}`, so that no two values share their bytes."""
    try:
        plain = rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return rfc8785.dumps(_tagged(value))
    return rfc8785.dumps(_tagged(value)) if b'"$int"' in plain else plain


def _tagged(value: Any) -> Any:
    if isinstance(value, Mapping):
        tagged = {key: _tagged(item) for key, item in value.items()}
        return {"$int": tagged} if set(tagged) == {"$int"} else tagged
    if isinstance(value, list | tuple):
        return [_tagged(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _SAFE:
        return {"$int": str(value)}
    return value


def content_hash(
    manifest: Mapping[str, Any], files: Iterable[ToolFile] = (), manifest_file: str | None = None
) -> str:
    """SHA-256 over the canonical manifest and the sorted (path, sha256) of the files. The
    signature line of the file that holds the manifest does not count."""
    counted = (unsigned(file) if file.path == manifest_file else file for file in files)
    listing = sorted((file.path, file.sha256) for file in counted)
    return hashlib.sha256(canonical_json([manifest, listing])).hexdigest()
