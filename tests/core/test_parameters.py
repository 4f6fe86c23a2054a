"""Both forms of parameters, and values against them."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import schema
from workbench.core.parameter_checks import check_schema
from workbench.core.parameters import check_values, names, to_list, to_schema, with_defaults
from workbench.core.problems import has_errors
from workbench.core.reading import Reading

PARAMETERS: list[dict[str, Any]] = [
    {"name": "text", "type": "string", "required": True, "minLength": 2},
    {"name": "count", "type": "integer", "minimum": 1, "default": 3},
    {"name": "token", "type": "string", "secret": True},
    {
        "name": "where",
        "type": "object",
        "properties": {
            "lat": {"type": "number", "required": True},
            "tags": {"type": "array", "items": {"type": "string", "secret": True}},
        },
    },
]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 2},
        "count": {"type": "integer", "minimum": 1, "default": 3},
        "token": {"type": "string", "writeOnly": True},
        "where": {
            "type": "object",
            "properties": {
                "lat": {"type": "number"},
                "tags": {"type": "array", "items": {"type": "string", "writeOnly": True}},
            },
            "required": ["lat"],
        },
    },
    "required": ["text"],
    "additionalProperties": False,
}

_names = st.text(alphabet="abcxyz_", min_size=1, max_size=5)
_leaf = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "number", "boolean"])},
    optional={
        "description": st.text(max_size=5),
        "secret": st.just(True),
        "enum": st.lists(st.integers(), min_size=1, max_size=3),
        "default": st.integers() | st.text(max_size=3) | st.none(),
    },
)


def _nested(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    flagged = st.tuples(inner, st.booleans()).map(
        lambda pair: {**pair[0], **({"required": True} if pair[1] else {})}
    )
    objects = st.dictionaries(_names, flagged, max_size=3).map(
        lambda properties: {"type": "object", "properties": properties}
    )
    arrays = inner.map(lambda items: {"type": "array", "items": items})
    return objects | arrays


_parameter = st.recursive(_leaf, _nested, max_leaves=6)
_parameters = st.dictionaries(_names, st.tuples(_parameter, st.booleans()), max_size=4).map(
    lambda given: [
        {"name": name, **inner, **({"required": True} if required else {})}
        for name, (inner, required) in given.items()
    ]
)


class TestForms:
    def test_the_list_form_says_what_its_schema_says(self) -> None:
        assert to_schema(PARAMETERS) == SCHEMA
        assert to_list(SCHEMA) == PARAMETERS

    @given(_parameters)
    def test_a_list_comes_back_from_its_schema(self, parameters: list[dict[str, Any]]) -> None:
        assert to_list(to_schema(parameters)) == parameters

    @given(_parameters)
    def test_a_schema_comes_back_from_its_list(self, parameters: list[dict[str, Any]]) -> None:
        given_schema = to_schema(parameters)
        listed = to_list(given_schema)
        assert listed is not None
        assert to_schema(listed) == given_schema

    @pytest.mark.parametrize(
        "given_schema",
        [
            {"type": "object", "properties": {}, "$defs": {}},
            {"type": "array"},
            {"additionalProperties": True},
            {"additionalProperties": {"type": "string"}},
            {"properties": {"a": True}},
            {"properties": {"a": {"name": "b"}}},
            {"properties": {"a": {}}, "required": ["b"]},
        ],
    )
    def test_what_a_list_cannot_say_has_no_list(self, given_schema: dict[str, Any]) -> None:
        assert to_list(given_schema) is None

    def test_no_parameters_are_an_empty_object(self) -> None:
        empty = {"type": "object", "properties": {}, "additionalProperties": False}
        assert to_schema(None) == to_schema([]) == empty

    def test_flags_inside_a_schema_count_as_in_the_list(self) -> None:
        flagged = {"type": "object", "properties": {"a": {"type": "string", "required": True}}}
        assert to_schema(flagged)["required"] == ["a"]
        assert [p.code for p in check_values(flagged, {})] == ["value_missing"]

    def test_names_come_in_order_and_malformed_parameters_have_none(self) -> None:
        assert names(PARAMETERS) == ["text", "count", "token", "where"]
        assert names(SCHEMA) == ["text", "count", "token", "where"]
        for malformed in (None, "text", ["text"], {"properties": 5}, {"properties": ["a"]}, 5):
            assert names(malformed) == []

    def test_defaults_fill_in_what_was_not_given(self) -> None:
        assert with_defaults(PARAMETERS, {"text": "hi"}) == {"count": 3, "text": "hi"}
        assert with_defaults(PARAMETERS, {"count": 9}) == {"count": 9}


class TestValues:
    def test_values_that_fit_have_no_problems(self) -> None:
        values = {"text": "hi", "count": 1, "where": {"lat": 1.5, "tags": ["x"]}}
        assert check_values(PARAMETERS, values) == []
        assert check_values(SCHEMA, values) == []

    def test_all_problems_are_said_at_once(self) -> None:
        problems = check_values(
            PARAMETERS,
            {"count": 0, "txt": "x", "token": 5, "where": {"tags": [1, "a", 2], "more": 1}},
        )
        assert sorted((p.code, p.path) for p in problems) == [
            ("value_invalid", "count"),
            ("value_invalid", "token"),
            ("value_invalid", "where.tags[0]"),
            ("value_invalid", "where.tags[2]"),
            ("value_missing", "text"),
            ("value_missing", "where.lat"),
            ("value_unknown", "txt"),
        ]

    def test_an_unknown_value_is_named_with_the_one_that_was_meant(self) -> None:
        (problem,) = check_values(PARAMETERS, {"text": "hi", "cuont": 1})
        assert problem.message == "there is no parameter 'cuont'; did you mean 'count'?"

    @pytest.mark.parametrize(
        ("parameter", "value", "message"),
        [
            ({"type": "string"}, 5, "a must be a string, not 5"),
            ({"type": ["integer", "null"]}, "x", "a must be an integer or a null, not 'x'"),
            ({"enum": ["x", "y"]}, "z", "a must be one of 'x', 'y'"),
            ({"minimum": 3}, 2, "a must be at least 3"),
            ({"exclusiveMaximum": 3}, 3, "a must be below 3"),
            ({"maxLength": 1}, "ab", "a must have at most 1 characters"),
            ({"pattern": "^x"}, "y", "a must match ^x"),
            ({"format": "ipv4"}, "300.1.1.1", "a must be a valid ipv4"),
            ({"const": 1}, 2, "a must be 1"),
            ({"uniqueItems": True}, [1, 1], "a must not hold an item twice"),
            ({"type": "boolean"}, 1, "a must be a boolean, not 1"),
            ({"type": "integer"}, True, "a must be an integer, not True"),
        ],
    )
    def test_a_problem_is_a_sentence_that_names_the_parameter(
        self, parameter: dict[str, Any], value: Any, message: str
    ) -> None:
        problems = check_values([{"name": "a", **parameter}], {"a": value})
        assert [problem.message for problem in problems] == [message]

    def test_a_pattern_that_would_take_for_ever_does_not(self) -> None:
        parameters = [{"name": "a", "type": "string", "pattern": "^(a+)+$"}]
        (problem,) = check_values(parameters, {"a": "a" * 50_000 + "!"})
        assert problem.code == "value_invalid"
        names_of = {"type": "object", "propertyNames": {"pattern": "^(a|a)*$"}}
        assert check_values(names_of, {"a" * 50_000 + "!": 1})
        keys = {"type": "object", "patternProperties": {"^(a|a)*$": {"type": "string"}}}
        assert check_values(keys, {"a" * 50_000: 1})

    def test_a_pattern_that_cannot_be_run_is_not_run(self) -> None:
        assert check_values([{"name": "a", "pattern": "(?<=x)y"}], {"a": "z"}) == []

    def test_a_reference_to_the_network_fetches_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            port = server.getsockname()[1]
            for keyword in ("$ref", "$dynamicRef"):
                remote = {
                    "type": "object",
                    "properties": {"a": {keyword: f"http://127.0.0.1:{port}/schema.json"}},
                }
                (problem,) = check_values(remote, {"a": 1})
                assert problem.code == "value_invalid"
                assert "cannot be followed" in problem.message
            with pytest.raises(BlockingIOError):
                server.accept()

    def test_a_file_is_not_fetched_either(self) -> None:
        (problem,) = check_values({"properties": {"a": {"$ref": "file:///etc/hosts"}}}, {"a": 1})
        assert "cannot be followed" in problem.message

    def test_a_schema_that_is_only_itself_is_a_clean_problem(self) -> None:
        for loop in ({"$ref": "#"}, {"allOf": [{"$ref": "#"}]}):
            (problem,) = check_values(loop, {"a": 1})
            assert "cannot be followed" in problem.message

    def test_a_tree_that_refers_to_itself_is_checked_at_every_depth(self) -> None:
        tree = {
            "type": "object",
            "properties": {"name": {"type": "string"}, "child": {"$ref": "#"}},
            "additionalProperties": False,
        }
        assert check_values(tree, {"name": "a", "child": {"child": {"name": "b"}}}) == []
        (problem,) = check_values(tree, {"child": {"child": {"name": 5}}})
        assert problem.path == "child.child.name"

    def test_patterns_are_compiled_once(self) -> None:
        assert schema.compiled("^a$") is schema.compiled("^a$")
        assert schema.compiled("([") is None


_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(0, 1) | st.sampled_from("ab#/"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "type"]), inner, max_size=3)
    ),
    max_leaves=5,
)
_keywords = st.sampled_from(
    [
        *("type", "properties", "required", "items", "enum", "const", "minimum", "maximum"),
        *("multipleOf", "minLength", "maxItems", "pattern", "patternProperties", "anyOf", "oneOf"),
        *("allOf", "not", "if", "then", "else", "contains", "minContains", "prefixItems", "$ref"),
        *("additionalProperties", "propertyNames", "dependentRequired", "dependentSchemas"),
        *("unevaluatedProperties", "unevaluatedItems", "$defs", "format", "uniqueItems"),
        *("$id", "$anchor", "$schema", "default", "secret", "writeOnly"),
    ]
)
_schemas = st.recursive(
    st.just({}) | st.just({"type": "object"}),
    lambda inner: st.dictionaries(
        _keywords, inner | _values | st.dictionaries(st.sampled_from("ab"), inner), max_size=3
    ),
    max_leaves=6,
)


@given(_schemas, st.dictionaries(st.sampled_from("ab"), _values))
def test_a_schema_without_errors_can_always_be_checked_against(
    given_schema: dict[str, Any], values: dict[str, Any]
) -> None:
    """And one with errors is told to be so, never an exception."""
    problems = list(check_schema(Reading({}), (), given_schema))
    if not has_errors(problems):
        for problem in check_values(given_schema, values):
            assert problem.message
