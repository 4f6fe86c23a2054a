"""What an unquoted YAML scalar means, and which ones mean different things to different readers."""

from __future__ import annotations

import math
import re
from typing import Any

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE = frozenset(("true", "True", "TRUE"))
_FALSE = frozenset(("false", "False", "FALSE"))
_OLD_BOOLEANS = {
    form: truth
    for word, truth in (("yes", True), ("on", True), ("no", False), ("off", False))
    for form in (word, word.capitalize(), word.upper())
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_ODD_NUMBER = re.compile(
    r"[-+]?(?:0o[0-7_]+|0b[01_]+|0[0-9_]+|[1-9][0-9]*_[0-9_]*|[0-9][0-9_]*_[0-9_]*\.[0-9_]*)"
)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ]\s*[0-9]{1,2}:.*)?")
_SPECIAL_START = frozenset("0123456789+-.~nNtTfFyYoO")


def plain_value(text: str) -> Any:
    """What an unquoted scalar means; the very same string if it is text."""
    if text in _NULLS:
        return None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if text in _OLD_BOOLEANS:
        return _OLD_BOOLEANS[text]
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) < 40 else 10**40
    if _HEX.fullmatch(text):
        return int(text, 16) if len(text) < 40 else 10**40
    if _ODD_NUMBER.fullmatch(text):
        return text  # 017 is 15 to some
    if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    return text


def is_old_boolean(text: str) -> bool:
    """Whether `text` is a boolean to YAML 1.1 and a word to YAML 1.2."""
    return text in _OLD_BOOLEANS


def is_ambiguous_number(text: str) -> bool:
    """Octal, binary, underscores or leading zeros: numbers to some readers, or other numbers."""
    return _ODD_NUMBER.fullmatch(text) is not None


def is_not_finite(text: str) -> bool:
    """NaN, infinity, or a number too large to be held."""
    return _NOT_FINITE.fullmatch(text) is not None or _FLOAT.fullmatch(text) is not None


def is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None


def is_plain_text(text: str) -> bool:
    """Whether `text` cannot be anything but text, by its first character."""
    return bool(text) and text[0] not in _SPECIAL_START
