"""Show what changed: in the working files, in the index, or since a revision."""

from git_command import commit_named, git, inside, prefix, text_of

# The answer looks the same whatever the user's git settings are, and starts no other program.
_STEADY = (
    "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--relative",
    "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short",
)  # fmt: skip


def main(paths=(), staged=False, base="", target="", context_lines=3, max_characters=100_000):
    if target and not base:
        raise ValueError("target needs base: the revision to compare it with")
    if target and staged:
        raise ValueError("staged compares the index, target compares a revision: choose one")
    if context_lines < 0 or max_characters < 1:
        raise ValueError("context_lines counts from 0, max_characters from 1")
    prefix()  # outside a repository `git diff` would compare any two files
    options = ["--cached"] if staged else []
    options += [commit_named(revision) for revision in (base, target) if revision]
    chosen = inside(paths) or ["."]
    counts = text_of(git("diff", *_STEADY, "--numstat", "-z", *options, "--", *chosen))
    patch = text_of(git("diff", *_STEADY, f"-U{context_lines}", *options, "--", *chosen))
    files = [_file(record) for record in counts.split("\0") if record]
    return {
        "diff": patch[:max_characters],
        "files": files,
        "insertions": sum(file["insertions"] for file in files),
        "deletions": sum(file["deletions"] for file in files),
        "truncated": len(patch) > max_characters,
    }


def _file(record):
    added, removed, path = record.split("\t", 2)
    binary = added == "-"
    return {
        "path": path,
        "insertions": 0 if binary else int(added),
        "deletions": 0 if binary else int(removed),
        "binary": binary,
    }
