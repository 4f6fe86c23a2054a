"""Opens files and folders of a tree: relative to their folder, without following links, and
looked at after they were opened."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from workbench.core.codes import problem_at
from workbench.core.files import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES
from workbench.core.problems import Problem
from workbench.core.source import MAX_BYTES
from workbench.core.tool import ToolFile
from workbench.sources.names import MAX_FOLDERS_DEEP, is_skipped
from workbench.sources.scan import leads_astray

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(
    os, "O_CLOEXEC", 0
)  # fmt: skip
OPEN_FOLDER = _OPEN | getattr(os, "O_DIRECTORY", 0)


class RefusedFileError(Exception):
    """Something that is not a plain file or folder."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@contextmanager
def opened(root: Path, path: str) -> Iterator[int]:
    """The folder at `path` below `root`, open; no link below `root` is followed."""
    with ExitStack() as stack:
        folder = _open_root(root)
        stack.callback(os.close, folder)
        for name in filter(None, path.split("/")):
            folder = os.open(name, OPEN_FOLDER, dir_fd=folder)
            stack.callback(os.close, folder)
        yield folder


def _open_root(root: Path) -> int:
    try:
        return os.open(root, OPEN_FOLDER)
    except OSError:
        if not _is_link(root, None):
            raise
    if leads_astray(root):
        raise OSError(errno.ELOOP, "it is a symbolic link to somewhere else", str(root))
    return os.open(os.path.realpath(root), OPEN_FOLDER)


def files_below(
    folder: int, prefix: str, problems: list[Problem], depth: int
) -> Iterator[ToolFile]:
    """Every plain file below a tool's folder; what is none is a problem, not a file."""
    for name in sorted(os.listdir(folder)):
        if is_skipped(name) or name.startswith("."):
            continue
        path = prefix + name
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        try:
            if not stat.S_ISDIR(mode):
                yield ToolFile(path, load(name, folder, MAX_FILE_BYTES, path))
            elif depth < MAX_FOLDERS_DEEP:
                inner = os.open(name, OPEN_FOLDER, dir_fd=folder)
                try:
                    yield from files_below(inner, path + "/", problems, depth + 1)
                finally:
                    os.close(inner)
            else:
                problems.append(problem_at("too_deep", "folders nested too deeply", file=path))
        except RefusedFileError as refused:
            problems.append(refused.problem)
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            problems.append(problem_at("unreadable_file", message, file=path))


def at_most_allowed(files: Iterable[ToolFile]) -> Iterator[ToolFile]:
    """The files up to the first that is too many; the check of the files says so."""
    total = 0
    for count, file in enumerate(files, 1):
        yield file
        total += len(file.data)
        if count > MAX_FILES or total > MAX_TOTAL_BYTES:
            return


def load(name: str | Path, folder: int | None, limit: int, shown: str = "") -> bytes:
    """The bytes of a plain file of at most `limit` bytes."""
    try:
        descriptor = os.open(name, _OPEN, dir_fd=folder)
    except OSError as error:
        if _is_link(name, folder):
            message = f"{shown or name} is a symbolic link, which is not followed"
            raise RefusedFileError(problem_at("special_file", message, file=shown)) from None
        raise error
    with ExitStack() as stack:
        stack.callback(os.close, descriptor)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            message = f"{shown or name} is not a plain file"
            raise RefusedFileError(problem_at("special_file", message, file=shown))
        if status.st_size > limit:
            code = "too_large" if limit == MAX_BYTES else "file_too_large"
            message = f"{shown or name} has {status.st_size:,} bytes; {limit:,} are allowed"
            raise RefusedFileError(problem_at(code, message, file=shown))
        with os.fdopen(descriptor, "rb", closefd=False) as file:  # a folder cannot be made one
            data = file.read(limit + 1)
    if len(data) > limit:
        message = f"{shown or name} grew while it was read"
        raise RefusedFileError(problem_at("file_too_large", message, file=shown))
    return data


def _is_link(name: str | Path, folder: int | None) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False
