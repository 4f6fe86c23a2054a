"""Parameters: the list form of a manifest, JSON Schema, and values checked against them.

The list form is JSON Schema with the name inside, `required` as a flag on each parameter (and on
each property of a nested object), and `secret` for `writeOnly`. Both directions keep everything
that the other form can say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.core.codes import problem_at
from workbench.core.problems import Path, Problem

JSON_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
TYPE_ALIASES = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "map": "object",
    "json": "object",
}
Parameters = Sequence[Mapping[str, Any]] | Mapping[str, Any]

SCHEMA_MAPPINGS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SCHEMA_KEYWORDS = ("items", "additionalProperties", "not", "if", "then", "else", "contains",
                   "propertyNames", "unevaluatedProperties", "unevaluatedItems")  # fmt: skip
"""Where schemas stand inside a schema: by name, in a list, or alone."""

_FLAT = frozenset(("type", "properties", "required", "additionalProperties"))


def to_schema(parameters: Parameters | None) -> dict[str, Any]:
    """The JSON Schema of an object that holds the values of `parameters`."""
    if isinstance(parameters, Mapping):
        schema: dict[str, Any] = _schema_of(parameters)
        return schema
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in parameters or ():
        name = str(parameter["name"])
        rest = {key: value for key, value in parameter.items() if key != "name"}
        if rest.get("required") is True:
            required.append(name)
        properties[name] = _schema_of(rest)
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def _schema_of(parameter: Mapping[str, Any]) -> Any:
    """One parameter, property or item as plain JSON Schema."""
    if not isinstance(parameter, Mapping):
        return parameter
    schema = {key: value for key, value in parameter.items() if key not in ("required", "secret")}
    if parameter.get("secret") is True:
        schema["writeOnly"] = True
    required = parameter.get("required")
    names = list(required) if isinstance(required, list) else []
    if isinstance(schema.get("properties"), Mapping):
        names += [
            name
            for name, inner in schema["properties"].items()
            if isinstance(inner, Mapping) and inner.get("required") is True and name not in names
        ]
        schema["properties"] = {
            name: _schema_of(inner) for name, inner in schema["properties"].items()
        }
    if names:
        schema["required"] = names
    if isinstance(schema.get("items"), Mapping):
        schema["items"] = _schema_of(schema["items"])
    return schema


def to_list(schema: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The list form of an object schema, or None where a list cannot say what it says."""
    if not set(schema) <= _FLAT or schema.get("type", "object") != "object":
        return None
    if schema.get("additionalProperties", False) is not False:
        return None
    properties = schema.get("properties") or {}
    required = schema.get("required") or []
    if not set(required) <= set(properties):
        return None
    parameters = []
    for name, inner in properties.items():
        if not isinstance(inner, Mapping) or "name" in inner:
            return None
        parameter = _parameter_of(inner)
        parameters.append(
            {"name": name, **parameter, **({"required": True} if name in required else {})}
        )
    return parameters


def _parameter_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Plain JSON Schema as one parameter, property or item."""
    parameter = {key: value for key, value in schema.items() if key != "writeOnly"}
    if schema.get("writeOnly") is True:
        parameter["secret"] = True
    names = parameter.pop("required", [])
    properties = parameter.get("properties")
    if isinstance(properties, Mapping):
        parameter["properties"] = {
            name: (
                {**_parameter_of(inner), **({"required": True} if name in names else {})}
                if isinstance(inner, Mapping)
                else inner
            )
            for name, inner in properties.items()
        }
        names = [name for name in names if not isinstance(properties.get(name), Mapping)]
    if names:
        parameter["required"] = list(names)
    if isinstance(parameter.get("items"), Mapping):
        parameter["items"] = _parameter_of(parameter["items"])
    return parameter


def names(parameters: Any) -> list[str]:
    """The names of all parameters, in order; what is not well-formed has none."""
    if isinstance(parameters, Mapping):
        properties = parameters.get("properties")
        return list(properties) if isinstance(properties, Mapping) else []
    items = parameters if isinstance(parameters, list) else []
    return [str(item.get("name")) for item in items if isinstance(item, Mapping)]


def subschemas(schema: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Every schema inside a schema, itself first, with its path."""
    if isinstance(schema, Mapping):
        yield path, schema
        for keyword in SCHEMA_MAPPINGS:
            if isinstance(inner := schema.get(keyword), Mapping):
                for name, item in inner.items():
                    yield from subschemas(item, (*path, keyword, name))
        for keyword in SCHEMA_KEYWORDS:
            yield from subschemas(schema.get(keyword), (*path, keyword))
        for keyword in SCHEMA_LISTS:
            if isinstance(inner := schema.get(keyword), list):
                for index, item in enumerate(inner):
                    yield from subschemas(item, (*path, keyword, index))


def check_values(parameters: Parameters | None, values: Mapping[str, Any]) -> list[Problem]:
    """Layer 3: all problems of `values` at once; [] when they fit."""
    from workbench.core import schema

    return [
        problem_at(_value_code(error), schema.sentence(error), path=tuple(error.absolute_path))
        for error in schema.errors(to_schema(parameters), values)
    ]


def _value_code(error: Any) -> str:
    if error.validator == "required":
        return "value_missing"
    if error.validator == "additionalProperties":
        return "value_unknown"
    return "value_invalid"


def with_defaults(parameters: Parameters | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with the default of every top-level parameter that has none given."""
    properties = to_schema(parameters).get("properties") or {}
    defaults = {
        name: inner["default"]
        for name, inner in properties.items()
        if isinstance(inner, Mapping) and "default" in inner
    }
    return {**defaults, **values}
