"""Replace an exact piece of text in a file of the project."""

import difflib

from project_files import read_bytes, write_bytes

MAX_DIFF_CHARACTERS = 20_000
MAX_DIFF_BYTES = 1024 * 1024


def main(path, old_text, new_text, replace_all=False):
    if not old_text:
        raise ValueError("old_text is empty, there is nothing to find")
    if old_text == new_text:
        raise ValueError("old_text and new_text are the same")
    before = read_bytes(path, writing=True)
    # Bytes, so that a mark at the start, odd line ends and other encodings stay as they are.
    old, new = old_text.encode("utf-8"), new_text.encode("utf-8")
    if old not in before and b"\r\n" in before and b"\r" not in old:
        old, new = old.replace(b"\n", b"\r\n"), new.replace(b"\n", b"\r\n")
    count = before.count(old)
    if count == 0:
        raise ValueError(
            f"{path}: old_text does not occur. Read the file again and give the text exactly, "
            "with its spaces and line breaks"
        )
    if count > 1 and not replace_all:
        raise ValueError(
            f"{path}: old_text occurs {count} times, on lines {_lines_of(before, old)}. Give more "
            "of the text around it, or set replace_all"
        )
    after = before.replace(old, new)
    write_bytes(path, after)
    diff = _diff(path, before, after)
    return {
        "path": path,
        "replacements": count,
        "first_line": before.count(b"\n", 0, before.index(old)) + 1,
        "size_bytes": len(after),
        "diff": diff[:MAX_DIFF_CHARACTERS],
        "diff_truncated": len(diff) > MAX_DIFF_CHARACTERS,
    }


def _lines_of(data, piece):
    lines, at = [], data.find(piece)
    while at >= 0 and len(lines) < 10:
        lines.append(str(data.count(b"\n", 0, at) + 1))
        at = data.find(piece, at + len(piece))
    return ", ".join(lines) + (" …" if at >= 0 else "")


def _diff(path, before, after):
    if len(before) + len(after) > MAX_DIFF_BYTES:
        return ""
    old, new = (data.decode("utf-8", errors="replace").split("\n") for data in (before, after))
    return "\n".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""))
