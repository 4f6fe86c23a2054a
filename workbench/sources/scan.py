"""Looks over a file tree without opening a file: which tools there are, and what each looks like.

A unit is a file that is a tool, or a folder with a manifest. Its fingerprint changes whenever a
file of it may have; a tree of which no fingerprint changed has nothing new in it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workbench.core.codes import problem_at
from workbench.core.files import MAX_FILES
from workbench.core.problems import Problem
from workbench.sources.names import (
    AREAS,
    MANIFESTS,
    MAX_FOLDERS_DEEP,
    is_file_skipped,
    is_hidden,
    is_skipped,
)

LIBRARY = "tools/lib"
"""Modules that tools share, not tools."""
READ_ONLY = "scripts/"
OLD_LIBRARY = "scripts/lib"
"""Where older trees have theirs; nothing there is a tool either."""

_FRESH_NS = 2_000_000_000
"""A file that changed this shortly ago may change again without looking different."""


@dataclass(frozen=True, slots=True)
class Unit:
    """`fingerprint` is '' where it cannot be relied upon. A unit with a problem is not read."""

    path: str
    fingerprint: str
    problem: Problem | None = None


@dataclass
class Scan:
    """What lies in a tree. `unseen` are folders that could not be looked into; what was known
    below them is neither there nor gone."""

    units: list[Unit] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    library: str = ""
    """What the modules look like that tools share."""

    def is_unseen(self, path: str) -> bool:
        return any(not below or path.startswith(f"{below}/") for below in self.unseen)


def scan(root: Path) -> Scan:
    """Every unit below `root`, in the order of their paths. Never raises for what it finds."""
    found = Scan()
    now = time.time_ns()
    if leads_astray(root):
        what = "is a symbolic link out of the project, which is not followed"
        found.units.append(_special("", what, root.name))
    elif _is_folder(found, str(root), "", os.stat):
        for area in AREAS:
            path = os.path.join(root, area)  # noqa: PTH118 - it may not be UTF-8
            if _is_folder(found, path, area, os.lstat):
                _walk(_Walk(found, AREAS[area], now), path, area, 0)
        found.units.sort(key=lambda unit: unit.path)
        found.library = _library_print(root, now)
    return found


def leads_astray(root: Path) -> bool:
    """Whether a tree's root is a link out of the folder that it is in. A person's own tree may
    lie anywhere."""
    real = os.path.realpath(root)
    if real == str(root) or str(root.parent) == os.path.expanduser("~"):  # noqa: PTH111
        return False
    return not real.startswith(f"{os.path.realpath(root.parent)}{os.sep}")


def _is_folder(found: Scan, full: str, path: str, look: Callable[[str], os.stat_result]) -> bool:
    """Whether there is a folder of a tree that can be looked into; if something else is there
    it is a problem."""
    try:
        mode = look(full).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        _unseen(found, path, error)
        return False
    if stat.S_ISLNK(mode):
        found.units.append(_special(path, "is a symbolic link, which is not followed"))
    elif not stat.S_ISDIR(mode):
        found.units.append(_special(path, "is not a folder", full))
    return stat.S_ISDIR(mode)


def _library_print(root: Path, now: int) -> str:
    folder = root / LIBRARY
    if folder.is_symlink() or folder.parent.is_symlink():
        return "none"
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        return "none"
    return _folder_print(listed, now) or f"fresh {now}"


@dataclass(frozen=True, slots=True)
class _Walk:
    found: Scan
    suffixes: tuple[str, ...]
    now: int


def _walk(walk: _Walk, folder: str, path: str, depth: int) -> None:
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return  # it went while we looked
    except OSError as error:
        _unseen(walk.found, path, error)
        return
    if depth and any(entry.name in MANIFESTS for entry in listed):
        walk.found.units.append(_speakable(Unit(path, _folder_print(listed, walk.now))))
        return
    for entry in listed:
        name = entry.name
        if is_skipped(name) or is_hidden(name) or f"{path}/{name}" in (LIBRARY, OLD_LIBRARY):
            continue
        try:
            _visit(walk, entry, f"{path}/{name}", depth)
        except FileNotFoundError:
            continue
        except OSError as error:
            _unseen(walk.found, f"{path}/{name}", error)


def _visit(walk: _Walk, entry: os.DirEntry[str], path: str, depth: int) -> None:
    if entry.is_dir(follow_symlinks=False):
        if depth >= MAX_FOLDERS_DEEP:
            message = f"folders nested deeper than {MAX_FOLDERS_DEEP} are not read"
            walk.found.units.append(_refused(path, problem_at("too_deep", message)))
        else:
            _walk(walk, entry.path, path, depth + 1)
        return
    is_link = entry.is_symlink()
    if is_link and _leads_to_folder(entry):
        walk.found.units.append(_special(path, "is a symbolic link, which is not followed"))
    elif entry.name.lower().endswith(walk.suffixes or ("\0",)) and not is_file_skipped(entry.name):
        if is_link:
            unit = _special(path, "is a symbolic link, which is not followed")
        elif not entry.is_file(follow_symlinks=False):
            unit = _special(path, "is not a plain file")
        else:
            status = entry.stat(follow_symlinks=False)
            unit = Unit(path, "" if _is_fresh(status, walk.now) else _print(status))
        walk.found.units.append(_speakable(unit))


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:
        return False


def _folder_print(listed: list[os.DirEntry[str]], now: int) -> str:
    """What all files of a tool's folder look like together."""
    digest = hashlib.sha256()
    files = 0
    for path, status in _statuses(listed, "", 0):
        if _is_fresh(status, now):
            return ""
        digest.update(f"{path}\0{_print(status)}\0".encode("utf-8", "surrogateescape"))
        files += not stat.S_ISDIR(status.st_mode)
        if files > MAX_FILES + 1:
            break  # it is too many in any case
    return digest.hexdigest()[:32]


