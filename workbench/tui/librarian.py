"""The Library's errands to the facade. Each ends in a message: the answer, or the error."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.core.tool import Trust
from workbench.errors import WorkbenchError
from workbench.tui import amiss
from workbench.tui.browsing import fetch_children, fresh_outline, locate, survey
from workbench.tui.details import load_details
from workbench.tui.messages import (
    AmissLoaded,
    ChildrenFailed,
    ChildrenLoaded,
    DetailsLoaded,
    DiffLoaded,
    OutlineLoaded,
    RegistryFailed,
    RegistrySurveyed,
    SearchFinished,
    ToolLocated,
    TrustLoaded,
)
from workbench.tui.searching import find

if TYPE_CHECKING:
    from workbench.tui.outline import Node, Outline
    from workbench.workbench import Workbench

_TYPING = 0.02
"""Seconds to wait for the next key before searching."""
_MOVING = 0.03
"""Seconds to wait for the next move before loading a tool."""


class Librarian:
    def __init__(self, workbench: Workbench, post: Callable[[Message], object]) -> None:
        self._workbench = workbench
        self._post = post
        self._seen: int | None = None
        self._failing = False
        self._looking = False

    async def open_outline(self) -> None:
        try:
            self._seen = await self._workbench.data_version()
            self._post(OutlineLoaded(*await fresh_outline(self._workbench)))
        except WorkbenchError as error:
            self._post(RegistryFailed(error))

    def forget(self) -> None:
        """What was told last was not taken; the next look looks in any case."""
        self._seen = None

    async def look_for_changes(self, outline: Outline) -> None:
        """Surveys again if anything was committed since the last time."""
        if self._looking:
            return
        self._looking = True
        try:
            now = await self._workbench.data_version()
            if now == self._seen and not self._failing:
                return
            found = await survey(self._workbench, outline)
            self._seen, self._failing = now, False
            self._post(RegistrySurveyed(found, outline))
        except WorkbenchError as error:
            if not self._failing:
                self._post(RegistryFailed(error))
            self._failing = True
        finally:
            self._looking = False

    async def load_children(self, node: Node) -> None:
        """The first children of a node, or those after the last that is loaded."""
        last = node.children[-1].row if node.children else None
        try:
            if node.tool_type == amiss.KIND:
                self._post(AmissLoaded(node, await amiss.find_amiss(self._workbench)))
                return
            rows = await fetch_children(self._workbench, node, after=last)
            self._post(ChildrenLoaded(node, rows))
        except WorkbenchError as error:
            self._post(ChildrenFailed(node, error))

    async def load_details(self, space: str, tool_id: str) -> None:
        try:
            await asyncio.sleep(_MOVING)
            self._post(DetailsLoaded(await load_details(self._workbench, space, tool_id)))
        except WorkbenchError as error:
            self._post(RegistryFailed(error))

    async def search(self, query: str, facet: str) -> None:
        try:
            await asyncio.sleep(_TYPING)
            self._post(SearchFinished(await find(self._workbench, query, facet)))
        except WorkbenchError as error:
            self._post(RegistryFailed(error))

    async def compare(self, reference: str, before: str, after: str) -> None:
        try:
            difference = await self._workbench.diff(reference, before, after)
            self._post(DiffLoaded(before, after, difference))
        except WorkbenchError as error:
            self._post(RegistryFailed(error))

    async def judge(self, space: str, tool_id: str, versions: Sequence[str]) -> None:
        """Whether each of some versions is signed."""
        found: dict[str, Trust] = {}
        try:
            for version in versions:
                reference = f"{space}/{tool_id}@{version}"
                found[version] = (await self._workbench.get(reference, absent=True)).trust
            self._post(TrustLoaded(space, tool_id, found))
        except WorkbenchError as error:
            self._post(RegistryFailed(error))

    async def locate(self, outline: Outline, space: str, tool_id: str) -> None:
        try:
            key = await locate(self._workbench, outline, space, tool_id)
            self._post(ToolLocated(tool_id, key))
        except WorkbenchError as error:
            self._post(RegistryFailed(error))
