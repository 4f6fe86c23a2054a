"""Browsing: the tree, the detail, and how the keys move between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import TabbedContent

from tests.tui.conftest import screen_text, until, until_ready, until_text
from workbench.tui.app import WorkbenchApp, make_app
from workbench.tui.widgets.tool_tree import ToolTree
from workbench.workbench import open_workbench

WIDE = (160, 45)


async def go_to(pilot: Pilot[Any], app: WorkbenchApp, tool_id: str) -> None:
    app.library.action_reveal("public", tool_id)
    await until_text(pilot, f" {tool_id}  1.")


async def test_the_tree_shows_chains_with_counts_effects_and_versions(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        text = app.library.tool_tree.text
        assert "▼ ■ subprocess" in text
        assert "├ ▼ □ python_runtime" in text
        assert "│ ├── ƒ csv_summary" in text
        assert "├── □ deno_runtime" in text  # nothing below it, so no fold mark
        assert "▼ ≡ knowledge" in text
        assert "no executor" in text
        [line] = [line for line in text.splitlines() if " delete_file " in line]
        assert line.split()[-3:] == ["‡", "◆", "1.0.0"]
        [line] = [line for line in text.splitlines() if "▣ workbench_mcp" in line]
        assert line.split()[-1] == "4"


async def test_the_roots_come_in_the_order_of_the_chains(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        roots = [node.label for node in app.library.tool_tree.outline.roots]
        assert roots == ["subprocess", "http_client", "composites", "knowledge"]


async def test_moving_shows_the_tool_under_the_cursor(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("j")
        await until_text(pilot, "bash_runtime  1.0.0", "public / subprocess / bash_runtime")


async def test_keys_fold_and_jump_as_people_expect(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        tree = app.library.tool_tree
        await pilot.press("j", "h")
        assert tree.node is not None
        assert tree.node.label == "bash_runtime"
        assert not tree.node.is_expanded
        await pilot.press("right", "right")
        assert tree.node.label == "disk_report"
        await pilot.press("left")
        assert tree.node.label == "bash_runtime"
        await pilot.press("G")
        assert tree.node.label == "plain_words"
        await pilot.press("g", "g")
        assert tree.node.label == "subprocess"
        await pilot.press("space")
        assert "python_runtime" not in tree.text


async def test_the_overview_says_what_a_tool_takes_and_touches(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await go_to(pilot, app, "hostile")
        await until_text(pilot, "integer 1–5000", "HOSTILE_TOKEN", "CHAIN", "◇ unsigned")
        text = screen_text(app)
        assert "3 · 1 required" in text
        assert "╭" in text
        assert "command_runtime" in text


async def test_a_missing_executor_is_said_in_the_chain(home: Path) -> None:
    async with open_workbench(home) as workbench:
        await workbench.delete("perl_runtime", force=True)
    app = make_app(home)
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"longest_lines")
        await until_text(
            pilot, "broken chains", "executor not found", "names the executor 'perl_runtime'"
        )


async def test_tabs_show_manifest_files_and_versions(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await go_to(pilot, app, "word_count")
        await until_text(pilot, "Files 2", "Versions 1")
        await pilot.press("right_square_bracket")
        await until_text(pilot, "tool_id: word_count")
        await pilot.press("right_square_bracket")
        await until_text(pilot, "main.py", "entrypoint", "def main(path")
        await pilot.press("right_square_bracket")
        await until_text(pilot, "The first version")
        await pilot.press("right_square_bracket")
        assert app.screen.query_one(TabbedContent).active == "overview"


async def test_a_version_shows_what_it_changed(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await go_to(pilot, app, "hostile")
        await pilot.press("left_square_bracket")
        await until_text(pilot, "CHANGES", '−version: "1.0.0"', '+version: "1.1.0"')


async def test_one_pane_opens_and_closes_the_detail(app: WorkbenchApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until_text(pilot, "python_runtime")
        assert "Overview" not in screen_text(app)
        await pilot.press("enter")
        await until_text(pilot, "Overview", "Starts a local program")
        assert "Tools" not in screen_text(app)
        await pilot.press("escape")
        await until_text(pilot, "python_runtime", "opens detail")
        await pilot.press("escape", "escape")
        assert app.is_running


async def test_enter_moves_to_the_detail_and_escape_back(app: WorkbenchApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await until_ready(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: app.library.detail.has_focus_within)
        await pilot.press("escape")
        await until(pilot, lambda: app.library.tool_tree.has_focus)


@pytest.mark.parametrize("size", [(59, 30), (100, 14)])
async def test_too_little_room_is_said(app: WorkbenchApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await until_text(pilot, "needs 60 columns and 15 rows")


async def test_the_footer_drops_whole_keys_and_keeps_help_and_palette(app: WorkbenchApp) -> None:
    async with app.run_test(size=(60, 24)) as pilot:
        await until_text(pilot, "python_runtime")
        footer = screen_text(app).splitlines()[-1]
        assert footer.rstrip().endswith("? help  ^p palette")
        assert "open" in footer
        assert len(footer) <= 60


async def test_copying_puts_the_id_on_the_clipboard(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("j", "y")
        assert app.clipboard == "bash_runtime"


async def test_help_lists_every_binding_that_has_an_id(app: WorkbenchApp) -> None:
    async with app.run_test(size=(160, 60)) as pilot:
        await until_ready(pilot)
        await pilot.press("question_mark")
        await until_text(pilot, "EVERYWHERE", "Search tools by name", "Half a page down")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.library)


async def test_the_palette_goes_to_a_tool(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("ctrl+p", *"word_count")
        await until_text(pilot, "Count the words")
        await pilot.press("enter")
        await until_text(pilot, "public / python_runtime / word_count")


async def test_a_change_from_outside_appears_and_the_cursor_stays(
    app: WorkbenchApp, home: Path
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await go_to(pilot, app, "git_log")
        async with open_workbench(home) as other:
            await other.create("knowledge", "aardvark")
            await other.delete("csv_summary")
        tree = app.screen.query_one(ToolTree)
        await until(pilot, lambda: "aardvark" in tree.text and "csv_summary" not in tree.text)
        assert tree.node is not None
        assert tree.node.label == "git_log"


async def test_a_theme_is_remembered(app: WorkbenchApp, home: Path) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        app.theme = "workbench-light"
        await until(pilot, (home / "tui.json").exists)
    assert make_app(home).theme == "workbench-light"


async def test_any_theme_of_textual_has_what_our_screens_need(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        for name in ("nord", "textual-light", "ansi-dark"):
            if name in app.available_themes:
                app.theme = name
                await pilot.pause()
        assert "python_runtime" in screen_text(app)


async def test_tools_whose_executor_was_deleted_stay_in_the_tree_under_its_name(
    home: Path,
) -> None:
    async with open_workbench(home) as workbench:
        await workbench.delete("perl_runtime", force=True)
    app = make_app(home)
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        lines = app.library.tool_tree.text.splitlines()
        [index] = [i for i, line in enumerate(lines) if "✗ perl_runtime" in line]
        assert "missing" in lines[index]
        assert "longest_lines" in lines[index + 1]
        await pilot.press("G")
        await until_text(pilot, "names the executor", "perl_runtime")
