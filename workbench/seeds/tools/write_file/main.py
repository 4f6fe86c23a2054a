"""Write a text file of the project in one step."""

import contextlib
import hashlib

from project_files import read_bytes, write_bytes


def main(path, content, if_exists="replace", create_folders=True):
    if if_exists not in ("replace", "append", "fail"):
        raise ValueError("if_exists is one of: replace, append, fail")
    data = content.encode("utf-8")
    if if_exists == "append":
        with contextlib.suppress(FileNotFoundError):
            data = read_bytes(path, writing=True) + data
    created = write_bytes(path, data, replace=if_exists != "fail", create_folders=create_folders)
    return {
        "path": path,
        "created": created,
        "size_bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
