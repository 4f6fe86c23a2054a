"""The top of the detail pane: what tool this is, in two lines."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from workbench.core.spaces import label
from workbench.core.tool import ToolVersion, Trust
from workbench.tui.details import Details
from workbench.tui.overview.lines import Lines, cut, joined, safe, spread
from workbench.tui.trust import short_version
from workbench.tui.vocabulary import counted, marks, type_mark, type_tint, type_word


class DetailHead(Widget):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._details: Details | None = None

    def show(self, details: Details) -> None:
        self._details = details
        self.refresh()

    def render(self) -> Content:
        if self._details is None:
            return Content("")
        return Content("\n").join(head_lines(self._details, self.content_size.width))


def head_lines(details: Details, width: int) -> Lines:
    tool = details.tool
    name = Content.assemble(
        (f"{type_mark(tool.tool_type)} ", type_tint(tool.tool_type)),
        safe(tool.tool_id, "bold"),
        "  ",
        safe(short_version(tool.version), "$muted"),
    )
    facts = [
        type_word(tool.tool_type),
        f"{label(tool.space)} space",
        "shipped" if tool.is_official and tool.trust is Trust.SIGNED else "",
        counted(len(tool.files), "file") if tool.files else "",
        f"used by {details.used_by:,}" if details.used_by else "",
        str(tool.manifest.get("category") or ""),
    ]
    second = joined([safe(fact, "$muted") for fact in facts if fact], f" {marks().dot} ", "$muted")
    return [spread(name, _badges(tool), width), cut(second, width)]


def _badges(tool: ToolVersion) -> Content:
    effect = str(tool.effect)
    touched = Content.styled(
        f" {marks().effects[tool.effect]} {effect} ",
        f"$badge-{effect}-foreground on $badge-{effect}-background",
    )
    style = {
        Trust.SIGNED: "$badge-signed-foreground on $badge-signed-background",
        Trust.UNSIGNED: "$muted on $panel",
        Trust.ALTERED: "bold $badge-writes-foreground on $badge-writes-background",
    }[tool.trust]
    trust = Content.styled(f" {marks().trust[tool.trust]} {tool.trust} ", style)
    return touched + Content(" ") + trust
