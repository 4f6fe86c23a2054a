"""What `search` finds, from where, and in which order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Answer, Call
from workbench.contract.search import shown_score


def names(answer: Answer) -> list[str]:
    return [result["name"] for result in answer["results"]]


def test_all_is_what_is_on_this_machine(call: Call) -> None:
    local, everything = (call("search", query="text", source=s) for s in ("local", "all"))
    assert everything["source"] == "all"
    assert everything["results"] == local["results"]


def test_ten_results_come_unless_another_number_is_asked_for(call: Call) -> None:
    ten = call("search", query="the a text file tool")
    assert len(ten["results"]) == 10
    assert ten["total"] > 10
    few = call("search", query="the a text file tool", limit=3)
    assert names(few) == names(ten)[:3]
    assert few["total"] == ten["total"]


def test_a_better_hit_comes_first_and_has_no_smaller_score(call: Call) -> None:
    scores = [r["score"] for r in call("search", query="count lines text", limit=50)["results"]]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) > 3


def test_scores_are_shown_between_none_and_one() -> None:
    raw = [0.0, 0.5, 3.0, 40.0, 1_001.0, 1_010.0, 2_005.0, 3_000.0, 9e9]
    shown = [shown_score(score) for score in raw]
    assert shown == sorted(shown)
    assert shown[0] == 0 and shown[-1] <= 1
    assert len(set(shown)) == len(shown)


def test_sorting_by_name_sorts_all_matches_and_then_cuts(call: Call) -> None:
    every = call("search", query="text", limit=100)
    by_name = call("search", query="text", limit=4, sort_by="name")
    assert names(by_name) == sorted(names(every))[:4]


def test_sorting_by_date_puts_what_changed_last_first(call: Call, project: Path) -> None:
    before = call("search", query="text", sort_by="date", limit=100)
    own = project / ".ai/tools/text/title_case.py"
    own.write_text(own.read_text("utf-8").replace("1.0.0", "1.0.1"), "utf-8")
    after = call("search", query="text", sort_by="date", limit=100)
    assert names(after)[0] == "title_case"
    assert sorted(names(after)) == sorted(names(before))


def test_a_tool_of_the_registry_has_no_path(call: Call) -> None:
    shipped = next(
        r for r in call("search", query="read_file")["results"] if r["name"] == "read_file"
    )
    assert (shipped["source"], shipped["path"]) == ("public", "")


def test_a_copy_is_found_in_both_spaces(call: Call) -> None:
    call("load", item_id="word_count", source="project", destination="user")
    found = [r for r in call("search", query="word_count")["results"] if r["name"] == "word_count"]
    assert sorted(r["source"] for r in found) == ["project", "user"]
    assert len({r["path"] for r in found}) == 2


@pytest.mark.parametrize("kind", ["directive", "knowledge", "script"])
def test_an_alias_finds_tools_of_its_type_only(call: Call, kind: str) -> None:
    found = call("search", item_type=kind, query="text words writing review file", limit=100)
    assert found["results"]
    assert {result["tool_type"] for result in found["results"]} == {kind}


def test_tools_of_another_project_are_out_of_sight(call: Call, plain_folder: Path) -> None:
    assert "word_count" in names(call("search", query="word_count"))
    elsewhere = call("search", query="word_count", project_path=str(plain_folder))
    assert "word_count" not in names(elsewhere)


def test_a_folder_inside_a_project_sees_the_project(call: Call, project: Path) -> None:
    inside = call("search", query="word_count", project_path=str(project / ".ai" / "tools"))
    assert names(inside)[0] == "word_count"


def test_nothing_fits(call: Call) -> None:
    answer = call("search", query="zyzzyva quokka")
    assert answer.code == 0
    assert (answer["results"], answer["total"]) == ([], 0)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"limit": 0}, "limit is 1 to 100"),
        ({"limit": 101}, "limit is 1 to 100"),
        ({"limit": "5"}, "limit is an integer, not a string"),
        ({"limit": True}, "limit is an integer, not true or false"),
        ({"limit": 2.5}, "limit is an integer, not a number"),
        ({"sort_by": "scores"}, "sort_by is one of score, date, name"),
        ({"source": "registry"}, "source is one of local, all"),
        ({"query": ["a"]}, "query is a string, not a list"),
        ({"query": "  "}, "query is empty"),
        ({"query": None}, "query is required"),
        ({"item_type": "tools"}, "item_type is one of tool"),
        ({"quary": "x"}, "no parameter quary"),
    ],
)
def test_what_does_not_fit_is_named(call: Call, wrong: dict[str, Any], named: str) -> None:
    answer = call("search", **{"query": "text", **wrong})
    assert (answer.code, answer["error"]) == (2, "Invalid call")
    assert named in answer["message"]


def test_a_parameter_that_was_probably_meant_is_named(call: Call) -> None:
    assert call("search", query="x", sortby="name")["suggestion"] == "did you mean sort_by?"
