"""PARAMETERS: a table of what a tool takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content

from workbench.core.parameters import to_schema
from workbench.tui.overview.lines import Lines, cut, heading, joined, padded, safe
from workbench.tui.vocabulary import counted, marks

_NO_DEFAULT = object()
_WIDE = 84
_SHOWN = 200
"""Rows; a schema with more is read in the Manifest tab."""


def parameters_section(manifest: Mapping[str, Any], width: int) -> Lines:
    schema = to_schema(manifest.get("parameters"))
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return []
    named = schema.get("required")
    required = [name for name in named if name in properties] if isinstance(named, list) else []
    note = f"{len(properties)} {marks().dot} {len(required)} required"
    lines = [heading("PARAMETERS", width, Content.styled(note, "$muted"))]
    rows = [_Row(str(name), inner, name in required) for name, inner in properties.items()]
    lines += _table(rows[:_SHOWN], width)
    if len(rows) > _SHOWN:
        lines.append(Content.styled(f"  {len(rows) - _SHOWN} more in the Manifest tab", "$faint"))
    return [*lines, Content("")]


class _Row:
    """One parameter as cells."""

    def __init__(self, name: str, schema: Any, required: bool) -> None:
        self._schema: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
        self.star = Content.styled("* " if required else "  ", "$warning")
        self.name = safe(name, "bold" if required else "")
        self.type = safe(type_text(self._schema), "$value-type")
        self.default = _default(self._schema.get("default", _NO_DEFAULT))

    @property
    def notes(self) -> Content:
        return joined(
            [*_choices(self._schema), safe(_keys(self._schema), "$muted"), self._about()],
            f" {marks().dot} ",
        )

    def _about(self) -> Content:
        text = str(self._schema.get("description") or "")
        return safe(" ".join(text.split()), "$muted")


def _table(rows: Sequence[_Row], width: int) -> Lines:
    wide = width >= _WIDE
    name = min(max(len("name"), *(row.name.cell_length for row in rows)), width // 4) + 2
    kind = min(max(len("type"), *(row.type.cell_length for row in rows)), width // 3) + 2
    default = min(max(len("default"), *(row.default.cell_length for row in rows)), width // 5) + 2
    rest = width - 2 - name - kind - (default if wide else 0)
    lines: Lines = []
    if wide:
        heads = [("name", name), ("type", kind), ("default", default), ("notes", rest)]
        cells = [padded(Content.styled(word, "$faint"), room) for word, room in heads]
        lines.append(Content("  ") + Content("").join(cells))
    for row in rows:
        start = row.star + _cell(row.name, name) + _cell(row.type, kind)
        if wide:
            start += _cell(row.default, default)
            notes = row.notes
        else:
            notes = joined([row.default, row.notes], f" {marks().dot} ")
        first, *others = notes.wrap(max(8, rest)) if notes else [Content("")]
        lines.append(start + first)
        indent = Content(" " * start.cell_length)
        lines += [indent + other for other in others[:2]]
    return lines


def _cell(content: Content, width: int) -> Content:
    """Two cells of it are the gap to the next column."""
    return padded(cut(content, width - 2), width)


def type_text(schema: Mapping[str, Any]) -> str:
    """A type as people say it: integer 1–5000, array of string, date."""
    if "enum" in schema or "const" in schema:
        return "enum"
    if schema.get("writeOnly"):
        return "secret"
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = " or ".join(str(one) for one in kind)
    if kind is None:
        kind = next((key for key in ("anyOf", "oneOf", "allOf", "$ref") if key in schema), "any")
    if kind == "array":
        items = schema.get("items")
        inner = type_text(items) if isinstance(items, Mapping) and items else ""
        kind = f"array of {inner}" if inner else "array"
        return _with_bounds(kind, schema.get("minItems"), schema.get("maxItems"))
    if kind == "string":
        kind = str(schema.get("format") or kind)
        return _with_bounds(kind, schema.get("minLength"), schema.get("maxLength"))
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    return _with_bounds(str(kind), low, high)


def _with_bounds(kind: str, low: Any, high: Any) -> str:
    if low is None and high is None:
        return kind
    if high is None:
        return f"{kind} {marks().at_least} {low}"
    if low is None:
        return f"{kind} {marks().at_most} {high}"
    return f"{kind} {low}{marks().to}{high}"


def _default(value: Any) -> Content:
    if value is _NO_DEFAULT:
        return Content("")
    if isinstance(value, Mapping) and value:
        return Content.styled(f"{{ {counted(len(value), 'key')} }}", "$value-string")
    if isinstance(value, str) and value:
        return safe(value, "$value-string")
    text = json.dumps(value, ensure_ascii=False, default=str)
    numeric = isinstance(value, int | float)
    return safe(text, "$value-number" if numeric else "$value-string")


def _choices(schema: Mapping[str, Any]) -> list[Content]:
    choices = schema.get("enum")
    if not isinstance(choices, list):
        return []
    shown = [safe(choice, "$value-string") for choice in choices[:12]]
    if len(choices) > 12:
        shown.append(Content.styled(f"{len(choices) - 12} more", "$faint"))
    return shown


def _keys(schema: Mapping[str, Any]) -> str:
    """The keys inside an object, or inside the objects of an array; a star for required."""
    inner = schema.get("items") if schema.get("type") == "array" else schema
    if not isinstance(inner, Mapping) or not isinstance(inner.get("properties"), Mapping):
        return ""
    needed = inner.get("required")
    needed = needed if isinstance(needed, list) else []
    names = [f"{name}*" if name in needed else str(name) for name in inner["properties"]]
    return "{ " + ", ".join(names[:8]) + (f", {marks().more}" if len(names) > 8 else "") + " }"
