"""What `load` reads, and where it copies to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.conftest import Call


@pytest.mark.parametrize(
    ("tool_id", "file"),
    [
        ("line_count", "tools/text/line_count.yaml"),
        ("title_case", "tools/text/title_case.py"),
        ("days_between", "scripts/dates/days_between.py"),
        ("plain_words", "knowledge/writing/plain_words.md"),
        ("review_text", "directives/writing/review_text.md"),
        ("release-notes", "skills/release-notes/SKILL.md"),
        ("csv_summary", "tools/data/csv_summary/tool.yaml"),
    ],
)
def test_the_content_is_the_file_with_the_manifest(
    call: Call, project: Path, tool_id: str, file: str
) -> None:
    answer = call("load", item_id=tool_id, source="project")
    assert answer["path"] == str(project / ".ai" / file)
    assert answer["content"].encode() == (project / ".ai" / file).read_bytes()


def test_a_signed_file_is_loaded_with_its_signature(call: Call, act: Call) -> None:
    signature = act("sign", "word_count")["signature"]
    loaded = call("load", item_id="word_count", source="project")
    assert loaded["content"].splitlines()[0] == f"# {signature}"


def test_a_tool_of_the_registry_has_content_and_no_path(call: Call) -> None:
    answer = call("load", item_id="read_file", source="public")
    assert answer["path"] == ""
    assert answer["content"].startswith("tool_id: read_file")


def test_a_version_that_is_no_longer_on_disk_is_the_one_that_was_stored(
    call: Call, project: Path
) -> None:
    own = project / ".ai/tools/text/line_count.yaml"
    before = own.read_text("utf-8")
    assert call("load", item_id="line_count", source="project").code == 0
    own.write_text(before.replace("1.0.0", "1.1.0"), "utf-8")
    old = call("load", item_id="line_count@1.0.0", source="project")
    assert (old["path"], old["content"]) == ("", before)
    new = call("load", item_id="line_count@1.1.0", source="project")
    assert (new["path"], new["content"]) == (str(own), own.read_text("utf-8"))


def test_a_space_may_be_named_twice_but_not_differently(call: Call) -> None:
    assert call("load", item_id="project/word_count", source="project").code == 0
    answer = call("load", item_id="user/word_count", source="project")
    assert (answer.code, answer["code"]) == (2, "bad_parameter")


def test_a_tool_of_another_space_is_not_found_but_pointed_at(call: Call) -> None:
    answer = call("load", item_id="word_count", source="user")
    assert answer.code == 3
    assert answer["suggestion"] == 'it is in the project space: "source": "project"'


def test_a_version_that_was_never_there(call: Call) -> None:
    answer = call("load", item_id="word_count@9.0.0", source="project")
    assert (answer.code, answer["suggestion"]) == (3, "it has 1.0.0")


def test_an_alias_loads_its_own_type_and_says_what_another_is(call: Call) -> None:
    assert call("load", item_type="script", item_id="word_count", source="project").code == 0
    answer = call("load", item_type="directive", item_id="word_count", source="project")
    assert (answer.code, answer["error"], answer["item_type"]) == (
        3,
        "Tool not found",
        "directive",
    )
    assert "of the type script" in answer["message"]
    assert answer["suggestion"] == 'ask for it with "item_type": "tool" or "script"'


def test_the_same_destination_is_no_copy(call: Call) -> None:
    answer = call("load", item_id="word_count", source="project", destination="project")
    assert "destination" not in answer.shape
    assert "message" not in answer.shape


def test_a_copy_has_all_files_and_lives_in_its_own_space(
    call: Call, project: Path, own_machine: Path
) -> None:
    call("load", item_id="word_count", source="project", destination="user")
    for name in ("tool.yaml", "main.py", "words.py"):
        copied = own_machine / ".ai/tools/text/word_count" / name
        assert copied.read_bytes() == (project / ".ai/tools/text/word_count" / name).read_bytes()
    assert call("load", item_id="word_count", source="user").code == 0
    again = call("load", item_id="word_count", source="project", destination="user")
    assert again.code == 0
    assert again["message"] == "Tool is in user already, the same as in project"


def test_a_copy_to_the_registry_has_no_path(call: Call) -> None:
    answer = call("load", item_id="line_count", source="project", destination="public")
    assert (answer["path"], answer["destination"]) == ("", "public")
    assert call("load", item_id="line_count", source="public")["content"] == answer["content"]


def test_a_copy_from_the_registry_into_the_project_is_a_file(call: Call, project: Path) -> None:
    answer = call("load", item_id="read_file", source="public", destination="project")
    assert answer["message"] == "Tool copied from public to project"
    assert Path(answer["path"]).is_relative_to(project / ".ai")
    assert Path(answer["path"]).read_text("utf-8") == answer["content"]


def test_a_copy_does_not_replace_another_tool(call: Call, act: Call) -> None:
    call("load", item_id="line_count", source="project", destination="user")
    act("update", "line_count", {"location": "project", "description": "Other."})
    answer = call("load", item_id="line_count", source="project", destination="user")
    assert (answer.code, answer["code"]) == (4, "tool_exists")


def test_an_altered_tool_is_not_copied(call: Call, act: Call, project: Path) -> None:
    act("sign", "word_count")
    own = project / ".ai/tools/text/word_count/words.py"
    own.write_bytes(own.read_bytes() + b"#")
    answer = call("load", item_id="word_count", source="project", destination="user")
    assert (answer.code, answer["error"]) == (4, "Content hash mismatch")


def test_there_is_no_project_space_without_a_project(call: Call, plain_folder: Path) -> None:
    here = {"project_path": str(plain_folder), "item_id": "read_file"}
    assert call("load", source="project", **here).code == 3
    answer = call("load", source="public", destination="project", **here)
    assert (answer.code, answer["code"]) == (3, "no_such_space")
    assert ".ai" in answer["suggestion"] and "--" not in answer["suggestion"]
