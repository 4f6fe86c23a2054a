"""Writes tools into a file tree: whole or not at all, and never through a link.

Every folder on the way is opened relative to the one above it without following links; every
file is written beside its place, made durable and moved there.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.sources.opening import opened

_MODE = 0o644


def write_file(root: Path, path: str, data: bytes) -> None:
    """Puts a file at `path` below `root`, in place of one that may be there."""
    with _folder(root, path.rpartition("/")[0]) as folder:
        _put(folder, path.rpartition("/")[2], data)


def create_file(root: Path, path: str, data: bytes) -> None:
    """Puts a file where nothing is yet; FileExistsError otherwise."""
    with _folder(root, path.rpartition("/")[0]) as folder:
        _put(folder, path.rpartition("/")[2], data, replace=False)


def create_folder(root: Path, path: str, files: Mapping[str, bytes]) -> None:
    """Puts a folder with all its files where nothing is yet; FileExistsError otherwise."""
    name = path.rpartition("/")[2]
    with _folder(root, path.rpartition("/")[0]) as folder:
        if _mode(folder, name) is not None:
            raise _exists(path)
        hidden = _hidden(name)
        os.mkdir(hidden, 0o755, dir_fd=folder)
        place = path.rpartition("/")[0] + "/" + hidden
        try:
            for inner, data in files.items():
                write_file(root, f"{place}/{inner}", data)
            _move_in(folder, hidden, name)
        except BaseException:
            _remove_tree(root, place, files)
            raise
        os.fsync(folder)


def remove_file(root: Path, path: str) -> None:
    """Takes a file away; nothing happens if it is gone."""
    with suppress(FileNotFoundError), opened(root, path.rpartition("/")[0]) as folder:
        os.unlink(path.rpartition("/")[2], dir_fd=folder)
        os.fsync(folder)


def remove_folder(root: Path, path: str, files: Collection[str]) -> None:
    """Takes the files of a tool's folder away, and every folder that is empty then."""
    for file in files:
        remove_file(root, f"{path}/{file}")
    inner = {f"{path}/{file}".rpartition("/")[0] for file in files} | {path}
    _remove_empty(root, inner, path)


def _remove_tree(root: Path, path: str, files: Collection[str]) -> None:
    with suppress(OSError):
        remove_folder(root, path, files)


def _remove_empty(root: Path, folders: Iterable[str], top: str) -> None:
    """Empty folders go, the deepest first, up to and with `top`."""
    waiting = set(folders)
    for folder in list(waiting):
        while len(folder) > len(top):
            folder = folder.rpartition("/")[0]
            waiting.add(folder)
    for folder in sorted(waiting, key=len, reverse=True):
        with suppress(OSError), opened(root, folder.rpartition("/")[0]) as above:
            os.rmdir(folder.rpartition("/")[2], dir_fd=above)


@contextmanager
def _folder(root: Path, path: str) -> Iterator[int]:
    """The folder at `path` below `root`, made if it is missing."""
    root.mkdir(parents=True, exist_ok=True)
    done = ""
    for name in filter(None, path.split("/")):
        with opened(root, done) as above:
            try:
                os.mkdir(name, 0o755, dir_fd=above)
                os.fsync(above)
            except FileExistsError:
                pass
        done = f"{done}/{name}"
    with opened(root, path) as folder:
        yield folder


def _put(folder: int, name: str, data: bytes, *, replace: bool = True) -> None:
    mode = _mode(folder, name)
    if mode is not None and not replace:
        raise _exists(name)
    if mode is not None and not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "what is there is not a plain file", name)
    temporary = _hidden(name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = os.open(temporary, flags, _MODE if mode is None else 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        else:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            os.unlink(temporary, dir_fd=folder)
        os.fsync(folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _mode(folder: int, name: str) -> int | None:
    """What kind of file is there, and who may use it."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None


def _move_in(folder: int, hidden: str, name: str) -> None:
    """Gives a folder its name, unless another was quicker."""
    try:
        os.rename(hidden, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.ENOTDIR):
            raise _exists(name) from error
        raise


def _exists(path: str) -> FileExistsError:
    return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def _hidden(name: str) -> str:
    """A name that no scan looks at, short enough for every file system."""
    return f".{name[:40]}.{secrets.token_hex(4)}"
