"""File trees and the spaces that mirror them. Files win: what lies in a tree is what there is.

project = find_project(Path.cwd())
report = await Mirror(store, intake).sync(project)
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core import spaces, versions
from workbench.sources.names import MANIFESTS
from workbench.sources.scan import Scan, Unit, scan
from workbench.store.tools import ToolStore
from workbench.store.trees import SeenUnit, State

if TYPE_CHECKING:
    from workbench.core.dialects import Names
    from workbench.core.problems import Problem
    from workbench.core.reading import Reading
    from workbench.errors import RefusedError
    from workbench.intake import Intake, Taken

FOLDER = ".ai"
_CHUNK = 100
_AGAIN = 3


@dataclass(frozen=True, slots=True)
class Tree:
    """A space and the folder that it mirrors."""

    space: str
    root: Path


@dataclass
class Report:
    """What a sync did."""

    read: int = 0
    stored: int = 0
    absent: int = 0
    gone: int = 0

    @property
    def is_quiet(self) -> bool:
        return not (self.read or self.absent or self.gone)


Progress = Callable[[int, int], None]
"""Told how many changed tools were read, and of how many."""


def find_project(start: Path) -> Path | None:
    """The nearest folder from `start` upwards with `.ai` in it. The user's own `.ai` is not a
    project's."""
    try:
        here = start.resolve()
        home = user_tree().root.parent.resolve()
    except (OSError, RuntimeError):
        return None
    for folder in (here, *here.parents):
        if folder != home and os.path.isdir(folder / FOLDER):  # noqa: PTH112 - never raises
            return folder
    return None


def project_tree(project: Path) -> Tree:
    """The tree of the project at a folder."""
    real = os.path.realpath(project)
    return Tree(spaces.project_space(real), Path(real) / FOLDER)


def user_tree() -> Tree:
    return Tree(spaces.USER, Path(os.path.expanduser("~")) / FOLDER)  # noqa: PTH111 - never raises


async def manifest_path(store: ToolStore, tree: Tree, tool_id: str) -> Path | None:
    """The file of a tool that holds its manifest."""
    path = await store.trees.path_of(tree.space, tool_id)
    return None if path is None else await asyncio.to_thread(manifest_at, tree.root / path)


def manifest_at(path: Path) -> Path:
    """The file that holds the manifest of what lies at `path`."""
    if not path.is_dir():
        return path
    return next((path / name for name in MANIFESTS if (path / name).is_file()), path / MANIFESTS[0])


class Mirror:
    """Brings spaces up to date with their trees."""

    def __init__(self, store: ToolStore, intake: Callable[[], Intake]) -> None:
        self._store = store
        self._make_intake = intake

    async def sync(self, tree: Tree, progress: Progress | None = None) -> Report:
        """Reads what changed since the last time, and nothing else."""
        report = Report()
        found = await asyncio.to_thread(scan, tree.root)
        work = await self._compare(tree, found)
        if not (work.changed or work.gone) and await self._store.trees.is_settled(tree.space):
            return report
        _, absent = await self._take(tree, work, report, progress)
        for _ in range(_AGAIN):
            # What is stored now may be what another file was waiting for.
            stored = report.stored
            waiting = set(await self._store.trees.waiting(tree.space))
            units = [unit for unit in found.units if unit.path in waiting]
            if units:
                holders = await self._store.trees.holders(tree.space)
                again = _Work(units, (), holders, found.library)
                kept, _ = await self._take(tree, again, report, None)
                absent -= kept
            if report.stored == stored:
                break
        report.absent, report.gone = len(absent), len(work.gone)
        return report

    async def _compare(self, tree: Tree, found: Scan) -> _Work:
        known = await self._store.trees.fingerprints(tree.space)
        changed = [
            unit
            for unit in found.units
            if not unit.fingerprint
            or known.get(unit.path) not in (unit.fingerprint, _sharing(unit, found.library))
        ]
        here = {unit.path for unit in found.units}
        gone = [path for path in known if path not in here and not found.is_unseen(path)]
        holders = await self._store.trees.holders(tree.space) if changed or gone else {}
        return _Work(changed, gone, holders, found.library)

    async def _take(
        self, tree: Tree, work: _Work, report: Report, progress: Progress | None
    ) -> tuple[set[str], set[str]]:
        """Stores what can be stored of the changed units; the rest is known by its problems.
        The ids that are there now, and those that were and are not."""
        gone = set(work.gone)
        claims = {tool_id: path for tool_id, path in work.holders.items() if path not in gone}
        refused = [_refused(unit) for unit in work.changed if unit.problem is not None]
        units = {_shown(tree, unit.path): unit for unit in work.changed if unit.problem is None}
        rejected: list[SeenUnit] = []
        readings = self._read(tree, units, work.library, claims, rejected, report, progress)
        kept: set[str] = set()
        async for batch in self._make_intake().add(readings):
            seen = [_seen(units[_unit_name(units, one.name)], one) for one in batch]
            kept |= {one.tool_id for one in seen if one.state == "stored" and one.tool_id}
            await self._store.trees.record(tree.space, _speakable(tree.root), seen)
            report.stored += sum(1 for one in seen if one.state == "stored")
        seen = [*refused, *rejected]
        root = _speakable(tree.root)
        absent = await self._store.trees.settle(tree.space, root, seen, work.gone)
        return kept, absent

    async def _read(
        self,
        tree: Tree,
        units: dict[str, Unit],
        library: str,
        claims: dict[str, str],
        rejected: list[SeenUnit],
        report: Report,
        progress: Progress | None,
    ) -> AsyncIterator[Reading]:
        """The readings of units, each id once; what is none goes to `rejected`."""
        from workbench.sources.reader import is_only_prose

        names = self._make_intake().names
        waiting = list(units.values())
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            paths = [unit.path for unit in chunk]
            read = await asyncio.to_thread(_read_all, tree.root, paths, names)
            for unit, reading in zip(chunk, read, strict=True):
                report.read += 1
                if is_only_prose(reading):
                    rejected.append(SeenUnit(unit.path, unit.fingerprint, None, "broken"))
                    continue
                unit = units[_shown(tree, unit.path)] = _as_read(unit, reading, library)
                tool_id = reading.manifest.get("tool_id")
                holder = claims.setdefault(tool_id, unit.path) if isinstance(tool_id, str) else ""
                if holder and holder != unit.path:
                    rejected.append(_duplicate(unit, reading, holder))
                    continue
                reading.space = tree.space
                yield reading
            if progress is not None:
                progress(report.read, len(units))


