from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import versions

PRECEDENCE = [
    "0.0.1",
    "0.1.0",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.9.0",
    "1.10.0",
    "2.0.0",
    "2.1.0",
    "2.1.1",
]
"""As semver.org orders them."""


def parsed(text: str) -> versions.Version:
    version = versions.parse(text)
    assert version is not None, text
    return version


@pytest.mark.parametrize(("lower", "higher"), itertools.combinations(PRECEDENCE, 2))
def test_versions_have_the_order_of_semver(lower: str, higher: str) -> None:
    assert parsed(lower) < parsed(higher)
    assert not parsed(higher) < parsed(lower)
    assert parsed(higher) >= parsed(lower)


def test_build_metadata_does_not_count_for_the_order() -> None:
    one, other = parsed("1.0.0+a"), parsed("1.0.0+b")
    assert not one < other
    assert not other < one


@pytest.mark.parametrize(
    "text",
    [
        *("", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.00.0", "0.0.0", "0.0.0-alpha"),
        *("not-semver", "1.0.0-", "1.0.0-01", "1.0.0+", "1.0.0-a..b", " 1.0.0", "1.0.0\n"),
        *("1.0.0-é", "١.0.0", "-1.0.0", "1.0.0+a+b", "1.0.0-" + "a" * 200, "9" * 30 + ".0.0"),
    ],
)
def test_what_is_no_version_is_refused(text: str) -> None:
    assert versions.parse(text) is None


@pytest.mark.parametrize(
    "text", [*PRECEDENCE, "1.0.0+build.1", "1.0.0-0a.--", "1.2.0+local.0123abcd"]
)
def test_a_version_is_written_as_it_was_read(text: str) -> None:
    assert str(parsed(text)) == text


def test_the_latest_is_the_greatest_release() -> None:
    assert versions.latest(["1.9.0", "1.10.0", "2.0.0-beta", "1.2.0"]) == "1.10.0"


def test_the_latest_is_a_pre_release_where_there_is_nothing_else() -> None:
    assert versions.latest(["1.0.0-alpha", "1.0.0-beta.2", "1.0.0-beta.11"]) == "1.0.0-beta.11"


def test_of_equal_versions_the_last_is_the_latest() -> None:
    assert versions.latest(["1.0.0+a", "1.0.0+b"]) == "1.0.0+b"


def test_nothing_has_no_latest() -> None:
    assert versions.latest([]) is None
    assert versions.latest(["junk"]) is None


@pytest.mark.parametrize(
    ("text", "taken", "following"),
    [
        ("1.2.3", [], "1.2.4"),
        ("1.2.3", ["1.2.4", "1.2.5"], "1.2.6"),
        ("1.2.3-beta", [], "1.2.3"),
        ("1.2.3-beta", ["1.2.3"], "1.2.4"),
        ("1.2.3+local.aaaaaaaa", [], "1.2.4"),
    ],
)
def test_the_next_version_is_the_smallest_free_one_above(
    text: str, taken: list[str], following: str
) -> None:
    assert versions.next_patch(text, taken) == following
    assert parsed(following) > parsed(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1", "1.0.0"),
        ("1.10", "1.10.0"),
        ("v1.2.0", "1.2.0"),
        (" 01.2.3 ", "1.2.3"),
        ("0", None),
        ("latest", None),
        ("1.2.3.4", None),
    ],
)
def test_what_is_nearly_a_version_is_repaired(text: str, meant: str | None) -> None:
    assert versions.repaired(text) == meant


@given(st.text(max_size=40))
def test_whatever_is_repaired_is_a_version(text: str) -> None:
    meant = versions.repaired(text)
    assert meant is None or versions.parse(meant) is not None
