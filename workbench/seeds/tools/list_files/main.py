"""List files of the project that fit a glob."""

import stat
from datetime import UTC, datetime

from project_walk import glob_pattern, matches, walk

USUALLY_UNWANTED = ("node_modules", ".venv", "__pycache__")


def main(
    path=".", pattern="**", depth=0, limit=500, include_folders=False, exclude=USUALLY_UNWANTED
):
    if limit < 1 or depth < 0:
        raise ValueError("limit counts from 1, depth from 0")
    wanted = [glob_pattern(pattern)]
    entries, truncated = [], False
    for found, status, is_folder in walk(path, max_depth=depth, exclude=exclude):
        if (is_folder and not include_folders) or not matches(found, wanted):
            continue
        if len(entries) == limit:
            truncated = True
            break
        entries.append(
            {
                "path": found,
                "kind": _kind(status.st_mode),
                "size_bytes": 0 if is_folder else status.st_size,
                "modified": _time(status.st_mtime),
            }
        )
    return {"path": path, "entries": entries, "count": len(entries), "truncated": truncated}


def _kind(mode):
    for kind, fits in (("folder", stat.S_ISDIR), ("file", stat.S_ISREG), ("link", stat.S_ISLNK)):
        if fits(mode):
            return kind
    return "other"


def _time(seconds):
    try:
        return datetime.fromtimestamp(int(seconds), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
