"""The facade: all that the faces can do, in one place.

    async with open_workbench() as workbench:
        tool = await workbench.get("word_count")

Faces call nothing below this. Methods raise the errors of `workbench.errors` and nothing else.
What is slow to import is imported by the method that needs it, so that a list costs a list.
"""

from __future__ import annotations

import functools
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import paths, seeding
from workbench.core import chain as chains
from workbench.core import references, versions
from workbench.core.tool import PUBLIC, Outcome, Saved, ToolRow, ToolVersion, VersionRow
from workbench.errors import InvalidError, NotFoundError, RefusedError, UsageError
from workbench.store import open_store
from workbench.store.tools import ToolStore

if TYPE_CHECKING:
    from workbench.core.diff import Difference
    from workbench.core.problems import Problem
    from workbench.core.reading import Reading
    from workbench.doctor import Finding
    from workbench.intake import Intake, Taken
    from workbench.store.search import SearchPage


@asynccontextmanager
async def open_workbench(home: Path | None = None) -> AsyncIterator[Workbench]:
    """Opens the registry in `home` (by default WORKBENCH_HOME), made and seeded if new."""
    home = home or paths.home()
    store = await open_store(home)
    try:
        await seeding.seed(store, paths.seeds())
        yield Workbench(home, store)
    finally:
        await store.close()


