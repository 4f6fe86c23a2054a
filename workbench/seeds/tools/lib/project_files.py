"""Files of the project, and only those. The project is the working folder.

A path is checked as text, then resolved, then opened folder by folder without following links,
so that a link put in place after the check is refused by the operating system.
"""

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

MAX_FILE_BYTES = 32 * 1024 * 1024

_BY_FOLDER = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def parts_of(path, *, writing=False, follow_last=True):
    """The parts of `path` below the project, links resolved; raises where it leads elsewhere."""
    if not isinstance(path, str) or not path or "\0" in path:
        raise ValueError("path must be a relative path inside the project")
    named = Path(path)
    if named.is_absolute() or named.drive or path.startswith(("/", "\\", "~")):
        raise PermissionError(f"{path}: give a path relative to the project, not an absolute one")
    if ".." in path.replace("\\", "/").split("/"):
        raise PermissionError(f"{path}: '..' is not allowed, name the file from the project's root")
    root = Path.cwd().resolve()
    try:
        if follow_last:
            real = (root / named).resolve()
        else:
            real = (root / named).parent.resolve() / named.name if named.name else root
    except (RuntimeError, OSError) as problem:
        raise PermissionError(f"{path}: cannot be resolved ({_reason(problem)})") from None
    if not real.is_relative_to(root):
        raise PermissionError(f"{path}: a link on the way leads out of the project")
    parts = real.relative_to(root).parts
    if writing and any(part.lower() == ".git" for part in parts):
        raise PermissionError(f"{path}: the inside of .git belongs to git, use the git tools")
    return parts


@contextlib.contextmanager
def folder(parts, *, create=False):
    """A descriptor of the folder below the project that `parts` name; None where the platform
    has no such descriptors."""
    if not _BY_FOLDER:
        if create:
            Path(*parts).mkdir(parents=True, exist_ok=True)
        yield None
        return
    flags = os.O_RDONLY | os.O_DIRECTORY | _PLAIN
    here = os.open(".", flags)
    try:
        for part in parts:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=here)
            below = os.open(part, flags | _NO_FOLLOW, dir_fd=here)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def entry(parts, at):
    """How to name the last of `parts` to a call that takes `dir_fd=at`."""
    return parts[-1] if at is not None else os.path.join(*parts)


def read_bytes(path, *, writing=False, limit=MAX_FILE_BYTES):
    """The whole content of one regular file, at most `limit` bytes of it."""
    parts = parts_of(path, writing=writing)
    try:
        if not parts:
            raise IsADirectoryError
        with folder(parts[:-1]) as at:
            # Without O_NONBLOCK a named pipe would hold us here for ever.
            flags = os.O_RDONLY | _NO_FOLLOW | _PLAIN | getattr(os, "O_NONBLOCK", 0)
            with os.fdopen(os.open(entry(parts, at), flags, dir_fd=at), "rb") as file:
                status = os.fstat(file.fileno())
                if stat.S_ISDIR(status.st_mode):
                    raise IsADirectoryError
                if not stat.S_ISREG(status.st_mode):
                    raise PermissionError(f"{path}: not a regular file")
                data = file.read(limit + 1)
    except OSError as problem:
        raise explained(path, problem) from None
    if len(data) > limit:
        raise ValueError(f"{path}: larger than {limit:,} bytes")
    return data


def write_bytes(path, data, *, replace=True, create_folders=False):
    """Make the file, or put `data` in its place in one step; true where it was not there."""
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"{path}: {len(data):,} bytes is more than the {MAX_FILE_BYTES:,} allowed")
    parts = parts_of(path, writing=True)
    try:
        if not parts:
            raise IsADirectoryError
        with folder(parts[:-1], create=create_folders) as at:
            target = entry(parts, at)
            mode = _mode_to_keep(path, target, at)
            if mode is not None and not replace:
                raise FileExistsError
            # A new name is claimed outright; an old one keeps its content until ours is complete.
            draft = target
            if mode is not None:
                name = f".{parts[-1][:100]}.{secrets.token_hex(6)}.tmp"
                draft = entry((*parts[:-1], name), at)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _PLAIN
            descriptor = os.open(draft, flags, 0o666, dir_fd=at)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    if mode is not None and hasattr(os, "fchmod"):
                        os.fchmod(file.fileno(), mode)
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                if draft != target:
                    os.replace(draft, target, src_dir_fd=at, dst_dir_fd=at)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(draft, dir_fd=at)
                raise
    except OSError as problem:
        raise explained(path, problem) from None
    return mode is None


def explained(path, problem):
    """The same kind of error, with a sentence that names the path and not the machine."""
    if str(problem).startswith(f"{path}: "):
        return problem
    if isinstance(problem, IsADirectoryError):
        return IsADirectoryError(f"{path}: is a folder, not a file")
    if isinstance(problem, FileNotFoundError):
        return FileNotFoundError(f"{path}: no such file or folder in the project")
    if isinstance(problem, FileExistsError):
        return FileExistsError(f"{path}: is there already")
    if isinstance(problem, NotADirectoryError):
        return NotADirectoryError(f"{path}: a part of this path is a file, not a folder")
    if problem.errno == errno.ELOOP:
        return PermissionError(f"{path}: was replaced by a link meanwhile")
    return type(problem)(f"{path}: {_reason(problem)}")


def _mode_to_keep(path, target, at):
    try:
        status = os.stat(target, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError
    if not stat.S_ISREG(status.st_mode):
        raise PermissionError(f"{path}: not a regular file")
    return stat.S_IMODE(status.st_mode)


def _reason(problem):
    return getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
