"""Signing: the owner looks at what will be signed, and says yes or no. Enter says nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content

from workbench.core.spaces import label
from workbench.core.text import one_line
from workbench.core.tool import Effect, Trust
from workbench.errors import InvalidError, WorkbenchError
from workbench.tui.details import Details, load_details
from workbench.tui.overview.lines import Lines, cut, joined, paragraphs, safe
from workbench.tui.overview.problem_lines import problem_lines
from workbench.tui.screens.dialog import Dialog, key_line
from workbench.tui.trust import short_version, trust_word
from workbench.tui.vocabulary import EFFECT_STYLES, marks, type_mark, type_tint, type_word
from workbench.tui.widgets.versions_view import difference_lines

if TYPE_CHECKING:
    from workbench.core.diff import Difference
    from workbench.workbench import Workbench

_LABEL = 9


async def sign_with_owner(app: App[None], workbench: Workbench, space: str, tool_id: str) -> None:
    """Shows a tool as its file is now, asks, and signs exactly that, or says why not."""
    try:
        await workbench.sync()
        details = await load_details(workbench, space, tool_id)
        since = await workbench.changes_since_signing(details.tool)
        if not await app.push_screen_wait(SignScreen(details, since)):
            return
        await workbench.sync()
        shown = details.tool.content_hash
        signed = (await workbench.sign(details.reference, shown)).tool
    except WorkbenchError as error:
        await app.push_screen_wait(RefusalScreen(error))
    else:
        text = f"Signed {signed.tool_id} {short_version(signed.version)}"
        app.notify(one_line(text), timeout=3, markup=False)


class SignScreen(Dialog):
    """Asks whether to sign one tool as it is shown here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "sign", id="sign.yes", tooltip="Sign it"),
    ]

    def __init__(self, details: Details, since: Difference | None) -> None:
        keys = key_line(("y", "sign it"), ("n", "no"))
        super().__init__("Sign this tool?", partial(sign_lines, details, since), keys)


class RefusalScreen(Dialog):
    """Says why something was not done."""

    def __init__(self, error: WorkbenchError) -> None:
        super().__init__("Not signed", partial(error_lines, error), key_line(("esc", "close")))


def sign_lines(details: Details, since: Difference | None, width: int) -> Lines:
    tool = details.tool
    name = Content.assemble(
        (f"{type_mark(tool.tool_type)} ", type_tint(tool.tool_type)),
        safe(tool.tool_id, "bold"),
        "  ",
        safe(short_version(tool.version), "$muted"),
    )
    place = safe(details.place, "$value-string")
    if not details.place:
        place = Content.styled("only in the registry; no file is written", "$muted")
    rows = [
        ("is", joined([safe(type_word(tool.tool_type)), safe(f"{label(tool.space)} space")], ", ")),
        ("file", place),
        ("content", safe(tool.content_hash[:16], "$muted")),
        ("now", joined([trust_word(tool.trust), _effect(tool.effect)], "  ")),
        ("then", joined([trust_word(Trust.SIGNED), _effect(tool.declared_effect)], "  ")),
    ]
    lines = [cut(name, width), Content("")]
    lines += [
        cut(Content.styled(f"{word:<{_LABEL}}", "$muted") + text, width) for word, text in rows
    ]
    lines.append(Content(""))
    if since is not None:
        return lines + difference_lines("since it was last signed", since, width)
    return lines + paragraphs(_unknown(details), width, "$muted")


def _effect(effect: Effect) -> Content:
    return Content.styled(f"{marks().effects[effect]} {effect}", EFFECT_STYLES[effect])


def _unknown(details: Details) -> str:
    if details.is_altered:
        return (
            "It says it was signed as something else, and what that was is not known."
            " Read its files before you sign."
        )
    if details.tool.trust is Trust.SIGNED:
        return "It is signed as it is. Signing again renews the time."
    return "It was never signed. Signing says: I have read it, and it may run as it is."


def error_lines(error: WorkbenchError, width: int) -> Lines:
    lines = paragraphs(f"{marks().failed} {error.message}", width, "$error")
    if error.suggestion:
        lines += paragraphs(error.suggestion, width, "$muted")
    if isinstance(error, InvalidError) and error.problems:
        found = [problem.as_dict() for problem in error.problems]
        lines += [Content(""), *problem_lines(found, width)]
    return lines
