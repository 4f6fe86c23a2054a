"""CHAIN: from the tool to the primitive that carries it, as cards or on one line."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.style import Style

from workbench.core.chain import Chain, Link
from workbench.core.spaces import label
from workbench.core.tool import Trust
from workbench.gate.trust import chain_trust
from workbench.tui.details import Details
from workbench.tui.overview.lines import (
    Lines,
    cut,
    heading,
    joined,
    padded,
    paragraphs,
    safe,
    spread,
)
from workbench.tui.trust import tiny_version, trust_glyph, trust_word
from workbench.tui.vocabulary import (
    EFFECT_STYLES,
    counted,
    marks,
    type_mark,
    type_tint,
    type_word,
)

_CARD_LEAST, _CARD_MOST = 24, 38
_GAP = 7


def chain_section(details: Details, width: int, *, wide: bool) -> Lines:
    """What the chain says, or nothing for tools that none carries."""
    chain = details.chain
    if len(chain.links) == 1 and chain.fault is None:
        return []
    lines = [heading("CHAIN", width, _note(chain))]
    cards = _cards(details, width) if wide else None
    lines += cards if cards is not None else _one_line(chain, width)
    if chain.fault is not None:
        lines += paragraphs(f"{marks().failed} {chain.fault.message}", width, "$error")
        lines += paragraphs(f"  {chain.fault.hint}", width, "$muted")
    return [*lines, Content("")]


def _note(chain: Chain) -> Content:
    """How the chain is as a whole; it is signed only if every link is."""
    if chain.fault is not None:
        return Content.styled(f"{marks().failed} broken", "bold $error")
    trust = chain_trust(chain)
    links = Content.styled(counted(len(chain.links), "link"), "$muted")
    weak = sum(1 for link in chain.links if _trust(link) is trust)
    whole = trust_word(trust, "" if trust is Trust.SIGNED else f"{weak} ")
    return joined([links, whole], f" {marks().dot} ")


def _trust(link: Link) -> Trust:
    trust = getattr(link, "trust", Trust.UNSIGNED)
    return trust if isinstance(trust, Trust) else Trust.UNSIGNED


def _one_line(chain: Chain, width: int) -> Lines:
    """The chain as marks, ids and arrows, broken between links where it is too long."""
    arrow = Content.styled(f" {marks().arrow} ", "$faint")
    pieces = []
    for index, link in enumerate(chain.links):
        name = _named(link, "bold $primary" if index == 0 else "$foreground")
        pieces.append(name + Content(" ") + trust_glyph(_trust(link)))
    if chain.fault is not None:
        pieces.append(Content.styled(marks().failed, "bold $error"))
    lines, line = [], Content("")
    for piece in pieces:
        grown = line + arrow + piece if line else piece
        if line and grown.cell_length > width:
            lines.append(line)
            grown = Content("   ") + arrow + piece
        line = grown
    return [*(cut(one, width) for one in lines), cut(line, width)]


def _cards(details: Details, width: int) -> Lines | None:
    """Three rows of text in a box for each link; None if they do not fit."""
    links = details.chain.links
    broken = details.chain.fault is not None
    count = len(links) + broken
    each = min(_CARD_MOST, (width - _GAP * (count - 1)) // count)
    if each < _CARD_LEAST:
        return None
    boxes = []
    for index, link in enumerate(links):
        frame = "$primary" if index == 0 else "$line"
        boxes.append(_box(_card(details, link, index, each - 4), each, frame))
    if broken:
        boxes.append(_box(_fault_card(details.chain, each - 4), each, "$error"))
    rows = []
    for row in range(5):
        style = "$error" if broken else "$primary"
        gap = _arrow(style) if row == 2 else Content(" " * _GAP)
        rows.append(gap.join([box[row] for box in boxes]))
    return rows


def _arrow(style: str) -> Content:
    mark = marks().arrow
    return Content.styled(f"  {mark}  ".center(_GAP), style)


def _box(inside: Lines, width: int, style: str) -> Lines:
    top_left, top_right, bottom_left, bottom_right = tuple(marks().corners)
    rule = marks().rule * (width - 2)
    side = Content.styled(marks().pipe, style)
    return [
        Content.styled(f"{top_left}{rule}{top_right}", style),
        *(side + " " + padded(line, width - 4) + " " + side for line in inside),
        Content.styled(f"{bottom_left}{rule}{bottom_right}", style),
    ]


def _card(details: Details, link: Link, index: int, width: int) -> Lines:
    manifest = link.manifest
    name = _named(link, "bold" if index == 0 else "$foreground")
    version = safe(tiny_version(str(manifest["version"])), "$muted")
    kind = type_word(str(manifest["tool_type"]))
    second = safe(f"{kind} {marks().dot} {label(link.space)}", "$muted")
    return [spread(name, version, width), second, _third(details, link, index, width)]


def _third(details: Details, link: Link, index: int, width: int) -> Content:
    if index == 0:
        tool = details.tool
        effect = Content.styled(
            f"{marks().effects[tool.effect]} {tool.effect}", EFFECT_STYLES[tool.effect]
        )
        return joined([trust_word(tool.trust), effect], "  ")
    if _trust(link) is Trust.ALTERED:
        return trust_word(Trust.ALTERED)
    return cut(trust_glyph(_trust(link)) + Content(" ") + safe(_how(link), "$muted"), width)


def _how(link: Link) -> str:
    """In a few words, what this executor does to carry the one before it."""
    config: Any = link.manifest.get("config") or {}
    if config.get("command"):
        return (
            "wraps host programs" if config.get("files") == "none" else f"runs {config['command']}"
        )
    if config.get("compile_command"):
        return f"compiles with {config['compile_command']}"
    if config.get("providers"):
        return "asks a language model"
    if config.get("url"):
        return f"calls {config['url']}"
    if isinstance(config.get("capabilities"), list):
        return f" {marks().dot} ".join(str(one) for one in config["capabilities"])
    return str(link.manifest.get("name") or "")


def _fault_card(chain: Chain, width: int) -> Lines:
    assert chain.fault is not None  # noqa: S101 only called with one
    wanted = chain.links[-1].manifest.get("executor")
    name = Content.assemble((f"{marks().failed} ", "$error"), safe(wanted, "bold $error"))
    word = chain.fault.code.replace("_", " ")
    return [cut(name, width), cut(safe(word, "$error"), width), Content("")]


def _named(link: Link, style: str) -> Content:
    """Mark and id; a click goes to that tool."""
    manifest = link.manifest
    kind, tool_id = str(manifest["tool_type"]), str(manifest["tool_id"])
    target = Style.from_meta({"@click": ("screen.reveal", (link.space, tool_id))})
    name = safe(tool_id, style).stylize(target)
    return Content.assemble((f"{type_mark(kind)} ", type_tint(kind)), name)
