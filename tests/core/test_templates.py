from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import templates


@pytest.mark.parametrize(
    ("text", "parameters", "variables"),
    [
        ("plain", set(), set()),
        ("{a} and {b.c}", {"a", "b.c"}, set()),
        ("${HOME}/{file}", {"file"}, {"HOME"}),
        ("${A:-x y}", set(), {"A"}),
        ("${A:-}", set(), {"A"}),
        ("{{literal}}", set(), set()),
        ("{{{a}}}", {"a"}, set()),
        ("{} {1a} { a }", set(), set()),
        ('{"json": true}', set(), set()),
    ],
)
def test_holes_are_found_and_literal_braces_are_not(
    text: str, parameters: set[str], variables: set[str]
) -> None:
    assert templates.parameters_in(text) == parameters
    assert templates.variables_in(text) == variables


def test_a_hole_knows_where_it_stands_and_its_default() -> None:
    (hole,) = templates.holes("x${A:-b}y")
    assert (hole.kind, hole.name, hole.default) == ("variable", "A", "b")
    assert "x${A:-b}y"[hole.start : hole.end] == "${A:-b}"


def test_strings_are_found_at_any_depth_and_keys_are_no_templates() -> None:
    value = {"{key}": ["{a}", {"x": "{b}"}], "n": 5}
    assert templates.parameters_in(value) == {"a", "b"}
    assert dict(templates.strings(value)) == {("{key}", 0): "{a}", ("{key}", 1, "x"): "{b}"}


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("${A}", None),
        ("$A {a}", None),
        ("x ${", 2),
        ("${A} ${1}", 5),
        ("${A", 0),
        ("${}", 0),
        ("${A b}", 0),
        ("${{A}}", 0),
    ],
)
def test_a_variable_that_is_none_is_found(text: str, position: int | None) -> None:
    assert templates.unclosed(text) == position


@given(st.text(alphabet="${}:-aA1. "))
def test_any_text_can_be_looked_at(text: str) -> None:
    found = list(templates.holes(text))
    assert all(text[hole.start : hole.end].endswith("}") for hole in found)
    assert [hole.start for hole in found] == sorted(hole.start for hole in found)
