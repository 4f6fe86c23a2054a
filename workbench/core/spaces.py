"""Spaces: where a tool lives, and which tools it can see from there.

A project's tools see their own, the user's and the public ones; the user's see no project's;
public ones see only each other. Names are as they are stored: `project:<hash>`, `user`, `public`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

PROJECT, USER, PUBLIC = "project", "user", "public"
LABELS = (PROJECT, USER, PUBLIC)
_STORED_PROJECT = re.compile(r"project:[0-9a-f]{16}")


def project_space(real_path: str) -> str:
    """The space of the project at a real path; two projects never share one."""
    digest = hashlib.sha256(real_path.encode("utf-8", "surrogateescape")).hexdigest()
    return f"{PROJECT}:{digest[:16]}"


def label(space: str) -> str:
    """What people call a space."""
    return PROJECT if space.startswith(f"{PROJECT}:") else space


def is_space(text: str) -> bool:
    """Whether a reference may name this as a space."""
    return text in LABELS or _STORED_PROJECT.fullmatch(text) is not None


def outward(space: str) -> tuple[str, ...]:
    """The spaces whose tools a tool of `space` can name, the nearest first."""
    if space == PUBLIC:
        return (PUBLIC,)
    return (USER, PUBLIC) if space == USER else (space, USER, PUBLIC)


def named(wanted: str | None, spaces: Sequence[str]) -> tuple[str, ...]:
    """Those of `spaces` that a reference with the space `wanted` means."""
    if wanted is None:
        return tuple(spaces)
    return tuple(space for space in spaces if wanted in (space, label(space)))


def carrier(own: str, present: Sequence[str]) -> str | None:
    """Of the spaces in which an id is `present`, the one a tool of `own` means by it."""
    return next((space for space in outward(own) if space in present), None)
