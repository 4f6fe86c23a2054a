"""What `help` says is true: its examples work, and it names every parameter."""

from __future__ import annotations

import pytest

from tests.contract.conftest import Call
from workbench.contract import OPERATIONS, execute, load, search
from workbench.contract import help as helping
from workbench.contract.topics import TOPICS

EXPECTED = {"run": 6}


@pytest.mark.parametrize("topic", TOPICS)
def test_every_example_works_in_the_sample_project(send: Call, call: Call, topic: str) -> None:
    examples = send("help", {"topic": topic})["examples"]
    assert examples
    for example in examples:
        assert set(example) == {"operation", "arguments"}
        given = dict(example["arguments"])
        if example["operation"] == "help":
            answer = send("help", given)
        else:
            assert given.pop("project_path").startswith("/")
            answer = call(example["operation"], "--yes", **given)
        assert answer.code == EXPECTED.get(given.get("action", ""), 0), (given, answer.shape)


def test_every_operation_and_parameter_is_explained() -> None:
    for name, module in (
        ("search", search),
        ("load", load),
        ("execute", execute),
        ("help", helping),
    ):
        assert name in OPERATIONS
        for parameter in module.PARAMETERS:
            assert parameter in TOPICS[name][0]
    for word in (*search.SOURCES, *search.ORDERS):
        assert word in TOPICS["search"][0]
    for action in execute.ACTIONS:
        assert action in TOPICS["execute"][0]


def test_a_topic_that_is_not_there(send: Call) -> None:
    answer = send("help", {"topic": "serch"})
    assert (answer.code, answer["code"]) == (2, "unknown_topic")
    assert answer["suggestion"] == "did you mean search?"
    assert send("help", {"topic": 5})["code"] == "bad_parameter"
    assert send("help", {"topics": "x"})["suggestion"] == "did you mean topic?"
    assert send("help", {"topic": None})["topic"] == "tools"
