"""Delete one file of the project, or a link, never what it points at."""

import os
import stat

from project_files import entry, explained, folder, parts_of


def main(path, missing_ok=False):
    parts = parts_of(path, writing=True, follow_last=False)
    try:
        if not parts:
            raise IsADirectoryError
        with folder(parts[:-1]) as at:
            target = entry(parts, at)
            status = os.stat(target, dir_fd=at, follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError
            if not stat.S_ISREG(status.st_mode) and not stat.S_ISLNK(status.st_mode):
                raise PermissionError(f"{path}: not a regular file")
            os.unlink(target, dir_fd=at)
    except FileNotFoundError as problem:
        if not missing_ok:
            raise explained(path, problem) from None
        return {"path": path, "deleted": False, "kind": "missing", "size_bytes": 0}
    except OSError as problem:
        raise explained(path, problem) from None
    kind = "link" if stat.S_ISLNK(status.st_mode) else "file"
    return {"path": path, "deleted": True, "kind": kind, "size_bytes": status.st_size}
