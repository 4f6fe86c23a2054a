"""Searching: results as you type, in their chains, and the way back."""

from __future__ import annotations

from itertools import pairwise

from tests.tui.conftest import screen_text, until, until_ready, until_text
from workbench.tui.app import WorkbenchApp
from workbench.tui.searching import excerpt, query_words, spans

WIDE = (160, 45)


async def test_results_keep_their_chain_and_the_best_is_selected(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"git_lo")
        await until_text(pilot, "public / python_runtime / git_log", " of ")
        tree = app.library.tool_tree
        assert tree.node is not None
        assert tree.node.label == "git_log"
        assert "▼ □ python_runtime" in tree.text
        assert "bash_runtime" not in tree.text


async def test_a_match_in_the_description_is_quoted(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"statistics")
        await until_text(pilot, "csv_summary", "statistics")
        assert "“" in app.library.tool_tree.text


async def test_the_cursor_passes_over_quotes(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"file")
        await until_text(pilot, "file_names  1.0.0")
        await pilot.press("down", "g", "g")
        tree = app.library.tool_tree
        seen = []
        for _ in range(60):
            assert tree.node is not None
            seen.append(tree.node.key)
            await pilot.press("j")
        steps = [key for key, after in pairwise(seen) if key != after]
        assert len(steps) == len(set(steps))


async def test_clearing_brings_back_selection_and_folds(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("j", "h")
        before = app.library.tool_tree.text
        await pilot.press("slash", *"weather")
        await until(pilot, lambda: app.library.tool_tree.text != before)
        await pilot.press("escape")
        await until(pilot, lambda: app.library.tool_tree.text == before)
        tree = app.library.tool_tree
        assert tree.node is not None
        assert tree.node.label == "bash_runtime"
        await pilot.press("escape")
        await until(pilot, lambda: tree.has_focus)


async def test_nothing_found_says_so_and_what_helps(app: WorkbenchApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"zqxv")
        await until_text(pilot, "Nothing matches “zqxv”", "0 of ", "esc")


async def test_facets_narrow_to_one_type(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"git")
        await until_text(pilot, "all ", "¶ 2")
        await pilot.press("f3", "f3")
        await until(pilot, lambda: "ƒ git_log" in app.library.tool_tree.text)
        await until(pilot, lambda: "¶" not in app.library.tool_tree.text)
        await until_text(pilot, "¶ 2")


async def test_a_facet_can_be_clicked(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"git")
        await until_text(pilot, "¶ 2")
        row = next(
            line for line in screen_text(app).splitlines() if "¶ 2" in line and "all" in line
        )
        facets = app.library.facets
        await pilot.click(facets, offset=(row.index("¶ 2") - facets.region.x, 0))
        await until(pilot, lambda: "ƒ" not in app.library.tool_tree.text)
        assert "¶ release-notes" in app.library.tool_tree.text


async def test_the_last_of_many_keys_wins(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await pilot.press("slash", *"word_count", *(["backspace"] * 10), *"roman")
        await until_text(pilot, "public / python_runtime / roman")
        assert "word_count" not in app.library.tool_tree.text


async def test_markup_in_a_query_is_only_text(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        app.library.line.set_query("[/zqxv]")
        await until_text(pilot, "[/zqxv]")
        assert app.is_running


def test_words_are_marked_with_their_parts() -> None:
    assert query_words("Git_log file") == ("git_log", "file", "git", "log")
    assert spans("git_log", query_words("log")) == [(4, 7)]
    assert spans("anything", ()) == []


def test_an_excerpt_begins_near_the_match() -> None:
    from workbench.core.tool import Effect, Evidence, ToolRow

    row = ToolRow(
        "public", "x", "script", None, "", "one two three four five needle six seven eight nine",
        "", "1.0.0", Effect.READS, False, False, 0, "", Evidence(""), Effect.READS,
    )  # fmt: skip
    quote = excerpt(row, ("needle",))
    assert "needle" in quote
    assert quote.startswith("“…")
    assert excerpt(row, ("x",)) == ""
