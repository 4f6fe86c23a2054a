"""Commit exactly the files that are named, as they are now, and nothing else.

Whatever else is staged stays staged, whatever else is changed stays changed. The user's hooks
run, as they do for every commit.
"""

import os
from pathlib import PurePath

from git_command import git, inside, text_of

MAX_MESSAGE_CHARACTERS = 10_000
HOOKS_MAY_TAKE_SECONDS = 300


def main(paths, message):
    if not message.strip() or "\0" in message:
        raise ValueError("message is empty")
    if len(message) > MAX_MESSAGE_CHARACTERS:
        raise ValueError(f"message is longer than {MAX_MESSAGE_CHARACTERS:,} characters")
    chosen = sorted({PurePath(path).as_posix() for path in inside(paths)})
    if not chosen:
        raise ValueError("paths is empty: name the files to commit")
    git("rev-parse", "--show-toplevel")
    new = [path for path in chosen if not _is_known(path)]
    if not text_of(git("status", "--porcelain", "-z", "--ignored", "--", *chosen)):
        return {"committed": False, "commit": None, "files": [], "insertions": 0, "deletions": 0}
    _announce(new)
    try:
        git(
            "commit", "--only", "--quiet", "--file=-", "--", *chosen,
            reading=False, text=message, timeout=HOOKS_MAY_TAKE_SECONDS,
        )  # fmt: skip
    except BaseException:
        _withdraw(new)
        raise
    return _summary()


def _is_known(path):
    """Whether git tracks this very file; a path that is no file at all is refused."""
    if os.path.isdir(path) and not os.path.islink(path):
        raise IsADirectoryError(f"{path}: is a folder, name each file to commit")
    if any(os.path.islink(parent) for parent in PurePath(path).parents):
        raise PermissionError(f"{path}: lies behind a link, name the file where it really is")
    listed = git("ls-files", "-z", "--", path) + _in_last_commit(path)
    names = set(text_of(listed).split("\0")) - {""}
    if names - {path}:
        raise ValueError(f"{path}: was a folder, name each file to commit")
    if not names and not os.path.lexists(path):
        raise FileNotFoundError(f"{path}: no such file in the project or in git")
    return bool(names)


def _in_last_commit(path):
    # Before the first commit there is none, and that is no failure.
    return git("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", path, check=False)


def _announce(new):
    """`commit --only` takes files that git knows by name; their content stays unstaged."""
    if not new:
        return
    try:
        git("add", "--intent-to-add", "--", *new, reading=False)
    except BaseException:
        _withdraw(new)
        raise


def _withdraw(new):
    if new:
        git("update-index", "--force-remove", "-z", "--stdin", reading=False,
            text="".join(f"{path}\0" for path in new), check=False)  # fmt: skip


def _summary():
    shown = git("show", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
                "--no-color", "--relative", "--format=tformat:%H", "HEAD")  # fmt: skip
    commit, *records = text_of(shown).split("\0")
    rows = [record.strip("\n").split("\t", 2) for record in records if record.strip("\n")]
    counted = [row for row in rows if row[0] != "-"]
    return {
        "committed": True,
        "commit": commit.strip(),
        "files": [row[2] for row in rows],
        "insertions": sum(int(row[0]) for row in counted),
        "deletions": sum(int(row[1]) for row in counted),
    }
