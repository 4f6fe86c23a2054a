"""One line of the tree as text: guides, mark and name at the left, facts at the right edge."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content, Span

from workbench.core.text import one_line
from workbench.tui.outline import Kind, Line, Node
from workbench.tui.overview.lines import cut, padded, safe
from workbench.tui.searching import spans
from workbench.tui.vocabulary import EFFECT_STYLES, marks, type_mark, type_tint

_VERSION = 7
_WITH_VERSION = 44
"""From this width on there is room for versions."""


def line_content(line: Line, words: tuple[str, ...], width: int, *, is_cursor: bool) -> Content:
    """The line without its left bar, exactly `width` cells."""
    if line.kind is Kind.MORE:
        return _more(line, width)
    if line.kind is Kind.EXCERPT:
        return _excerpt(line, words, width)
    node = line.node
    right = _right(node, width)
    left = _guides(line) + _fold(node) + _mark(node)
    name = _name(node, words, bold=is_cursor)
    return padded(left + name, width - right.cell_length) + right


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
    if node.tool_type == "broken":
        return Content.styled(f"{marks().failed} ", "$error")
    return Content.styled(f"{type_mark(node.tool_type)} ", type_tint(node.tool_type))


def _name(node: Node, words: tuple[str, ...], *, bold: bool) -> Content:
    style = "bold" if bold else "$foreground" if node.is_hit or not words else "$muted"
    return highlighted(one_line(node.label), words if node.is_hit else (), style)


def highlighted(text: str, words: tuple[str, ...], style: str) -> Content:
    """`text`, already fit to be shown, with every match of `words` marked."""
    content = Content.styled(text, style)
    found = [
        Span(start, end, "bold $match-foreground on $match-background")
        for start, end in spans(text, words)
    ]
    return content.add_spans(found) if found else content


def _right(node: Node, width: int) -> Content:
    if node.is_inner:
        note = Content.styled(f"{node.note}  " if node.note else "", "$muted")
        return note + Content.styled(f" {node.count:,} ", "$muted")
    row = node.row
    if row is None:
        return Content("")
    effect = Content.styled(f" {marks().effects[row.effect]}", EFFECT_STYLES[row.effect])
    trust = (
        Content.styled(f" {marks().signed} ", "$success")
        if row.is_official
        else Content.styled(f" {marks().unsigned} ", "$faint")
    )
    if width < _WITH_VERSION:
        return effect + trust
    version = cut(safe(row.version, "$muted"), 14)
    return effect + trust + Content(" " * max(0, _VERSION - version.cell_length)) + version + " "


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
