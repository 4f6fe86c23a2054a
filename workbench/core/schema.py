"""JSON Schema, run safely: nothing is fetched, patterns run on RE2, loops are refused.

Separate from `parameters` because jsonschema and RE2 take longer to import than a list to print.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator, Mapping
from typing import Any, cast

import re2
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 1 << 20


@functools.lru_cache(maxsize=512)
def compiled(pattern: str) -> Any | None:
    """The pattern on RE2, or None if RE2 cannot run it."""
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error:
        return None


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "string"):
        return
    regex = compiled(pattern)
    if regex is not None and regex.search(instance) is None:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, inner in patterns.items():
        regex = compiled(pattern)
        for key, value in instance.items():
            if regex is not None and regex.search(key):
                yield from validator.descend(value, inner, path=key, schema_path=pattern)


def _additional_properties(
    validator: Any, allowed: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    """As the standard says, but one error for each unknown key, with the nearest known one."""
    if not validator.is_type(instance, "object"):
        return
    known = list(schema.get("properties") or {})
    patterns = [compiled(pattern) for pattern in schema.get("patternProperties") or {}]
    for key in instance:
        if key in known or any(regex is not None and regex.search(key) for regex in patterns):
            continue
        if allowed is False:
            near = difflib.get_close_matches(key, known, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            yield ValidationError(f"there is no parameter {key!r}{meant}", path=[key])
        else:
            yield from validator.descend(instance[key], allowed, path=key)


def _required(
    validator: Any, required: list[str], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """As the standard says, with the path of what is missing."""
    if validator.is_type(instance, "object") and isinstance(required, list):
        for name in required:
            if name not in instance:
                yield ValidationError("is required", path=[name])


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "required": _required,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)

SECRET = ("writeOnly", "secret")
"""A secret in JSON Schema's word and in ours."""


def _no_secret(
    validator: Any, secret: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if secret is True:
        yield ValidationError("is a secret")


_PartValidator: Any = extend(  # type: ignore[no-untyped-call]
    _Validator, dict.fromkeys(SECRET, _no_secret)
)


_UNUSABLE = (Unresolvable, RecursionError, ValueError)
"""References that lead nowhere or nowhere new, and ids that are no addresses."""


def errors(schema: Mapping[str, Any], value: Any) -> list[ValidationError]:
    """All the ways in which `value` does not fit; [] when it does."""
    try:
        validator = _Validator(schema, registry=Registry(), format_checker=FormatChecker())
        found = list(validator.iter_errors(value))
    except _UNUSABLE as error:
        return [_not_followed(error)]
    return sorted(found, key=lambda error: [str(part) for part in error.absolute_path])


def part_errors(schema: Mapping[str, Any], values: Mapping[str, Any]) -> list[ValidationError]:
    """The ways in which `values`, which need not be all of them, do not fit their properties.

    A value where the schema wants a secret is an error too, of a validator among `SECRET`.
    """
    properties = schema.get("properties") or {}
    try:
        validator = _PartValidator(schema, registry=Registry(), format_checker=FormatChecker())
        return [
            error
            for name, value in values.items()
            if name in properties
            for error in validator.descend(value, properties[name], path=name)
        ]
    except _UNUSABLE as error:
        return [_not_followed(error)]


def _not_followed(error: Exception) -> ValidationError:
    reason = "refers to itself" if isinstance(error, RecursionError) else str(error)
    return ValidationError(f"the schema cannot be followed: {reason}")


_SENTENCES = {
    "const": "must be {}",
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be above {}",
    "exclusiveMaximum": "must be below {}",
    "multipleOf": "must be a multiple of {}",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
    "minItems": "must have at least {} items",
    "maxItems": "must have at most {} items",
    "pattern": "must match {}",
    "format": "must be a valid {}",
    "uniqueItems": "must not hold an item twice",
    "required": "is required",
}


def sentence(error: ValidationError) -> str:
    """A validation error in words that name the parameter."""
    path = ".".join(str(part) for part in error.absolute_path)
    kind, wanted = str(error.validator), cast(Any, error.validator_value)
    if kind == "additionalProperties":
        return str(error.message)
    if kind == "type":
        said = f"must be {_article(wanted)}, not {_short(error.instance)}"
    elif kind == "enum":
        said = "must be one of " + ", ".join(_short(choice) for choice in wanted)
    elif kind in _SENTENCES:
        said = _SENTENCES[kind].replace("{}", str(wanted)[:200])
    else:
        said = str(error.message)[:300]
    return f"{path} {said}" if path else said


def _article(kinds: Any) -> str:
    words = [kinds] if isinstance(kinds, str) else list(kinds)
    return " or ".join(f"an {w}" if w[:1] in "aio" else f"a {w}" for w in words)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
