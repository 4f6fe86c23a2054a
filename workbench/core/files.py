"""Rules for the paths of a tool's files."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from workbench.core.codes import problem_at
from workbench.core.problems import Problem
from workbench.core.tool import ToolFile

SKILL_FILE = "SKILL.md"
MANIFEST_FILES = ("tool.yaml", "tool.yml")
MAX_FILES = 2_000
MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_TOTAL_BYTES = 128 * 1024 * 1024
MAX_PATH = 512
_FORBIDDEN = frozenset('<>:"|?*\\')
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)


def path_fault(path: str) -> str | None:
    """Why a file's path may not be used, or None."""
    if not path or path.startswith(("/", "~")) or (len(path) > 1 and path[1] == ":"):
        return "must be relative to the tool's folder"
    parts = path.split("/")
    if ".." in parts:
        return "leads out of the tool's folder"
    if "" in parts or "." in parts:
        return "has an empty part or a lone dot"
    if len(path) > MAX_PATH:
        return f"is longer than {MAX_PATH} characters"
    for char in path:
        if char in _FORBIDDEN or unicodedata.category(char) in ("Cc", "Cs", "Cf", "Zl", "Zp"):
            return f"has the character U+{ord(char):04X} in it"
    if any(part.split(".")[0].lower() in _DEVICES or part.endswith((".", " ")) for part in parts):
        return "is not a name that every platform can hold"
    return None


def check_files(files: Iterable[ToolFile]) -> Iterator[Problem]:
    """Paths that may not be, paths that collide, and caps."""
    seen: dict[str, str] = {}
    total = count = 0
    for file in files:
        count += 1
        total += len(file.data)
        if reason := path_fault(file.path):
            yield problem_at("bad_path", f"the path {file.path[:80]!r} {reason}", file=file.path)
        folded = unicodedata.normalize("NFC", file.path).casefold()
        if folded in seen:
            message = f"{file.path!r} and {seen[folded]!r} differ only by case or Unicode form"
            yield problem_at("path_collision", message, file=file.path)
        seen[folded] = file.path
        if len(file.data) > MAX_FILE_BYTES:
            message = f"{file.path} has {len(file.data):,} bytes; {MAX_FILE_BYTES:,} are allowed"
            yield problem_at("file_too_large", message, file=file.path)
    if total > MAX_TOTAL_BYTES:
        message = f"the files have {total:,} bytes together; {MAX_TOTAL_BYTES:,} are allowed"
        yield problem_at("file_too_large", message)
    if count > MAX_FILES:
        yield problem_at("too_many_files", f"{count:,} files; {MAX_FILES:,} are allowed")
