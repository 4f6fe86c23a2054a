"""Running, signing and deleting through the contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import on_terminal
from tests.conftest import RunCli
from tests.contract.conftest import Call


def test_an_altered_executor_stops_what_it_carries(act: Call, project: Path) -> None:
    assert act("sign", "perl_runtime").code == 0
    assert act("sign", "longest_lines").code == 0
    own = project / ".ai/tools/runtimes/perl_runtime.yaml"
    own.write_text(own.read_text("utf-8").replace("command: perl", "command: ruby"), "utf-8")
    answer = act("run", "longest_lines")
    assert (answer.code, answer["error"]) == (4, "Content hash mismatch")
    assert answer["tool_id"] == "perl_runtime"


def test_a_changed_manifest_is_named_by_its_line(act: Call, project: Path) -> None:
    act("sign", "line_count")
    own = project / ".ai/tools/text/line_count.yaml"
    own.write_text(own.read_text("utf-8").replace("command: wc", "command: rm"), "utf-8")
    answer = act("run", "line_count")
    assert answer.code == 4
    assert "-  command: wc" in answer["changes"]["manifest"]
    assert "+  command: rm" in answer["changes"]["manifest"]
    assert answer["changes"]["fields"][0] == {
        "path": "config.command",
        "before": "wc",
        "after": "rm",
    }


def test_signing_again_settles_a_change(act: Call, project: Path) -> None:
    act("sign", "line_count")
    own = project / ".ai/tools/text/line_count.yaml"
    own.write_text(own.read_text("utf-8").replace("one text file", "a text file"), "utf-8")
    assert act("run", "line_count").code == 4
    assert act("sign", "line_count").code == 0
    assert act("run", "line_count")["code"] == "run_unavailable"
    assert own.read_text("utf-8").count("kiwi-mcp:validated") == 1


@pytest.mark.parametrize("parameters", [[], "text", 5, True])
def test_parameters_are_an_object(call: Call, parameters: object) -> None:
    answer = call("execute", action="run", item_id="word_count", parameters=parameters)
    assert (answer.code, answer["code"]) == (2, "bad_parameter")
    assert "parameters is an object" in answer["message"]


def test_a_run_takes_its_tool_from_item_id_alone(act: Call) -> None:
    answer = act("run", None, {"tool_id": "word_count"})
    assert (answer.code, answer["message"]) == (2, "item_id is required")


def test_what_only_the_name_of_an_action_is_wrong_with(act: Call) -> None:
    answer = act("runn", "word_count")
    assert (answer.code, answer["suggestion"]) == (2, "did you mean run?")


def test_an_alias_signs_and_deletes_its_own_type_only(call: Call) -> None:
    for action in ("run", "sign", "delete", "update"):
        answer = call(
            "execute", "--yes", item_type="knowledge", action=action, item_id="word_count"
        )
        assert (answer.code, answer["error"]) == (3, "Tool not found")
        assert answer["item_type"] == "knowledge"
        assert "script" in answer["message"]
    signed = call("execute", item_type="knowledge", action="sign", item_id="plain_words")
    assert signed.code == 0


def test_a_signature_is_asked_for_where_the_tool_is(act: Call) -> None:
    assert act("sign", "word_count", {"location": "user"}).code == 3
    assert act("sign", "word_count", {"location": "projekt"}).code == 2
    assert act("sign", None, {"tool_id": "word_count", "location": "project"}).code == 0
    other = act("sign", "word_count", {"category": "data"})
    assert (other.code, other["error"]) == (3, "Tool not found")
    assert "it is in text" in other["message"]
    unknown = act("sign", "word_count", {"categori": "text"})
    assert unknown["suggestion"] == "did you mean category?"


def test_a_tool_that_is_not_valid_is_not_signed_but_explained(act: Call, project: Path) -> None:
    broken = project / ".ai/tools/text/half.yaml"
    broken.write_text("tool_id: half\ntool_type: api\nexecutor: http_client\n", "utf-8")
    for action in ("sign", "run"):
        answer = act(action, "half")
        assert (answer.code, answer["error"]) == (1, "Invalid metadata")
        assert str(broken) in answer["message"]
        assert "version" in {problem["path"] for problem in answer["problems"]}


def test_a_file_that_is_no_yaml_is_explained_by_its_name(act: Call, project: Path) -> None:
    (project / ".ai/tools/text/scribble.yaml").write_text("a: [", "utf-8")
    answer = act("run", "scribble")
    assert (answer.code, answer["error"]) == (1, "Invalid metadata")
    assert answer["problems"][0]["line"] is not None


def test_deleting_needs_a_yes(act: Call, project: Path) -> None:
    own = project / ".ai/tools/text/line_count.yaml"
    refused = act("delete", "line_count", {"force": True})
    assert (refused.code, refused["code"]) == (4, "confirmation_needed")
    assert own.exists()
    assert act("delete", "line_count", {"force": True}, "--yes").code == 0
    assert not own.exists()
    assert act("run", "line_count").code == 3


def test_a_tool_that_others_use_goes_only_by_force(act: Call) -> None:
    refused = act("delete", "word_count", {}, "--yes")
    assert (refused.code, refused["code"]) == (4, "has_dependants")
    assert "text_report" in refused["message"]
    assert '"force": true' in refused["suggestion"]
    assert act("delete", "word_count", {"force": "yes"}, "--yes").code == 2
    assert act("delete", "word_count", {"force": True}, "--yes").code == 0


def test_a_deleted_tool_can_be_restored(act: Call, run_cli: RunCli, project: Path) -> None:
    act("delete", "line_count", {"force": True}, "--yes")
    assert run_cli("restore", "line_count", "--yes", "--project", project).code == 0
    assert act("run", "line_count")["code"] == "run_unavailable"


def test_what_ships_below_all_else_is_not_deleted(act: Call) -> None:
    answer = act("delete", "subprocess", {"force": True}, "--yes")
    assert (answer.code, answer["code"]) == (4, "reserved_id")


@pytest.mark.parametrize(("typed", "code", "remains"), [("n", 130, True), ("y", 0, False)])
def test_on_a_terminal_a_person_is_asked(
    seeded_home: Path, project: Path, typed: str, code: int, remains: bool
) -> None:
    sent = {
        "item_type": "tool",
        "action": "delete",
        "item_id": "title_case",
        "project_path": str(project),
    }
    terminal = on_terminal("call", "execute", json.dumps(sent), cwd=project)
    terminal.expect(r"Delete title_case 1\.0\.0\? \[y/N\]: ")
    terminal.sendline(typed)
    said = terminal.read()
    terminal.close()
    shape = json.loads(said[said.index("{") :])
    assert terminal.exitstatus == code
    assert shape.get("code", shape.get("status")) == ("cancelled" if remains else "deleted")
    assert (project / ".ai/tools/text/title_case.py").exists() is remains
