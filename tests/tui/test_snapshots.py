"""Pictures of the screens, each with a word on what must be in it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import until, until_text
from tests.tui.test_trust import row_of, show
from workbench.tui.app import WorkbenchApp, make_app
from workbench.workbench import open_workbench

Compare = Callable[..., bool]
Before = Callable[[Pilot[Any]], Awaitable[None]]
SIZES = [(80, 24), (100, 30), (160, 45)]
THEMES = ["workbench-dark", "workbench-light"]


def prepared(
    theme: str = "", *, find: str = "", keys: tuple[str, ...] = (), texts: tuple[str, ...] = ()
) -> Before:
    """Waits for the tree, searches for one tool, presses keys, and waits for what they bring."""

    async def before(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, WorkbenchApp)
        app.animation_level = "none"
        if theme:
            app.theme = theme
        await until_text(pilot, "python_runtime")
        library = app.library
        library.line.input.cursor_blink = False
        await until(pilot, lambda: library.detail.details is not None)
        if find:
            await pilot.press("slash", *find)
            await until(pilot, lambda: shown_tool(app) == find)
        await pilot.press(*keys)
        await until_text(pilot, *texts)
        await pilot.pause(0.1)

    return before


def shown_tool(app: WorkbenchApp) -> str:
    details = app.library.detail.details
    return details.tool.tool_id if details else ""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_library(snap_compare: Compare, home: Path, size: tuple[int, int], theme: str) -> None:
    texts = ("subprocess  1.0.0",) if size[0] >= 100 else ()
    before = prepared(theme, texts=texts)
    assert snap_compare(make_app(home), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES)
def test_search(snap_compare: Compare, home: Path, size: tuple[int, int]) -> None:
    texts: tuple[str, ...] = ("csv_summary", " of ")
    if size[0] >= 100:
        texts += ("csv_summary  1.0.0", "array of string")
    before = prepared(find="csv_summary", texts=texts)
    assert snap_compare(make_app(home), terminal_size=size, run_before=before)


def test_results_in_focus(snap_compare: Compare, home: Path) -> None:
    keys = ("slash", *"statistics", "down")
    before = prepared(keys=keys, texts=("csv_summary  1.0.0", "CHAIN", "“"))
    assert snap_compare(make_app(home), terminal_size=(160, 45), run_before=before)


def test_no_match(snap_compare: Compare, home: Path) -> None:
    before = prepared(keys=("slash", *"zqxv"), texts=("Nothing matches", "nothing is selected"))
    assert snap_compare(make_app(home), terminal_size=(100, 30), run_before=before)


def test_one_pane_detail(snap_compare: Compare, home: Path) -> None:
    keys = ("down", "enter")
    before = prepared(
        find="word_count", keys=keys, texts=("word_count  1.0.0", "PARAMETERS", "esc back")
    )
    assert snap_compare(make_app(home), terminal_size=(80, 24), run_before=before)


def test_manifest(snap_compare: Compare, home: Path) -> None:
    keys = ("down", "right_square_bracket")
    before = prepared(find="word_count", keys=keys, texts=("tool_id: word_count",))
    assert snap_compare(make_app(home), terminal_size=(160, 45), run_before=before)


def test_files(snap_compare: Compare, home: Path) -> None:
    keys = ("down", "right_square_bracket", "right_square_bracket")
    before = prepared(find="word_count", keys=keys, texts=("entrypoint", "def main(path"))
    assert snap_compare(make_app(home), terminal_size=(160, 45), run_before=before)


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
def test_help(snap_compare: Compare, home: Path, size: tuple[int, int]) -> None:
    before = prepared(keys=("question_mark",), texts=("EVERYWHERE", "Leave Workbench"))
    assert snap_compare(make_app(home), terminal_size=size, run_before=before)


def test_hostile_text(snap_compare: Compare, home: Path) -> None:
    before = prepared(find="hostile", texts=("hostile  1.1.0", "[/bad]"))
    assert snap_compare(make_app(home), terminal_size=(160, 45), run_before=before)


@pytest.fixture
def altered(team_home: Path, project: Path) -> Path:
    """A project with a signed tool, an altered one, a shadowing one and a broken file."""

    async def sign() -> None:
        async with open_workbench(team_home, project=project) as workbench:
            await workbench.sign("csv_summary")
            await workbench.sign("word_count")

    asyncio.run(sign())
    words = project / ".ai/tools/text/word_count/words.py"
    words.write_text(words.read_text().replace("text.lower()", "text.casefold()"))
    (project / ".ai/tools/bad.yaml").write_text('tool_id: bad\nversion: 1.10\n"[/]": 3\n')
    return project


def in_project(*texts: str, keys: tuple[str, ...] = (), tool_id: str = "word_count") -> Before:
    """Waits for the project's tools, goes to one of them, presses keys."""

    async def before(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, WorkbenchApp)
        app.animation_level = "none"
        await until(pilot, lambda: app.library.is_mounted and app.workbench is not None)
        await until(pilot, lambda: "problems" in app.library.tool_tree.text)
        app.library.line.input.cursor_blink = False
        await show(pilot, app, tool_id)
        if pilot.app.size.width >= 100:
            await until_text(pilot, "≠ altered ")
        await until(pilot, lambda: "≠" in row_of(app, tool_id, but="shadowed"))
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)
        await until_text(pilot, *texts)
        await pilot.pause(0.1)

    return before


@pytest.mark.parametrize("size", SIZES)
def test_project(
    snap_compare: Compare, team_home: Path, altered: Path, size: tuple[int, int]
) -> None:
    app = make_app(team_home, altered)
    assert snap_compare(app, terminal_size=size, run_before=in_project("acme"))


@pytest.mark.parametrize("size", SIZES)
def test_sign(snap_compare: Compare, team_home: Path, altered: Path, size: tuple[int, int]) -> None:
    before = in_project("Sign this tool?", "y sign it", keys=("S",))
    assert snap_compare(make_app(team_home, altered), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES)
def test_problem(
    snap_compare: Compare, team_home: Path, altered: Path, size: tuple[int, int]
) -> None:
    keys = ("G", "k", "enter")
    before = in_project("It is no tool until this is fixed", keys=keys)
    assert snap_compare(make_app(team_home, altered), terminal_size=size, run_before=before)


def test_project_files(snap_compare: Compare, team_home: Path, altered: Path) -> None:
    keys = ("right_square_bracket", "right_square_bracket")
    before = in_project("in .ai/tools/text/word_count/tool.yaml", "entrypoint", keys=keys)
    assert snap_compare(make_app(team_home, altered), terminal_size=(160, 45), run_before=before)


def test_bare_project(snap_compare: Compare, team_home: Path, tmp_path: Path) -> None:
    (tmp_path / "fresh" / ".ai" / "tools").mkdir(parents=True)
    before = prepared(texts=("fresh has no tools yet",))
    app = make_app(team_home, tmp_path / "fresh")
    assert snap_compare(app, terminal_size=(100, 30), run_before=before)
