"""Tells when files of a tree changed. The one place that knows how that is noticed."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import Path

from workbench.sources.names import is_skipped

_CALM_MS = 100
"""A burst is over when nothing changed for this long …"""
_LONGEST_MS = 2_000
"""… or when it has lasted this long."""
_LOOK_MS = 2_000
"""How often to see whether a tree came or went."""


async def bursts(roots: Sequence[Path], stop: asyncio.Event) -> AsyncIterator[None]:
    """Yields once after each burst of changes below any of `roots`, until `stop` is set. A root
    may come and go. Where the system cannot watch, it is a look every few seconds."""
    watched: list[Path] | None = None
    while not stop.is_set():
        there = await asyncio.to_thread(_existing, roots)
        if watched is not None and there != watched:
            yield
        watched = there
        if not there:
            await _pause(stop)
            continue
        try:
            async for _ in _changes(roots, there, stop):
                yield
        except OSError:
            await _pause(stop)
            yield


async def _changes(
    roots: Sequence[Path], there: list[Path], stop: asyncio.Event
) -> AsyncIterator[None]:
    """Bursts below roots that exist; ends when one comes or goes."""
    from watchfiles import awatch

    tops = await asyncio.to_thread(_tops, there)
    is_first = True
    try:
        async for changes in awatch(
            *there,
            watch_filter=lambda _, path: _matters(path, tops),
            debounce=_LONGEST_MS,
            step=_CALM_MS,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            stop_event=stop,
            recursive=True,
            ignore_permission_denied=True,
        ):
            if changes or is_first:  # something may have changed before it was watched
                yield
            is_first = False
            # A root that was away is not watched any more, even if it is back by now.
            if any(path in tops for _, path in changes):
                return
            if await asyncio.to_thread(_existing, roots) != there:
                return
    except RuntimeError as error:  # what the system said, in the library's words
        raise OSError(str(error)) from error


def _matters(path: str, tops: Collection[str]) -> bool:
    """Passes over what no scan looks at: our own half-written files, caches, outputs."""
    top = max((top for top in tops if f"{path}/".startswith(f"{top}/")), key=len, default="")
    return not any(part.startswith(".") or is_skipped(part) for part in path[len(top) :].split("/"))


def _tops(roots: Sequence[Path]) -> set[str]:
    """What the paths of changes may begin with."""
    return {str(root) for root in roots} | {os.path.realpath(root) for root in roots}


def _existing(roots: Sequence[Path]) -> list[Path]:
    return [root for root in roots if root.is_dir()]


async def _pause(stop: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), _LOOK_MS / 1000)