def _statuses(
    entries: list[os.DirEntry[str]], prefix: str, depth: int
) -> Iterator[tuple[str, os.stat_result]]:
    for entry in sorted(entries, key=lambda one: one.name):
        if is_skipped(entry.name) or entry.name.startswith("."):
            continue
        try:
            status = entry.stat(follow_symlinks=False)
            yield prefix + entry.name, status
            if stat.S_ISDIR(status.st_mode) and depth < MAX_FOLDERS_DEEP:
                with os.scandir(entry.path) as inner:
                    below = list(inner)
                yield from _statuses(below, f"{prefix}{entry.name}/", depth + 1)
        except OSError:
            continue  # whoever reads the unit will say so


def _print(status: os.stat_result) -> str:
    return f"{status.st_mode:o}.{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}"


def _is_fresh(status: os.stat_result, now: int) -> bool:
    """By the time of change, which nobody can set; mtime may lie, also in the future."""
    return status.st_ctime_ns > now - _FRESH_NS


def _unseen(found: Scan, path: str, error: OSError) -> None:
    message = f"cannot be looked into: {error.strerror or error}"
    found.units.append(_refused(path, problem_at("unreadable_file", message)))
    found.unseen.append(path)


def _special(path: str, what: str, name: str = "") -> Unit:
    message = f"{(name or path).rsplit('/', 1)[-1]} {what}"
    return _refused(path, problem_at("special_file", message))


def _refused(path: str, problem: Problem) -> Unit:
    return _speakable(Unit(path, f"refused: {problem.code}", problem))


def _speakable(unit: Unit) -> Unit:
    """A unit whose path is not UTF-8 cannot be named in a manifest, a log or a registry."""
    try:
        unit.path.encode("utf-8")
    except UnicodeEncodeError:
        shown = unit.path.encode("utf-8", "backslashreplace").decode("utf-8")
        return Unit(shown, "refused: bad_path", problem_at("bad_path", "the name is not UTF-8"))
    return unit
