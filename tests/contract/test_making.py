"""Creating and updating tools through the contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Call
from workbench.core.source import read_yaml

SCRIPT: dict[str, Any] = {
    "tool_id": "shout",
    "tool_type": "script",
    "executor": "python_runtime",
    "manifest": {
        "version": "1.0.0",
        "description": "Say it louder.",
        "config": {"entrypoint": "main.py"},
        "parameters": [{"name": "text", "type": "string", "required": True}],
    },
    "files": {"main.py": "def main(text):\n    return {'said': text.upper()}\n"},
}
API: dict[str, Any] = {
    "tool_id": "ping",
    "tool_type": "api",
    "version": "1.0.0",
    "executor": "http_client",
    "config": {"method": "GET", "url": "https://example.com/"},
}
PAGE = "---\ntool_id: page\nversion: '1.0.0'\nname: Page\n---\n\nSome words.\n"


def read(path: str | Path) -> Any:
    return read_yaml(Path(path).read_text("utf-8")).value


def test_a_new_tool_is_a_file_in_the_project(act: Call, project: Path) -> None:
    answer = act("create", None, SCRIPT)
    assert answer["path"] == str(project / ".ai/tools/shout/tool.yaml")
    assert Path(answer["path"]).read_text("utf-8") == (
        "tool_id: shout\n"
        "tool_type: script\n"
        'version: "1.0.0"\n'
        "executor: python_runtime\n"
        "description: Say it louder.\n"
        "config:\n"
        "  entrypoint: main.py\n"
        "parameters:\n"
        "  - name: text\n"
        "    type: string\n"
        "    required: true\n"
    )
    assert (project / ".ai/tools/shout/main.py").read_text("utf-8") == SCRIPT["files"]["main.py"]
    assert act("run", "shout")["code"] == "run_unavailable"


def test_without_a_project_a_new_tool_is_in_the_registry(call: Call, plain_folder: Path) -> None:
    here = {"project_path": str(plain_folder)}
    answer = call("execute", action="create", parameters=SCRIPT, **here)
    assert (answer.code, answer["path"]) == (0, "")
    assert list(plain_folder.iterdir()) == []
    loaded = call("load", item_id="shout", source="public", **here)
    assert loaded["content"].startswith("tool_id: shout\n")


@pytest.mark.parametrize("space", ["project", "user", "public"])
def test_a_location_says_where_a_new_tool_goes(act: Call, call: Call, space: str) -> None:
    assert act("create", None, {**API, "location": space}).code == 0
    assert call("load", item_id="ping", source=space).code == 0


def test_a_whole_manifest_is_as_good_as_its_parts(act: Call) -> None:
    answer = act("create", None, API)
    assert read(answer["path"]) == API
    given = {key: API[key] for key in ("tool_type", "executor")}
    inner = {"version": "1.0.0", "config": API["config"]}
    parts = act("create", "ping_too", {**given, "manifest": inner})
    assert read(parts["path"]) == {**API, "tool_id": "ping_too"}


def test_values_that_look_like_something_else_stay_what_they_are(act: Call) -> None:
    odd = ["1.10", "0o17", "1e5", "no", "~", "2026-01-31", "null", "", " x ", "# no", "a: b", "é\t"]
    manifest = {
        **API,
        "description": "first line\n  second: line\n",
        "tags": odd,
        "config": {**API["config"], "headers": {"X-Count": "007"}, "timeout": 1.5},
    }
    answer = act("create", None, manifest)
    assert answer.code == 0, answer.shape
    assert read(answer["path"]) == manifest


def test_an_alias_says_which_type_it_is(call: Call) -> None:
    manifest = {"version": "1.0.0", "name": "Page"}
    made = call(
        "execute", item_type="knowledge", action="create", item_id="page",
        parameters={"manifest": manifest, "files": {"content.md": "Some words.\n"}},
    )  # fmt: skip
    assert made.code == 0, made.shape
    assert call("load", item_type="knowledge", item_id="page", source="project").code == 0
    wrong = call("execute", item_type="directive", action="create", parameters=API)
    assert (wrong.code, wrong["code"]) == (2, "bad_parameter")


def test_an_id_that_is_taken_is_refused(act: Call) -> None:
    answer = act("create", None, {**API, "tool_id": "word_count"})
    assert (answer.code, answer["code"]) == (4, "tool_exists")
    assert '"update"' in answer["suggestion"]


@pytest.mark.parametrize("tool_id", ["subprocess", "http_client", "python_runtime"])
def test_the_ids_of_what_ships_below_all_else_are_refused(act: Call, tool_id: str) -> None:
    made = act("create", None, {**API, "tool_id": tool_id})
    assert (made.code, made["code"]) == (4, "reserved_id")
    changed = act("update", tool_id, {"description": "Mine now."})
    assert (changed.code, changed["code"]) == (4, "reserved_id")


@pytest.mark.parametrize(
    ("parameters", "code", "named"),
    [
        ({**API, "tool_id": "Not An Id"}, "invalid", "bad_tool_id"),
        ({**API, "version": 1.1}, "invalid", "unquoted_version"),
        ({**API, "executor": "http_clint"}, "invalid", "executor_not_found"),
        ({**API, "configs": {}}, "invalid", "unknown_key"),
        ({**API, "tool_type": "apy"}, "invalid", "not_one_of"),
        ({**SCRIPT, "files": {}}, "invalid", "files_missing"),
        ({**SCRIPT, "files": {"../main.py": ""}}, "invalid", "bad_path"),
        ({**SCRIPT, "files": {"main.py": "def ("}}, "invalid", "python_syntax"),
        ({**SCRIPT, "files": {"main.py": 5}}, "bad_parameter", "main.py is an integer"),
        ({**SCRIPT, "files": {"tool.yaml": ""}}, "bad_parameter", "leave out tool.yaml"),
        ({**SCRIPT, "files": ["main.py"]}, "bad_parameter", "files is an object"),
        ({**SCRIPT, "manifest": "tool_id: x"}, "bad_parameter", "manifest is an object"),
        ({**SCRIPT, "fils": {}}, "unknown_parameter", "fils"),
        ({**API, "tool_id": 5}, "bad_parameter", "tool_id is a string"),
        ({**API, "location": "home"}, "bad_parameter", "location is one of"),
        ({**SCRIPT, "manifest": {"tool_id": "other"}}, "bad_parameter", "different things"),
        ({}, "missing_parameter", "which tool"),
    ],
)
def test_what_cannot_be_a_tool_leaves_nothing_behind(
    act: Call, project: Path, parameters: dict[str, Any], code: str, named: str
) -> None:
    before = sorted(project.rglob("*"))
    answer = act("create", None, parameters)
    assert answer.code == (1 if code == "invalid" else 2)
    assert answer["code"] == code
    said = json.dumps(answer.shape)
    assert named in said
    assert sorted(project.rglob("*")) == before


def test_two_ids_that_differ_are_refused(act: Call) -> None:
    answer = act("create", "pong", API)
    assert (answer.code, answer["code"]) == (2, "bad_parameter")


# Updating


def test_an_update_changes_what_is_given_and_raises_the_version(act: Call) -> None:
    act("create", None, API)
    answer = act("update", "ping", {"description": "Is it there?", "tags": ["net"]})
    assert answer["version"] == "1.0.1"
    assert "1.0.1" in answer["message"] and "1.0.0" in answer["message"]
    expected = {**API, "version": "1.0.1", "description": "Is it there?", "tags": ["net"]}
    assert read(answer["path"]) == expected
    answer = act("update", "ping", {"manifest": {"tags": None, "version": "2.0.0"}})
    assert (answer["version"], answer["message"]) == ("2.0.0", "Tool updated successfully")
    assert "tags" not in read(answer["path"])


def test_an_update_of_files_leaves_the_rest_of_the_manifest_as_it_was_written(
    act: Call, project: Path
) -> None:
    folder = project / ".ai/tools/text/word_count"
    manifest = (folder / "tool.yaml").read_text("utf-8")
    words = (folder / "words.py").read_text("utf-8")
    new = (folder / "main.py").read_text("utf-8") + "\n# changed\n"
    answer = act("update", "word_count", {"files": {"main.py": new, "more.txt": "x"}})
    assert answer.code == 0, answer.shape
    assert (folder / "main.py").read_text("utf-8") == new
    assert (folder / "words.py").read_text("utf-8") == words
    assert (folder / "more.txt").read_text("utf-8") == "x"
    written = (folder / "tool.yaml").read_text("utf-8")
    assert set(manifest.splitlines()) - set(written.splitlines()) == {'version: "1.0.0"'}
    assert 'version: "1.0.1"' in written
    assert act("update", "word_count", {"files": {"more.txt": None}}).code == 0
    assert not (folder / "more.txt").exists()


def test_an_update_of_a_signed_tool_is_unsigned_and_not_altered(act: Call, call: Call) -> None:
    act("sign", "word_count")
    new = {"words.py": "def words_of(text):\n    return []\n"}
    assert act("update", "word_count", {"files": new}).code == 0
    loaded = call("load", item_id="word_count", source="project")
    assert "kiwi-mcp:validated" not in loaded["content"]
    assert act("run", "word_count")["code"] == "run_unavailable"


def test_an_altered_tool_is_looked_at_before_it_is_updated(act: Call, project: Path) -> None:
    act("sign", "word_count")
    own = project / ".ai/tools/text/word_count/main.py"
    own.write_bytes(own.read_bytes() + b"#")
    answer = act("update", "word_count", {"description": "Other."})
    assert (answer.code, answer["error"]) == (4, "Content hash mismatch")


def test_a_version_that_exists_is_refused_with_the_one_to_use(act: Call, project: Path) -> None:
    own = project / ".ai/tools/text/line_count.yaml"
    before = own.read_bytes()
    answer = act("update", "line_count", {"version": "1.0.0", "description": "Other."})
    assert (answer.code, answer["code"]) == (4, "version_exists")
    assert "1.0.1" in answer["suggestion"]
    assert own.read_bytes() == before


def test_an_update_that_changes_nothing_makes_no_version(act: Call) -> None:
    made = act("create", None, API)
    same = act("update", None, API)
    assert (same.code, same["version"], same["hash"]) == (0, "1.0.0", made["hash"])
    assert "nothing to do" in same["message"]


def test_an_update_that_is_not_valid_changes_nothing(act: Call, project: Path) -> None:
    before = (project / ".ai/tools/text/line_count.yaml").read_bytes()
    answer = act("update", "line_count", {"executor": "nowhere"})
    assert (answer.code, answer["error"]) == (1, "Invalid metadata")
    assert (project / ".ai/tools/text/line_count.yaml").read_bytes() == before


def test_a_tool_that_is_not_there_is_not_updated(act: Call) -> None:
    assert act("update", None, {**API, "tool_id": "nobody"}).code == 3


def test_a_manifest_inside_a_file_is_changed_with_that_file(act: Call, project: Path) -> None:
    own = project / ".ai/tools/text/title_case.py"
    text = own.read_text("utf-8")
    refused = act("update", "title_case", {"description": "Other."})
    assert (refused.code, refused["code"]) == (2, "manifest_in_file")
    assert "title_case.py" in refused["suggestion"]
    answer = act("update", "title_case", {"files": {"title_case.py": text + "\n# more\n"}})
    assert (answer.code, answer["version"]) == (0, "1.0.1"), answer.shape
    assert own.read_text("utf-8") == text.replace("1.0.0", "1.0.1", 1) + "\n# more\n"


def test_a_tool_of_one_file_takes_no_other(act: Call, project: Path) -> None:
    own = project / ".ai/directives/writing/review_text.md"
    before = own.read_bytes()
    answer = act("update", "review_text", {"files": {"extra.txt": "x"}})
    assert (answer.code, answer["code"]) == (2, "manifest_in_file")
    assert own.read_bytes() == before


def test_markdown_is_changed_with_its_frontmatter(act: Call, project: Path) -> None:
    folder = project / ".ai/knowledge"
    (folder / "page.md").write_text(PAGE, "utf-8")
    new = PAGE.replace("Some", "Other").replace("1.0.0", "1.2.0")
    answer = act("update", "page", {"files": {"content.md": new}})
    assert (answer.code, answer["version"]) == (0, "1.2.0"), answer.shape
    assert (folder / "page.md").read_text("utf-8") == new
    another = act("update", "page", {"files": {"content.md": new.replace("id: page", "id: x")}})
    assert (another.code, another["code"]) == (2, "bad_parameter")


def test_a_script_that_cannot_say_its_version_is_in_a_folder_that_is_only_read(act: Call) -> None:
    answer = act("update", "days_between", {"files": {"days_between.py": "def main(): pass\n"}})
    assert answer.code == 4
    assert answer["code"] in ("version_exists", "read_only_area")
