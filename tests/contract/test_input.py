"""Input that nobody should send: refused in one object, without a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunCli, cli_environment
from tests.contract.conftest import Answer, Call

MIB = 1024 * 1024


def pipe(data: bytes, *arguments: str, cwd: Path) -> Answer:
    """A call whose JSON comes through stdin."""
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "call", *arguments],
        env=cli_environment(),
        cwd=cwd,
        input=data,
        capture_output=True,
        check=False,
    )
    err = done.stderr.decode()
    assert "Traceback" not in err
    return Answer(done.returncode, json.loads(done.stdout), err)


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("", "malformed_json", "line 1, column 1"),
        ("{", "malformed_json", "line 1, column 2"),
        ("{'a': 1}", "malformed_json", "double quotes"),
        ('{"query": NaN}', "malformed_json", "NaN"),
        ('{"query": -Infinity}', "malformed_json", "-Infinity"),
        ('{"limit": 1e999}', "malformed_json", "too large"),
        ('{"limit": 123456789012345678901234567890}', "malformed_json", "64 bits"),
        ('{"limit": ' + "9" * 10_000 + "}", "malformed_json", "64 bits"),
        ('{"query": "a", "query": "b"}', "malformed_json", "'query' stands twice"),
        ('{"parameters": {"a": 1, "a": 2}}', "malformed_json", "'a' stands twice"),
        ('{"query": "\\ud800"}', "bad_value", "U+D800"),
        ('{"\\udfff": 1}', "bad_value", "U+DFFF"),
        ('{"query": ' + "[" * 80 + "]" * 80 + "}", "bad_value", "64 levels"),
        ('{"query": ' + "[" * 50_000 + "]" * 50_000 + "}", "malformed_json", "nested too deeply"),
        ("[]", "bad_parameter", "one JSON object"),
        ("null", "bad_parameter", "one JSON object"),
        ('"text"', "bad_parameter", "one JSON object"),
        ("{} {}", "malformed_json", "extra data"),
    ],
)
def test_json_that_cannot_be_used(send: Call, text: str, code: str, named: str) -> None:
    answer = send("search", text)
    assert (answer.code, answer["error"], answer["code"]) == (2, "Invalid call", code)
    assert named in json.dumps(answer.shape, ensure_ascii=False)


def test_the_json_may_come_from_a_file_or_from_stdin(
    run_cli: RunCli, project: Path, tmp_path: Path
) -> None:
    sent = {"item_type": "tool", "query": "word_count", "project_path": str(project)}
    (tmp_path / "call.json").write_text("\ufeff" + json.dumps(sent), "utf-8")
    from_file = run_cli("call", "search", "@call.json")
    assert from_file.code == 0, from_file.out
    piped = pipe(json.dumps(sent).encode(), "search", "-", cwd=tmp_path)
    assert piped.code == 0
    assert piped.shape == json.loads(from_file.out)


def test_a_file_that_cannot_be_read(send: Call, project: Path) -> None:
    for name in ("@missing.json", f"@{project}", "@", "@" + "x" * 5_000):
        answer = send("search", name)
        assert (answer.code, answer["code"]) == (2, "json_unreadable")


def test_no_more_than_a_mebibyte_is_read(
    send: Call, seeded_home: Path, project: Path, tmp_path: Path
) -> None:
    head = json.dumps({"item_type": "tool", "project_path": str(project), "query": "word"})[:-2]
    fits = head + "x" * (MIB - len(head) - 2) + '"}'
    assert pipe(fits.encode(), "search", "-", cwd=tmp_path).code == 0
    assert pipe(fits.encode() + b" ", "search", "-", cwd=tmp_path)["code"] == "json_too_large"
    assert send("search", "@/dev/zero")["code"] == "json_too_large"


def test_bytes_that_are_no_text(seeded_home: Path, tmp_path: Path) -> None:
    answer = pipe(b'{"query": "\xff"}', "search", "-", cwd=tmp_path)
    assert (answer.code, answer["code"]) == (2, "malformed_json")
    assert "UTF-8" in answer["message"]


@pytest.mark.parametrize(
    "path", ["relative", "~/x", "/no/such/folder", "/dev/null", "/" + "x" * 5_000, "/a\0b", 5, [1]]
)
def test_a_project_that_is_no_folder(send: Call, path: Any) -> None:
    answer = send("search", {"item_type": "tool", "query": "x", "project_path": path})
    assert (answer.code, answer["code"]) == (2, "bad_project_path")


def test_a_project_may_be_an_option_instead(run_cli: RunCli, project: Path) -> None:
    sent = json.dumps({"item_type": "tool", "item_id": "word_count", "source": "project"})
    after = run_cli("call", "load", sent, "--project", "project")
    before = run_cli("--project", "project", "call", "load", sent)
    assert after.code == before.code == 0, before.out
    assert json.loads(after.out)["path"].startswith(str(project))
    assert run_cli("call", "help", "--project", "project").code == 0
    named = json.dumps({**json.loads(sent), "project_path": "/no/such"})
    assert run_cli("call", "load", named, "--project", "project").code == 2


@pytest.mark.parametrize(
    "item_id", ["../x", "a b", "A", "x" * 129, "a@1", "space/a", "a\0", "[/b]"]
)
def test_what_is_no_reference(call: Call, item_id: str) -> None:
    answer = call("load", item_id=item_id, source="project")
    assert (answer.code, answer["code"]) == (2, "bad_reference")


@pytest.mark.parametrize(
    "query", ['"', "*", "a AND", "NEAR(", "%' OR 1=1 --", "x" * 100_000, "\0", "ß😀", "[/red]"]
)
def test_a_query_is_words_and_never_syntax(call: Call, query: str) -> None:
    assert call("search", query=query).code == 0


def test_an_operation_that_is_not_there(send: Call) -> None:
    answer = send("lod", {})
    assert (answer.code, answer["suggestion"]) == (2, "did you mean load?")


def test_wrong_options_are_answered_in_json_too(run_cli: RunCli) -> None:
    for arguments in (["call"], ["call", "search", "--bogus"], ["call", "a", "b", "c"]):
        done = run_cli(*arguments)
        assert done.code == 2
        assert json.loads(done.out)["error"] == "Invalid call"
        assert done.err == ""


def test_the_item_type_of_an_error_is_the_one_that_was_given(send: Call) -> None:
    assert send("search", {"item_type": "knowledge"})["item_type"] == "knowledge"
    assert send("search", {"item_type": "nonsense"})["item_type"] == "tool"
    assert send("search", {"item_type": {}})["item_type"] == "tool"


def test_a_registry_that_cannot_be_opened_is_an_object_too(run_cli: RunCli) -> None:
    done = run_cli("call", "search", "{}", environment={"WORKBENCH_HOME": "/dev/null/x"})
    assert done.code == 6
    assert json.loads(done.out)["error"] == "Unavailable"


def test_null_is_as_good_as_left_out(call: Call) -> None:
    answer = call("search", query="word_count", limit=None, sort_by=None, source=None)
    assert (answer.code, answer["source"]) == (0, "local")
    assert call("load", item_id="word_count", source="project", destination=None).code == 0
