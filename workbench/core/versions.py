"""Semantic versions: reading them, ordering them, proposing the next one."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

_NUMBER = r"(?:0|[1-9]\d{0,8})"
_LABEL = r"(?:0|[1-9]\d{0,17}|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMVER = re.compile(
    rf"(?P<major>{_NUMBER})\.(?P<minor>{_NUMBER})\.(?P<patch>{_NUMBER})"
    rf"(?:-(?P<pre>{_LABEL}(?:\.{_LABEL})*))?"
    r"(?:\+(?P<build>[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?",
    re.ASCII,
)
MAX_LENGTH = 128
LOCAL, SHIPPED = "local", "shipped"
_BESIDE = re.compile(r"[+.](?:local|shipped)\.[0-9a-f]{8}$")


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class Version:
    """One semantic version. Order is that of semver 2.0; build metadata does not count."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()
    build: str = ""

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.pre:
            text += "-" + ".".join(self.pre)
        return f"{text}+{self.build}" if self.build else text

    @property
    def order(self) -> tuple[object, ...]:
        """A key that sorts as semver says: numbers before words, a release after its betas."""
        labels = tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in self.pre)
        return (self.major, self.minor, self.patch, not self.pre, labels)

    def __lt__(self, other: Version) -> bool:
        return self.order < other.order


def parse(text: str) -> Version | None:
    """The version in `text`, or None if it is not one. `0.0.0` names nothing and is refused."""
    match = _SEMVER.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        return None
    pre = tuple(match["pre"].split(".")) if match["pre"] else ()
    version = Version(
        int(match["major"]), int(match["minor"]), int(match["patch"]), pre, match["build"] or ""
    )
    if (version.major, version.minor, version.patch) == (0, 0, 0):
        return None
    return version


def latest(texts: Iterable[str]) -> str | None:
    """The version a plain reference means: the greatest release, or the greatest of all
    when nothing but pre-releases exists. Of equals the last given wins."""
    best: tuple[tuple[object, ...], str] | None = None
    for text in texts:
        version = parse(text)
        if version is None:
            continue
        key = (not version.pre, *version.order)
        if best is None or key >= best[0]:
            best = (key, text)
    return best[1] if best else None


def next_patch(text: str, taken: Iterable[str] = ()) -> str:
    """The smallest release above `text` that is not taken."""
    version = parse(text) or Version(0, 1, 0)
    used = set(taken)
    patch = version.patch if version.pre else version.patch + 1
    while (proposal := f"{version.major}.{version.minor}.{patch}") in used:
        patch += 1
    return proposal


def beside(text: str, kind: str, content_hash: str) -> str:
    """The version for content that says it is `text`, which is taken by other content."""
    return f"{text}{'.' if '+' in text else '+'}{kind}.{content_hash[:8]}"


def said(text: str) -> str:
    """The version that content which is kept beside another says of itself."""
    return _BESIDE.sub("", text)


def repaired(text: str) -> str | None:
    """What was probably meant by something that is nearly a version: `1.2`, `v1.2.0`, `01.2.3`."""
    match = re.fullmatch(r"\s*[vV]?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?\s*", text, re.ASCII)
    if match is None:
        return None
    proposal = ".".join(str(int(part or 0)) for part in match.groups())
    return proposal if parse(proposal) else None
