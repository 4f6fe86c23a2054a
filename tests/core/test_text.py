from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.text import exposed, one_line, printable

ALL = [chr(code) for code in range(sys.maxunicode + 1)]
CONTROLS = [
    c for c in ALL if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") and c not in "\t\n"
]
EMBEDDINGS = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
BIDI = [c for c in ALL if unicodedata.bidirectional(c) in EMBEDDINGS] + list("\u061c\u200e\u200f")
TAGS = [chr(code) for code in range(0xE0000, 0xE0080)]
UNSEEN = list("\u00ad\u034f\u115f\u1160\u180e\u200b\u200c\u200d\u2060\u2064\u206a\u206f")
UNSEEN += list("\u3164\ufeff\uffa0")


@pytest.mark.parametrize("clean", [printable, one_line, exposed])
def test_no_control_byte_passes(clean: object) -> None:
    assert callable(clean)
    for char in CONTROLS + BIDI + TAGS:
        said = clean(f"a{char}b")
        assert char not in said
        assert said.startswith("a\\")
        assert said.endswith("b")


@given(st.text(st.characters()))
def test_what_is_printable_is_free_of_controls_and_stays_as_it_is(text: str) -> None:
    said = printable(text)
    assert not {unicodedata.category(char) for char in said if char not in "\t\n"} & {"Cc", "Cs"}
    assert printable(said) == said


def test_escapes_of_terminals_become_text() -> None:
    assert printable("\x1b]52;c;aGk=\x07\x9b2J") == "\\x1b]52;c;aGk=\\x07\\x9b2J"


def test_newlines_and_tabs_are_kept() -> None:
    assert printable("a\n\tb\r\nc\x00") == "a\n\tb\nc\\x00"
    assert printable("a\n\tb") == "a\n\tb"


def test_a_lone_carriage_return_cannot_overwrite_a_line() -> None:
    assert printable("safe\revil") == "safe\\x0devil"


def test_one_line_is_one_line() -> None:
    assert one_line("a\nb\r\nc\td\u2028e\x85f") == "a b c d\\u2028e\\x85f"


def test_bidi_and_tag_characters_are_written_out() -> None:
    assert printable("a\u202eb\U000e0041") == "a\\u202eb\\U000e0041"


def test_what_cannot_be_seen_is_written_out_where_trust_is_asked_for() -> None:
    for char in UNSEEN:
        assert char not in exposed(f"a{char}b")
    assert exposed("pay\u200bpal") == "pay\\u200bpal"


def test_ordinary_text_of_any_script_stays_as_it_is() -> None:
    text = "Grüße, 日本語 עברית العربية 👩🏽 [/bold] {x}"
    assert printable(text) == one_line(text) == exposed(text) == text
