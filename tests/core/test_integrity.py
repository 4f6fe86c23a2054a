from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workbench.core.integrity import canonical_json, content_hash
from workbench.core.tool import ToolFile

MANIFEST: dict[str, Any] = {"tool_id": "t", "config": {"b": [1, 2.5], "a": "é"}, "x": None}
FILES = [ToolFile("main.py", b"print(1)\n"), ToolFile("lib/a.py", b"")]

_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "$int", "b"]), inner, max_size=3)
    ),
    max_leaves=8,
)


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON, which tells true from 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)


def test_the_hash_is_the_same_for_ever() -> None:
    """It stands in registries; a change of this number orphans every stored version."""
    assert content_hash(MANIFEST, FILES) == (
        "9d05256eb85e30a7cf083db2d4dd0cfcb184ac75f8d841e265e26094914987b3"
    )


def test_the_order_of_keys_and_files_does_not_count() -> None:
    turned = {"x": None, "config": {"a": "é", "b": [1, 2.5]}, "tool_id": "t"}
    assert content_hash(turned, reversed(FILES)) == content_hash(MANIFEST, FILES)


def test_any_byte_counts() -> None:
    own = content_hash(MANIFEST, FILES)
    others = [
        content_hash({**MANIFEST, "x": ""}, FILES),
        content_hash({**MANIFEST, "tool_id": "T"}, FILES),
        content_hash({**MANIFEST, "config": {"b": [2.5, 1], "a": "é"}}, FILES),
        content_hash({key: MANIFEST[key] for key in ("tool_id", "config")}, FILES),
        content_hash(MANIFEST, [FILES[0], ToolFile("lib/a.py", b"\0")]),
        content_hash(MANIFEST, [FILES[0], ToolFile("lib/b.py", b"")]),
        content_hash(MANIFEST, FILES[:1]),
        content_hash(MANIFEST),
    ]
    assert len({own, *others}) == len(others) + 1


def test_the_entrypoint_is_the_manifests_to_say() -> None:
    marked = [ToolFile(file.path, file.data, is_entrypoint=True) for file in FILES]
    assert content_hash(MANIFEST, marked) == content_hash(MANIFEST, FILES)


def test_big_integers_count_to_the_last_digit() -> None:
    big = 2**53
    hashes = {content_hash({"a": value}) for value in (big, big + 1, big + 2, float(big), -big - 1)}
    assert len(hashes) == 5


def test_a_big_integer_is_not_the_mapping_it_is_written_as() -> None:
    assert content_hash({"a": 2**60}) != content_hash({"a": {"$int": str(2**60)}})


def test_canonical_json_is_sorted_and_without_blanks() -> None:
    assert canonical_json({"b": [True, None], "a": 1.0}) == b'{"a":1,"b":[true,null]}'


@given(_json, _json)
def test_two_values_have_the_same_bytes_only_if_they_are_the_same(one: Any, other: Any) -> None:
    assert (canonical_json(one) == canonical_json(other)) == _same(one, other)


@given(st.dictionaries(st.text(max_size=3), _json), st.randoms(use_true_random=False))
def test_shuffled_keys_have_the_same_bytes(value: dict[str, Any], rng: random.Random) -> None:
    items = list(value.items())
    rng.shuffle(items)
    assert canonical_json(dict(items)) == canonical_json(value)
