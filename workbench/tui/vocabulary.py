"""Marks, tints and words for what a screen shows; colour never stands alone."""

from __future__ import annotations

import functools
import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.problems import Severity
from workbench.core.tool import Effect, Trust

TYPES = (
    "primitive",
    "runtime",
    "mcp_server",
    "mcp_tool",
    "script",
    "api",
    "directive",
    "thread",
    "knowledge",
    "composite",
)
WORDS = {"mcp_server": "server", "mcp_tool": "mcp tool"}
"""What people read, where that is not the type's own name."""

TINTS = {
    "primitive": "$tint-primitive",
    "runtime": "$tint-runtime",
    "mcp_server": "$tint-server",
    "mcp_tool": "$tint-server",
    "script": "$tint-script",
    "api": "$tint-api",
    "directive": "$tint-directive",
    "thread": "$tint-directive",
    "knowledge": "$tint-knowledge",
    "composite": "$tint-composite",
}
EFFECT_STYLES = {Effect.READS: "$muted", Effect.WRITES: "$warning", Effect.DESTROYS: "$error"}
TRUST_STYLES = {Trust.SIGNED: "$success", Trust.UNSIGNED: "$faint", Trust.ALTERED: "bold $warning"}
SEVERITY_STYLES = {
    Severity.ERROR: "$error",
    Severity.WARNING: "$warning",
    Severity.HINT: "$muted",
}


@dataclass(frozen=True)
class Marks:
    """One glyph, one cell each, unless the name says otherwise."""

    types: Mapping[str, str]
    effects: Mapping[Effect, str]
    trust: Mapping[Trust, str]
    severities: Mapping[Severity, str]
    busy: str
    logo: str
    bar: str
    folded: str
    unfolded: str
    pipe: str
    fork: str
    elbow: str
    dash: str
    rule: str
    arrow: str
    """Three cells: from a link of a chain to the next."""
    corners: str
    """Top left, top right, bottom left, bottom right."""
    network: str
    dot: str
    more: str
    failed: str
    fine: str
    enter: str
    minus: str
    up: str
    down: str
    at_least: str
    at_most: str
    to: str
    quotes: str
    """The opening one, the closing one."""
    left: str
    right: str


UNICODE = Marks(
    types={
        "primitive": "■",
        "runtime": "□",
        "mcp_server": "▣",
        "mcp_tool": "◎",
        "script": "ƒ",
        "api": "↔",
        "directive": "¶",
        "thread": "≈",
        "knowledge": "≡",
        "composite": "∷",
    },
    effects={Effect.READS: "↓", Effect.WRITES: "↑", Effect.DESTROYS: "‡"},
    trust={Trust.SIGNED: "◆", Trust.UNSIGNED: "◇", Trust.ALTERED: "≠"},
    severities={Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.HINT: "•"},
    busy="◐",
    logo="▞",
    bar="▌",
    folded="▶",
    unfolded="▼",
    pipe="│",
    fork="├",
    elbow="└",
    dash="─",
    rule="─",
    arrow="──▶",
    corners="╭╮╰╯",
    network="→",
    dot="·",
    more="…",
    failed="✗",
    fine="✓",
    enter="⏎",
    minus="−",
    up="↑",
    down="↓",
    at_least="≥",
    at_most="≤",
    to="–",
    quotes="“”",
    left="←",
    right="→",
)
ASCII = Marks(
    types={
        "primitive": "#",
        "runtime": "o",
        "mcp_server": "@",
        "mcp_tool": "*",
        "script": "f",
        "api": "%",
        "directive": "P",
        "thread": "~",
        "knowledge": "=",
        "composite": ":",
    },
    effects={Effect.READS: "r", Effect.WRITES: "w", Effect.DESTROYS: "!"},
    trust={Trust.SIGNED: "+", Trust.UNSIGNED: "-", Trust.ALTERED: "?"},
    severities={Severity.ERROR: "x", Severity.WARNING: "!", Severity.HINT: "-"},
    busy="~",
    logo="#",
    bar="|",
    folded=">",
    unfolded="v",
    pipe="|",
    fork="|",
    elbow="`",
    dash="-",
    rule="-",
    arrow="-->",
    corners="++++",
    network=">",
    dot="-",
    more="...",
    failed="x",
    fine="ok",
    enter="enter",
    minus="-",
    up="up",
    down="down",
    at_least=">=",
    at_most="<=",
    to="-",
    quotes='""',
    left="left",
    right="right",
)


@functools.cache
def marks() -> Marks:
    """The set that this terminal can show."""
    return ASCII if is_ascii() else UNICODE


@functools.cache
def is_ascii() -> bool:
    if asked := os.environ.get("WORKBENCH_ASCII"):
        return asked not in ("0", "false", "no")
    encoding = locale.getpreferredencoding(False).lower().replace("-", "").replace("_", "")
    return encoding != "utf8"


def type_mark(tool_type: str) -> str:
    return marks().types.get(tool_type, "?")


def type_tint(tool_type: str) -> str:
    return TINTS.get(tool_type, "$muted")


def type_word(tool_type: str) -> str:
    return WORDS.get(tool_type, tool_type)


def quoted(text: str) -> str:
    return f"{marks().quotes[0]}{text}{marks().quotes[1]}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 file, 2 files."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
