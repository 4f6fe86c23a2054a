"""Validation says what is wrong; it never falls over what it is given."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tool_types.cases import RULES, cases
from tests.tool_types.conftest import Registry
from workbench.core.integrity import content_hash
from workbench.core.problems import has_errors
from workbench.core.source import read_yaml
from workbench.core.tool import TOOL_TYPES

VALID = [
    (case, value)
    for name in (*TOOL_TYPES, "presets")
    for case in cases(f"{name}.txt")
    if not case.expected
    and isinstance(value := read_yaml(case.files[case.manifest].decode()).value, dict)
]

_anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "x", "{a}", "${", "$ref", "#", "https://a.b", "../x", "1.0.0", "object"])
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "type", "id", "tool", "properties", "$ref", "steps", ""]),
            inner,
        )
    ),
    max_leaves=6,
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with every key or index of it."""
    found = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        found.append((value, key))
        if isinstance(inner, dict | list):
            found += _places(inner)
    return found


@settings(database=None, deadline=None, max_examples=400)
@given(st.sampled_from(VALID), st.lists(st.tuples(st.integers(0, 99), _anything), max_size=3))
def test_a_manifest_with_anything_anywhere_is_checked(
    registry: Registry, chosen: Any, changes: list[tuple[int, Any]]
) -> None:
    case, original = chosen
    manifest = copy.deepcopy(original)
    for number, value in changes:
        places = _places(manifest)
        container, key = places[number % len(places)]
        container[key] = value
    files = {**case.files, case.manifest: json.dumps(manifest).encode()}
    reading = registry.read(case.manifest, files)
    problems = registry.check(reading)
    assert all(problem.message for problem in problems)
    if not has_errors(problems):
        content_hash(reading.manifest, reading.files)


@pytest.mark.parametrize("rules", sorted(file.name for file in RULES.glob("*.txt")))
def test_a_manifest_that_ends_anywhere_is_checked(registry: Registry, rules: str) -> None:
    """As it is while somebody types it."""
    case = next(case for case in cases(rules) if len(case.files[case.manifest]) < 5_000)
    text = case.files[case.manifest]
    for end in range(0, len(text), 3):
        registry.check(registry.read(case.manifest, {**case.files, case.manifest: text[:end]}))
