"""A manifest that is written is read back as exactly what it was."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workbench.core.manifest_text import manifest_text
from workbench.core.source import read_yaml

ODD = st.sampled_from(
    [
        *[
            "1.10",
            "0o17",
            "0x1F",
            "1e5",
            "1_000",
            "017",
            "-0",
            "+1",
            ".5",
            "5.",
            ".inf",
            "NaN",
            "12:30",
            "2026-01-31",
        ],
        *[
            "no",
            "Yes",
            "on",
            "~",
            "null",
            "true",
            "<<",
            "=",
            "-",
            "?",
            ":",
            "|",
            ">",
            "@x",
            "`x",
            "%x",
            "&x",
            "*x",
            "!x",
            "#x",
            "😀",
        ],
        *("", " ", "a\n", "\n a", "a\n\n", " a\nb", "\ta", "- x", "? x", "a #x", "a: b", "'", '"'),
        *("2026-01-31 10:00:00", "\x85", "\u2028", "\ufeff", "\x00", "a\r\nb", "--- x", "..."),
    ]
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=20) | ODD
SCALAR = (
    TEXT
    | st.booleans()
    | st.none()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUE: st.SearchStrategy[Any] = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, VALUE, max_size=6))
def test_a_manifest_survives_being_written(manifest: dict[str, Any]) -> None:
    read = read_yaml(manifest_text(manifest))
    assert [problem.message for problem in read.problems] == []
    assert json.dumps(read.value or {}, sort_keys=True) == json.dumps(manifest, sort_keys=True)


def test_lines_stay_lines_and_lists_stand_further_in() -> None:
    manifest = {
        "version": "1.0.0",
        "tool_id": "x",
        "description": "a\nb\n",
        "tags": [1],
        "parameters": [{"name": "a"}],
    }
    assert manifest_text(manifest) == (
        'tool_id: x\nversion: "1.0.0"\ndescription: |\n  a\n  b\ntags: [1]\n'
        "parameters:\n  - name: a\n"
    )


def test_what_is_there_twice_is_written_twice() -> None:
    shared = {"a": [1]}
    assert "*" not in manifest_text({"one": shared, "two": shared})
