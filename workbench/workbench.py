"""The facade: all that the faces can do, in one place.

    async with open_workbench() as workbench:
        tool = await workbench.get("word_count")

Faces call nothing below this. Methods raise the errors of `workbench.errors` and nothing else.
What is slow to import is imported by the method that needs it, so that a list costs a list.
"""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import paths, seeding
from workbench.core import chain as chains
from workbench.core.spaces import PUBLIC
from workbench.core.tool import Saved, ToolFile, ToolRow, ToolVersion, VersionRow
from workbench.errors import NotFoundError, RefusedError, WorkbenchError
from workbench.site import Site
from workbench.store import open_store
from workbench.trees import Progress, Report, Tree, find_project, manifest_path

if TYPE_CHECKING:
    from workbench.changing import Changing
    from workbench.core.diff import Difference
    from workbench.core.problems import Problem
    from workbench.core.reading import Reading
    from workbench.doctor import Finding
    from workbench.intake import Taken
    from workbench.migration import Migration, Plan, Result
    from workbench.signing import Signed, Signing
    from workbench.store.search import SearchPage
    from workbench.store.trees import SeenUnit


@asynccontextmanager
async def open_workbench(
    home: Path | None = None,
    *,
    project: Path | None = None,
    sync: bool = True,
    progress: Progress | None = None,
) -> AsyncIterator[Workbench]:
    """Opens the registry in `home` (by default WORKBENCH_HOME), made and seeded if new.

    In sight are the tools of `project` (by default the nearest folder upwards from here with
    `.ai` in it), the user's and the public ones, as their files are now unless not `sync`.
    """
    home = home or paths.home()
    store = await open_store(home)
    try:
        await seeding.seed(store, paths.seeds())
        workbench = Workbench(Site(home, store, project or find_project(Path.cwd())))
        if sync:
            await workbench.sync(progress)
        yield workbench
    finally:
        await store.close()


