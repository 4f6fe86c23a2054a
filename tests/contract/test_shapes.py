"""Every operation returns exactly what the API reference says, and every error it lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract import shapes
from tests.contract.conftest import Answer, Call
from tests.contract.shapes import differences

API = {
    "tool_type": "api",
    "executor": "http_client",
    "manifest": {"version": "1.0.0", "config": {"method": "GET", "url": "https://example.com/"}},
}


def test_search_returns_the_keys_of_the_reference(call: Call, project: Path) -> None:
    answer = call("search", query="count words")
    assert answer.code == 0
    assert differences(answer.shape, shapes.SEARCH) == []
    assert answer["query"] == "count words"
    assert answer["source"] == "local"
    for result in answer["results"]:
        assert differences(result, shapes.RESULT) == []
        assert 0 < result["score"] <= 1
    best = answer["results"][0]
    assert best["name"] == "word_count"
    assert best["source"] == "project"
    assert best["path"] == str(project / ".ai/tools/text/word_count/tool.yaml")
    assert best["tool_type"] == "script"


def test_load_returns_the_keys_of_the_reference(call: Call, project: Path) -> None:
    answer = call("load", item_id="word_count", source="project")
    assert answer.code == 0
    assert differences(answer.shape, shapes.LOAD) == []
    assert differences(answer["metadata"], shapes.METADATA) == []
    path = project / ".ai/tools/text/word_count/tool.yaml"
    assert answer["path"] == str(path)
    assert answer["content"].encode() == path.read_bytes()
    assert answer["metadata"] == {
        "name": "word_count",
        "description": answer["metadata"]["description"],
        "version": "1.0.0",
        "tool_type": "script",
        "executor_id": "python_runtime",
        "category": "text",
    }


def test_a_copy_returns_the_keys_of_the_reference(call: Call, own_machine: Path) -> None:
    answer = call("load", item_id="word_count", source="project", destination="user")
    assert answer.code == 0
    assert differences(answer.shape, shapes.COPY) == []
    assert differences(answer["metadata"], shapes.METADATA) == []
    assert answer["message"] == "Tool copied from project to user"
    assert (answer["source"], answer["destination"]) == ("project", "user")
    assert answer["path"] == str(own_machine / ".ai/tools/text/word_count/tool.yaml")
    assert Path(answer["path"]).read_text("utf-8") == answer["content"]


def test_sign_returns_the_keys_of_the_reference(act: Call) -> None:
    answer = act("sign", "word_count", {"location": "project", "category": "text"})
    assert answer.code == 0
    assert differences(answer.shape, shapes.SIGN) == []
    line = rf"kiwi-mcp:validated:\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ:{answer['hash']}"
    assert re.fullmatch(line, answer["signature"])
    assert re.fullmatch("[0-9a-f]{64}", answer["hash"])


def test_create_update_and_delete_answer_alike(act: Call) -> None:
    made = act("create", "ping", API)
    assert (made.code, differences(made.shape, shapes.CREATE)) == (0, [])
    changed = act("update", "ping", {"description": "Ask whether it is there."})
    assert (changed.code, differences(changed.shape, shapes.UPDATE)) == (0, [])
    gone = act("delete", "ping", {}, "--yes")
    assert (gone.code, differences(gone.shape, shapes.DELETE)) == (0, [])


@pytest.mark.parametrize("topic", [None, "tool", "search", "load", "execute"])
def test_help_returns_the_keys_of_the_reference(send: Call, topic: str | None) -> None:
    answer = send("help", {"topic": topic} if topic else {})
    assert answer.code == 0
    assert differences(answer.shape, shapes.HELP) == []
    assert answer["topic"] == (topic if topic not in (None, "tool") else "tools")
    assert answer["examples"]


def test_help_needs_no_json(send: Call) -> None:
    assert send("help")["topic"] == "tools"


# The five errors that the reference lists


def _error(answer: Answer, error: str, code: str, exit_code: int, **more: object) -> None:
    assert answer.code == exit_code
    expected = {**shapes.ERROR, **more}
    assert differences(answer.shape, expected) == []
    assert (answer["error"], answer["code"]) == (error, code)
    assert answer["item_type"] == "tool"
    assert answer["message"] and answer["suggestion"]


def test_a_tool_that_is_not_there(call: Call, act: Call) -> None:
    loaded = call("load", item_id="word_cuont", source="project")
    _error(loaded, "Tool not found", "not_found", 3, tool_id="word_cuont")
    ran = act("run", "word_cuont")
    _error(ran, "Tool not found", "not_found", 3, tool_id="word_cuont", action="run")


def test_a_tool_that_was_changed_after_signing(act: Call, project: Path) -> None:
    assert act("sign", "word_count").code == 0
    own = project / ".ai/tools/text/word_count/main.py"
    text = own.read_text("utf-8")
    own.write_text(text.replace("top=5", "top=6"), "utf-8")
    ran = act("run", "word_count")
    _error(
        ran, "Content hash mismatch", "hash_mismatch", 4,
        tool_id="word_count", action="run", changes=dict,
    )  # fmt: skip
    [changed] = ran["changes"]["files"]
    assert changed["path"] == "main.py"
    assert any(line.startswith("-def main") and "top=5" in line for line in changed["diff"])
    assert any(line.startswith("+def main") and "top=6" in line for line in changed["diff"])
    own.write_text(text, "utf-8")
    assert act("run", "word_count")["code"] == "run_unavailable"


def test_metadata_that_is_not_valid(act: Call) -> None:
    answer = act("create", "half", {"tool_type": "api", "executor": "http_client", "manifest": {}})
    _error(answer, "Invalid metadata", "invalid", 1, tool_id="half", action="create", problems=list)
    assert {"missing_field"} <= {problem["code"] for problem in answer["problems"]}
    assert all(problem["line"] is None for problem in answer["problems"])


def test_a_run_that_fails_before_it_begins(act: Call, project: Path) -> None:
    assert act("run", "longest_lines")["code"] == "run_unavailable"
    (project / ".ai/tools/runtimes/perl_runtime.yaml").unlink()
    answer = act("run", "longest_lines")
    _error(answer, "Execution failed", "chain_broken", 1, tool_id="longest_lines", action="run")
    assert "perl_runtime" in answer["message"]


def test_a_run_that_this_version_cannot_do(act: Call) -> None:
    answer = act("run", "word_count", {"path": "README.md"})
    _error(answer, "Execution failed", "run_unavailable", 6, tool_id="word_count", action="run")


@pytest.mark.parametrize("operation", ["search", "load", "execute"])
def test_a_call_without_a_project(send: Call, operation: str) -> None:
    answer = send(operation, {"item_type": "tool"})
    _error(answer, "project_path is required", "project_path_required", 2)
    assert "/absolute/path" in answer["suggestion"]
