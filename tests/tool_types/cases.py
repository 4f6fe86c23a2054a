"""Cases as text: what a tool is made of, and what must be said of it.

    === a sentence, the name of the case
    expect: code@line, code@file:line, code@file, code
    many: 3                             so many further files, f0.txt, f1.txt …
    --- tool.yaml                       the manifest first, then the tool's other files
    %head script python_runtime         stands for tool_id, tool_type, version and executor
    config: {entrypoint: gone.py}       # ! entrypoint_not_found
    --- main.py
    +++ other.yaml                      a tool that is checked together with it

`# ! code` at the end of a line, or `// ! code`, says what is expected there; lines that cannot
carry a comment are named in `expect:`. `<<65 of [>>` is that text 65 times, with `\\n`, `\\xff`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Expected = tuple[str, int | None, str]
"""File ("" for the manifest), line, code."""

RULES = Path(__file__).parent / "rules"
_REPEAT = re.compile(r"<<(\d+) of (.*?)>>")
_MARK = re.compile(r"(?:#|//) ! ([a-z0-9_ ]+)$")
_ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\n")


@dataclass
class Case:
    title: str
    manifest: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    neighbours: dict[str, bytes] = field(default_factory=dict)
    expected: list[Expected] = field(default_factory=list)

    @property
    def codes(self) -> set[str]:
        return {code for _, _, code in self.expected}


def cases(name: str) -> Iterator[Case]:
    """The cases of one file of `rules/`."""
    text = (RULES / name).read_text("utf-8")
    for block in re.split(r"(?m)^=== ", text)[1:]:
        title, _, rest = block.partition("\n")
        yield _case(title.strip(), rest)


def _case(title: str, text: str) -> Case:
    case = Case(title)
    header, *parts = re.split(r"(?m)^(---|\+\+\+) (\S+)\n", text)
    for sign, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        lines = _headed(body).split("\n")
        own = sign == "---" and not case.manifest
        if own:
            case.manifest = name
        if sign == "---":
            case.expected += list(_marked("" if own else name, lines))
        data = _bytes("\n".join(lines))
        (case.files if sign == "---" else case.neighbours)[name] = data
    for line in header.splitlines():
        key, _, value = line.partition(":")
        if key == "expect":
            case.expected += [_place(item.strip()) for item in value.split(",")]
        elif key == "many":
            case.files |= {f"f{number}.txt": b"" for number in range(int(value))}
        elif key.strip():
            raise ValueError(f"{title}: {line!r} is not a header")
    return case


def _headed(body: str) -> str:
    """`%head TYPE [EXECUTOR]` written out."""
    body = re.sub(
        r"(?m)^%head (\w+)(?: (\S+))?$",
        lambda m: (
            f'tool_id: t\ntool_type: {m[1]}\nversion: "1.0.0"'
            + (f"\nexecutor: {m[2]}" if m[2] else "")
        ),
        body,
    )
    return body.rstrip("\n") + "\n"


def _marked(file: str, lines: list[str]) -> Iterator[Expected]:
    for number, line in enumerate(lines, 1):
        if match := _MARK.search(line):
            for code in match[1].split():
                yield file, number, code


def _place(text: str) -> Expected:
    code, _, place = text.partition("@")
    file, _, line = place.rpartition(":")
    if line and not line.isdigit():
        file, line = place, ""
    return file, int(line) if line else None, code


def _bytes(text: str) -> bytes:
    """The text as UTF-8, repetitions written out; `\\xff` in one is that very byte."""
    data = b""
    position = 0
    for match in _REPEAT.finditer(text):
        data += text[position : match.start()].encode()
        data += _unescaped(match[2]) * int(match[1])
        position = match.end()
    return data + text[position:].encode()


def _unescaped(text: str) -> bytes:
    data = b""
    position = 0
    for match in _ESCAPE.finditer(text):
        data += text[position : match.start()].encode()
        data += bytes([int(match[1], 16)]) if match[1] else b"\n"
        position = match.end()
    return data + text[position:].encode()
