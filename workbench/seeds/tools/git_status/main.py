"""Say what git sees in the project: branch, staged, changed, untracked and conflicting files."""

import posixpath

from git_command import git, inside, prefix, text_of


def main(paths=(), untracked="normal", limit=1000):
    if untracked not in ("no", "normal", "all"):
        raise ValueError("untracked is one of: no, normal, all")
    if limit < 1:
        raise ValueError("limit counts from 1")
    chosen = inside(paths) or ["."]
    start = prefix()
    output = git(
        "status", "--porcelain=v2", "--branch", "-z", "--no-renames",
        f"--untracked-files={untracked}", "--", *chosen,
    )  # fmt: skip
    branch = {"branch": None, "commit": None, "upstream": None, "ahead": 0, "behind": 0}
    groups = {"staged": [], "changed": [], "untracked": [], "conflicts": []}
    for record in text_of(output).split("\0"):
        if record.startswith("# "):
            _read_header(record, branch)
        elif record:
            _read_entry(record, start, groups)
    total = sum(len(group) for group in groups.values())
    return {
        **branch,
        "clean": total == 0,
        **{name: group[:limit] for name, group in groups.items()},
        "truncated": any(len(group) > limit for group in groups.values()),
    }


def _read_header(record, branch):
    _, key, value = record.split(" ", 2)
    if key == "branch.head":
        branch["branch"] = None if value == "(detached)" else value
    elif key == "branch.oid":
        branch["commit"] = None if value == "(initial)" else value
    elif key == "branch.upstream":
        branch["upstream"] = value
    elif key == "branch.ab":
        ahead, behind = value.split(" ")
        branch["ahead"], branch["behind"] = int(ahead), -int(behind)


def _read_entry(record, start, groups):
    kind = record[0]
    if kind == "?":
        groups["untracked"].append(_relative(record[2:], start))
    elif kind == "u":
        groups["conflicts"].append(_relative(record.split(" ", 10)[10], start))
    elif kind == "1":
        fields = record.split(" ", 8)
        path = _relative(fields[8], start)
        for group, letter in (("staged", fields[1][0]), ("changed", fields[1][1])):
            if letter != ".":
                groups[group].append({"path": path, "change": _CHANGES.get(letter, letter)})


_CHANGES = {"M": "modified", "A": "added", "D": "deleted", "T": "type changed"}


def _relative(path, start):
    if not start or path.startswith(start):
        return path[len(start) :] or "./"
    return posixpath.relpath(path, start)
