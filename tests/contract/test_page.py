"""docs/contract.md says what the operations take and return, no more and no less."""

from __future__ import annotations

import json
import re

import pytest

from tests.conftest import ROOT
from tests.contract import shapes
from tests.contract.conftest import Call, Json
from workbench.contract import OPERATIONS, execute, load, search
from workbench.contract import help as helping

PAGE = (ROOT / "docs" / "contract.md").read_text("utf-8")
PARTS = {name.strip(): text for name, text in re.findall(r"(?ms)^## (\w+)\n(.*?)(?=^## |\Z)", PAGE)}
MODULES = {"search": search, "load": load, "execute": execute, "help": helping}


def test_every_operation_has_a_part() -> None:
    assert tuple(PARTS) == (*OPERATIONS, "Errors")


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_parameter_is_documented_and_no_other(name: str) -> None:
    rows = re.findall(r"(?m)^\| `(\w+)` \|", PARTS[name])
    assert tuple(rows) == MODULES[name].PARAMETERS


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("search", shapes.SEARCH),
        ("search", shapes.RESULT),
        ("load", shapes.COPY),
        ("load", shapes.METADATA),
        ("execute", shapes.SIGN),
        ("execute", shapes.CREATE),
        ("execute", shapes.DELETE),
        ("help", shapes.HELP),
    ],
)
def test_every_key_that_comes_back_is_documented(name: str, shape: Json) -> None:
    for key in shape:
        assert f"`{key}`" in PARTS[name], key


def test_defaults_are_documented() -> None:
    rows = dict(re.findall(r"(?m)^\| `(\w+)` \| \w+ \| (.+?) \|", PARTS["search"]))
    assert rows["source"] == f'`"{search.SOURCES[0]}"`'
    assert rows["sort_by"] == f'`"{search.ORDERS[0]}"`'
    assert rows["limit"] == "`10`"


def test_the_example_of_a_new_tool_works(call: Call) -> None:
    [example] = re.findall(r"(?s)```json\n(.*?)```", PARTS["execute"])
    given = json.loads(example)
    del given["project_path"]
    assert call("execute", **given).code == 0


def test_the_error_shown_is_the_error_given(call: Call) -> None:
    [example] = re.findall(r"(?s)```json\n(.*?)```", PARTS["Errors"])
    shown = json.loads(example)
    answer = call("execute", action="run", item_id="word_cuont")
    assert set(answer.shape) == set(shown)
    assert {**answer.shape, "suggestion": ""} == {**shown, "suggestion": ""}
