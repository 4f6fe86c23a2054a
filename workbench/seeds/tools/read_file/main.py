"""Read a text file of the project, whole or some lines of it."""

from project_files import read_bytes

MAX_CONTENT_CHARACTERS = 256 * 1024


def main(path, start_line=1, line_limit=2000):
    if start_line < 1 or line_limit < 1:
        raise ValueError("start_line and line_limit count from 1")
    data = read_bytes(path)
    if b"\0" in data[:8192]:
        raise ValueError(f"{path}: is binary ({len(data):,} bytes), this tool reads text")
    text = data.decode("utf-8", errors="replace")
    # Only line feeds end a line, so that numbers agree with editors, git and search_files.
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    first = start_line - 1
    if lines and first >= len(lines):
        raise ValueError(f"{path}: has {len(lines)} lines, start_line {start_line} is past its end")
    chosen, size = [], 0
    for line in lines[first : first + line_limit]:
        size += len(line) + 1
        if size > MAX_CONTENT_CHARACTERS and chosen:
            break
        chosen.append(line)
    last = first + len(chosen)
    content = "\n".join(chosen)
    if chosen and (last < len(lines) or text.endswith("\n")):
        content += "\n"
    return {
        "path": path,
        "content": content[:MAX_CONTENT_CHARACTERS],
        "start_line": start_line if lines else 0,
        "end_line": last,
        "total_lines": len(lines),
        "size_bytes": len(data),
        "truncated": last < len(lines) or len(content) > MAX_CONTENT_CHARACTERS,
        "valid_utf8": data == text.encode("utf-8", errors="replace"),
    }
