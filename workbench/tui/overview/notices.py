"""What is to be known of a tool before all else: altered, shadowed, shadowing."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from workbench.core.diff import Difference
from workbench.tui.details import Details
from workbench.tui.overview.lines import Lines, cut, joined
from workbench.tui.trust import space_link, trust_glyph
from workbench.tui.vocabulary import counted, marks


def notices(details: Details, width: int) -> Lines:
    """A line for each, and an empty one after them; nothing for most tools."""
    lines = [cut(line, width) for line in (*_altered(details), *_shadows(details))]
    return [*lines, Content("")] if lines else []


def _altered(details: Details) -> Lines:
    if not details.is_altered:
        return []
    what = Content.styled(" altered since it was signed", "bold $warning")
    if details.since is None:
        why = Content.styled(
            "its signature line names another content, and what that was is not known", "$muted"
        )
        return [trust_glyph(details.tool.trust) + what, Content("  ") + why]
    told = Content.styled(f": {change_words(details.since)}", "$foreground")
    keys = joined(
        [_key("=", "what changed", "since_signing"), _key("S", "sign it again", "sign")], "   "
    )
    return [trust_glyph(details.tool.trust) + what + told, Content("  ") + keys]


def change_words(difference: Difference) -> str:
    """In a few words, where something changed."""
    parts = ["the manifest"] if difference.fields or difference.text else []
    if difference.files:
        first = difference.files[0].path
        parts.append(
            first if len(difference.files) == 1 else counted(len(difference.files), "file")
        )
    return " and ".join(parts) or "nothing that can be shown"


def _shadows(details: Details) -> Lines:
    row, tool_id = details.row, details.tool.tool_id
    dot = Content.styled(f"{marks().dot} ", "$faint")
    lines = []
    if row.shadowed_by:
        lines.append(
            dot
            + Content.styled("shadowed by the one in ", "$muted")
            + space_link(row.shadowed_by, tool_id)
            + Content.styled(", which the plain name means", "$muted")
        )
    if row.shadows:
        links = [space_link(space, tool_id) for space in row.shadows]
        lines.append(
            dot + Content.styled("shadows the one in ", "$muted") + joined(links, " and ", "$muted")
        )
    return lines


def _key(key: str, does: str, action: str) -> Content:
    """A key and what it does; a click does it too."""
    target = Style.from_meta({"@click": (f"screen.{action}", ())})
    return Content.assemble((key, "bold $primary"), (f" {does}", "$muted")).stylize(target)
