"""EFFECTS, CONFIG and USED BY: what a tool touches, how it is set up, who stands on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content
from textual.style import Style

from workbench.core.tool import Effect, ToolRow, ToolVersion
from workbench.tui.overview.lines import Lines, cut, heading, joined, safe
from workbench.tui.vocabulary import EFFECT_STYLES, marks, type_mark, type_tint

_LABEL = 13
_CONFIG_ROWS = 8
_INERT = ("primitive", "knowledge")
"""What these would do is said by the tools that use them."""


def effects_section(tool: ToolVersion, width: int) -> Lines:
    manifest = tool.manifest
    declared: Mapping[str, Any] = manifest.get("effects") or {}
    requires: Mapping[str, Any] = manifest.get("requires") or {}
    if tool.tool_type in _INERT and not declared:
        return []
    lines = [heading("EFFECTS", width)]
    for effect in (Effect.DESTROYS, Effect.WRITES, Effect.READS):
        places = _texts(declared.get(str(effect)))
        if places or effect == tool.effect:
            mark = Content.styled(f"{marks().effects[effect]} ", EFFECT_STYLES[effect])
            where = places or [Content.styled("where is not declared", "$muted")]
            lines.append(_labelled(mark, str(effect), where, width))
    rows = [
        (f"{marks().network} ", "network", _texts(declared.get("network"))),
        (f"{marks().dot} ", "needs", _texts(requires.get("commands"))),
        (f"{marks().dot} ", "environment", _texts(requires.get("environment"))),
        (f"{marks().dot} ", "may call", _texts(manifest.get("calls"))),
        (f"{marks().dot} ", "isolation", _texts([manifest.get("isolation") or "standard"])),
        (f"{marks().dot} ", "gate", _texts([manifest["gate"]] if manifest.get("gate") else [])),
    ]
    for glyph, label, values in rows:
        if values:
            lines.append(_labelled(Content.styled(glyph, "$faint"), label, values, width))
    return lines


def config_section(tool: ToolVersion, width: int) -> Lines:
    if not tool.config:
        return []
    lines = [heading("CONFIG", width)]
    for key, value in list(tool.config.items())[:_CONFIG_ROWS]:
        text = safe(_summary(key, value), _value_style(value))
        lines.append(_labelled(Content(""), str(key), [text], width))
    if (rest := len(tool.config) - _CONFIG_ROWS) > 0:
        lines.append(Content.styled(f"{rest} more in the Manifest tab", "$faint"))
    return lines


def users_section(users: Sequence[ToolRow], used_by: int, width: int) -> Lines:
    if not users:
        return []
    lines = [heading("USED BY", width, Content.styled(f"{used_by:,}", "$muted"))]
    cell = min(width, max(len(row.tool_id) for row in users) + 4)
    each_line = max(1, width // cell)
    shown = users[: each_line * 4]
    for start in range(0, len(shown), each_line):
        line = Content("")
        for row in shown[start : start + each_line]:
            named = cut(_user(row), cell - 1)
            line += named + Content(" " * (cell - named.cell_length))
        lines.append(line)
    if used_by > len(shown):
        lines.append(Content.styled(f"{used_by - len(shown):,} more in the tree", "$faint"))
    return [*lines, Content("")]


def _user(row: ToolRow) -> Content:
    target = Style.from_meta({"@click": ("screen.reveal", (row.space, row.tool_id))})
    name = safe(row.tool_id).stylize(target)
    mark = (f"{type_mark(row.tool_type)} ", type_tint(row.tool_type))
    return Content.assemble(mark, name)


def _labelled(mark: Content, label: str, values: Sequence[Content], width: int) -> Content:
    name = safe(label, "$muted")
    gap = Content(" " * max(1, _LABEL + 1 - mark.cell_length - name.cell_length))
    return cut(mark + name + gap + joined(values, f" {marks().dot} "), width)


def _texts(values: Any) -> list[Content]:
    if not isinstance(values, list):
        return []
    return [safe(value, "$value-string") for value in values]


def _value_style(value: Any) -> str:
    return "$value-number" if isinstance(value, int | float) else "$value-string"


def _summary(key: str, value: Any) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return value
    dot = f" {marks().dot} "
    if key == "steps" and isinstance(value, list):
        return dot.join(str(step.get("tool")) for step in value if isinstance(step, Mapping))
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return " ".join(str(one) for one in value)
    if isinstance(value, Mapping) and value:
        return dot.join(str(name) for name in value)
    return json.dumps(value, ensure_ascii=False, default=str)
