"""Find lines of the project's text files that contain a text or fit a regular expression."""

import itertools
import re
import stat

from project_files import read_bytes
from project_walk import glob_pattern, matches, walk

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_LINE_SEARCHED = 10_000
USUALLY_UNWANTED = ("node_modules", ".venv", "__pycache__")


def main(
    query,
    regex=False,
    case_sensitive=True,
    path=".",
    pattern="**",
    context_lines=0,
    limit=200,
    line_length=300,
    exclude=USUALLY_UNWANTED,
):
    if not query:
        raise ValueError("query is empty")
    if limit < 1 or line_length < 1 or context_lines < 0:
        raise ValueError("limit and line_length count from 1, context_lines from 0")
    try:
        expression = re.compile(query if regex else re.escape(query), 0 if case_sensitive else re.I)
    except re.error as problem:
        raise ValueError(f"query is not a regular expression: {problem}") from None
    wanted = [glob_pattern(pattern)]
    found, searched, skipped, truncated = [], 0, 0, False
    for file, status, _ in walk(path, exclude=exclude):
        if not stat.S_ISREG(status.st_mode) or not matches(file, wanted):
            continue
        lines = _lines(file)
        if lines is None:
            skipped += 1
            continue
        searched += 1
        hits = _hits(file, lines, expression, context_lines, line_length)
        found += itertools.islice(hits, limit + 1 - len(found))
        if truncated := len(found) > limit:
            break
    return {
        "query": query,
        "matches": found[:limit],
        "count": min(len(found), limit),
        "files_searched": searched,
        "files_skipped": skipped,
        "truncated": truncated,
    }


def _hits(file, lines, expression, around, length):
    for number, line in enumerate(lines):
        hit = expression.search(line[:MAX_LINE_SEARCHED])
        if hit is None:
            continue
        item = {
            "path": file,
            "line": number + 1,
            "column": hit.start() + 1,
            "text": _shown(line, hit.start(), length),
        }
        if around:
            before = lines[max(0, number - around) : number]
            after = lines[number + 1 : number + 1 + around]
            item["before"] = [_shown(text, 0, length) for text in before]
            item["after"] = [_shown(text, 0, length) for text in after]
        yield item


def _lines(file):
    """The file's lines, or None where it is too large, binary or not readable."""
    try:
        data = read_bytes(file, limit=MAX_FILE_BYTES)
    except (OSError, ValueError):
        return None
    if b"\0" in data[:8192]:
        return None
    return [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]


def _shown(line, at, length):
    """The piece of a long line that has the hit in it."""
    if len(line) <= length:
        return line
    start = min(max(0, at - length // 4), len(line) - length)
    piece = line[start : start + length]
    return ("…" if start else "") + piece + ("…" if start + length < len(line) else "")
