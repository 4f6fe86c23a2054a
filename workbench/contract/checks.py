"""What a caller sent, looked at before anything is done with it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workbench.core.reading import did_you_mean as _nearest
from workbench.errors import UsageError

MAX_DEPTH = 64
_KINDS = (
    (bool, "true or false"),
    (str, "a string"),
    (int, "an integer"),
    (float, "a number"),
    (Mapping, "an object"),
    (list, "a list"),
)


class Given:
    """The parameters of a call, each asked for by its name. Null is as good as left out."""

    def __init__(self, values: Mapping[str, Any], known: Sequence[str], where: str = "") -> None:
        self._where = where
        for name in values:
            if name not in known:
                near = did_you_mean(name, known)
                listed = f"it takes {', '.join(known)}" if known else "it takes none"
                raise UsageError(
                    f"there is no parameter {where}{name[:60]}",
                    code="unknown_parameter",
                    suggestion=f"did you mean {near}?" if near else listed,
                )
        self._values = {name: value for name, value in values.items() if value is not None}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str, *, choices: Sequence[str] = ()) -> str | None:
        """A string, one of `choices` if there are any."""
        value = self._of(name, str)
        if value is not None and choices and value not in choices:
            near = did_you_mean(value, choices)
            raise self.bad(
                name,
                f"is one of {', '.join(choices)}, not {value[:60]!r}",
                f"did you mean {near}?" if near else "",
            )
        return None if value is None else str(value)

    def required(self, name: str, *, choices: Sequence[str] = (), example: str = "") -> str:
        value = self.text(name, choices=choices)
        if value is None:
            shown = example or (choices[0] if choices else "…")
            raise UsageError(
                f"{self._where}{name} is required",
                code="missing_parameter",
                suggestion=f'add "{name}": "{shown}"',
            )
        if not value.strip():
            raise self.bad(name, "is empty")
        return value

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        value = self._of(name, int)
        if value is None:
            return default
        if not low <= value <= high:
            raise self.bad(name, f"is {low} to {high}, not {value}")
        return int(value)

    def flag(self, name: str) -> bool:
        return bool(self._of(name, bool))

    def mapping(self, name: str) -> Mapping[str, Any]:
        value: Mapping[str, Any] = self._of(name, Mapping) or {}
        return value

    def bad(self, name: str, what: str, suggestion: str = "") -> UsageError:
        """The error that says what is wrong with one parameter."""
        return UsageError(
            f"{self._where}{name} {what}", code="bad_parameter", suggestion=suggestion
        )

    def _of(self, name: str, kind: Any) -> Any:
        value = self._values.get(name)
        if value is None or (isinstance(value, kind) and isinstance(value, bool) == (kind is bool)):
            return value
        wanted = next(word for each, word in _KINDS if each is kind)
        raise self.bad(name, f"is {wanted}, not {kind_of(value)}")


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    return next((word for kind, word in _KINDS if isinstance(value, kind)), "null")


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    return _nearest(word, list(known))


def check_values(arguments: Mapping[str, Any]) -> None:
    """Refuses values that JSON cannot carry or that nothing here can hold."""
    waiting: list[tuple[str, Any, int]] = [("", arguments, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise _unfit(place[:60] + "…", f"is nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, Mapping):
            for key, item in value.items():
                _check_text(place or "the arguments", str(key))
                waiting.append((f"{place}.{key}" if place else str(key), item, depth + 1))
        elif isinstance(value, list | tuple):
            waiting += [(f"{place}[{n}]", item, depth + 1) for n, item in enumerate(value)]
        elif isinstance(value, str):
            _check_text(place, value)
        elif isinstance(value, float) and not math.isfinite(value):
            raise _unfit(place, "is not a finite number")
        elif isinstance(value, int) and not -(2**63) <= value < 2**64:
            raise _unfit(place, "does not fit in 64 bits")


def _check_text(place: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise _unfit(place, f"has half a surrogate pair, U+{code:04X}, in it") from None


def _unfit(place: str, what: str) -> UsageError:
    return UsageError(f"{place} {what}", code="bad_value", suggestion="send another value")