class Workbench:
    """One open registry."""

    def __init__(self, home: Path, store: ToolStore) -> None:
        self.home = home
        self._store = store

    # Looking

    async def rows(
        self,
        *,
        tool_types: Sequence[str] = (),
        category: str | None = None,
        after: tuple[str, str] | None = None,
        limit: int = 50,
    ) -> list[ToolRow]:
        """Tools by id, a page at a time; `after` is (tool_id, space) of the last one seen."""
        return await self._store.rows(
            tool_types=tool_types, category=category, after=after, limit=limit
        )

    async def row(self, reference: str) -> ToolRow:
        """The tool that a reference means, as lists show it."""
        tool = await self.get(reference)
        found = await self._store.row(tool.tool_id, [tool.space])
        if found is None:  # deleted since
            raise NotFoundError(f"there is no tool {reference}", tool_id=tool.tool_id)
        return found

    async def children(
        self,
        executor: str | None,
        *,
        tool_types: Sequence[str] = (),
        after: tuple[str, str, str] | None = None,
        limit: int = 200,
    ) -> list[ToolRow]:
        """The tools that name `executor` (None: that have none), runtimes and servers first.
        `after` is (tool_type, tool_id, space) of the last one seen."""
        return await self._store.children(executor, tool_types=tool_types, after=after, limit=limit)

    async def descendants(self, tool_id: str) -> int:
        """How many tools end up at this one."""
        return await self._store.descendants(tool_id)

    async def missing_executors(self) -> list[tuple[str, int]]:
        """Executors that tools name and that are not there, with how many name them."""
        return await self._store.missing_executors()

    async def dependants(self, tool_id: str, limit: int = 200) -> list[ToolRow]:
        return await self._store.dependants(tool_id, limit)

    async def counts(self) -> dict[str, int]:
        """How many tools there are of each type."""
        return await self._store.counts_by_type()

    async def search(
        self, query: str, *, tool_types: Sequence[str] = (), limit: int = 50
    ) -> SearchPage:
        return await self._store.search(query, tool_types=tool_types, limit=limit)

    async def get(
        self, reference: str, *, files: bool = False, absent: bool = False
    ) -> ToolVersion:
        """The version that a reference means; NotFoundError says what is near."""
        parsed = references.parse(reference)
        found = await self._find(parsed, files=files, absent=absent)
        if found is not None:
            return found
        raise await self._missing(parsed)

    async def chain(self, tool: ToolVersion) -> chains.Chain:
        """The tool's executors down to the primitive, with the fault if there is one."""

        async def find(reference: str, space: str) -> ToolVersion | None:
            parsed = references.try_parse(reference)
            return None if parsed is None else await self._find(parsed)

        return await chains.resolve(tool, find)

    async def versions(self, tool_id: str, space: str = PUBLIC) -> list[VersionRow]:
        """All versions of a tool, newest first; [] if it is unknown."""
        return await self._store.versions(space, tool_id)

    async def diff(self, reference: str, before: str = "", after: str = "") -> Difference:
        """What changed between two versions: by default the last two."""
        from workbench.core.diff import difference

        tool = await self.get(reference, absent=True)
        rows = await self.versions(tool.tool_id, tool.space)
        newer = after or tool.version
        older = before or next((row.version for row in _below(rows, newer)), newer)
        sides = [
            await self.get(f"{tool.tool_id}@{version}", files=True, absent=True)
            for version in (older, newer)
        ]
        one, two = ((side.manifest, side.text, side.files) for side in sides)
        return difference(one, two, (older, newer))

    # Checking

    def read(self, path: Path) -> Iterator[Reading]:
        """The tool at a path, or all tools below a folder; what is wrong is in each."""
        from workbench.sources.reader import read_tools

        if not os.path.exists(path):  # noqa: PTH110 - Path.exists raises for a long name
            raise NotFoundError(
                f"there is no file or folder {path}",
                code="path_not_found",
                suggestion="name a tool.yaml, a .yaml, .py or .md file, or a folder of them",
            )
        return read_tools(path, self._intake.names)

    async def validate_path(self, path: Path) -> AsyncIterator[tuple[Reading, list[Problem]]]:
        """Each tool at or below a path with its problems. Tools may refer to each other."""
        readings = list(self.read(path))
        batch = {str(r.manifest["tool_id"]): r for r in readings if "tool_id" in r.manifest}
        for reading in readings:
            yield reading, await self._intake.check(reading, batch)

    async def validate_stored(self, reference: str) -> tuple[Reading, list[Problem]]:
        reading = self._reread(await self.get(reference, files=True))
        return reading, await self._intake.check(reading)

    async def check(self, reading: Reading) -> list[Problem]:
        return await self._intake.check(reading)

    # Changing

    async def add(self, path: Path) -> AsyncIterator[list[Taken]]:
        """Stores the valid tools at or below a path; yields what became of each batch once
        that is durable."""
        async for batch in self._intake.add(self.read(path)):
            yield batch

    async def save(self, reading: Reading) -> Saved:
        return await self._intake.save(reading)

    async def create(self, tool_type: str, tool_id: str) -> Saved:
        """A new tool from the template of its type, in the registry."""
        from workbench import templates

        known = await self._find(references.Reference(tool_id), absent=True)
        if known is not None:
            gone = f"choose another id, or bring it back with `workbench restore {tool_id}`"
            here = "choose another id, or change that one with `workbench add`"
            raise RefusedError(
                f"there {'was' if known.is_absent else 'is'} a tool {tool_id} already",
                code="tool_exists",
                tool_id=tool_id,
                suggestion=gone if known.is_absent else here,
            )
        return await self.save(templates.instantiate(tool_type, tool_id, self._intake.names))

    async def restore(self, reference: str) -> Saved:
        """Brings back a deleted tool, or an earlier version as a new one."""
        tool = await self.restorable(reference)
        rows = await self.versions(tool.tool_id, tool.space)
        if _is_latest(rows, tool):
            await self._store.set_absent(tool.space, tool.tool_id, absent=False)
            return Saved(tool.space, tool.tool_id, tool.version, Outcome.RESTORED)
        from workbench.core.reversion import as_version

        taken = [row.version for row in rows]
        version = versions.next_patch(versions.latest(taken) or tool.version, taken)
        reading = as_version(self._reread(tool), version, f"Restores {tool.version}.")
        return await self.save(self._again(reading))

    async def restorable(self, reference: str) -> ToolVersion:
        """The version that `restore` would bring back, or the error it would raise."""
        tool = await self.get(reference, files=True, absent=True)
        rows = await self.versions(tool.tool_id, tool.space)
        if _is_latest(rows, tool) and not tool.is_absent:
            earlier = next((row.version for row in _below(rows, tool.version)), "")
            example = f"name an earlier version as in `workbench restore {tool.tool_id}@{earlier}`"
            raise UsageError(
                f"{tool.tool_id} {tool.version} is the latest version already",
                code="nothing_to_restore",
                suggestion=example if earlier else "there is no earlier version",
            )
        return tool

    async def delete(self, reference: str, *, force: bool = False) -> ToolVersion:
        """Takes a tool out of the registry; its versions stay and `restore` brings it back."""
        tool = await self.deletable(reference, force=force)
        await self._store.set_absent(tool.space, tool.tool_id, absent=True)
        return tool

    async def deletable(self, reference: str, *, force: bool = False) -> ToolVersion:
        """The tool that `delete` would take out, or the error it would raise."""
        tool = await self.get(reference)
        if references.parse(reference).version is not None:
            raise UsageError(
                "versions are kept; a tool is deleted as a whole",
                code="version_kept",
                suggestion=f"write `workbench delete {tool.tool_id}`",
            )
        if tool.is_builtin:
            raise RefusedError(
                f"{tool.tool_id} is a shipped {tool.tool_type} that others stand on",
                code="reserved_id",
                tool_id=tool.tool_id,
                suggestion="shipped primitives and runtimes cannot be deleted",
            )
        users = [] if force else await self.dependants(tool.tool_id, limit=6)
        if users:
            named = ", ".join(row.tool_id for row in users[:5]) + (" …" if len(users) > 5 else "")
            raise RefusedError(
                f"{tool.tool_id} is used by {named}",
                code="has_dependants",
                tool_id=tool.tool_id,
                suggestion="delete those first, or use --force and leave them without it",
            )
        return tool

    # The installation

    async def doctor(self) -> list[Finding]:
        from workbench import doctor

        return await doctor.examine(self.home, self._store)

    async def data_version(self) -> int:
        """Changes when anything was committed, by this process or another."""
        return await self._store.data_version()

    # Inside

    @functools.cached_property
    def _intake(self) -> Intake:
        from workbench.dialect_names import load_names
        from workbench.intake import Intake

        return Intake(self._store, load_names(paths.seeds()))

    async def _find(
        self, reference: references.Reference, *, files: bool = False, absent: bool = False
    ) -> ToolVersion | None:
        spaces = [reference.space or PUBLIC]
        return await self._store.find(
            reference.tool_id, spaces, reference.version, files=files, absent=absent
        )

    async def _missing(self, reference: references.Reference) -> NotFoundError:
        """Why nothing was found: the tool is not there, is deleted, or lacks that version."""
        tool_id = reference.tool_id
        message = f"there is no tool {reference}"
        known = await self._find(references.Reference(tool_id, reference.space), absent=True)
        if known is None:
            suggestion = await self._near(tool_id)
        elif known.is_absent:
            message = f"{tool_id} is deleted"
            suggestion = f"`workbench restore {tool_id}` brings it back"
        else:
            rows = await self.versions(tool_id, known.space)
            have = ", ".join(row.version for row in rows[:5])
            message = f"{tool_id} has no version {reference.version}"
            suggestion = f"it has {have}{' …' if len(rows) > 5 else ''}"
        return NotFoundError(message, tool_id=tool_id, suggestion=suggestion)

    async def _near(self, tool_id: str) -> str:
        page = await self._store.search(tool_id, limit=3)
        if page.hits:
            return f"did you mean {', '.join(hit.row.tool_id for hit in page.hits)}?"
        return "`workbench list` shows what there is"

    def _reread(self, tool: ToolVersion) -> Reading:
        from dataclasses import replace

        from workbench.core.dialects import reread

        reading = reread(
            tool.manifest, tool.text, tool.manifest_file, tool.files, self._intake.names
        )
        shipped = tool.is_official
        return replace(reading, name=f"{tool.tool_id}@{tool.version}", is_shipped=shipped)

    def _again(self, reading: Reading) -> Reading:
        """The reading with places and problems of its changed text."""
        from dataclasses import replace

        from workbench.core.dialects import reread

        fresh = reread(
            reading.manifest,
            reading.text,
            reading.manifest_file,
            reading.files,
            self._intake.names,
        )
        return replace(fresh, name=reading.name)


