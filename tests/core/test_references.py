from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import references
from workbench.core.references import Reference
from workbench.errors import UsageError


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("word_count", Reference("word_count")),
        ("a.b-c_9", Reference("a.b-c_9")),
        ("user/word_count", Reference("word_count", "user")),
        ("word_count@1.2.0", Reference("word_count", None, "1.2.0")),
        ("public/x@1.0.0-beta.1+b", Reference("x", "public", "1.0.0-beta.1+b")),
    ],
)
def test_a_reference_is_read_and_written_the_same(text: str, reference: Reference) -> None:
    assert references.parse(text) == reference
    assert str(reference) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "@1.0.0", "x@", "x@1", "x@latest", "x@0.0.0", "/x", "x/", "nowhere/x", "a/b/c"),
        *("X", "-x", ".x", "_x", "a b", "../x", "é", "x\n", "x@1.0.0@1.0.0", "x" * 129),
    ],
)
def test_what_is_no_reference_is_refused_with_its_form(text: str) -> None:
    assert references.try_parse(text) is None
    with pytest.raises(UsageError) as caught:
        references.parse(text)
    assert caught.value.code == "bad_reference"
    wanted = "workbench versions" if "is not a version" in caught.value.message else "tool_id"
    assert wanted in caught.value.suggestion


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("My Tool", "my_tool"),
        ("  Émile's ", "mile_s"),
        ("--x--", "x"),
        ("???", None),
        ("A" * 200, "a" * 128),
    ],
)
def test_an_id_is_proposed_for_what_is_none(text: str, meant: str | None) -> None:
    assert references.proposed_id(text) == meant


@given(st.text())
def test_whatever_is_proposed_is_an_id(text: str) -> None:
    meant = references.proposed_id(text)
    assert meant is None or references.is_tool_id(meant)


@given(st.text())
def test_ids_never_collide_by_case_or_unicode_form(text: str) -> None:
    """What is an id is plain small ASCII, so no two ids look alike."""
    if references.is_tool_id(text):
        assert text.isascii()
        assert text == text.lower()
