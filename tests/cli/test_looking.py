"""`list`, `show`, `tree`, `help`, `doctor`, and the summary without a terminal."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli, api_text, script_folder
from tests.conftest import RunCli

COMMANDS = (
    "list", "show", "tree", "validate", "new", "add",
    "versions", "diff", "restore", "copy", "delete", "sign", "migrate", "call", "doctor", "help",
)  # fmt: skip


def _many(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.yaml").write_text(api_text(f"page_{number:03}"))
    return folder


def test_list_shows_a_table_with_a_head(run_cli: RunCli) -> None:
    listed = run_cli("list")
    assert listed.code == 0
    head, *rows = listed.out.splitlines()
    assert head.split() == ["tool_id", "type", "version", "signature", "effect", "description"]
    assert [row.split()[0] for row in rows] == sorted(row.split()[0] for row in rows)
    assert any(row.startswith("subprocess ") and " primitive " in row for row in rows)
    assert listed.err == ""


def test_list_pages_lead_through_all_tools_once(cli: Cli, tmp_path: Path) -> None:
    cli("add", _many(tmp_path / "many", 45))
    whole = [
        tool["tool_id"] for tool in json.loads(cli("list", "--json", "--limit", "999").out)["tools"]
    ]
    paged: list[str] = []
    after: list[str] = []
    more = True
    while more:
        page = json.loads(cli("list", "--json", "--limit", "10", *after).out)
        assert page["total"] == len(whole)
        paged += [tool["tool_id"] for tool in page["tools"]]
        more, after = page["more"], ["--after", paged[-1]]
    assert paged == whole


def test_list_says_how_to_see_the_next_page(cli: Cli) -> None:
    listed = cli("list", "--limit", "3")
    last = listed.out.splitlines()[-1].split()[0]
    assert len(listed.out.splitlines()) == 4
    assert f"3 shown; more with --after {last}" in listed.err
    assert "more with" not in cli("list", "--limit", "1000").err


def test_list_filters_by_type_and_category(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(api_text("weather", extra="category: sky\n"))
    (tmp_path / "b.yaml").write_text(api_text("tides", extra="category: sea\n"))
    cli("add", tmp_path / "a.yaml")
    cli("add", tmp_path / "b.yaml")
    by_type = json.loads(cli("list", "--type", "api", "--json").out)
    assert [tool["tool_id"] for tool in by_type["tools"]] == ["tides", "weather"]
    assert by_type["total"] == 2
    by_category = json.loads(cli("list", "--category", "sky", "--json").out)
    assert [tool["tool_id"] for tool in by_category["tools"]] == ["weather"]
    assert by_category["total"] == 1
    neither = json.loads(cli("list", "--category", "sky", "--type", "script", "--json").out)
    assert neither == {"tools": [], "total": 0, "more": False, "amiss": []}


@pytest.mark.parametrize("limit", ["0", "-1", "many", "100001"])
def test_a_limit_out_of_range_is_a_usage_error(cli: Cli, limit: str) -> None:
    assert cli("list", "--limit", limit).code == 2


def test_show_gives_facts_chain_and_parameters(cli: Cli) -> None:
    assert cli("new", "script", "greeter").code == 0
    shown = cli("show", "greeter")
    lines = shown.out.splitlines()
    assert lines[0] == "greeter 0.1.0"
    assert "chain     greeter → python_runtime → subprocess" in lines
    assert "files     main.py" in lines
    assert any(line.split()[:3] == ["*", "text", "string"] for line in lines)
    assert any(line.split()[:3] == ["times", "integer", "1"] for line in lines)


def test_show_json_has_what_the_contract_lists(cli: Cli) -> None:
    cli("new", "script", "greeter")
    shape = json.loads(cli("show", "greeter", "--json").out)
    wanted = {"tool_id", "tool_type", "version", "executor", "config", "parameters", "chain",
              "space", "content_hash", "signature", "effect", "isolation", "shadows"}  # fmt: skip
    assert wanted <= set(shape)
    assert [link["tool_id"] for link in shape["chain"]] == [
        "greeter",
        "python_runtime",
        "subprocess",
    ]
    assert shape["effect"] == "writes"
    assert len(shape["content_hash"]) == 64


@pytest.mark.parametrize(
    "text",
    [
        api_text("original"),
        api_text("original").replace("\n", "\r\n"),
        api_text("original") + "\n\n\n# the end",
        "# ünïcödé ✓\n" + api_text("original") + "description: \u202etrick\n---\n",
    ],
    ids=["plain", "crlf", "no newline at the end", "unicode and a document end"],
)
def test_show_manifest_gives_the_original_bytes_back(
    run_cli: RunCli, tmp_path: Path, text: str
) -> None:
    (tmp_path / "t.yaml").write_bytes(text.encode())
    assert run_cli("add", "t.yaml").code == 0
    assert run_cli("show", "original", "--manifest").out.encode() == text.encode()
    shape = json.loads(run_cli("show", "original", "--manifest", "--json").out)
    assert shape["content"] == text


def test_show_manifest_of_a_python_tool_is_its_file(cli: Cli, tmp_path: Path) -> None:
    text = '"""Says hello."""\n\n\ndef main(name: str) -> str:\n    return name\n\n\n'
    (tmp_path / "hello.py").write_text(text)
    assert cli("add", tmp_path / "hello.py").code == 0
    assert cli("show", "hello", "--manifest").out == text


def test_show_names_the_files_there_are_when_one_is_missing(cli: Cli, tmp_path: Path) -> None:
    folder = script_folder(tmp_path / "t")
    (folder / "logo.bin").write_bytes(b"\x00\x01")
    cli("add", folder)
    missing = cli("show", "greeter", "--file", "nope.py")
    assert missing.code == 2
    assert "its files: logo.bin, main.py" in missing.err
    assert cli("show", "greeter", "--file", "logo.bin").code == 2


def test_show_says_what_was_probably_meant(cli: Cli) -> None:
    missing = cli("show", "python_runtim")
    assert missing.code == 3
    assert "Tool not found: there is no tool python_runtim" in missing.err
    assert "did you mean python_runtime" in missing.err


def test_a_deleted_tool_is_said_to_be_deleted(cli: Cli) -> None:
    cli("new", "script", "greeter")
    cli("delete", "greeter", "--yes")
    for command in ("show", "tree", "validate", "delete"):
        for reference in ("greeter", "greeter@0.1.0", "public/greeter"):
            missing = cli(command, reference)
            assert missing.code == 3
            assert "Tool not found: greeter is deleted" in missing.err
            assert "`workbench restore greeter`" in missing.err


def test_another_space_does_not_have_the_versions_of_this_one(cli: Cli) -> None:
    missing = cli("show", "user/python_runtime@1.0.0")
    assert missing.code == 3
    assert "there is no tool user/python_runtime@1.0.0" in missing.err


def test_a_list_without_rows_says_why(cli: Cli) -> None:
    for arguments in (("--after", "zzz"), ("--category", "nowhere"), ("--type", "thread")):
        listed = cli("list", *arguments)
        assert (listed.code, listed.out) == (0, "")
        assert "nothing fits" in listed.err


def test_tree_goes_from_primitives_to_tools(cli: Cli) -> None:
    drawn = cli("tree").out
    assert "subprocess 1.0.0  primitive" in drawn
    assert "├─ python_runtime 1.0.0  runtime" in drawn
    assert "│  ├─ edit_file 1.0.0  script" in drawn


def test_tree_limits_each_node_and_says_how_many_are_hidden(cli: Cli, tmp_path: Path) -> None:
    cli("add", _many(tmp_path / "many", 30))
    drawn = cli("tree", "http_client", "--limit", "5").out.splitlines()
    assert drawn[-1] == "└─ … 26 more"
    assert len(drawn) == 1 + 5 + 1 + 1  # the root, five children, one grandchild, the rest
    nodes = json.loads(cli("tree", "http_client", "--limit", "5", "--json").out)["tree"]
    assert nodes[0]["tools"] == 31
    assert len(nodes[0]["children"]) == 5


def test_tree_goes_as_deep_as_asked(cli: Cli) -> None:
    def depth(node: dict[str, Any]) -> int:
        return 1 + max((depth(child) for child in node["children"]), default=0)

    for levels in (1, 2, 3):
        nodes = json.loads(cli("tree", "subprocess", "--depth", str(levels), "--json").out)["tree"]
        assert depth(nodes[0]) == levels


def test_tree_of_one_tool_finds_it_among_thousands_that_sort_before_it(
    cli: Cli, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(1_050):
        (folder / f"{number}.yaml").write_text(api_text(f"z{number:04}"))
    (folder / "last.yaml").write_text(api_text("zz"))
    assert cli("add", folder, "--quiet").code == 0
    assert cli("tree", "zz").out == "zz 1.0.0  api\n"


def test_tree_shows_composites_and_knowledge_that_nothing_carries(cli: Cli) -> None:
    cli("new", "knowledge", "facts")
    cli("new", "composite", "steps")
    drawn = cli("tree").out
    assert "(knowledge)  1\n└─ facts" in drawn
    assert "(composite)  1\n└─ steps" in drawn


def test_without_a_terminal_workbench_prints_a_summary(run_cli: RunCli, seeded_home: Path) -> None:
    alone = run_cli()
    assert alone.code == 0
    total = json.loads(run_cli("list", "--json").out)["total"]
    assert f"Workbench has {total} tools in {seeded_home}" in alone.out
    assert "workbench help" in alone.out


def test_help_lists_every_command(run_cli: RunCli) -> None:
    assert set(json.loads(run_cli("help", "--json").out)["commands"]) == set(COMMANDS)
    text = run_cli("help").out
    assert all(f"\n  {name}" in text for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_is_what_its_option_says(cli: Cli, name: str) -> None:
    asked, option = cli("help", name), cli(name, "--help")
    assert asked.code == option.code == 0
    assert asked.out.strip() == option.out.strip()
    assert asked.out.startswith(f"Usage: workbench {name}")
    assert json.loads(cli("help", name, "--json").out)["topic"] == name


def test_help_of_an_unknown_command_lists_those_there_are(cli: Cli) -> None:
    unknown = cli("help", "fly")
    assert unknown.code == 2
    assert "one of list, show" in unknown.err


def test_version_is_one_line(run_cli: RunCli) -> None:
    from workbench import __version__

    assert run_cli("--version").out == f"workbench {__version__}\n"


def test_doctor_looks_at_the_registry_and_the_programs(cli: Cli, seeded_home: Path) -> None:
    report = cli("doctor", "--json")
    findings = {one["name"]: one for one in json.loads(report.out)["findings"]}
    assert report.code == (0 if json.loads(report.out)["ok"] else 1)
    assert findings["registry"]["state"] == "ok"
    assert str(seeded_home) in findings["registry"]["detail"]
    assert {"python", "sqlite", "git", "node", "bubblewrap", "terminal"} <= set(findings)
    assert all(one["advice"] for one in findings.values() if one["state"] != "ok")


def test_doctor_says_what_is_missing_and_what_to_do(run_cli: RunCli, tmp_path: Path) -> None:
    bare = run_cli("doctor", environment={"PATH": str(tmp_path)})
    assert "○ git         not found" in bare.out
    assert "install git" in bare.out
    assert bare.code == 0


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("#!/bin/sh\nexit 3\n", "fails"),
        ("#!/nowhere\n", "cannot be started"),
        ("#!/bin/sh\nprintf 'git \\033]52;c;eA==\\007 9'\n", "git \\x1b]52;c;eA==\\x07 9"),
    ],
    ids=["fails", "cannot start", "speaks to the terminal"],
)
def test_doctor_survives_a_bad_program(
    run_cli: RunCli, tmp_path: Path, script: str, said: str
) -> None:
    (tmp_path / "git").write_text(script)
    (tmp_path / "git").chmod(0o755)
    report = run_cli("doctor", environment={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    [line] = [line for line in report.out.splitlines() if line[2:].startswith("git ")]
    assert said in line
    assert report.code == (0 if line.startswith("✓") else 1)


async def test_doctor_does_not_wait_for_a_program_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench import doctor

    program = tmp_path / "hanging"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setattr(doctor, "PATIENCE", 0.5)
    finding = await doctor._program("git", (str(program),), "why", "advice")
    assert finding.state is doctor.State.BROKEN
    assert "does not answer" in finding.detail
    if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip():
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), 0)


def test_doctor_notices_a_home_that_others_can_read(cli: Cli, seeded_home: Path) -> None:
    seeded_home.chmod(0o755)
    report = cli("doctor")
    assert "can be read by other users" in report.out
    assert f"chmod 700 {seeded_home}" in report.out


def test_tools_whose_executor_is_gone_are_in_the_tree_under_its_name(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "r.yaml").write_text(
        'tool_id: gone_runtime\ntool_type: runtime\nversion: "1.0.0"\nexecutor: subprocess\n'
        "config: {command: 'true', files: none}\n"
    )
    (tmp_path / "s.yaml").write_text(
        'tool_id: left_behind\ntool_type: script\nversion: "1.0.0"\nexecutor: gone_runtime\n'
        "config: {command: 'true'}\n"
    )
    assert cli("add", str(tmp_path)).code == 0
    assert cli("delete", "gone_runtime", "--force", "--yes").code == 0
    said = cli("tree").out
    assert "(missing gone_runtime)" in said
    assert "left_behind" in said
