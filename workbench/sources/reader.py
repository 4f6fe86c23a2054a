"""Reads tools from files and folders.

Everything is opened relative to its folder, without following links, and looked at after it
was opened: what is swapped between a check and its use is refused all the same.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from workbench.core.codes import problem_at
from workbench.core.dialects import Names, read
from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.source import MAX_BYTES
from workbench.sources.library import bring, folder_of
from workbench.sources.names import (
    MANIFESTS,
    MAX_FOLDERS_DEEP,
    is_area,
    is_file_skipped,
    is_hidden,
    is_skipped,
)
from workbench.sources.opening import (
    OPEN_FOLDER,
    RefusedFileError,
    at_most_allowed,
    files_below,
    load,
    opened,
)

TOOL_SUFFIXES = (".yaml", ".yml", ".py", ".md")


def read_tools(path: Path, names: Names) -> Iterator[Reading]:
    """The tool at `path`, or all tools below it, in the order of their paths. If `path` itself
    is a link it is followed, since it was named outright; no link below it is.

    Never raises for what it finds: a bad file is a reading with problems and no manifest.
    """
    for reading in _read_all(path, names):
        if reading.manifest.get("lib_imports") and (tools := folder_of(Path(reading.name))):
            bring(reading, tools.resolve())
        yield reading


def _read_all(path: Path, names: Names) -> Iterator[Reading]:
    try:
        if path.is_dir():
            folder = os.open(path.resolve(), OPEN_FOLDER)
        else:
            yield _read_single(path, names)
            return
    except (OSError, RefusedFileError) as error:
        yield _failed(str(path), error)
        return
    try:
        yield from _read_folder(folder, path, names, 0)
    finally:
        os.close(folder)


def read_unit(root: Path, path: str, names: Names) -> Reading:
    """The tool at a path below `root`: a file, or a folder with a manifest, with what it shares
    with others. No link on the way is followed."""
    reading = _read_unit(root, path, names)
    bring(reading, root / "tools")
    return reading


def _read_unit(root: Path, path: str, names: Names) -> Reading:
    shown = root / path
    try:
        with opened(root, path.rpartition("/")[0]) as folder:
            last = path.rpartition("/")[2]
            if not stat.S_ISDIR(os.stat(last, dir_fd=folder, follow_symlinks=False).st_mode):
                reading = read(last, load(last, folder, MAX_BYTES), (), names)
                reading.name = str(shown)
                return reading
            with opened(root, path) as own_folder:
                listed = os.listdir(own_folder)  # noqa: PTH208 - it is a descriptor
                own = next((name for name in MANIFESTS if name in listed), None)
                if own is None:
                    raise FileNotFoundError(errno.ENOENT, "its manifest is gone")
                return _read_tool_folder(own_folder, shown, own, names)
    except (OSError, RefusedFileError) as error:
        return _failed(str(shown), error)


def _failed(name: str, error: OSError | RefusedFileError) -> Reading:
    if isinstance(error, RefusedFileError):
        return Reading({}, problems=[error.problem], name=name)
    message = f"cannot be read: {error.strerror or error}"
    return Reading({}, problems=[problem_at("unreadable_file", message)], name=name)


def _read_single(path: Path, names: Names) -> Reading:
    if path.name in MANIFESTS and not is_area(path.parent):
        folder = os.open(path.parent.resolve(), OPEN_FOLDER)  # it stands for its folder
        try:
            return _read_tool_folder(folder, path.parent, path.name, names)
        finally:
            os.close(folder)
    data = load(path.resolve(), None, MAX_BYTES)
    reading = read(path.name, data, (), names)
    reading.name = str(path)
    return reading


def _read_folder(folder: int, path: Path, names: Names, depth: int) -> Iterator[Reading]:
    try:
        entries = sorted(os.listdir(folder))
    except OSError as error:
        yield _failed(str(path), error)
        return
    own = next((name for name in MANIFESTS if name in entries), None)
    if own is not None and not is_area(path):
        yield _read_tool_folder(folder, path, own, names)
        return
    for name in entries:
        if is_skipped(name) or is_file_skipped(name) or is_hidden(name):
            continue
        if name == "lib" and path.name in ("tools", "scripts"):
            continue  # modules that tools share, not tools
        yield from _read_entry(folder, path / name, names, depth)


def _read_entry(folder: int, path: Path, names: Names, depth: int) -> Iterator[Reading]:
    try:
        mode = os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            if depth >= MAX_FOLDERS_DEEP:
                message = f"folders nested deeper than {MAX_FOLDERS_DEEP} are not read"
                raise RefusedFileError(problem_at("too_deep", message))
            inner = os.open(path.name, OPEN_FOLDER, dir_fd=folder)
            try:
                yield from _read_folder(inner, path, names, depth + 1)
            finally:
                os.close(inner)
        elif path.suffix.lower() in TOOL_SUFFIXES:
            data = load(path.name, folder, MAX_BYTES)
            reading = read(path.name, data, (), names)
            reading.name = str(path)
            if not is_only_prose(reading):
                yield reading
        elif stat.S_ISLNK(mode) and _leads_to_folder(path.name, folder):
            message = f"{path.name} is a symbolic link, which is not followed"
            raise RefusedFileError(problem_at("special_file", message))
    except (OSError, RefusedFileError) as error:
        yield _failed(str(path), error)


def is_only_prose(reading: Reading) -> bool:
    """Markdown that says nothing of a tool, as every folder has some."""
    return reading.name.lower().endswith(".md") and [p.code for p in reading.problems] == [
        "no_manifest"
    ]


def _leads_to_folder(name: str, folder: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=folder).st_mode)
    except OSError:
        return False


def _read_tool_folder(folder: int, path: Path, own: str, names: Names) -> Reading:
    problems: list[Problem] = []
    try:
        data = load(own, folder, MAX_BYTES)
        below = (file for file in files_below(folder, "", problems, 0) if file.path != own)
        files = list(at_most_allowed(below))
    except (OSError, RefusedFileError) as error:
        return _failed(str(path / own), error)
    reading = read(own, data, files, names)
    reading.problems = [*problems, *reading.problems]
    reading.name = str(path / own)
    return reading
