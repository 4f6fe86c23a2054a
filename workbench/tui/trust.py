"""Trust, spaces and versions as every part of the screen shows them."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from workbench.core import spaces, versions
from workbench.core.tool import Trust
from workbench.tui.vocabulary import TRUST_STYLES, marks


def trust_glyph(trust: Trust) -> Content:
    return Content.styled(marks().trust[trust], TRUST_STYLES[trust])


def trust_word(trust: Trust, before: str = "") -> Content:
    """The mark and the word, for places where colour and mark would be too little."""
    style = "$muted" if trust is Trust.UNSIGNED else TRUST_STYLES[trust]
    return trust_glyph(trust) + Content.styled(f" {before}{trust}", style)


def short_version(version: str) -> str:
    """`1.2.0+local` for what a file tree holds under a number that was taken."""
    return version.rpartition(".")[0] if is_local(version) else version


def tiny_version(version: str) -> str:
    """The same where there is no room for more than a sign."""
    return f"{versions.said(version)}+" if is_local(version) else version


def is_local(version: str) -> bool:
    return versions.said(version) != version


def space_link(space: str, tool_id: str, style: str = "$primary") -> Content:
    """The name of a space; a click goes to the tool of this id in it."""
    target = Style.from_meta({"@click": ("screen.reveal", (space, tool_id))})
    return Content.styled(spaces.label(space), style).stylize(target)
