"""References to tools: `tool_id`, `space/tool_id`, either with `@version`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.core import spaces, versions
from workbench.errors import UsageError

MAX_ID = 128
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,127}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reference:
    tool_id: str
    space: str | None = None
    version: str | None = None

    def __str__(self) -> str:
        text = f"{self.space}/{self.tool_id}" if self.space else self.tool_id
        return f"{text}@{self.version}" if self.version else text


def is_tool_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def proposed_id(text: str) -> str | None:
    """The id that was probably meant: lower case, dashes for what cannot stand in one."""
    plain = re.sub(r"[^a-z0-9_.-]+", "_", text.strip().lower()).strip("_.-")[:MAX_ID]
    return plain if is_tool_id(plain) else None


def try_parse(text: str) -> Reference | None:
    """The reference in `text`, or None."""
    name, at, version = text.partition("@")
    space, slash, tool_id = name.rpartition("/")
    if not is_tool_id(tool_id) or (slash and not spaces.is_space(space)):
        return None
    if at and versions.parse(version) is None:
        return None
    return Reference(tool_id, space or None, version or None)


def parse(text: str) -> Reference:
    """The reference in `text`; a UsageError that says what one looks like if it is none."""
    if reference := try_parse(text):
        return reference
    name, _, version = text.partition("@")
    if version and try_parse(name) is not None:
        raise UsageError(
            f"{version[:60]!r} is not a version: three numbers, as in {name}@1.2.0",
            code="bad_reference",
            suggestion=f"`workbench versions {name}` lists those it has",
        )
    raise UsageError(
        f"{text[:200]!r} is not a reference to a tool",
        code="bad_reference",
        suggestion="write tool_id, space/tool_id (project, user, public), or either with @version",
    )