class Workbench:
    """One open registry, seen from one project."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store

    @property
    def home(self) -> Path:
        return self._site.home

    @property
    def project(self) -> Path | None:
        """The folder whose `.ai` is in sight."""
        return self._site.project

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The file trees in sight, the project's first."""
        return self._site.trees

    async def at(self, project: Path) -> Workbench:
        """The same registry seen from another project, up to date with its files."""
        found = find_project(project)
        if found == self.project:
            return self
        other = Workbench(Site(self.home, self._store, found))
        await other.sync()
        return other

    async def sync(self, progress: Progress | None = None) -> Report:
        """Brings the registry up to date with the files in sight."""
        return await self._site.sync(progress)

    async def watch(self, stop: asyncio.Event) -> AsyncIterator[Report]:
        """Follows the files in sight until `stop`: one sync after each burst of changes."""
        from workbench.sources.watcher import bursts

        async for _ in bursts([tree.root for tree in self.trees], stop):
            report = await self.sync()
            if not report.is_quiet:
                yield report

    async def amiss(self) -> list[tuple[Path, SeenUnit]]:
        """The files in sight that are no tools though they should be, and those that are not
        quite as they should be; each with its problems."""
        found = await self._store.trees.amiss([tree.space for tree in self.trees])
        roots = {tree.space: tree.root for tree in self.trees}
        return [(roots[space] / unit.path, unit) for space, unit in found]

    async def path_of(self, tool: ToolVersion | ToolRow) -> Path | None:
        """The file that holds a tool's manifest; None if it lives only in the registry."""
        tree = self._site.tree_of(tool.space)
        return None if tree is None else await manifest_path(self._store, tree, tool.tool_id)

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
        found = await self._store.rows(
            self._site.spaces, tool_types=tool_types, category=category, after=after, limit=limit
        )
        return await self._site.judged(found)

    async def row(self, reference: str) -> ToolRow:
        """The tool that a reference means, as lists show it."""
        tool = await self.get(reference)
        found = await self._store.row(tool.tool_id, [tool.space], self._site.spaces)
        if found is None:  # deleted since
            raise NotFoundError(f"there is no tool {reference}", tool_id=tool.tool_id)
        return (await self._site.judged([found]))[0]

    async def children(
        self,
        executor: str | None,
        space: str | None = PUBLIC,
        *,
        tool_types: Sequence[str] = (),
        after: tuple[str, str, str] | None = None,
        limit: int = 200,
    ) -> list[ToolRow]:
        """The tools that mean `executor` in `space` by the one they name (None: that have
        none; with `space` None: that name one which is missing), runtimes and servers first.
        `after` is (tool_type, tool_id, space) of the last one seen."""
        found = await self._store.children(
            self._site.spaces, executor, space, tool_types=tool_types, after=after, limit=limit
        )
        return await self._site.judged(found)

    async def descendants(self, tool_id: str) -> int:
        """How many tools end up at this one."""
        return await self._store.descendants(tool_id, self._site.spaces)

    async def missing_executors(self) -> list[tuple[str, int]]:
        """Executors that tools name and that are not there, with how many name them."""
        return await self._store.missing_executors(self._site.spaces)

    async def dependants(
        self, tool_id: str, space: str = PUBLIC, limit: int = 200
    ) -> list[ToolRow]:
        """The tools of any project that use this one."""
        return await self._site.judged(await self._store.dependants(tool_id, space, limit))

    async def is_empty(self, space: str) -> bool:
        """Whether a space, as it is stored, has no tools."""
        return not await self._store.rows([space], limit=1)

    async def counts(self) -> dict[str, int]:
        """How many tools there are of each type."""
        return await self._store.counts_by_type(self._site.spaces)

    async def search(
        self, query: str, *, tool_types: Sequence[str] = (), limit: int = 50
    ) -> SearchPage:
        page = await self._store.search(
            query, self._site.spaces, tool_types=tool_types, limit=limit
        )
        rows = await self._site.judged([hit.row for hit in page.hits])
        hits = [replace(hit, row=row) for hit, row in zip(page.hits, rows, strict=True)]
        return replace(page, hits=hits)

    async def get(
        self, reference: str, *, files: bool = False, absent: bool = False
    ) -> ToolVersion:
        """The version that a reference means; NotFoundError says what is near."""
        return await self._site.get(reference, files=files, absent=absent)

    async def chain(self, tool: ToolVersion) -> chains.Chain:
        """The tool's executors down to the primitive, with the fault if there is one."""
        return await self._site.chain(tool)

    async def versions(self, tool_id: str, space: str = PUBLIC) -> list[VersionRow]:
        """All versions of a tool, newest first; [] if it is unknown."""
        return await self._store.versions(space, tool_id)

    async def diff(self, reference: str, before: str = "", after: str = "") -> Difference:
        """What changed between two versions: by default the last two."""
        from workbench.changing import below
        from workbench.core.diff import difference

        tool = await self.get(reference, absent=True)
        rows = await self.versions(tool.tool_id, tool.space)
        newer = after or tool.version
        older = before or next((row.version for row in below(rows, newer)), newer)
        sides = [
            await self.get(f"{tool.space}/{tool.tool_id}@{version}", files=True, absent=True)
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
        space = self._space_at(path)
        for reading in read_tools(path, self._site.intake.names):
            reading.space = space
            yield reading

    def reading(self, name: str, data: bytes, files: Sequence[ToolFile] = ()) -> Reading:
        """A tool that lies nowhere yet: its manifest is in the file `name`; what is wrong is in
        the reading."""
        from workbench.core.dialects import read

        return read(name, data, files, self._site.intake.names)

    def _space_at(self, path: Path) -> str:
        """The space whose tree a path is in: what lies there sees what that space sees."""
        real = os.path.realpath(path)
        inside = (
            tree.space
            for tree in self.trees
            if (real + os.sep).startswith(os.path.realpath(tree.root) + os.sep)
        )
        return next(inside, PUBLIC)

    async def validate_path(self, path: Path) -> AsyncIterator[tuple[Reading, list[Problem]]]:
        """Each tool at or below a path with its problems. Tools may refer to each other."""
        readings = list(self.read(path))
        batch: dict[str, Reading] = {}
        for reading in readings:
            batch.setdefault(str(reading.manifest.get("tool_id", "")), reading)
        for reading in readings:
            yield reading, await self._site.intake.review(reading, batch)

    async def validate_stored(self, reference: str) -> tuple[Reading, list[Problem]]:
        reading = self._site.reread(await self.get(reference, files=True))
        return reading, await self._site.intake.review(reading)

    async def check(self, reading: Reading) -> list[Problem]:
        return await self._site.intake.check(reading)

    # Changing

    async def add(self, path: Path) -> AsyncIterator[list[Taken]]:
        """Stores the valid tools at or below a path in the registry; yields what became of each
        batch once that is durable."""
        from workbench.intake import each

        readings = (replace(reading, space=PUBLIC) for reading in self.read(path))
        async for batch in self._site.intake.add(each(readings)):
            yield batch

    async def save(self, reading: Reading) -> Saved:
        """Stores a tool in its space; in a tree its file is written."""
        return await self._changing.save(reading)

    async def create(self, tool_type: str, tool_id: str, space: str | None = None) -> Saved:
        """A new tool from the template of its type: in the project's tree if there is one and
        no space is named, else in the registry."""
        named = self._site.space(space) if space else None
        return await self._changing.create(tool_type, tool_id, named)

    async def add_new(self, reading: Reading, space: str | None = None) -> Saved:
        """Stores a tool whose id must be free."""
        named = self._site.space(space) if space else None
        return await self._changing.add_new(reading, named)

    async def copy(self, reference: str, space: str) -> Saved:
        """The same tool in another space. One that was altered since signing is refused."""
        tool = await self.get(reference, files=True)
        await self._signing.require(tool)
        return await self._changing.copy(tool, self._site.space(space))

    async def restore(self, reference: str) -> Saved:
        """Brings back a tool that is gone, or an earlier version as a new one."""
        return await self._changing.restore(reference)

    async def restorable(self, reference: str) -> ToolVersion:
        """The version that `restore` would bring back, or the error it would raise."""
        return await self._changing.restorable(reference)

    async def delete(self, reference: str, *, force: bool = False) -> ToolVersion:
        """Takes a tool away; its versions stay and `restore` brings it back."""
        return await self._changing.delete(reference, force=force)

    async def deletable(self, reference: str, *, force: bool = False) -> ToolVersion:
        """The tool that `delete` would take away, or the error it would raise."""
        return await self._changing.deletable(reference, force=force)

    async def plan_migration(
        self, what: Path | str, to: Path | None = None, *, keep: bool = False
    ) -> Plan:
        """What would become of older forms at a path, or of the tool that a reference means."""
        return await self._migration.plan(what, to, keep=keep)

    async def migrate(self, plan: Plan, progress: Progress | None = None) -> Result:
        """Does what was planned. What fails stays as it was, and the others go on."""
        return await self._migration.carry_out(plan, progress)

    # Signing

    async def sign(self, reference: str, expected: str | None = None) -> Signed:
        """Validates a tool and gives it the owner's signature; with `expected` only if that is
        its content hash, which is what the owner looked at."""
        tool = await self.get(reference, files=True)
        if expected is not None and tool.content_hash != expected:
            raise RefusedError(
                f"{tool.tool_id} changed while you looked at it",
                code="file_changed",
                tool_id=tool.tool_id,
                suggestion="look at it again, then sign it",
            )
        (done,) = await self._signing.sign([tool])
        if isinstance(done, WorkbenchError):
            raise done
        return done

    async def sign_all(self, tools: Sequence[ToolVersion]) -> list[Signed | WorkbenchError]:
        """Signs many tools, got with their files; for each what became of it."""
        return await self._signing.sign(tools)

    async def require_unaltered(self, tool: ToolVersion) -> None:
        """Refuses a tool that is no longer what was signed, with what changed."""
        await self._signing.require(tool)

    async def changes_since_signing(self, tool: ToolVersion) -> Difference | None:
        """What changed since the owner last signed a tool; None if that is not known."""
        return await self._signing.changes(tool)

    # The installation

    async def doctor(self) -> list[Finding]:
        from workbench import doctor

        return await doctor.examine(self.home, self._store)

    async def data_version(self) -> int:
        """Changes when anything was committed, by this process or another."""
        return await self._store.data_version()

    # Inside

    @functools.cached_property
    def _changing(self) -> Changing:
        from workbench.changing import Changing

        return Changing(self._site)

    @functools.cached_property
    def _migration(self) -> Migration:
        from workbench.migration import Migration

        return Migration(self._site)

    @functools.cached_property
    def _signing(self) -> Signing:
        from workbench.signing import Signing

        return Signing(self._site)
