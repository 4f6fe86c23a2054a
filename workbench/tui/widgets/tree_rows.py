"""One line of the tree as text: guides, mark and name at the left, facts at the right edge."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content, Span

from workbench.core.spaces import PUBLIC, label
from workbench.core.text import one_line
from workbench.core.tool import ToolRow, Trust
from workbench.tui.outline import Kind, Line, Node
from workbench.tui.overview.lines import cut, padded, safe
from workbench.tui.searching import spans
from workbench.tui.trust import tiny_version, trust_glyph
from workbench.tui.vocabulary import (
    EFFECT_STYLES,
    SEVERITY_STYLES,
    marks,
    type_mark,
    type_tint,
)

_VERSION = 7
_VERSION_MOST = 14
_WITH_VERSION = 44
"""From this width on there is room for versions."""


def line_content(line: Line, words: tuple[str, ...], width: int, *, is_cursor: bool) -> Content:
    """The line without its left bar, exactly `width` cells."""
    if line.kind is Kind.MORE:
        return _more(line, width)
    if line.kind is Kind.EXCERPT:
        return _excerpt(line, words, width)
    node = line.node
    left = _guides(line) + _fold(node) + _mark(node) + _name(node, words, bold=is_cursor)
    right = _right(node, width)
    room = width - left.cell_length - right.cell_length
    right = _aside(node, room, wide=width >= _WITH_VERSION) + right
    return padded(left, width - right.cell_length) + right


def fold_cell(line: Line) -> int | None:
    """Where the fold mark of a line is, counted from its left edge, the bar included."""
    if line.kind is not Kind.NODE or not line.node.can_fold:
        return None
    return 1 + 2 * len(line.lasts)


def _guides(line: Line) -> Content:
    """The lines that lead from the parents; a leaf's reaches under the missing fold mark."""
    if not line.lasts:
        return Content("")
    glyphs = marks()
    text = "".join("  " if last else f"{glyphs.pipe} " for last in line.lasts[:-1])
    text += glyphs.elbow if line.lasts[-1] else glyphs.fork
    is_leaf = line.kind is Kind.MORE or not line.node.can_fold
    text += glyphs.dash * 2 + " " if is_leaf else " "
    return Content.styled(text, "$line")


def _fold(node: Node) -> Content:
    if not node.can_fold:
        return Content("") if node.parent is not None else Content("  ")
    glyph = marks().unfolded if node.is_expanded else marks().folded
    return Content.styled(f"{glyph} ", "$faint")


def _mark(node: Node) -> Content:
    if node.severity is not None:
        mark = marks().severities[node.severity]
        return Content.styled(f"{mark} ", SEVERITY_STYLES[node.severity])
    if node.tool_type == "broken":
        return Content.styled(f"{marks().failed} ", "$error")
    return Content.styled(f"{type_mark(node.tool_type)} ", type_tint(node.tool_type))


def _name(node: Node, words: tuple[str, ...], *, bold: bool) -> Content:
    plain = "$foreground" if node.is_hit or not words else "$muted"
    if node.row is not None and node.row.shadowed_by:
        plain = "$faint"
    style = "bold" if bold else plain
    return highlighted(one_line(node.label), words if node.is_hit else (), style)


def highlighted(text: str, words: tuple[str, ...], style: str) -> Content:
    """`text`, already fit to be shown, with every match of `words` marked."""
    content = Content.styled(text, style)
    found = [
        Span(start, end, "bold $match-foreground on $match-background")
        for start, end in spans(text, words)
    ]
    return content.add_spans(found) if found else content


def _aside(node: Node, room: int, *, wide: bool) -> Content:
    """What is said before the facts: that a tool is shadowed, and its space if there is room."""
    if node.amiss is not None:
        folder = safe(f" {node.note} ", "$faint")
        return folder if folder.cell_length < room else Content("")
    row = node.row
    if row is None:
        return Content("")
    space = "" if row.space == PUBLIC else label(row.space)
    shadowed = "shadowed" if row.shadowed_by else ""
    words = f" {marks().dot} ".join(word for word in (space, shadowed) if word)
    if not wide or len(words) + 2 > room:
        words = shadowed
    return Content.styled(f" {words}{' ' if wide else ''}" if words else "", "$faint")


def _right(node: Node, width: int) -> Content:
    if node.amiss is not None:
        return Content("")
    row = node.row
    if node.is_inner:
        note = Content.styled(f"{node.note}  " if node.note else "", "$muted")
        count = Content.styled(f" {node.count:,} ", "$muted")
        return note + _inner_trust(row, count, width) + count
    if row is None:
        return Content("")
    effect = Content.styled(f" {marks().effects[row.effect]}", EFFECT_STYLES[row.effect])
    trust = Content(" ") + trust_glyph(row.trust) + Content(" ")
    if width < _WITH_VERSION:
        return effect + trust
    version = cut(safe(tiny_version(row.version), "$muted"), _VERSION_MOST)
    return effect + trust + Content(" " * max(0, _VERSION - version.cell_length)) + version + " "


def _inner_trust(row: ToolRow | None, count: Content, width: int) -> Content:
    """The trust of one that carries others, in the column of the leaves; where there is little
    room only if it is not signed."""
    if row is None or (width < _WITH_VERSION and row.trust is Trust.SIGNED):
        return Content("")
    if width < _WITH_VERSION:
        return Content(" ") + trust_glyph(row.trust)
    gap = max(0, _VERSION + 2 - count.cell_length)
    return Content("   ") + trust_glyph(row.trust) + Content(" " * gap)


def _more(line: Line, width: int) -> Content:
    node = line.node
    text = f"{marks().more} {node.missing:,} more"
    if node.is_loading:
        text = f"{marks().more} loading"
    return padded(_guides(line) + Content.styled(text, "$faint"), width)


def _excerpt(line: Line, words: tuple[str, ...], width: int) -> Content:
    glyphs = marks()
    indent = "".join("  " if last else f"{glyphs.pipe} " for last in line.lasts)
    start = Content.styled(f"{indent}  {glyphs.pipe} ", "$line")
    room = width - cell_len(start.plain) - 1
    return padded(start + cut(highlighted(line.node.excerpt, words, "$faint"), room), width)
