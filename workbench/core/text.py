"""Foreign text made fit for a terminal. Every face passes what it shows through here."""

from __future__ import annotations

import re

# C0 without tab and newline, DEL, C1, lone surrogates, bidi controls, line and paragraph
# separators, tag characters: all of what could move, hide or reorder what a person reads.
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_BREAKS = re.compile(r"[\t\n]")
# What is nothing to the eye: zero-width characters and soft hyphens.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f"
    "\u3164\ufeff\uffa0]"
)


def printable(text: str) -> str:
    """`text` with everything a terminal might obey written out, lines and tabs kept."""
    return _UNFIT.sub(_escape, text.replace("\r\n", "\n")) if _UNFIT.search(text) else text


def one_line(text: str) -> str:
    """The same on one line, for lists, titles and messages."""
    return printable(_BREAKS.sub(" ", text.replace("\r\n", "\n")))


def exposed(text: str) -> str:
    """The same with what cannot be seen written out too, for text that asks for trust."""
    return _HIDDEN.sub(_escape, printable(text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
