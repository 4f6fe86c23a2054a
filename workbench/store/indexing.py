"""What search finds a tool by: the text of its latest version, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbench.core.tool import Manifest, ToolFile
from workbench.store.driver import Cursor
from workbench.store.words import words

# Recipe of SEARCH.md; bm25 takes the weights in this order.
WEIGHTS = {
    "kind": 0.0,
    "name": 8.0,
    "name_words": 8.0,
    "server": 1.0,
    "description": 1.5,
    "tags": 1.0,
    "parameter_names": 2.0,
    "parameter_descriptions": 1.0,
    "content": 0.5,
    "learned": 1.0,
}
_MAX_TEXT = 8_000
_MAX_PARAMETERS = 200
_READ_TYPES = frozenset({"knowledge", "directive"})

_INSERT = (
    f"INSERT INTO search_text (rowid, {', '.join(WEIGHTS)}) "  # noqa: S608 our own names
    f"VALUES (?{', ?' * len(WEIGHTS)})"
)


def add(cursor: Cursor, row: int, manifest: Manifest, files: Iterable[ToolFile]) -> None:
    """Index a tool that is not indexed. Unlisted tools are found by their exact id only."""
    if manifest.get("visibility") == "unlisted":
        return
    cursor.execute(_INSERT, (row, *_columns(manifest, files)))
    cursor.execute(
        "INSERT INTO search_ids (rowid, tool_id) VALUES (?, ?)", (row, manifest["tool_id"])
    )


def kind_token(tool_type: str) -> str:
    """A tool type as one token of the column `kind`. It starts with a private character that
    the tokenizer keeps and `words` never yields: no question can hit it by accident."""
    return "\ue000" + tool_type.replace("_", "")


def remove(cursor: Cursor, row: int) -> None:
    cursor.execute("DELETE FROM search_text WHERE rowid = ?", (row,))
    cursor.execute("DELETE FROM search_ids WHERE rowid = ?", (row,))


def _columns(manifest: Manifest, files: Iterable[ToolFile]) -> tuple[str, ...]:
    tool_id = str(manifest["tool_id"])
    name = str(manifest.get("name") or "")
    config = manifest.get("config")
    remote = str(config.get("mcp_tool_name") or "") if isinstance(config, Mapping) else ""
    if manifest["tool_type"] == "mcp_tool":
        server = str(manifest.get("executor") or "")
    else:
        server = f"{manifest.get('category') or ''} {manifest.get('subcategory') or ''}"
    parameters = list(_parameters(manifest.get("parameters")))[:_MAX_PARAMETERS]
    content = ""
    if manifest["tool_type"] in _READ_TYPES:
        content = " ".join(file.text or "" for file in files)
    return (
        kind_token(str(manifest["tool_type"])),
        f"{tool_id} {name}",
        " ".join(words(f"{tool_id} {name} {remote}")),
        " ".join(words(server)),
        str(manifest.get("description") or "")[:_MAX_TEXT],
        " ".join(map(str, manifest.get("tags") or ())),
        " ".join(words(" ".join(name for name, _ in parameters))),
        " ".join(text for _, text in parameters)[:_MAX_TEXT],
        content[:_MAX_TEXT],
        "",
    )


def _parameters(declared: Any) -> Iterator[tuple[str, str]]:
    """Names and descriptions, nested ones too, of the list form or of a JSON Schema."""
    pending: list[tuple[str, Any]] = []
    if isinstance(declared, Mapping):
        pending = [("", declared)]
    elif isinstance(declared, list | tuple):
        pending = [(str(p.get("name") or ""), p) for p in declared if isinstance(p, Mapping)]
    while pending:
        name, schema = pending.pop(0)
        if not isinstance(schema, Mapping):
            continue
        description = schema.get("description")
        yield name, description if isinstance(description, str) else ""
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            pending += [(str(key), value) for key, value in properties.items()]
        if isinstance(schema.get("items"), Mapping):
            pending.append(("", schema["items"]))
