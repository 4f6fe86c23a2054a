"""Where a tool lies in its tree, and how it gets there: new, changed, or taken away.

A tool is written in the form it has: a folder with a manifest, a YAML file, one Python file,
or markdown. What is on disk is replaced only while it is what the registry knows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from workbench.core.dialects import Names
from workbench.core.files import MANIFEST_FILES, SKILL_FILE
from workbench.core.reading import Reading
from workbench.core.references import proposed_id
from workbench.core.tool import ToolVersion
from workbench.errors import RefusedError, UnavailableError
from workbench.intake import hash_of
from workbench.sources import writing
from workbench.sources.library import own_files
from workbench.sources.names import MANIFESTS, is_skipped
from workbench.sources.reader import read_unit
from workbench.sources.scan import LIBRARY, READ_ONLY
from workbench.store.trees import TreeStore
from workbench.trees import Tree, manifest_at

_ALONE = ""
"""The name, in a layout, of the file that is the whole tool."""
_AREAS = {"directive.md": "directives", "content.md": "knowledge", SKILL_FILE: "skills"}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a tool lies in a tree: a file at `path`, or a folder there with `files`."""

    path: str
    files: Mapping[str, bytes]

    @property
    def is_folder(self) -> bool:
        return _ALONE not in self.files


class Placing:
    """Writes tools to the trees of their spaces."""

    def __init__(self, trees: TreeStore, names: Names) -> None:
        self._trees = trees
        self._names = names

    async def read(self, tree: Tree, tool: ToolVersion) -> Reading:
        """The tool as it lies on disk now. Refused if that is not what the registry knows."""
        path = await self._trees.path_of(tree.space, tool.tool_id)
        found = await asyncio.to_thread(read_unit, tree.root, path, self._names) if path else None
        if found is None or not found.manifest or hash_of(found) != tool.content_hash:
            raise _changed(tool)
        found.space = tree.space
        return found

    async def create(self, tree: Tree, reading: Reading) -> Path:
        """Puts a new tool into the tree; where it lies then."""
        layout = new_layout(tree, reading)
        await _carefully(tree, layout.path, lambda: _create(tree.root, layout))
        return tree.root / layout.path

    async def replace(self, tree: Tree, tool: ToolVersion, reading: Reading) -> Path:
        """Puts `reading` where `tool` lies."""
        before = await self._layout(tree, tool)
        after = _again(tree, reading, before)

        await _carefully(tree, after.path, lambda: _exchange(tree.root, before, after))
        return tree.root / after.path

    async def rewrite(self, tree: Tree, tool: ToolVersion, data: bytes) -> Path:
        """Replaces the file that holds the manifest, and no other."""
        own = manifest_at(tree.root / await self.writable(tree, tool))
        path = own.relative_to(tree.root).as_posix()
        await _carefully(tree, path, lambda: writing.write_file(tree.root, path, data))
        return own

    async def remove(self, tree: Tree, tool: ToolVersion) -> None:
        """Takes a tool's files away. The registry keeps their content."""
        layout = await self._layout(tree, tool)
        await _carefully(tree, layout.path, lambda: _remove(tree.root, layout))

    async def writable(self, tree: Tree, tool: ToolVersion) -> str:
        """The path of a tool that may be written, below its tree."""
        path = await self._trees.path_of(tree.space, tool.tool_id)
        if path is None:
            raise _changed(tool)
        if path.startswith(READ_ONLY):
            raise RefusedError(
                f"{path} is in an old folder that is only read",
                code="read_only_area",
                tool_id=tool.tool_id,
                suggestion=f"`workbench migrate {tool.tool_id}` makes it a folder in tools/",
            )
        return path

    async def _layout(self, tree: Tree, tool: ToolVersion) -> Layout:
        """How a tool lies on disk, if it may be written and is what the registry knows."""
        path = await self.writable(tree, tool)
        reading = await self.read(tree, tool)
        _, data = _own(reading)
        manifest = manifest_at(tree.root / path)
        if manifest == tree.root / path:
            return Layout(path, {_ALONE: data})
        return Layout(path, {**_rest(tree, reading), manifest.name: data})


def new_layout(tree: Tree, reading: Reading) -> Layout:
    """Where a tool goes that is in no tree yet: by what it is, below its category."""
    own, data = _own(reading)
    tool_id = str(reading.manifest["tool_id"])
    rest = _rest(tree, reading)
    shelf = proposed_id(str(reading.manifest.get("category") or "")) or ""
    area = _AREAS.get(own, "tools")
    if own == SKILL_FILE or not _is_seen(f"{area}/{shelf}"):
        shelf = ""
    folder = f"{area}/{shelf}" if shelf else area
    alone = f"{folder}/{tool_id}.{own.rpartition('.')[2]}"
    if rest or own == SKILL_FILE or not _is_seen(alone):
        if not _is_seen(f"{folder}/{tool_id}"):
            raise RefusedError(
                f"{folder}/{tool_id} is no place for a tool: nobody looks for one there",
                code="bad_place",
                tool_id=tool_id,
                suggestion="choose another tool_id",
            )
        return Layout(f"{folder}/{tool_id}", {**rest, own: data})
    return Layout(alone, {_ALONE: data})


