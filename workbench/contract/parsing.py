"""JSON as a caller wrote it, read strictly: what would be lost or guessed is refused."""

from __future__ import annotations

import json
from typing import Any

from workbench.errors import UsageError

MAX_BYTES = 1024 * 1024


def parse(data: bytes) -> Any:
    """The value in `data`; a UsageError that names the place if it is none."""
    if len(data) > MAX_BYTES:
        raise UsageError(
            f"the JSON is larger than {MAX_BYTES:,} bytes",
            code="json_too_large",
            suggestion="send less at once; `workbench add` takes large tools from disk",
        )
    try:
        text = data.decode("utf-8-sig")
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_number,
            parse_int=_integer,
        )
    except UnicodeDecodeError as error:
        raise _malformed(f"byte {error.start + 1} is not UTF-8", "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _malformed(f"{place}: {error.msg[:1].lower()}{error.msg[1:]}") from None
    except RecursionError:
        raise _malformed("it is nested too deeply", "send something flatter") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _malformed(f"the key {key[:60]!r} stands twice in one object", "keep one of them")
        found[key] = value
    return found


def _constant(word: str) -> Any:
    raise _malformed(f"{word} is no JSON value", "use null or a string")


def _number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _malformed(f"{text[:40]} is too large a number", "send a smaller one")
    return number


def _integer(text: str) -> int:
    number = int(text) if len(text) <= 21 else 10**40
    if not -(2**63) <= number < 2**64:
        raise _malformed(f"{text[:40]} does not fit in 64 bits", "send it as a string")
    return number


def _malformed(what: str, suggestion: str = "") -> UsageError:
    return UsageError(
        f"the JSON cannot be used: {what}",
        code="malformed_json",
        suggestion=suggestion or "send one JSON object, with its strings in double quotes",
    )
