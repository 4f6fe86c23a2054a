"""Following the files in sight while the app runs: one sync at the start, then one per burst."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.errors import UnavailableError, WorkbenchError
from workbench.tui.messages import FilesRead, FilesSynced, FollowingFailed

if TYPE_CHECKING:
    from workbench.workbench import Workbench

_SETTLED = 0.5
"""Seconds after which the system surely watches; what changed before that is read once more."""
_GRACE = 2.0
"""Seconds that following gets to end by itself."""


async def follow_until(
    stop: asyncio.Event, workbench: Workbench, post: Callable[[Message], object]
) -> None:
    """Keeps the registry up to date with the files until `stop`. Never raises: what goes wrong
    is told, and the rest goes on with what there is."""
    following = asyncio.create_task(_follow(stop, workbench, post))
    try:
        await stop.wait()
    finally:  # however we end, the watcher's thread ends before the registry is closed
        stop.set()
        await asyncio.wait({following}, timeout=_GRACE)
        following.cancel()
        await asyncio.wait({following})


async def _follow(
    stop: asyncio.Event, workbench: Workbench, post: Callable[[Message], object]
) -> None:
    try:
        await workbench.sync(lambda done, total: _tell(post, done, total))
        post(FilesSynced(is_first=True))
        async with asyncio.TaskGroup() as group:
            group.create_task(_once_more(stop, workbench, post))
            async for _ in workbench.watch(stop):
                post(FilesSynced())
    except* WorkbenchError as errors:
        first = errors.exceptions[0]
        assert isinstance(first, WorkbenchError)  # noqa: S101 as the clause says
        post(FollowingFailed(first))
    except* (OSError, RuntimeError) as errors:  # the watcher's own faults are RuntimeErrors
        post(FollowingFailed(UnavailableError(str(errors.exceptions[0]))))


async def _once_more(
    stop: asyncio.Event, workbench: Workbench, post: Callable[[Message], object]
) -> None:
    """For what changed between the first sync and the moment the watcher was ready."""
    try:
        await asyncio.wait_for(stop.wait(), _SETTLED)
    except TimeoutError:
        await workbench.sync()
        post(FilesSynced())


def _tell(post: Callable[[Message], object], done: int, total: int) -> None:
    post(FilesRead(done, total))
