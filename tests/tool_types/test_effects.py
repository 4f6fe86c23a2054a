"""What running a tool does, as far as it can be known without running it."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.tool import TOOL_TYPES, Effect
from workbench.tool_types import TYPES, effect_of


def effect(tool_type: str, *, trusted: bool = False, **keys: Any) -> Effect:
    return effect_of({"tool_type": tool_type, **keys}, trusted=trusted)


def test_the_ten_types_are_the_ten_types() -> None:
    assert tuple(TYPES) == TOOL_TYPES


@pytest.mark.parametrize("tool_type", sorted({*TOOL_TYPES} - {"knowledge", "api"}))
def test_a_tool_of_which_nothing_is_known_writes(tool_type: str) -> None:
    assert effect(tool_type) is Effect.WRITES


def test_knowledge_is_read() -> None:
    assert effect("knowledge") is Effect.READS


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("GET", Effect.READS),
        ("head", Effect.READS),
        ("POST", Effect.WRITES),
        ("PATCH", Effect.WRITES),
        ("DELETE", Effect.DESTROYS),
    ],
)
def test_a_request_does_what_its_method_says(method: str, expected: Effect) -> None:
    assert effect("api", config={"method": method}) is expected


def test_a_tools_word_that_it_changes_nothing_counts_only_when_it_is_trusted() -> None:
    assert effect("script", mutates_state=False) is Effect.WRITES
    assert effect("script", mutates_state=False, trusted=True) is Effect.READS


def test_a_tools_word_that_it_does_more_counts_always() -> None:
    assert effect("api", config={"method": "GET"}, mutates_state=True) is Effect.WRITES
    assert effect("script", effects={"destroys": ["out/**"]}) is Effect.DESTROYS
    destroys: dict[str, Any] = {"effects": {"destroys": ["x"]}, "mutates_state": True}
    assert effect("knowledge", **destroys) is Effect.DESTROYS