def _is_seen(path: str) -> bool:
    """Whether a tool at a path would be found, and hide no other."""
    name = path.rpartition("/")[2]
    return not (is_skipped(name) or name in MANIFESTS or path == LIBRARY)


def _again(tree: Tree, reading: Reading, before: Layout) -> Layout:
    """The layout of a tool that takes the place of another."""
    own, data = _own(reading)
    rest = _rest(tree, reading)
    if not before.is_folder:
        if not rest:
            return Layout(before.path, {_ALONE: data})
        above = before.path.rpartition("/")[0]
        return Layout(f"{above}/{reading.manifest['tool_id']}", {**rest, own: data})
    if own.endswith(".py"):  # it was one file before it was a folder
        return Layout(f"{before.path.rpartition('/')[0]}/{own}", {_ALONE: data})
    named = next((name for name in before.files if _is_manifest(name)), own)
    return Layout(before.path, {**rest, named if own in MANIFEST_FILES else own: data})


def _own(reading: Reading) -> tuple[str, bytes]:
    """The file that holds the manifest: its name among the tool's files, and its bytes."""
    file = reading.file(reading.manifest_file or "")
    if file is not None:
        return file.path, file.data
    return MANIFEST_FILES[0], (reading.text or "").encode("utf-8")


def _rest(tree: Tree, reading: Reading) -> dict[str, bytes]:
    """The files that lie beside the manifest: not those which the tree shares anyway. A tool
    that is one file has none."""
    own, _ = _own(reading)
    if not _is_manifest(own):
        return {}
    files = own_files(reading, tree.root / "tools")
    return {file.path: file.data for file in files if file.path != own}


def _is_manifest(name: str) -> bool:
    return name in (*MANIFEST_FILES, SKILL_FILE)


def _at(layout: Layout, name: str) -> str:
    return f"{layout.path}/{name}" if name else layout.path


def _create(root: Path, layout: Layout) -> None:
    if layout.is_folder:
        writing.create_folder(root, layout.path, layout.files)
    else:
        writing.create_file(root, layout.path, layout.files[_ALONE])


def _exchange(root: Path, before: Layout, after: Layout) -> None:
    if after.is_folder != before.is_folder:
        _create(root, after)
        try:
            _remove(root, before)
        except OSError:
            with suppress(OSError):
                _remove(root, after)
            raise
        return
    new = set(after.files) - set(before.files)
    with _all_or_nothing(root, before, new):
        # The manifest last: what it names is there when it is read.
        for name in sorted(after.files, key=_is_manifest):
            if after.files[name] != before.files.get(name):
                writing.write_file(root, _at(after, name), after.files[name])
        for name in set(before.files) - set(after.files):
            writing.remove_file(root, _at(before, name))


def _remove(root: Path, layout: Layout) -> None:
    with _all_or_nothing(root, layout):
        if layout.is_folder:
            writing.remove_folder(root, layout.path, layout.files)
        else:
            writing.remove_file(root, layout.path)


@contextmanager
def _all_or_nothing(root: Path, before: Layout, new: Iterable[str] = ()) -> Iterator[None]:
    """If some file cannot be changed, those that were are again what they were."""
    try:
        yield
    except OSError:
        for name, data in before.files.items():
            with suppress(OSError):
                writing.write_file(root, _at(before, name), data)
        for name in new:
            with suppress(OSError):
                writing.remove_file(root, _at(before, name))
        raise


def _changed(tool: ToolVersion) -> RefusedError:
    return RefusedError(
        f"the files of {tool.tool_id} changed while this was under way",
        code="file_changed",
        tool_id=tool.tool_id,
        suggestion="look at it again, then repeat this",
    )


async def _carefully(tree: Tree, path: str, write: Callable[[], None]) -> None:
    try:
        await asyncio.to_thread(write)
    except FileExistsError as error:
        raise RefusedError(
            f"{tree.root / path} exists already",
            code="path_exists",
            suggestion="choose another id or category, or move that file",
        ) from error
    except OSError as error:
        raise UnavailableError(
            f"{tree.root / path} cannot be written: {error.strerror or error}",
            code="path_unwritable",
            suggestion="check who may write there, and that no folder on the way is a link",
        ) from error
