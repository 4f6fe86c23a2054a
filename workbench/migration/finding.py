"""What is there to migrate: the tools at a path, or the one that a reference means."""

from __future__ import annotations

import ast
import asyncio
import os
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core import references
from workbench.core.codes import problem_at
from workbench.core.reading import Reading
from workbench.core.spaces import PUBLIC
from workbench.errors import NotFoundError, RefusedError, UsageError
from workbench.site import Site
from workbench.sources.library import folder_of
from workbench.sources.names import MANIFESTS
from workbench.sources.reader import read_tools, read_unit
from workbench.sources.scan import READ_ONLY
from workbench.trees import FOLDER, Tree

if TYPE_CHECKING:
    from workbench.core.dialects import Names

_AREAS = ("tools/", READ_ONLY)


@dataclass(frozen=True, slots=True)
class Place:
    """A path below a folder that it is reached from without following a link. `tree` is the
    tree in sight that it is part of."""

    tree: Tree | None
    root: Path
    path: str

    @property
    def full(self) -> Path:
        return self.root / self.path

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def space(self) -> str:
        return PUBLIC if self.tree is None else self.tree.space

    @property
    def library(self) -> Path | None:
        """The folder whose `lib` a tool at this place shares with others."""
        return folder_of(self.full) if self.tree is None else self.root / "tools"

    def above(self) -> Place:
        return replace(self, path=self.path.rpartition("/")[0])

    def inner(self, name: str) -> Place:
        return replace(self, path=f"{self.path}/{name}" if self.path else name)

    def read(self, names: Names) -> Reading:
        """The tool that lies here now; what is wrong is in its problems."""
        if self.tree is not None:
            reading = read_unit(self.root, self.path, names)
        elif self.full.is_symlink():
            message = f"{self.name} is a symbolic link, which is not followed"
            problems = [problem_at("special_file", message)]
            reading = Reading({}, problems=problems, name=str(self.full))
        else:
            reading = next(read_tools(self.full, names), Reading({}, name=str(self.full)))
        reading.space = self.space
        return reading


