"""Pydantic's findings in our words, with our codes, at our places."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from workbench.core import versions
from workbench.core.problems import Path, Problem, path_text
from workbench.core.reading import Reading, did_you_mean
from workbench.core.scalars import is_old_boolean


class Shape(BaseModel):
    """Base of all models of manifests: nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_KINDS = {
    "string_type": "text",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}


def refuse(code: str, message: str, hint: str = "") -> PydanticCustomError:
    """What a validator inside a model raises to report one of our codes."""
    return PydanticCustomError(code, "{text}", {"text": message, "hint": hint})


def check_shape(
    reading: Reading, model: type[BaseModel], value: Any, at: Path = ()
) -> Iterator[Problem]:
    """Every way in which `value`, which stands at `at` in the manifest, is not a `model`."""
    try:
        model.model_validate(value)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            yield _problem(reading, model, details, at)


def _problem(reading: Reading, model: type[BaseModel], details: ErrorDetails, at: Path) -> Problem:
    local: Path = tuple(details["loc"])
    path = (*at, *local)
    kind = details["type"]
    context = details.get("ctx") or {}
    if kind == "missing":
        return _missing(reading, model, local, path)
    if kind == "extra_forbidden":
        return _unknown(reading, model, local, path)
    if kind in _KINDS:
        return _wrong_type(reading, path, _KINDS[kind], details["input"])
    if kind == "literal_error":
        return _not_one_of(reading, path, details["input"], _choices(model, local))
    if "text" in context:
        return reading.problem(kind, path, str(context["text"]), hint=str(context["hint"]))
    return reading.problem("out_of_range", path, f"{path[-1]}: {details['msg']}")


def _missing(reading: Reading, model: type[BaseModel], local: Path, path: Path) -> Problem:
    field = _fields_at(model, local[:-1]).get(str(local[-1]))
    hint = field.description if field is not None and field.description else ""
    message = f"{path[-1]} is required"
    if len(path) > 1:
        message += f" in {path_text(path[:-1])}"
    return reading.problem("missing_field", path, message, hint=hint, on_key=True)


def _unknown(reading: Reading, model: type[BaseModel], local: Path, path: Path) -> Problem:
    known = sorted(_fields_at(model, local[:-1]))
    meant = did_you_mean(str(path[-1]), known)
    return reading.problem(
        "unknown_key",
        path,
        f"{path[-1]!r} is not a key here",
        hint=f"did you mean {meant}?" if meant else f"known here: {', '.join(known)}",
        fix=reading.rename_key(path, meant) if meant else None,
        on_key=True,
    )


def _wrong_type(reading: Reading, path: Path, wanted: str, found: Any) -> Problem:
    raw = reading.document.plain.get(reading.source(path))
    if path == ("version",) and raw is not None:
        meant = versions.repaired(raw) or versions.repaired(str(found))
        return reading.problem(
            "unquoted_version",
            path,
            f"version {raw} without quotes is a number to YAML",
            hint=f'write "{meant}"' if meant else 'write it in quotes, as in "1.0.0"',
            fix=reading.replace_value(path, meant) if meant else None,
        )
    message = f"{path[-1] if path else 'it'} must be {wanted}, not {describe(found)}"
    fix = None
    hint = ""
    if wanted == "text" and raw is not None:
        fix = reading.quote(path)
        hint = f'write "{raw}"'
        if is_old_boolean(raw):
            message = f"{path[-1]} must be text; {raw} without quotes is a boolean to YAML"
    return reading.problem("wrong_type", path, message, hint=hint, fix=fix)


def _not_one_of(reading: Reading, path: Path, found: Any, choices: list[str]) -> Problem:
    meant = did_you_mean(found, choices) if isinstance(found, str) else None
    return reading.problem(
        "not_one_of",
        path,
        f"{path[-1]} must be one of {', '.join(choices)}, not {describe(found)}",
        hint=f"did you mean {meant}?" if meant else "",
        fix=reading.replace_value(path, meant) if meant else None,
    )


def describe(value: Any) -> str:
    """A value as a message names it, never long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "a mapping"


def _choices(model: type[BaseModel], local: Path) -> list[str]:
    parent = _fields_at(model, local[:-1]) if isinstance(local[-1], str) else {}
    field = parent.get(str(local[-1]))
    annotation: Any = field.annotation if field is not None else _annotation_at(model, local)
    return [str(choice) for choice in _literals(annotation)]


def _literals(annotation: Any) -> Iterator[Any]:
    if typing.get_origin(annotation) is typing.Literal:
        yield from typing.get_args(annotation)
    else:
        for argument in typing.get_args(annotation):
            yield from _literals(argument)


def _annotation_at(model: type[BaseModel], local: Path) -> Any:
    annotation: Any = model
    for part in local:
        inner = _model_in(annotation)
        if inner is not None and isinstance(part, str) and part in inner.model_fields:
            annotation = inner.model_fields[part].annotation
        else:
            annotation = typing.get_args(_without_none(annotation) or object)[-1:]
            annotation = annotation[0] if annotation else object
    return annotation


def _fields_at(model: type[BaseModel], local: Path) -> Mapping[str, Any]:
    inner = _model_in(_annotation_at(model, local))
    fields = inner.model_fields if inner is not None else {}
    return {field.alias or name: field for name, field in fields.items()}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    annotation = _without_none(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None


def _without_none(annotation: Any) -> Any:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        rest = [a for a in typing.get_args(annotation) if a is not type(None)]
        return rest[0] if rest else None
    return annotation
