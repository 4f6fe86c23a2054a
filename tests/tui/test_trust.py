"""Trust, spaces and signing: what the marks say, and that only a clear yes signs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import screen_text, until, until_text
from workbench.core.tool import Trust
from workbench.tui import vocabulary
from workbench.tui.app import WorkbenchApp, make_app
from workbench.tui.screens.signing import RefusalScreen, SignScreen
from workbench.workbench import open_workbench

WIDE = (160, 45)
WORD_COUNT = ".ai/tools/text/word_count"


def row_of(app: WorkbenchApp, tool_id: str, but: str = "") -> str:
    """The line of a tool in the tree."""
    lines = app.library.tool_tree.text.splitlines()
    found = [line for line in lines if f" {tool_id} " in line and not (but and but in line)]
    return found[0] if found else ""


async def show(pilot: Pilot[Any], app: WorkbenchApp, tool_id: str, space: str = "") -> None:
    """The tool under the cursor and in the detail."""
    await until(pilot, lambda: app.workbench is not None)
    assert app.workbench is not None
    space = space or app.workbench.trees[0].space
    place = f"{space}/{tool_id}"
    await until(pilot, lambda: place in in_tree(app), f"a row of {tool_id}")
    app.library.action_reveal(space, tool_id)
    await until(pilot, lambda: shown(app) == tool_id, f"the detail of {tool_id}")


def in_tree(app: WorkbenchApp) -> set[str]:
    return {node.key[-1] for node in app.library.tool_tree.outline.nodes()}


def shown(app: WorkbenchApp) -> str:
    details = app.library.detail.details
    return details.tool.tool_id if details else ""


def trust(app: WorkbenchApp) -> Trust | None:
    details = app.library.detail.details
    return details.tool.trust if details else None


async def sign(home: Path, project: Path, *tools: str) -> None:
    async with open_workbench(home, project=project) as workbench:
        for tool in tools:
            await workbench.sign(tool)


async def test_rows_head_and_chain_say_what_is_signed(team_home: Path, project: Path) -> None:
    await sign(team_home, project, "csv_summary")
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "csv_summary")
        assert row_of(app, "csv_summary").split()[-4:] == ["project", "↓", "◆", "1.0.0"]
        assert row_of(app, "roman").split()[-4:] == ["project", "↑", "◇", "1.0.0"]
        assert row_of(app, "git_log").split()[-3:] == ["↓", "◆", "1.0.0"]
        await until_text(pilot, "◆ signed ", "3 links · ◆ signed")
        await show(pilot, app, "longest_lines")
        await until_text(pilot, "◇ unsigned ", "3 links · ◇ 2 unsigned", "◇ runs perl")


async def test_an_altered_tool_says_what_changed_and_leads_there(
    team_home: Path, project: Path
) -> None:
    await sign(team_home, project, "word_count")
    with (project / WORD_COUNT / "main.py").open("a") as file:
        file.write("# [/] added later\n")
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        await until_text(pilot, "≠ altered ", "altered since it was signed: main.py", "≠ 1 altered")
        marked = ["project", "↑", "≠", "1.0.0+"]
        await until(pilot, lambda: row_of(app, "word_count", "shadowed").split()[-4:] == marked)
        await pilot.press("equals_sign")
        await until_text(
            pilot, "≠ since signing", "+# [/] added later", "◆ 1.0.0 ", "1.0.0+local     on disk"
        )


async def test_a_line_that_proves_nothing_is_told_without_a_difference(
    team_home: Path, project: Path
) -> None:
    manifest = project / ".ai/tools/data/csv_summary/tool.yaml"
    line = f"# kiwi-mcp:validated:2026-01-02T03:04:05Z:{'ab' * 32}\n"
    manifest.write_text(line + manifest.read_text())
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "csv_summary")
        await until_text(pilot, "≠ altered ", "names another content")


async def test_yes_signs_and_the_marks_follow(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await show(pilot, app, "word_count")
        assert trust(app) is Trust.UNSIGNED
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, SignScreen))
        await until_text(pilot, f"{WORD_COUNT}/tool.yaml", "never signed", "y sign it")
        await pilot.press("y")
        await until(pilot, lambda: trust(app) is Trust.SIGNED, "signed")
        await until_text(pilot, "Signed word_count 1.0.0")
        await until(pilot, lambda: "◆" in row_of(app, "word_count", but="shadowed"))
    assert "kiwi-mcp:validated" in (project / WORD_COUNT / "tool.yaml").read_text()


@pytest.mark.parametrize("keys", [("n",), ("escape",), ("enter", "enter", "space", "escape")])
async def test_nothing_but_yes_signs(team_home: Path, project: Path, keys: tuple[str, ...]) -> None:
    before = (project / WORD_COUNT / "tool.yaml").read_bytes()
    app = make_app(team_home, project)
    async with app.run_test(size=(80, 24)) as pilot:
        await show(pilot, app, "word_count")
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, SignScreen))
        for key in keys:
            assert isinstance(app.screen, SignScreen)
            await pilot.press(key)
        await until(pilot, lambda: app.screen is app.library)
        assert app.workbench is not None
        tool = await app.workbench.get("project/word_count")
        assert tool.trust is Trust.UNSIGNED
    assert (project / WORD_COUNT / "tool.yaml").read_bytes() == before


async def test_signing_again_shows_what_changed_since(team_home: Path, project: Path) -> None:
    await sign(team_home, project, "word_count")
    words = project / WORD_COUNT / "words.py"
    words.write_text(words.read_text() + "# [bold] more\n")
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        await pilot.press("S")
        await until_text(pilot, "since it was last signed", "+# [bold] more", "≠ altered")
        await pilot.press("y")
        await until(pilot, lambda: trust(app) is Trust.SIGNED, "signed")


async def test_what_changed_during_the_look_is_not_signed(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, SignScreen))
        with (project / WORD_COUNT / "main.py").open("a") as file:
            file.write("import os\n")
        await pilot.press("y")
        await until_text(pilot, "Not signed", "changed while you looked at it")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.library)
    assert "kiwi-mcp" not in (project / WORD_COUNT / "tool.yaml").read_text()


async def test_a_refusal_lists_the_problems_as_text(
    team_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.core.problems import Problem, Severity
    from workbench.errors import InvalidError
    from workbench.workbench import Workbench

    async def refuse(self: Workbench, reference: str, expected: str) -> None:
        problem = Problem(
            Severity.ERROR, "unknown_key", "[/] \x1b[31mkey", "config", 3, hint="[b]drop it"
        )
        raise InvalidError("[/] is not valid", [problem], suggestion="fix [/] first")

    monkeypatch.setattr(Workbench, "sign", refuse)
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, SignScreen))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, RefusalScreen))
        await until_text(
            pilot, "[/] is not valid", "fix [/] first", "unknown_key", "line 3", "\\x1b[31mkey",
            "[b]drop it",
        )  # fmt: skip


async def test_shadowing_is_said_on_both_sides_and_leads_across(
    team_home: Path, project: Path
) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        await until_text(pilot, "shadows the one in public")
        lines = [line for line in app.library.tool_tree.text.splitlines() if " word_count " in line]
        assert sorted(" shadowed " in line for line in lines) == [False, True]
        page = app.library.query_one("#overview-page")
        row = screen_text(app).splitlines()
        [(y, line)] = [(y, line) for y, line in enumerate(row) if "shadows the one in" in line]
        x = line.index("public", line.index("shadows"))
        await pilot.click(offset=(x, page.region.y))
        await until_text(pilot, "shadowed by the one in project", "public / python_runtime")
        assert y


async def test_the_users_own_tools_say_so(
    team_home: Path, project: Path, own_machine: Path
) -> None:
    tools = own_machine / ".ai" / "tools"
    shutil.copytree(project / WORD_COUNT, tools / "word_count")
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: "user · shadowed" in app.library.tool_tree.text)
        await show(pilot, app, "word_count", "user")
        await until_text(
            pilot, "user space", "shadowed by the one in project", "shadows the one in public"
        )
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until_text(pilot, "in ~/.ai/tools/word_count/tool.yaml")


async def test_narrow_panes_keep_the_marks(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=(100, 30)) as pilot:
        await show(pilot, app, "roman")
        assert row_of(app, "roman").split()[-2:] == ["↑", "◇"]
        rows = [row for row in app.library.tool_tree.text.splitlines() if " word_count" in row]
        assert [" shadowed " in row for row in rows] == [False, True]
        await until_text(pilot, "ƒ roman ◇ ──▶ □ python_runtime ◆ ──▶ ■ subprocess ◆")


async def test_ascii_terminals_get_ascii_marks(
    team_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_ASCII", "1")
    vocabulary.marks.cache_clear()
    vocabulary.is_ascii.cache_clear()
    (project / ".ai/tools/bad.yaml").write_text("tool_id: bad\n")
    app = make_app(team_home, project)
    async with app.run_test(size=(160, 90)) as pilot:
        await show(pilot, app, "roman")
        assert row_of(app, "roman").split()[-3:] == ["w", "-", "1.0.0"]
        await until(pilot, lambda: "x problems" in app.library.tool_tree.text)
        await pilot.press("S")
        await until_text(pilot, "Sign this tool?")
        assert screen_text(app).isascii()
