"""One open registry as it is seen from one place: its spaces, and the tools in them.

What the facade offers is done by `changing` and `signing`; this is what they stand on.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from workbench import paths, seeding
from workbench.core import chain as chains
from workbench.core import references, spaces, versions
from workbench.core.problems import stored_problem
from workbench.core.tool import ToolRow, ToolVersion, Trust, VersionRow
from workbench.errors import InvalidError, NotFoundError
from workbench.gate.trust import Judge
from workbench.store.tools import ToolStore
from workbench.trees import Mirror, Progress, Report, Tree, project_tree, user_tree

if TYPE_CHECKING:
    from workbench.core.reading import Reading
    from workbench.intake import Intake
    from workbench.placing import Placing

T = TypeVar("T", ToolRow, ToolVersion)


class Site:
    """`project` is the folder whose `.ai` is in sight besides the user's; None for none."""

    def __init__(self, home: Path, store: ToolStore, project: Path | None) -> None:
        self.home = home
        self.store = store
        self.project = project
        self.trees: tuple[Tree, ...] = (
            *([project_tree(project)] if project is not None else []),
            user_tree(),
        )
        self.spaces = (*(tree.space for tree in self.trees), spaces.PUBLIC)
        self.judge = Judge(home, store.attestations, seeding.shipped_hashes(paths.seeds()))
        self._mirror = Mirror(store, lambda: self.intake)

    @functools.cached_property
    def intake(self) -> Intake:
        from workbench.dialect_names import load_names
        from workbench.intake import Intake

        return Intake(self.store, load_names(paths.seeds()))

    @functools.cached_property
    def placing(self) -> Placing:
        from workbench.placing import Placing

        return Placing(self.store.trees, self.intake.names)

    # Spaces

    def tree_of(self, space: str) -> Tree | None:
        """The tree that a space mirrors; None for the public one."""
        return next((tree for tree in self.trees if tree.space == space), None)

    def space(self, label: str) -> str:
        """The stored name of a space that people call `label`."""
        found = spaces.named(label, self.spaces)
        if not found:
            raise NotFoundError(
                f"there is no {label} space here",
                code="no_such_space",
                suggestion="go to a folder with .ai in it or above it, or name one with --project"
                if label == spaces.PROJECT
                else f"the spaces are {', '.join(map(spaces.label, self.spaces))}",
            )
        return found[0]

    async def sync(self, progress: Progress | None = None) -> Report:
        """Brings the spaces in sight up to date with their trees, the outermost first."""
        total = Report()
        for tree in reversed(self.trees):
            report = await self._mirror.sync(tree, progress)
            total.read += report.read
            total.stored += report.stored
            total.absent += report.absent
            total.gone += report.gone
        return total

    # Tools

    async def find(
        self, reference: references.Reference, *, files: bool = False, absent: bool = False
    ) -> ToolVersion | None:
        """The version that a reference means here, or None."""
        within = spaces.named(reference.space, self.spaces)
        if not within and reference.space is not None and ":" in reference.space:
            within = (reference.space,)  # another project's, named outright
        found = await self.store.find(
            reference.tool_id, within, reference.version, files=files, absent=absent
        )
        return None if found is None else (await self.judged([found]))[0]

    async def get(
        self, reference: str, *, files: bool = False, absent: bool = False
    ) -> ToolVersion:
        """The version that a reference means; NotFoundError says what is near."""
        parsed = references.parse(reference)
        found = await self.find(parsed, files=files)
        if not absent:
            await self._refuse_broken(parsed, found)
        if found is None and absent:  # one that is there comes before any that is gone
            found = await self.find(parsed, files=files, absent=True)
        if found is None:
            raise await self._missing(parsed)
        return found

    async def chain(self, tool: ToolVersion) -> chains.Chain:
        """The tool's executors down to the primitive, with the fault if there is one."""

        async def find(reference: str, space: str) -> ToolVersion | None:
            parsed = references.try_parse(reference)
            if parsed is None:
                return None
            within = spaces.named(parsed.space, spaces.outward(space))
            found = await self.store.find(parsed.tool_id, within, parsed.version)
            return None if found is None else (await self.judged([found]))[0]

        return await chains.resolve(tool, find)

    async def versions(self, tool: ToolVersion) -> list[VersionRow]:
        return await self.store.versions(tool.space, tool.tool_id)

    async def judged(self, tools: Sequence[T]) -> list[T]:
        """The same with their trust, and the effect that it lets us believe."""
        verdicts = await self.judge.judge([tool.evidence for tool in tools])
        return [
            replace(
                tool,
                trust=trust,
                effect=tool.declared_effect if trust is Trust.SIGNED else tool.effect,
            )
            for tool, trust in zip(tools, verdicts, strict=True)
        ]

    def reread(self, tool: ToolVersion) -> Reading:
        """A stored version as a reading again, with the places of its text."""
        from workbench.core.dialects import reread

        manifest = {**tool.manifest, "version": versions.said(tool.version)}
        names = self.intake.names
        reading = reread(manifest, tool.text, tool.manifest_file, tool.files, names)
        name = f"{tool.tool_id}@{tool.version}"
        return replace(reading, name=name, is_shipped=tool.is_official, space=tool.space)

    async def _refuse_broken(
        self, reference: references.Reference, found: ToolVersion | None
    ) -> None:
        """A file that is meant to be this tool and has errors is not passed over for another
        tool of that id further out, nor called deleted. An id that nobody can take is not
        taken by a file that tries."""
        if found is not None and found.is_builtin:
            return
        named = spaces.named(reference.space, self.spaces)
        nearer = [tree for tree in self.trees if tree.space in named]
        if found is not None:
            nearer = [tree for tree in nearer if found.space in spaces.outward(tree.space)[1:]]
        for tree in nearer:
            for _, unit in await self.store.trees.amiss([tree.space]):
                name = unit.tool_id or Path(unit.path).stem
                if unit.state != "stored" and name == reference.tool_id:
                    raise InvalidError(
                        f"{tree.root / unit.path} is not a valid tool",
                        [stored_problem(one) for one in unit.problems],
                        tool_id=reference.tool_id,
                        suggestion="fix the problems listed in that file",
                    )

    async def _missing(self, reference: references.Reference) -> NotFoundError:
        """Why nothing was found: the tool is not there, is gone, or lacks that version."""
        tool_id = reference.tool_id
        message = f"there is no tool {reference}"
        known = await self.find(references.Reference(tool_id, reference.space), absent=True)
        if known is None:
            suggestion = await self._near(tool_id)
        elif known.is_absent:
            what = "is deleted" if known.space == spaces.PUBLIC else "is no longer in its tree"
            message = f"{tool_id} {what}"
            suggestion = f"`workbench restore {tool_id}` brings it back"
        else:
            rows = await self.versions(known)
            have = ", ".join(row.version for row in rows[:5])
            message = f"{tool_id} has no version {reference.version}"
            suggestion = f"it has {have}{' …' if len(rows) > 5 else ''}"
        return NotFoundError(message, tool_id=tool_id, suggestion=suggestion)

    async def _near(self, tool_id: str) -> str:
        page = await self.store.search(tool_id, self.spaces, limit=3)
        if page.hits:
            return f"did you mean {', '.join(hit.row.tool_id for hit in page.hits)}?"
        return "`workbench list` shows what there is"
