"""Reads tools from files and folders.

Everything is opened relative to its folder, without following links, and looked at after it
was opened: what is swapped between a check and its use is refused all the same.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from workbench.core.codes import problem_at
from workbench.core.dialects import MANIFEST_FILES, SKILL_FILE, Names, read
from workbench.core.files import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES
from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.source import MAX_BYTES
from workbench.core.tool import ToolFile

MAX_FOLDERS_DEEP = 32
TOOL_SUFFIXES = (".yaml", ".yml", ".py", ".md")
_SKIPPED = frozenset(("__pycache__", "node_modules", "outputs"))
_SKIPPED_FILES = frozenset(("readme.md", "__init__.py", "settings.yaml", "preferences.yaml"))
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(
    os, "O_CLOEXEC", 0
)  # fmt: skip
_OPEN_FOLDER = _OPEN | getattr(os, "O_DIRECTORY", 0)


class _RefusedFileError(Exception):
    """Something that is not a plain file or folder."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_tools(path: Path, names: Names) -> Iterator[Reading]:
    """The tool at `path`, or all tools below it, in the order of their paths. If `path` itself
    is a link it is followed, since it was named outright; no link below it is.

    Never raises for what it finds: a bad file is a reading with problems and no manifest.
    """
    try:
        if path.is_dir():
            folder = os.open(path.resolve(), _OPEN_FOLDER)
        else:
            yield _read_single(path, names)
            return
    except (OSError, _RefusedFileError) as error:
        yield _failed(str(path), error)
        return
    try:
        yield from _read_folder(folder, path, names, 0)
    finally:
        os.close(folder)


def _failed(name: str, error: OSError | _RefusedFileError) -> Reading:
    if isinstance(error, _RefusedFileError):
        return Reading({}, problems=[error.problem], name=name)
    message = f"cannot be read: {error.strerror or error}"
    return Reading({}, problems=[problem_at("unreadable_file", message)], name=name)


def _read_single(path: Path, names: Names) -> Reading:
    if path.name in (*MANIFEST_FILES, SKILL_FILE):
        folder = os.open(path.parent.resolve(), _OPEN_FOLDER)  # it stands for its folder
        try:
            return _read_tool_folder(folder, path.parent, path.name, names)
        finally:
            os.close(folder)
    data = _load(path.resolve(), None, MAX_BYTES)
    reading = read(path.name, data, (), names)
    reading.name = str(path)
    return reading


def _read_folder(folder: int, path: Path, names: Names, depth: int) -> Iterator[Reading]:
    try:
        entries = sorted(os.listdir(folder))
    except OSError as error:
        yield _failed(str(path), error)
        return
    own = next((name for name in (*MANIFEST_FILES, SKILL_FILE) if name in entries), None)
    if own is not None:
        yield _read_tool_folder(folder, path, own, names)
        return
    for name in entries:
        if name in _SKIPPED or name.lower() in _SKIPPED_FILES or _is_hidden(name):
            continue
        if name == "lib" and path.name == "tools":
            continue  # modules that tools share, not tools
        yield from _read_entry(folder, path / name, names, depth)


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != ".ai"


def _read_entry(folder: int, path: Path, names: Names, depth: int) -> Iterator[Reading]:
    try:
        mode = os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            if depth >= MAX_FOLDERS_DEEP:
                message = f"folders nested deeper than {MAX_FOLDERS_DEEP} are not read"
                raise _RefusedFileError(problem_at("too_deep", message))
            inner = os.open(path.name, _OPEN_FOLDER, dir_fd=folder)
            try:
                yield from _read_folder(inner, path, names, depth + 1)
            finally:
                os.close(inner)
        elif path.suffix.lower() in TOOL_SUFFIXES:
            data = _load(path.name, folder, MAX_BYTES)
            reading = read(path.name, data, (), names)
            reading.name = str(path)
            if not _is_only_prose(reading):
                yield reading
        elif stat.S_ISLNK(mode) and _leads_to_folder(path.name, folder):
            message = f"{path.name} is a symbolic link, which is not followed"
            raise _RefusedFileError(problem_at("special_file", message))
    except (OSError, _RefusedFileError) as error:
        yield _failed(str(path), error)


def _is_only_prose(reading: Reading) -> bool:
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
    files: list[ToolFile] = []
    problems: list[Problem] = []
    total = 0
    try:
        data = _load(own, folder, MAX_BYTES)
        for file in _files(folder, "", problems, 0):
            if file.path != own:
                files.append(file)
                total += len(file.data)
            if len(files) > MAX_FILES or total > MAX_TOTAL_BYTES:
                break  # the check of the files says so
    except (OSError, _RefusedFileError) as error:
        return _failed(str(path / own), error)
    reading = read(own, data, files, names)
    reading.problems = [*problems, *reading.problems]
    reading.name = str(path / own)
    return reading


def _files(folder: int, prefix: str, problems: list[Problem], depth: int) -> Iterator[ToolFile]:
    """Every plain file below a tool's folder; what is none is a problem, not a file."""
    for name in sorted(os.listdir(folder)):
        if name in _SKIPPED or name.startswith(".") or name.endswith(".pyc"):
            continue
        path = prefix + name
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        try:
            if not stat.S_ISDIR(mode):
                yield ToolFile(path, _load(name, folder, MAX_FILE_BYTES, path))
            elif depth < MAX_FOLDERS_DEEP:
                inner = os.open(name, _OPEN_FOLDER, dir_fd=folder)
                try:
                    yield from _files(inner, path + "/", problems, depth + 1)
                finally:
                    os.close(inner)
            else:
                problems.append(problem_at("too_deep", "folders nested too deeply", file=path))
        except _RefusedFileError as refused:
            problems.append(refused.problem)
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            problems.append(problem_at("unreadable_file", message, file=path))


def _load(name: str | Path, folder: int | None, limit: int, shown: str = "") -> bytes:
    """The bytes of a plain file of at most `limit` bytes."""
    try:
        descriptor = os.open(name, _OPEN, dir_fd=folder)
    except OSError as error:
        if _is_link(name, folder):
            message = f"{shown or name} is a symbolic link, which is not followed"
            raise _RefusedFileError(problem_at("special_file", message, file=shown)) from None
        raise error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            message = f"{shown or name} is not a plain file"
            raise _RefusedFileError(problem_at("special_file", message, file=shown))
        if status.st_size > limit:
            code = "too_large" if limit == MAX_BYTES else "file_too_large"
            message = f"{shown or name} has {status.st_size:,} bytes; {limit:,} are allowed"
            raise _RefusedFileError(problem_at(code, message, file=shown))
        data = file.read(limit + 1)
    if len(data) > limit:
        message = f"{shown or name} grew while it was read"
        raise _RefusedFileError(problem_at("file_too_large", message, file=shown))
    return data


def _is_link(name: str | Path, folder: int | None) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False
