"""YAML: values, places, and everything that is refused."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from workbench.core.document import Document, Mark
from workbench.core.problems import apply
from workbench.core.source import MAX_BYTES, decode, read_yaml


def codes(text: str) -> list[str]:
    return [problem.code for problem in read_yaml(text).problems]


def at(text: str, mark: Mark | None) -> str:
    """What stands at a mark."""
    assert mark is not None
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: mark.line - 1])) + mark.column - 1
    end = sum(map(len, lines[: mark.end_line - 1])) + mark.end_column - 1
    return text[start:end]


class TestPlaces:
    TEXT = (
        "tool_id: é word  # comment\n"
        "config:\n"
        "  args: [one, 'two']\n"
        "  deep: {a: 1}\n"
        "steps:\n"
        "  - id: x\n"
        "    with: {p: 2}\n"
    )

    @pytest.mark.parametrize(
        ("path", "key", "value"),
        [
            (("tool_id",), "tool_id", "é word"),
            (("config", "args"), "args", "[one, 'two']"),
            (("config", "deep", "a"), "a", "1"),
            (("steps", 0, "id"), "id", "x"),
            (("steps", 0, "with", "p"), "p", "2"),
        ],
    )
    def test_keys_and_values_have_the_place_where_they_are_written(
        self, path: tuple[str | int, ...], key: str, value: str
    ) -> None:
        document = read_yaml(self.TEXT)
        assert at(self.TEXT, document.keys[path]) == key
        assert at(self.TEXT, document.values[path]) == value

    def test_items_of_a_list_have_places(self) -> None:
        document = read_yaml(self.TEXT)
        assert at(self.TEXT, document.values[("config", "args", 1)]) == "'two'"

    def test_what_is_not_there_has_the_place_of_what_is_around_it(self) -> None:
        document = read_yaml(self.TEXT)
        assert document.key(("config", "deep", "b")) == document.keys[("config", "deep")]
        assert document.at(("gone",)) == document.values[()]

    @pytest.mark.parametrize("style", ["|", ">", "|-", ">+", "|2"])
    def test_a_block_ends_with_its_last_line(self, style: str) -> None:
        text = f"a: {style}\n  first\n  last\n\nb: 1\n"
        document = read_yaml(text)
        assert at(text, document.values[("a",)]) == f"{style}\n  first\n  last"
        assert document.value["b"] == 1

    def test_a_block_at_the_end_ends_with_its_last_line(self) -> None:
        for text in ("a: |\n  last", "a: |\n  last\n", "a: |\n  last\n\n\n"):
            assert at(text, read_yaml(text).values[("a",)]) == "|\n  last"

    def test_lines_are_counted_whatever_ends_them(self) -> None:
        for end in ("\n", "\r\n", "\r"):
            document = read_yaml(f"a: 1{end}b: [{end}  2]{end}")
            assert document.value == {"a": 1, "b": [2]}
            assert document.values[("b", 0)].line == 3

    def test_a_document_inside_a_text_has_the_places_of_that_text(self) -> None:
        text = "xx a: 017\nb: 017\n"
        document = read_yaml("a: 017\nb: 017\n").shifted(4, 3)
        inside = "\n\n\n\n" + text
        assert [at(inside, document.values[(key,)]) for key in "ab"] == ["017", "017"]
        fixes = [problem.fix for problem in document.problems if problem.fix]
        assert apply(inside, fixes) == '\n\n\n\nxx a: "017"\nb: "017"\n'
        assert [(p.line, p.column) for p in document.problems] == [(5, 7), (6, 4)]


class TestValues:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("~", None),
            ("", None),
            ("true", True),
            ("FALSE", False),
            ("yes", True),
            ("Off", False),
            ("y", "y"),
            ("12", 12),
            ("-0", 0),
            ("0x1F", 31),
            ("1.10", 1.1),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("12:30", "12:30"),
            ("'yes'", "yes"),
            ("!!str 12", "12"),
            ("! 12", "12"),
        ],
    )
    def test_scalars_are_read_as_yaml_1_2_says(self, text: str, value: Any) -> None:
        document = read_yaml(f"a: {text}\n")
        assert not document.problems
        assert document.value == {"a": value}
        assert type(document.value["a"]) is type(value)

    def test_keys_are_text_as_written(self) -> None:
        assert read_yaml("on: 1\n2: 2\nnull: 3\n'': 4\n").value == {
            "on": 1,
            "2": 2,
            "null": 3,
            "": 4,
        }

    def test_scalars_that_are_not_simply_text_are_remembered_as_written(self) -> None:
        document = read_yaml("a: 1.10\nb: no\nc: '1.10'\nd: word\n")
        assert document.plain == {("a",): "1.10", ("b",): "no"}

    def test_an_alias_is_what_it_names(self) -> None:
        text = "a: &x {k: [1]}\nb: *x\nc: &s word\nd: *s\n"
        assert read_yaml(text).value == {"a": {"k": [1]}, "b": {"k": [1]}, "c": "word", "d": "word"}

    def test_merged_keys_yield_to_written_ones_and_earlier_merges_win(self) -> None:
        text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 9}\n"
        assert read_yaml(text).value["c"] == {"x": 9, "y": 1, "z": 2}

    def test_a_merge_may_stand_after_what_it_yields_to(self) -> None:
        assert read_yaml("a: &a {x: 1}\nb:\n  x: 2\n  <<: *a\n").value["b"] == {"x": 2}

    def test_a_quoted_merge_key_is_a_key(self) -> None:
        assert read_yaml("'<<': 1\n").value == {"<<": 1}

    def test_the_first_of_two_keys_counts(self) -> None:
        document = read_yaml("a: 1\na: 2\n")
        assert document.value == {"a": 1}
        assert [(p.code, p.line) for p in document.problems] == [("duplicate_key", 2)]

    def test_a_document_may_end_in_dashes(self) -> None:
        for text in ("a: 1\n---\n", "---\na: 1\n---", "a: 1\n...\n", "a: 1\n---\n# done\n"):
            document = read_yaml(text)
            assert (document.value, document.problems) == ({"a": 1}, [])

    def test_nothing_is_nothing(self) -> None:
        for text in ("", "\n", "# comment\n", "---\n"):
            assert (read_yaml(text).value, codes(text)) == (None, [])


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("[" * 200_000, "too_deep"),
            ("{a: " * 200_000, "too_deep"),
            ("- " * 200_000 + "x", "too_deep"),
            ("a: &a x\nb: [" + "*a," * 101 + "]", "too_many_aliases"),
            ("a: [" + "x," * 100_001 + "]", "too_many_values"),
            ("a: &a [*a]", "recursive_alias"),
            ("*a", "unknown_alias"),
            ("{*a : 1}", "unknown_alias"),
            ("&a x: 1\n*a : 2", "complex_key"),
            ("? {a: b}\n: c", "complex_key"),
            ("a: !!set {x}", "tag_refused"),
            ("a: !!binary aGk=", "tag_refused"),
            ("a: !!timestamp 2026-01-01", "tag_refused"),
            ("a: 1\n---\nb: 2", "several_documents"),
            ("a: 1\n\tb: 2", "yaml_syntax"),
            ("a: 'open", "yaml_syntax"),
            ("a: \x00", "control_character"),
            ("a: \x1b[2J", "control_character"),
            ("a: \ud800", "lone_surrogate"),
            ('a: "\\ud800"', "lone_surrogate"),
            ("x" * (MAX_BYTES + 1), "too_large"),
            ("a: .NaN", "not_finite"),
            ("a: +.inf", "not_finite"),
            ("a: 1e400", "not_finite"),
            ("a: 18446744073709551616", "integer_range"),
            ("a: " + "9" * 5000, "integer_range"),
            ("a: 0x" + "f" * 5000, "integer_range"),
            ("a: 0o17", "ambiguous_number"),
            ("a: 017", "ambiguous_number"),
            ("a: -08", "ambiguous_number"),
            ("a: 1_000.5", "ambiguous_number"),
            ("a: 2026-01-15", "unquoted_date"),
            ("a: 2026-01-15 10:00:00", "unquoted_date"),
        ],
    )
    def test_what_is_refused_is_refused_by_name(self, text: str, code: str) -> None:
        assert codes(text) == [code]

    @pytest.mark.parametrize(
        "text", ["a: 18446744073709551615", "a: -9223372036854775808", "a: [" + "[" * 62 + "]" * 63]
    )
    def test_the_limits_themselves_are_allowed(self, text: str) -> None:
        assert codes(text) == []

    def test_a_refusal_has_the_place_even_after_letters_of_several_bytes(self) -> None:
        (problem,) = read_yaml("a: ääääääää\nb: ü\x07\nc: 1\nd: 2\n").problems
        assert (problem.code, problem.line, problem.column) == ("control_character", 2, 5)

    def test_a_bomb_of_aliases_is_counted_in_full_and_never_built(self) -> None:
        lines = ["a0: &a0 [" + "x," * 10 + "]"]
        lines += [f"a{n}: &a{n} [" + f"*a{n - 1}," * 10 + "]" for n in range(1, 10)]
        document = read_yaml("\n".join(lines))
        assert [problem.code for problem in document.problems] == ["too_many_values"]
        assert document.value is None

    def test_dates_of_creation_may_stand_without_quotes(self) -> None:
        document = read_yaml("created_at: 2026-01-15\nupdated_at: 2026-01-15T10:00:00Z\n")
        assert document.problems == []
        assert document.value["created_at"] == "2026-01-15"

    @pytest.mark.parametrize("scalar", ["0o17", "1_000", "2026-01-15", "18446744073709551616"])
    def test_quotes_settle_what_is_read_differently(self, scalar: str) -> None:
        text = f"a: {scalar}  # why\n"
        (problem,) = read_yaml(text).problems
        assert problem.fix is not None
        mended = apply(text, [problem.fix])
        assert mended == f'a: "{scalar}"  # why\n'
        assert (read_yaml(mended).value, codes(mended)) == ({"a": scalar}, [])


class TestDecoding:
    def test_a_byte_order_mark_is_dropped(self) -> None:
        assert decode(b"\xef\xbb\xbfa: 1") == ("a: 1", None)

    def test_line_ends_are_kept(self) -> None:
        assert decode(b"a: 1\r\nb: 2\r") == ("a: 1\r\nb: 2\r", None)

    def test_what_is_not_utf_8_has_its_place(self) -> None:
        text, problem = decode("a: 1\nb: é".encode() + b"\xff")
        assert problem is not None
        assert (text, problem.code, problem.line, problem.column) == ("", "not_utf8", 2, 5)

    def test_more_than_a_mebibyte_is_not_decoded(self) -> None:
        _, problem = decode(b"\xff" * (MAX_BYTES + 1))
        assert problem is not None
        assert problem.code == "too_large"
        assert decode(b"x" * MAX_BYTES)[1] is None


# Numbers to YAML 1.2 and text to PyYAML, which is a reader of 1.1.
_NUMBERS_OF_ONE = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x.*")
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).filter(
    lambda text: not _NUMBERS_OF_ONE.fullmatch(text)
)
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4),
    max_leaves=20,
)


@given(st.text())
@example("? ")
@example("{*a")
@example("a: &a\n*a:")
@example("%YAML 9.9\n---\n")
@example("\ufeff\ufeff")
@example("<<: *x")
@example("- <<")
def test_reading_never_raises(text: str) -> None:
    document = read_yaml(text)
    assert isinstance(document, Document)
    for problem in document.problems:
        assert problem.line is None or problem.line >= 1


@given(st.text(alphabet="&*a<: {}[]-?!|>\n\t\"'#%0x17eyno.,", max_size=60))
def test_reading_never_raises_on_what_yaml_is_made_of(text: str) -> None:
    document = read_yaml(text)
    for path, mark in document.values.items():
        assert (mark.line, mark.column) <= (mark.end_line, mark.end_column), path


@given(_json)
def test_what_a_yaml_writer_wrote_is_read_as_it_was(value: Any) -> None:
    text = yaml.safe_dump(value)
    document = read_yaml(text)
    assume(not document.problems)
    assert document.value == value
    assert yaml.safe_load(text) == document.value


@given(_json)
def test_ordinary_data_has_no_problems(value: Any) -> None:
    text = yaml.safe_dump({"a": value})
    found = {problem.code for problem in read_yaml(text).problems}
    assert found <= {"unquoted_date", "ambiguous_number"}, text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_exactly(number: float) -> None:
    value = read_yaml(f"a: {number!r}").value["a"]
    assert math.isclose(value, number, rel_tol=0, abs_tol=0)