@dataclass
class _Work:
    """What a scan found to do. `holders` is the path by tool_id of all that is stored."""

    changed: Sequence[Unit] = ()
    gone: Sequence[str] = ()
    holders: dict[str, str] = field(default_factory=dict)
    library: str = ""


def _read_all(root: Path, paths: Sequence[str], names: Names) -> list[Reading]:
    from workbench.sources.reader import read_unit

    return [read_unit(root, path, names) for path in paths]


def _as_read(unit: Unit, reading: Reading, library: str) -> Unit:
    """The unit with a fingerprint for what was read: with the modules it shares, and none if
    it could not be read, since that may pass without a change."""
    if any(problem.code == "unreadable_file" for problem in reading.problems):
        return replace(unit, fingerprint="")
    if reading.manifest.get("lib_imports") and unit.fingerprint:
        return replace(unit, fingerprint=_sharing(unit, library))
    return unit


def _speakable(root: Path) -> str:
    """A folder's path as a registry can hold it."""
    return os.fsencode(root).decode("utf-8", "backslashreplace")


def _sharing(unit: Unit, library: str) -> str:
    """What a unit looks like together with the modules it shares."""
    return f"{unit.fingerprint}+{library}"


def _shown(tree: Tree, path: str) -> str:
    return str(tree.root / path)


def _unit_name(units: Iterable[str], name: str) -> str:
    """A reading is named by its manifest; its unit may be the folder of that."""
    return name if name in units else os.path.dirname(name)  # noqa: PTH120 - it is a str


def _seen(unit: Unit, taken: Taken) -> SeenUnit:
    from workbench.intake import waits

    found = list(taken.problems)
    if taken.refusal is not None:
        found.append(_problem_of(taken.refusal))
    if taken.saved is not None and versions.said(taken.saved.version) != taken.saved.version:
        found.append(_version_taken(taken.saved.version))
    problems = [problem.as_dict() for problem in found]
    if taken.ok:
        return SeenUnit(unit.path, unit.fingerprint, taken.tool_id, "stored", problems)
    state: State = "waiting" if waits(taken.problems) else "broken"
    return SeenUnit(unit.path, unit.fingerprint, taken.tool_id or None, state, problems)


def _problem_of(refusal: RefusedError) -> Problem:
    from workbench.core.codes import problem_at

    return problem_at(refusal.code, refusal.message, path=("tool_id",), hint=refusal.suggestion)


def _version_taken(version: str) -> Problem:
    from workbench.core.codes import problem_at

    said = versions.said(version)
    message = f"{said} exists with other content; this is kept as {version}"
    hint = f"raise it to {versions.next_patch(said)}"
    return problem_at("version_taken", message, path=("version",), hint=hint)


def _refused(unit: Unit) -> SeenUnit:
    problems = [unit.problem.as_dict()] if unit.problem is not None else []
    return SeenUnit(unit.path, unit.fingerprint, None, "broken", problems)


def _duplicate(unit: Unit, reading: Reading, holder: str) -> SeenUnit:
    tool_id = reading.manifest["tool_id"]
    problem = reading.problem(
        "duplicate_tool",
        ("tool_id",),
        f"{holder} has the id {tool_id} already",
        hint="give one of them another tool_id",
    )
    return SeenUnit(unit.path, unit.fingerprint, None, "waiting", [problem.as_dict()])
