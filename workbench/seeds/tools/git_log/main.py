"""List commits, newest first."""

from git_command import commit_named, git, inside, text_of

_FIELDS = ("commit", "parents", "author", "email", "date", "subject", "body")
_FORMAT = "%x00".join(("%H", "%P", "%an", "%ae", "%aI", "%s", "%b"))
MAX_BODY_CHARACTERS = 4000


def main(limit=20, skip=0, revision="HEAD", paths=()):
    if limit < 1 or skip < 0:
        raise ValueError("limit counts from 1, skip from 0")
    chosen = inside(paths)
    if revision == "HEAD" and not _has_commits():
        return {"commits": [], "count": 0, "more": False}
    output = git(
        "log", "-z", f"--format=tformat:{_FORMAT}", f"--max-count={limit + 1}", f"--skip={skip}",
        "--no-color", "--no-decorate", "--no-mailmap", "--no-patch", commit_named(revision),
        "--", *chosen,
    )  # fmt: skip
    values = text_of(output).split("\0")[:-1]
    size = len(_FIELDS)
    commits = [_commit(values[at : at + size]) for at in range(0, len(values), size)]
    return {
        "commits": commits[:limit],
        "count": min(len(commits), limit),
        "more": len(commits) > limit,
    }


def _has_commits():
    git("rev-parse", "--git-dir")
    return bool(git("rev-parse", "--verify", "--quiet", "HEAD", check=False))


def _commit(values):
    commit = dict(zip(_FIELDS, values, strict=True))
    commit["parents"] = commit["parents"].split()
    commit["body"] = commit["body"].strip()[:MAX_BODY_CHARACTERS]
    return commit
