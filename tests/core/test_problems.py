from __future__ import annotations

from workbench.core.codes import CODES, problem_at
from workbench.core.problems import Edit, Fix, Severity, apply, has_errors, in_order, path_text


def fix(*edits: tuple[int, int, int, int, str]) -> Fix:
    return Fix("", tuple(Edit(*edit) for edit in edits))


class TestApplying:
    def test_text_between_two_places_is_replaced(self) -> None:
        assert apply("one\ntwo\n", [fix((2, 1, 2, 4, "2"))]) == "one\n2\n"

    def test_an_edit_may_span_lines(self) -> None:
        assert apply("a\nb\nc\nd", [fix((1, 2, 3, 2, "-"))]) == "a-\nd"

    def test_an_edit_may_insert(self) -> None:
        assert apply("ab", [fix((1, 2, 1, 2, "-"))]) == "a-b"

    def test_several_edits_do_not_move_each_other(self) -> None:
        edits = fix((1, 1, 1, 2, "long"), (1, 3, 1, 4, ""), (2, 1, 2, 1, "x"))
        assert apply("a c\nd", [edits]) == "long \nxd"

    def test_of_overlapping_fixes_the_first_given_wins_and_the_other_is_left_whole(self) -> None:
        first = fix((1, 2, 1, 4, "X"))
        second = fix((1, 3, 1, 5, "Y"), (2, 1, 2, 2, "Z"))
        assert apply("abcde\nf", [first, second]) == "aXde\nf"
        assert apply("abcde\nf", [second, first]) == "abYe\nZ"

    def test_fixes_that_touch_do_not_overlap(self) -> None:
        assert apply("abcd", [fix((1, 1, 1, 3, "1")), fix((1, 3, 1, 5, "2"))]) == "12"

    def test_line_ends_of_all_kinds_are_kept(self) -> None:
        assert apply("a\r\nb\rc\nd", [fix((3, 1, 3, 2, "X"))]) == "a\r\nb\rX\nd"

    def test_a_form_feed_does_not_end_a_line(self) -> None:
        assert apply("a\n\x0c\nb\n", [fix((3, 1, 3, 2, "X"))]) == "a\n\x0c\nX\n"

    def test_a_byte_order_mark_is_not_counted_and_kept(self) -> None:
        assert apply("\ufeffab", [fix((1, 1, 1, 2, "X"))]) == "\ufeffXb"

    def test_places_beyond_the_end_are_the_end(self) -> None:
        assert apply("ab", [fix((9, 9, 9, 9, "!"))]) == "ab!"


def test_a_path_is_written_as_people_write_it() -> None:
    assert path_text(("config", "steps", 0, "tool")) == "config.steps[0].tool"
    assert path_text((0, "a")) == "[0].a"
    assert path_text(()) == ""


def test_problems_are_in_the_order_of_their_places_errors_first() -> None:
    warning = problem_at("body_not_sent", "w", line=2, column=1)
    error = problem_at("bad_url", "e", line=2, column=1)
    early = problem_at("unused_parameter", "h", line=1, column=5)
    other = problem_at("python_syntax", "f", line=1, column=1, file="main.py")
    assert in_order([other, warning, error, early]) == [early, error, warning, other]
    assert has_errors([early, error])
    assert not has_errors([early, warning])


def test_a_problem_as_data_has_all_that_a_face_needs() -> None:
    problem = problem_at(
        "bad_version",
        "no",
        path=("version",),
        line=3,
        column=10,
        hint="h",
        fix=Fix("Write it", (Edit(3, 10, 3, 13, '"1.0.0"'),)),
        file="x.py",
    )
    assert problem.as_dict() == {
        "severity": "error",
        "code": "bad_version",
        "message": "no",
        "path": "version",
        "line": 3,
        "column": 10,
        "hint": "h",
        "file": "x.py",
        "fix": {
            "title": "Write it",
            "edits": [
                {"line": 3, "column": 10, "end_line": 3, "end_column": 13, "text": '"1.0.0"'}
            ],
        },
    }


def test_every_code_has_a_severity_and_a_sentence() -> None:
    for code, (severity, sentence) in CODES.items():
        assert isinstance(severity, Severity)
        assert sentence.endswith("."), code
        assert code == code.lower()