def _is_latest(rows: Sequence[VersionRow], tool: ToolVersion) -> bool:
    return any(row.is_latest and row.version == tool.version for row in rows)


def _below(rows: Sequence[VersionRow], version: str) -> Iterator[VersionRow]:
    """The versions that come after `version` in a history that begins with the newest."""
    found = False
    for row in rows:
        if found:
            yield row
        found = found or row.version == version


def show(tool: ToolVersion, chain: chains.Chain, history: Sequence[VersionRow]) -> dict[str, Any]:
    """A tool as `show --json` gives it: the canonical manifest, and what is known of it."""
    return {
        **tool.manifest,
        "executor": tool.executor,
        "chain": [
            {
                "tool_id": link.manifest["tool_id"],
                "tool_type": link.manifest["tool_type"],
                "version": link.manifest["version"],
                "space": link.space,
            }
            for link in chain.links
        ],
        "chain_fault": chain.fault.message if chain.fault else None,
        "space": tool.space,
        "content_hash": tool.content_hash,
        "signature": None,
        "effect": str(tool.effect),
        "isolation": tool.manifest.get("isolation", "standard"),
        "shadows": [],
        "files": [
            {
                "path": file.path,
                "size_bytes": len(file.data),
                "sha256": file.sha256,
                "is_entrypoint": file.is_entrypoint,
            }
            for file in tool.files
        ],
        "versions": [row.version for row in history],
        "created_at": tool.created_at,
    }


__all__ = ["InvalidError", "Workbench", "open_workbench", "show"]
