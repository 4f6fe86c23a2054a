"""The signature line: a comment in a file's own syntax that says when it was signed, and what.

`kiwi-mcp:validated:<UTC time>Z:<content hash>` stands on the first line, on the second after a
shebang, or inside the frontmatter of markdown. It is no part of what it signs: hashes leave it
out. A line alone proves nothing; whether it holds is for the attestations to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.core.tool import ToolFile

_BODY = r"kiwi-mcp:validated:(?P<when>[0-9TZ:.+-]{0,40}):(?P<hash>[0-9a-f]{64})"
_LINE = re.compile(
    rf"[ \t]*(?:#[ \t]*{_BODY}[ \t]*|<!--[ \t]*{_BODY.replace('when', 'at').replace('hash', 'of')}"
    r"[ \t]*-->[ \t]*)(?:\r?\n|\Z)"
)
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a signature line claims, and where it stands in the text."""

    when: str
    content_hash: str
    start: int
    end: int


def line(when: str, content_hash: str) -> str:
    """The text of a signature, without comment marks. `when` is UTC and ends in Z."""
    return f"kiwi-mcp:validated:{when}:{content_hash}"


def find(name: str, text: str) -> Signature | None:
    """The signature line of the file `name`, if it has one where one belongs."""
    match = _LINE.match(text, _place(name, text))
    if match is None:
        return None
    return Signature(
        match["when"] or match["at"], match["hash"] or match["of"], match.start(), match.end()
    )


def without(name: str, text: str) -> str:
    """The text with its signature line left out."""
    found = find(name, text)
    return text if found is None else text[: found.start] + text[found.end :]


def signed(name: str, text: str, signature: str) -> str:
    """The text with `signature` as its one signature line."""
    bare = without(name, text)
    place = _place(name, bare)
    newline = "\r\n" if "\r\n" in bare else "\n"
    comment = f"<!-- {signature} -->" if _is_plain_markdown(name, bare) else f"# {signature}"
    before = bare[:place]
    if before.strip(_BOM) and not before.endswith("\n"):
        before += newline  # a lone shebang; whoever hashes must hash what is left of this
    return f"{before}{comment}{newline}{bare[place:]}"


def unsigned(file: ToolFile) -> ToolFile:
    """The file as its hash sees it."""
    text = file.text
    if text is None or find(file.path, text) is None:
        return file
    return ToolFile(file.path, without(file.path, text).encode("utf-8"), file.is_entrypoint)


def can_carry(name: str) -> bool:
    """Whether the syntax of a file has comments at all."""
    return name.rsplit(".", 1)[-1].lower() in ("yaml", "yml", "py", "md")


def _place(name: str, text: str) -> int:
    """Where the signature line of a file begins, or would."""
    start = len(_BOM) if text.startswith(_BOM) else 0
    if text.startswith("#!", start) or _has_frontmatter(name, text, start):
        end = text.find("\n", start)
        return len(text) if end == -1 else end + 1
    return start


def _has_frontmatter(name: str, text: str, start: int) -> bool:
    return (
        name.lower().endswith(".md")
        and re.compile(r"---[ \t]*\r?\n").match(text, start) is not None
    )


def _is_plain_markdown(name: str, text: str) -> bool:
    start = len(_BOM) if text.startswith(_BOM) else 0
    return name.lower().endswith(".md") and not _has_frontmatter(name, text, start)
