"""Git, called without a shell, a pager or a prompt, in the project's working folder."""

import os
import subprocess

# Settings of a repository that would start programs of its choosing while we only look.
_READ_SAFELY = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "log.showSignature=false",
)  # fmt: skip
_ELSEWHERE = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
)


def git(*arguments, reading=True, text="", timeout=60, check=True):
    """Run git and return its output as bytes; with `check`, a failure is git's own sentence."""
    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    environment.update(LC_ALL="C", GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat")
    if reading:
        environment["GIT_OPTIONAL_LOCKS"] = "0"
    # Paths are taken literally: a file named `*.py` is that file.
    command = ["git", "--no-pager", "--literal-pathspecs", *(_READ_SAFELY if reading else ())]
    try:
        done = subprocess.run(
            [*command, *arguments],
            input=text.encode("utf-8"),
            capture_output=True,
            env=environment,
            timeout=timeout,
            check=False,
        )
    except FileNotFoundError:
        raise RuntimeError("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"git {arguments[0]} took longer than {timeout} seconds") from None
    if check and done.returncode != 0:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        if "not a git repository" in said:
            raise RuntimeError("the project is not in a git repository")
        raise RuntimeError(f"git {arguments[0]}: {said[:2000] or 'failed'}")
    return done.stdout


def prefix():
    """The project's place below the repository's root, empty or ending in a slash."""
    return git("rev-parse", "--show-prefix").decode("utf-8", "replace").removesuffix("\n")


def commit_named(revision):
    """The full id of the commit that `revision` names."""
    if not revision or revision.startswith("-") or "\0" in revision:
        raise ValueError(f"{revision!r} does not name a revision")
    named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    found = git(*named, check=False).decode("ascii", "replace").strip()
    if not found:
        git("rev-parse", "--git-dir")
        raise ValueError(f"{revision}: no such revision")
    return found


def inside(paths):
    """The paths, each checked to lie inside the project."""
    for path in paths:
        if not isinstance(path, str) or not path or "\0" in path:
            raise ValueError("a path must be a relative path inside the project")
        named = path.replace("\\", "/")
        drive = len(named) > 1 and named[1] == ":"
        if named.startswith(("/", "~")) or ".." in named.split("/") or (drive and os.name == "nt"):
            raise PermissionError(f"{path}: give a path inside the project, relative to its root")
    return list(paths)


def text_of(data):
    return data.decode("utf-8", "replace")
