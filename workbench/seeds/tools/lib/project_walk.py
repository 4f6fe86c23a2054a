"""A walk over the project's files in a fixed order, and the globs that choose among them."""

import os
import re
import stat
from pathlib import Path

from project_files import explained, parts_of

MAX_ENTRIES_SEEN = 500_000


def glob_pattern(glob):
    """A compiled pattern: `*` and `?` stay within a folder, `**` crosses folders."""
    if not isinstance(glob, str) or not glob:
        raise ValueError("a glob must be a text that is not empty")
    text, at = "", 0
    while at < len(glob):
        if glob.startswith("**/", at):
            text, at = text + "(?:[^/]+/)*", at + 3
        elif glob.startswith("**", at):
            text, at = text + ".*", at + 2
        elif glob[at] == "*":
            text, at = text + "[^/]*", at + 1
        elif glob[at] == "?":
            text, at = text + "[^/]", at + 1
        else:
            group = re.match(r"\[([!^]?)(\]?[^\]/]*)\]", glob[at:])
            if group and group[2]:
                inside = group[2].replace("\\", "\\\\").replace("[", "\\[")
                inside = inside.replace("]", "\\]").replace("&", "\\&").replace("~", "\\~")
                text += f"(?!/)[{'^' if group[1] else ''}{inside}]"
                at += group.end()
            else:
                text, at = text + re.escape(glob[at]), at + 1
    try:
        return re.compile(text, re.DOTALL)
    except re.error:
        raise ValueError(f"{glob}: not a glob this tool understands") from None


def matches(path, patterns):
    """Whether a glob fits the whole path, or, where it has no slash, the last part of it."""
    name = path.rsplit("/", 1)[-1]
    return any(p.fullmatch(path) or p.fullmatch(name) for p in patterns)


def walk(start, *, max_depth=0, exclude=()):
    """Yield (path, status, is_folder) below `start`, sorted, links not followed. Entries that
    fit `exclude` are left out with all that is below them; so is git's own folder."""
    parts = parts_of(start)
    root = Path.cwd().resolve().joinpath(*parts)
    if not root.is_dir():
        if root.exists():
            raise NotADirectoryError(f"{start}: is a file, give the folder it is in")
        raise explained(start, FileNotFoundError())
    patterns = [glob_pattern(glob.rstrip("/")) for glob in exclude]
    pending = [("/".join(parts), str(root), 1)]
    seen = 0
    while pending:
        prefix, folder, depth = pending.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda item: item.name)
        except OSError:
            continue
        below = []
        for item in entries:
            path = f"{prefix}/{item.name}" if prefix else item.name
            if item.name == ".git" or matches(path, patterns):
                continue
            seen += 1
            if seen > MAX_ENTRIES_SEEN:
                raise ValueError(
                    f"{start}: more than {MAX_ENTRIES_SEEN:,} entries, choose a folder"
                )
            try:
                status = item.stat(follow_symlinks=False)
            except OSError:
                continue
            is_folder = stat.S_ISDIR(status.st_mode)
            yield path, status, is_folder
            if is_folder and (not max_depth or depth < max_depth):
                below.append((path, item.path, depth + 1))
        pending.extend(reversed(below))