@dataclass(frozen=True, slots=True)
class Found:
    """A tool that was looked at, and where it lies; None for the registry."""

    reading: Reading
    place: Place | None

    @property
    def is_script(self) -> bool:
        """Whether it is one Python file that says what it is, or does not."""
        return (self.reading.manifest_file or "").endswith(".py")

    @property
    def is_older(self) -> bool:
        """Whether its manifest is not the canonical one. Markdown has a form of its own."""
        if self.reading.text is None:
            return self.is_script
        value = self.reading.document.value
        said = value if isinstance(value, dict) else {}
        plain = {key: item for key, item in said.items() if item is not None}
        return plain != self.reading.manifest

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing to do. What cannot be read is not, except for markdown."""
        if self.reading.name.lower().endswith(".md"):
            return True
        return bool(self.reading.manifest) and not (self.is_older or self.is_in_old_area)

    @property
    def is_in_old_area(self) -> bool:
        place = self.place
        return place is not None and place.tree is not None and place.path.startswith(READ_ONLY)

    def neighbours(self) -> list[str]:
        """The modules beside a script that it imports. They are no part of it."""
        own = self.reading.file(self.reading.manifest_file or "")
        if own is None or self.place is None or not self.is_script:
            return []
        have = {file.path.partition("/")[0].removesuffix(".py") for file in self.reading.files}
        beside = self.place.full.parent
        return sorted(
            name
            for name in _imported(own.data.decode("utf-8-sig")) - have
            if (beside / f"{name}.py").is_file() or (beside / name).is_dir()
        )


class Finding:
    """Looks in the spaces of a site, and where a path leads."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def named(self, reference: str) -> list[Found]:
        """The tool that a reference means."""
        tool = await self._site.get(reference, files=True)
        if references.parse(reference).version is not None:
            raise UsageError(
                "a tool is migrated as it is now; its versions stay as they are",
                code="version_kept",
                tool_id=tool.tool_id,
                suggestion=f"write `workbench migrate {tool.tool_id}`",
            )
        tree = self._site.tree_of(tool.space)
        if tree is None:
            return [Found(self._site.reread(tool), None)]
        path = await self._site.store.trees.path_of(tree.space, tool.tool_id)
        if path is None:
            raise NotFoundError(f"{tool.tool_id} is no longer in its tree", tool_id=tool.tool_id)
        return [await self._read(Place(tree, tree.root, path))]

    async def at(self, path: Path) -> list[Found]:
        """The tool at a path, or all below it; of a tree in sight what it holds as tools."""
        real = _unit(path)
        place = self.place(real)
        if place.tree is None:
            if not _is_folder_of_tools(real):
                return [await self._read(place)]
            outside = await asyncio.to_thread(self._outside, real)
            return [*outside, *[await self._read(unit) for unit in await self._units(real)]]
        found = [await self._read(unit) for unit in await self._units(real)]
        if not found and not real.is_dir():
            raise RefusedError(
                f"{path} is no tool of its own: it belongs to one, or several share it",
                code="not_a_tool",
                suggestion="name the script of a tool, or the tool's folder",
            )
        return found

    def place(self, real: Path) -> Place:
        """Where a path lies: in a tree that is in sight, or in none."""
        for tree in self._site.trees:
            root = _root(tree)
            if real == root or root in real.parents:
                inner = real.relative_to(root).as_posix()
                return Place(tree, tree.root, "" if inner == "." else inner)
        if FOLDER in real.parts:
            project = Path(*real.parts[: real.parts.index(FOLDER)])
            raise RefusedError(
                f"{real} is among the tools of {project}, which are not in sight here",
                code="other_project",
                suggestion=f"add --project {project}",
            )
        return Place(None, real.parent, real.name)

    def destination(self, to: Path) -> Place:
        """The folder below which tools are to be written."""
        real = _real(to)
        if os.path.lexists(real) and not real.is_dir():
            raise UsageError(f"{to} is not a folder", suggestion="name a folder after --to")
        place = self.place(real)
        return place if place.tree is not None else Place(None, real, "")

    async def _units(self, real: Path) -> list[Place]:
        """The tools of the trees in sight that lie at a path or below it."""
        units = []
        for tree in self._site.trees:
            root = _root(tree)
            for path in sorted(await self._site.store.trees.fingerprints(tree.space)):
                full = root / path
                if path.startswith(_AREAS) and (full == real or real in full.parents):
                    units.append(Place(tree, tree.root, path))
        return units

    def _outside(self, real: Path) -> list[Found]:
        """What lies below a folder and in no tree. A file that does not say it is a tool is
        left alone, unless it is a script."""
        found = []
        for reading in read_tools(real, self._site.intake.names):
            own = Path(reading.name)
            if FOLDER in own.parts or not _speaks_of_a_tool(reading):
                continue
            unit = own.parent if own.name in MANIFESTS else own
            found.append(Found(reading, Place(None, unit.parent, unit.name)))
        return found

    async def _read(self, place: Place) -> Found:
        names = self._site.intake.names
        return Found(await asyncio.to_thread(place.read, names), place)


def _imported(text: str) -> set[str]:
    """The top-level names that a Python text imports. It parsed before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes = list(ast.walk(ast.parse(text)))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            named |= {node.module} if node.module else {alias.name for alias in node.names}
    return {name.partition(".")[0] for name in named}


def _root(tree: Tree) -> Path:
    return Path(os.path.realpath(tree.root))


def _unit(path: Path) -> Path:
    """The tool or the folder that a path means: a manifest stands for its folder."""
    real = _real(path)
    if not os.path.lexists(real):
        raise NotFoundError(
            f"there is no file or folder {path}",
            code="path_not_found",
            suggestion="name a script, a manifest, a folder of them, or a tool",
        )
    return real.parent if real.name in MANIFESTS else real


def _real(path: Path) -> Path:
    """The path without links on the way. A folder that is one was named outright."""
    if path.is_dir():
        return Path(os.path.realpath(path))
    return Path(os.path.realpath(path.parent)) / path.name


def _is_folder_of_tools(real: Path) -> bool:
    return real.is_dir() and not any((real / name).is_file() for name in MANIFESTS)


def _speaks_of_a_tool(reading: Reading) -> bool:
    if not reading.name.lower().endswith((".yaml", ".yml")):
        return True
    value = reading.document.value
    return isinstance(value, dict) and not {"tool_id", "tool_type"}.isdisjoint(value)
