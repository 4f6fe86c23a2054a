"""Chains of executors: from a tool, link by link, to the primitive that runs it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from workbench.core.tool import Manifest

MAX_LINKS = 16


class Link(Protocol):
    """What a chain needs to know of a tool."""

    @property
    def space(self) -> str: ...
    @property
    def manifest(self) -> Manifest: ...


@dataclass(frozen=True, slots=True)
class Chain:
    """The tool itself first, the last executor that was found last."""

    links: tuple[Link, ...]
    fault: Fault | None = None

    @property
    def executor(self) -> Link | None:
        return self.links[1] if len(self.links) > 1 else None

    @property
    def primitive(self) -> str | None:
        """The id of the primitive at the end, or None for tools that nothing carries."""
        last = self.links[-1].manifest
        return str(last["tool_id"]) if last.get("tool_type") == "primitive" else None

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(str(link.manifest["tool_id"]) for link in self.links)

    def config(self) -> dict[str, Any]:
        """The merged config: the leaf wins, mappings merge deeply, lists are replaced."""
        merged: dict[str, Any] = {}
        for link in reversed(self.links):
            merged = merge(merged, link.manifest.get("config") or {})
        return merged


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a chain does not reach its end. `at` is the index of the link that breaks it."""

    code: str
    message: str
    hint: str
    at: int


Find = Callable[[str, str], Awaitable[Link | None]]
"""Looks an executor up: (reference as written, space of the tool that names it)."""


async def resolve(leaf: Link, find: Find) -> Chain:
    """The chain of `leaf`. Never raises for a bad chain: its fault says what is wrong."""
    links = [leaf]
    seen = {(leaf.space, leaf.manifest["tool_id"])}
    while (reference := links[-1].manifest.get("executor")) is not None:
        if len(links) > MAX_LINKS:
            path = " → ".join(str(link.manifest["tool_id"]) for link in links[:4])
            return Chain(
                tuple(links),
                Fault(
                    "chain_too_long",
                    f"the chain {path} → … has more than {MAX_LINKS} links",
                    "let the tool use a runtime or a primitive directly",
                    len(links) - 1,
                ),
            )
        found = await find(reference, links[-1].space) if isinstance(reference, str) else None
        if found is None:
            return Chain(tuple(links), _missing(links, str(reference)))
        key = (found.space, found.manifest["tool_id"])
        if key in seen:
            return Chain(tuple(links), _circle(links, found))
        seen.add(key)
        links.append(found)
    return Chain(tuple(links))


def _missing(links: Sequence[Link], reference: str) -> Fault:
    user = links[-1].manifest["tool_id"]
    return Fault(
        "executor_not_found",
        f"{user} names the executor {reference!r}, which does not exist",
        f"add {reference}, or name one that `workbench list` shows",
        len(links) - 1,
    )


def _circle(links: Sequence[Link], found: Link) -> Fault:
    again = found.manifest["tool_id"]
    ids = [str(link.manifest["tool_id"]) for link in links]
    start = ids.index(str(again))
    return Fault(
        "circular_chain",
        f"the chain is circular: {' → '.join([*ids[start:], str(again)])}",
        "let one of them use a runtime or a primitive instead",
        len(links) - 1,
    )


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` laid on `base`: mappings deeply, everything else replaced."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(below, value)
        else:
            merged[key] = value
    return merged
