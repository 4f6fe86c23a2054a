"""Whether the parameters of a manifest are well-formed, in either form, at any depth."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.core.parameters import (
    JSON_TYPES,
    SCHEMA_KEYWORDS,
    SCHEMA_LISTS,
    SCHEMA_MAPPINGS,
    TYPE_ALIASES,
    subschemas,
)
from workbench.core.problems import Path, Problem, path_text
from workbench.core.reading import Reading, did_you_mean
from workbench.core.shape import describe

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_.$-]{0,127}", re.ASCII)
_PYTHON_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: (
        (isinstance(v, int) and not isinstance(v, bool))
        or (isinstance(v, float) and v.is_integer())
    ),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, Mapping),
    "null": lambda v: v is None,
}


def _is_schema(value: Any) -> bool:
    return isinstance(value, Mapping | bool)


_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
)
_TEXTS = ("description", "title", "pattern", "format", "$ref", "$comment", "$id", "$schema",
          "$anchor", "contentEncoding", "contentMediaType")  # fmt: skip
_MAPPINGS = (*SCHEMA_MAPPINGS, "dependentRequired")
_LISTS = ("enum", "examples", *SCHEMA_LISTS)
_FLAGS = ("uniqueItems", "secret", "writeOnly", "readOnly", "deprecated")
_OTHERS = ("type", "required", "default", "const", "name", "contentSchema")
KEYWORDS = (*_OTHERS, *_NUMBERS, *_COUNTS, *_TEXTS, *_MAPPINGS, *_LISTS, *_FLAGS, *SCHEMA_KEYWORDS)

_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(_NUMBERS, ("a number", _PYTHON_TYPES["number"])),
    "multipleOf": ("a number above 0", lambda v: _PYTHON_TYPES["number"](v) and v > 0),
    **{
        key: ("a whole number", lambda v: _PYTHON_TYPES["integer"](v) and v >= 0) for key in _COUNTS
    },
    **dict.fromkeys(_TEXTS, ("text", _PYTHON_TYPES["string"])),
    **dict.fromkeys(_MAPPINGS, ("a mapping", _PYTHON_TYPES["object"])),
    **dict.fromkeys(_LISTS, ("a list", _PYTHON_TYPES["array"])),
    **dict.fromkeys(_FLAGS, ("true or false", _PYTHON_TYPES["boolean"])),
    **dict.fromkeys(SCHEMA_KEYWORDS, ("a schema", _is_schema)),
}
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def check_parameters(reading: Reading) -> Iterator[Problem]:
    """Layer 1 for `parameters`."""
    given = reading.manifest.get("parameters")
    if given is None:
        return
    if isinstance(given, list):
        yield from _check_list(reading, given)
    elif isinstance(given, Mapping):
        if given.get("type", "object") != "object":
            message = f"parameters are an object, not {describe(given['type'])}"
            yield reading.problem("schema_invalid", ("parameters", "type"), message)
        yield from check_schema(reading, ("parameters",), given)
    else:
        message = f"parameters must be a list or a JSON Schema, not {describe(given)}"
        yield reading.problem("wrong_type", ("parameters",), message)


def _check_list(reading: Reading, given: list[Any]) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, item in enumerate(given):
        path: Path = ("parameters", index)
        if not isinstance(item, Mapping):
            message = f"a parameter is a mapping with a name, not {describe(item)}"
            yield reading.problem("wrong_type", path, message)
            continue
        name = item.get("name")
        if name is None:
            hint = "as in name: query"
            yield reading.problem("missing_field", path, "a parameter needs a name", hint=hint)
        elif not isinstance(name, str) or not _NAME.fullmatch(name):
            message = f"{describe(name)} cannot be the name of a parameter"
            yield reading.problem(
                "bad_parameter_name",
                (*path, "name"),
                message,
                hint="begin with a letter; use letters, digits, _ - .",
                fix=reading.quote((*path, "name")),
            )
        elif name in seen:
            message = f"there is a parameter {name!r} already"
            yield reading.problem("duplicate_parameter", (*path, "name"), message)
        else:
            seen.add(name)
        yield from check_schema(reading, path, item)


def check_schema(reading: Reading, at: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    """A JSON Schema, or a parameter of the list form, and everything inside it."""
    for local, inner in subschemas(schema):
        path = (*at, *local)
        yield from _check_keywords(reading, path, inner)
        yield from _check_inner(reading, path, inner)
        yield from _check_type(reading, path, inner)
        yield from _check_enum(reading, path, inner)
        yield from _check_bounds(reading, path, inner)
        yield from _check_pattern(reading, path, inner)
        yield from _check_ref(reading, path, inner, schema)
        yield from _check_default(reading, path, inner)


def _check_keywords(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    for key, value in schema.items():
        where = (*path, key)
        if key in _KINDS:
            wanted, fits = _KINDS[key]
            if not fits(value):
                message = f"{key} must be {wanted}, not {describe(value)}"
                fix = reading.quote(where) if wanted == "text" else None
                yield reading.problem("schema_invalid", where, message, fix=fix)
        elif key == "required":
            names = isinstance(value, list) and all(isinstance(name, str) for name in value)
            if not names and not isinstance(value, bool):
                message = f"required must be true, false or a list of names, not {describe(value)}"
                yield reading.problem("schema_invalid", where, message)
        elif key not in KEYWORDS and not key.startswith("x-"):
            meant = did_you_mean(key, [word for word in KEYWORDS if not word.startswith("$")])
            yield reading.problem(
                "unknown_key",
                where,
                f"{key!r} says nothing about a parameter",
                hint=f"did you mean {meant}?" if meant else "",
                fix=reading.rename_key(where, meant) if meant else None,
                on_key=True,
            )


def _check_inner(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    """What stands where a schema belongs must be one."""
    parts: list[tuple[Path, Any]] = []
    for key in SCHEMA_MAPPINGS:
        if isinstance(value := schema.get(key), Mapping):
            parts += [((*path, key, name), item) for name, item in value.items()]
    for key in SCHEMA_LISTS:
        if isinstance(value := schema.get(key), list):
            parts += [((*path, key, index), item) for index, item in enumerate(value)]
    for where, item in parts:
        if not _is_schema(item):
            message = f"{path_text(where[-2:])} must be a schema, not {describe(item)}"
            yield reading.problem("schema_invalid", where, message, hint="as in {type: string}")
    if isinstance(dependent := schema.get("dependentRequired"), Mapping):
        for name, others in dependent.items():
            if not isinstance(others, list) or not all(isinstance(one, str) for one in others):
                message = f"{name} must be a list of names, not {describe(others)}"
                yield reading.problem("schema_invalid", (*path, "dependentRequired", name), message)


def _check_type(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    kind = schema.get("type")
    if kind is None and "type" not in schema:
        return
    where = (*path, "type")
    kinds = kind if isinstance(kind, list) else [kind]
    for one in kinds:
        if one in JSON_TYPES:
            continue
        meant = TYPE_ALIASES.get(one) if isinstance(one, str) else None
        if meant is None and isinstance(one, str):
            meant = did_you_mean(one, list(JSON_TYPES))
        yield reading.problem(
            "parameter_type",
            where,
            f"{describe(one)} is not a type",
            hint=f"write {meant}" if meant else f"one of {', '.join(JSON_TYPES)}",
            fix=reading.replace_value(where, meant) if meant and kinds is not kind else None,
        )


def _check_enum(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    choices = schema.get("enum")
    if not isinstance(choices, list):
        return
    if not choices:
        yield reading.problem("bad_enum", (*path, "enum"), "enum has no choices")
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        key = json.dumps(choice, sort_keys=True)
        if key in seen:
            message = f"the choice {describe(choice)} stands there twice"
            yield reading.problem("bad_enum", (*path, "enum", index), message)
        seen.add(key)
        if not _fits_type(schema, choice):
            message = f"the choice {describe(choice)} is not of the type {schema['type']}"
            where = (*path, "enum", index)
            fix = reading.quote(where) if schema.get("type") == "string" else None
            yield reading.problem("bad_enum", where, message, fix=fix)


def _check_bounds(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    for low, high in _BOUNDS:
        lower, upper = schema.get(low), schema.get(high)
        numbers = _PYTHON_TYPES["number"]
        if numbers(lower) and numbers(upper) and lower > upper:  # type: ignore[operator]
            message = f"{low} {lower} is above {high} {upper}"
            yield reading.problem("bad_bounds", (*path, low), message)


def _check_pattern(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    found: list[tuple[Path, str]] = []
    if isinstance(pattern := schema.get("pattern"), str):
        found.append(((*path, "pattern"), pattern))
    if isinstance(properties := schema.get("patternProperties"), Mapping):
        found += [((*path, "patternProperties", key), key) for key in properties]
    if not found:
        return
    from workbench.core.schema import compiled  # costs some milliseconds, so only when needed

    for where, pattern in found:
        if compiled(pattern) is not None:
            continue
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            message = f"the pattern is not a regular expression: {error}"
            yield reading.problem("bad_pattern", where, message)
        else:
            message = "the pattern uses what cannot be run safely; values are not checked by it"
            hint = "patterns run on RE2: no look-around, no back-references"
            yield reading.problem("pattern_unchecked", where, message, hint=hint)


def _check_ref(
    reading: Reading, path: Path, schema: Mapping[str, Any], root: Mapping[str, Any]
) -> Iterator[Problem]:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return
    where = (*path, "$ref")
    if not reference.startswith("#"):
        message = f"{describe(reference)} lies outside this schema; nothing is fetched"
        yield reading.problem("schema_remote_ref", where, message, hint="move it into $defs")
        return
    seen = {reference}
    target: Any = schema
    while isinstance(target, Mapping) and isinstance(following := target.get("$ref"), str):
        target = _pointer(root, following)
        if target is _NOTHING:
            message = f"{describe(following)} points at nothing"
            yield reading.problem("schema_invalid", where, message)
            return
        again = target.get("$ref") if isinstance(target, Mapping) else None
        if again in seen:
            message = f"{describe(reference)} leads back to itself"
            yield reading.problem("schema_loop", where, message)
            return
        seen.add(str(again))


_NOTHING = object()


def _pointer(root: Any, reference: str) -> Any:
    """What a local reference points at."""
    if not reference.startswith("#/") and reference != "#":
        return next((s for _, s in subschemas(root) if s.get("$anchor") == reference[1:]), _NOTHING)
    value = root
    for part in reference.lstrip("#").strip("/").split("/"):
        if not part:
            continue
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return _NOTHING
    return value


def _check_default(reading: Reading, path: Path, schema: Mapping[str, Any]) -> Iterator[Problem]:
    if "default" not in schema or schema["default"] is None:
        return
    default = schema["default"]
    if isinstance(default, str) and "${" in default:
        return
    where = (*path, "default")
    enum = schema.get("enum")
    message = ""
    if not _fits_type(schema, default):
        message = f"the default {describe(default)} is not of the type {schema['type']}"
    elif isinstance(enum, list) and enum and not any(_same(default, one) for one in enum):
        message = f"the default {describe(default)} is not one of the choices"
    elif (bound := _outside(schema, default)) is not None:
        message = f"the default {json.dumps(default)[:60]} breaks {bound}"
    if message:
        fix = reading.quote(where) if schema.get("type") == "string" else None
        yield reading.problem("bad_default", where, message, fix=fix)


def _outside(schema: Mapping[str, Any], value: Any) -> str | None:
    """The first bound that a number or a text breaks."""
    number = _PYTHON_TYPES["number"]
    size = value if number(value) else len(value) if isinstance(value, str | list) else None
    if size is None:
        return None
    low, high = ("minimum", "maximum")
    if isinstance(value, str):
        low, high = ("minLength", "maxLength")
    elif isinstance(value, list):
        low, high = ("minItems", "maxItems")
    lower, upper = schema.get(low), schema.get(high)
    if lower is not None and number(lower) and size < lower:
        return f"{low} {lower}"
    if upper is not None and number(upper) and size > upper:
        return f"{high} {upper}"
    return None


def _fits_type(schema: Mapping[str, Any], value: Any) -> bool:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    known = [one for one in kinds if isinstance(one, str) and one in _PYTHON_TYPES]
    return not known or any(_PYTHON_TYPES[one](value) for one in known)


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and one == other
