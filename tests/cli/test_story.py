"""One tool from its first line to its return from the dead, as a person would live it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.conftest import Cli, script_folder
from tests.conftest import RunCli


def test_the_whole_life_of_a_tool(run_cli: RunCli, tmp_path: Path) -> None:
    made = run_cli("new", "script", "greeter", "--to", ".")
    assert made.code == 0
    assert made.out.splitlines() == ["greeter/main.py", "greeter/tool.yaml"]
    manifest = tmp_path / "greeter" / "tool.yaml"
    original = manifest.read_text()

    assert run_cli("validate", "greeter").code == 0
    added = run_cli("add", "greeter")
    assert (added.code, added.out) == (0, "greeter 0.1.0 created\n")
    assert run_cli("add", "greeter").out == "greeter 0.1.0 unchanged\n"

    changed = original.replace("Greets someone", "Greets anyone")
    manifest.write_text(changed)
    refused = run_cli("add", "greeter")
    assert refused.code == 4
    assert refused.out == ""
    assert "greeter has a version 0.1.0 with other content" in refused.err
    assert "raise the version to 0.1.1" in refused.err
    assert "anyone" not in run_cli("show", "greeter", "--manifest").out

    manifest.write_text(changed.replace('"0.1.0"', '"0.1.1"'))
    assert run_cli("add", "greeter").out == "greeter 0.1.1 new version\n"

    history = json.loads(run_cli("versions", "greeter", "--json").out)
    assert [row["version"] for row in history["versions"]] == ["0.1.1", "0.1.0"]
    assert [row["is_latest"] for row in history["versions"]] == [True, False]

    difference = run_cli("diff", "greeter")
    assert difference.code == 0
    assert 'version: "0.1.0" → "0.1.1"' in difference.out
    assert "-description: Greets someone" in difference.out
    assert "+description: Greets anyone" in difference.out

    restored = run_cli("restore", "greeter@0.1.0", "--yes")
    assert (restored.code, restored.out) == (0, "greeter@0.1.0 is now greeter 0.1.2\n")
    shown = json.loads(run_cli("show", "greeter", "--json").out)
    assert shown["version"] == "0.1.2"
    assert shown["description"].startswith("Greets someone")
    assert shown["versions"] == ["0.1.2", "0.1.1", "0.1.0"]

    assert run_cli("delete", "greeter", "--yes").out == "greeter is deleted\n"
    assert run_cli("show", "greeter").code == 3
    assert json.loads(run_cli("versions", "greeter", "--json").out)["absent"] is True

    assert run_cli("restore", "greeter", "--yes").out == "greeter 0.1.2 is back\n"
    assert json.loads(run_cli("show", "greeter", "--json").out)["version"] == "0.1.2"


def test_restoring_changes_nothing_but_version_and_changelog(cli: Cli, tmp_path: Path) -> None:
    for version, word in (("1.0.0", "one"), ("1.1.0", "two")):
        cli("add", script_folder(tmp_path / "t", version=version, body=f"print({word!r})\n"))
    cli("restore", "greeter@1.0.0", "--yes")
    fields = json.loads(cli("diff", "greeter", "1.0.0", "1.1.1", "--json").out)["fields"]
    assert {field["path"] for field in fields} == {"version", "changelog"}
    assert cli("show", "greeter", "--file", "main.py").out == "print('one')\n"


def test_restoring_the_newest_version_says_which_others_there_are(cli: Cli, tmp_path: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        cli("add", script_folder(tmp_path / "t", version=version))
    for reference in ("greeter", "greeter@1.1.0"):
        refused = cli("restore", reference, "--yes")
        assert refused.code == 2
        assert "greeter 1.1.0 is the latest version already" in refused.err
        assert "`workbench restore greeter@1.0.0`" in refused.err


def test_restoring_the_only_version_proposes_no_other(cli: Cli, tmp_path: Path) -> None:
    cli("add", script_folder(tmp_path / "t"))
    assert "there is no earlier version" in cli("restore", "greeter", "--yes").err


def test_a_deleted_tool_comes_back_by_its_latest_version_too(cli: Cli, tmp_path: Path) -> None:
    cli("add", script_folder(tmp_path / "t"))
    cli("delete", "greeter", "--yes")
    assert cli("restore", "greeter@1.0.0", "--yes").out == "greeter 1.0.0 is back\n"
    assert cli("show", "greeter").code == 0


def test_an_earlier_version_of_a_deleted_tool_comes_back_as_a_new_one(
    cli: Cli, tmp_path: Path
) -> None:
    for version in ("1.0.0", "1.1.0"):
        cli("add", script_folder(tmp_path / "t", version=version))
    cli("delete", "greeter", "--yes")
    restored = cli("restore", "greeter@1.0.0", "--yes")
    assert restored.out == "greeter@1.0.0 is now greeter 1.1.1\n"
    assert json.loads(cli("show", "greeter", "--json").out)["version"] == "1.1.1"


def test_adding_a_deleted_tool_again_brings_it_back(cli: Cli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t")
    cli("add", folder)
    cli("delete", "greeter", "--yes")
    assert cli("add", folder).code == 0
    assert cli("show", "greeter").code == 0


def test_new_refuses_the_id_of_a_deleted_tool_and_says_how_to_get_it_back(
    cli: Cli, tmp_path: Path
) -> None:
    cli("add", script_folder(tmp_path / "t"))
    cli("delete", "greeter", "--yes")
    refused = cli("new", "script", "greeter")
    assert refused.code == 4
    assert "`workbench restore greeter`" in refused.err
    assert cli("show", "greeter").code == 3


def test_versions_are_in_semver_order_and_the_greatest_is_the_latest(
    cli: Cli, tmp_path: Path
) -> None:
    for version in ("1.9.0", "1.10.0", "1.10.0-rc.1", "1.2.0"):
        assert cli("add", script_folder(tmp_path / "t", version=version)).code == 0
    rows = json.loads(cli("versions", "greeter", "--json").out)["versions"]
    assert [row["version"] for row in rows] == ["1.10.0", "1.10.0-rc.1", "1.9.0", "1.2.0"]
    assert json.loads(cli("show", "greeter", "--json").out)["version"] == "1.10.0"


def test_an_old_version_stays_reachable(cli: Cli, tmp_path: Path) -> None:
    for version in ("1.0.0", "2.0.0"):
        cli("add", script_folder(tmp_path / "t", version=version, body=f"print('{version}')\n"))
    assert json.loads(cli("show", "greeter@1.0.0", "--json").out)["version"] == "1.0.0"
    assert cli("show", "public/greeter@1.0.0", "--file", "main.py").out == "print('1.0.0')\n"


def test_diff_names_files_that_came_went_and_changed(cli: Cli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t")
    (folder / "old.txt").write_text("old\n")
    cli("add", folder)
    (folder / "old.txt").unlink()
    (folder / "new.txt").write_text("new\n")
    (folder / "data.bin").write_bytes(b"\x00\xff\x00")
    cli("add", script_folder(folder, version="1.1.0", body="print('changed')\n"))
    difference = cli("diff", "greeter").out
    for line in ("-old", "+new", "+print('changed')", "-print('hello')"):
        assert line in difference.splitlines()
    assert re.search(r"data\.bin: \w+", difference)
    shape = json.loads(cli("diff", "greeter", "--json").out)
    assert shape["tool_id"] == "greeter"
    assert {file["path"] for file in shape["files"]} == {
        "old.txt",
        "new.txt",
        "data.bin",
        "main.py",
    }


def test_diff_of_the_only_version_says_that_it_is(cli: Cli, tmp_path: Path) -> None:
    cli("add", script_folder(tmp_path / "t"))
    only = cli("diff", "greeter")
    assert (only.code, only.out) == (0, "")
    assert "there is only one version" in only.err


def test_diff_of_an_unknown_version_names_those_there_are(cli: Cli, tmp_path: Path) -> None:
    cli("add", script_folder(tmp_path / "t"))
    for arguments in (("diff", "greeter", "9.9.9"), ("diff", "greeter@9.9.9")):
        missing = cli(*arguments, "--json")
        assert missing.code == 3
        error = json.loads(missing.out)
        assert error["message"] == "greeter has no version 9.9.9"
        assert error["tool_id"] == "greeter"
        assert "1.0.0" in error["suggestion"]
