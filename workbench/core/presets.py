"""Presets: values for some of a tool's parameters, saved under a name in its manifest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from workbench.core import parameters
from workbench.core.problems import Fix, Path, Problem, path_text
from workbench.core.reading import Reading, did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_Presets = Mapping[str, Mapping[str, Any]]

MAX_NAME = 60
_GUESSES = 20
"""A guess takes as long as the list of parameters; so many are made."""
_NAME = re.compile(
    rf"[^\s\x00-\x1f\x7f-\x9f](?:[^\x00-\x1f\x7f-\x9f\u2028\u2029]{{0,{MAX_NAME - 1}}})"
)
_OPEN = ("patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas")
"""Keywords beside `properties` that may bring parameters of their own."""


def check_presets(reading: Reading, *, well_formed: bool) -> Iterator[Problem]:
    """Layer 1 for `presets`. What is no mapping at all, the shape has said already.

    Values are held against the parameters only where those are `well_formed` themselves.
    """
    presets = reading.manifest.get("presets")
    if not isinstance(presets, Mapping):
        return
    for name in presets:
        if not _NAME.fullmatch(name) or name.endswith(" "):
            yield reading.problem(
                "bad_preset_name",
                ("presets", name),
                f"{name[:40]!r} cannot be the name of a preset",
                hint=f"one line of 1 to {MAX_NAME} characters, with no blank at its ends",
                on_key=True,
            )
    if well_formed and presets:
        held = {name: values for name, values in presets.items() if isinstance(values, Mapping)}
        yield from _check_known(reading, held)
        yield from _check_fit(reading, held)


def _check_known(reading: Reading, presets: _Presets) -> Iterator[Problem]:
    given = reading.manifest.get("parameters")
    if _takes_others(given):
        return
    known = dict.fromkeys(parameters.names(given))
    unknown = [
        (preset, name) for preset, values in presets.items() for name in values if name not in known
    ]
    for index, (preset, name) in enumerate(unknown):
        meant = did_you_mean(name, list(known)) if index < _GUESSES else None
        path: Path = ("presets", preset, name)
        yield reading.problem(
            "value_unknown",
            path,
            f"there is no parameter {name[:40]!r}",
            hint=f"did you mean {meant}?" if meant else _listed(list(known)),
            fix=reading.rename_key(path, meant) if meant else None,
            on_key=True,
        )


def _check_fit(reading: Reading, presets: _Presets) -> Iterator[Problem]:
    from workbench.core import schema  # costs some milliseconds, so only when needed

    wanted = parameters.to_schema(reading.manifest.get("parameters"))
    for preset, values in presets.items():
        settled: set[Path] = set()
        for error in sorted(schema.part_errors(wanted, values), key=_rank):
            local: Path = tuple(error.absolute_path)
            if local in settled:
                continue
            if error.validator in (*schema.SECRET, "type"):
                settled.add(local)  # what else is wrong with it does not matter
            where = ("presets", preset, *local)
            if error.validator in schema.SECRET:
                yield reading.problem(
                    "preset_secret",
                    where,
                    f"{path_text(local)} is a secret, and a manifest is read by many",
                    hint="remove it here; it is asked for at run",
                    on_key=True,
                )
            else:
                fix = _quotes(reading, where, wanted) if error.validator == "type" else None
                yield reading.problem("value_invalid", where, schema.sentence(error), fix=fix)


def _quotes(reading: Reading, where: Path, wanted: Mapping[str, Any]) -> Fix | None:
    """The fix that makes text of a bare value, where that settles it."""
    from workbench.core import schema

    text = reading.document.plain.get(reading.source(where))
    if text is None or len(where) != 3 or schema.part_errors(wanted, {str(where[2]): text}):
        return None
    return reading.quote(where)


def _rank(error: ValidationError) -> int:
    """Secrets first, then types."""
    from workbench.core.schema import SECRET

    return 0 if error.validator in SECRET else 1 if error.validator == "type" else 2


def _takes_others(given: Any) -> bool:
    """Whether a JSON Schema takes values that its `properties` do not name."""
    if not isinstance(given, Mapping):
        return False
    others = given.get("additionalProperties") not in (None, False)
    return others or any(keyword in given for keyword in _OPEN)


def _listed(known: list[str]) -> str:
    if not known:
        return "this tool has no parameters"
    return f"parameters here: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}"
