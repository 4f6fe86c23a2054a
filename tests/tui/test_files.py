"""Files while the app runs: they change, break, vanish and come, and the screen follows."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.tui.conftest import screen_text, until, until_text
from tests.tui.test_trust import row_of, show, shown
from workbench.errors import UnavailableError
from workbench.trees import Report
from workbench.tui.app import make_app
from workbench.workbench import Workbench, open_workbench

WIDE = (160, 45)
WORD_COUNT = ".ai/tools/text/word_count/tool.yaml"
CSV = ".ai/tools/data/csv_summary/tool.yaml"


def rewrite(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


async def test_the_project_is_named_in_the_header(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await until_text(pilot, "Workbench / acme   ")


async def test_without_a_project_the_header_says_so(team_home: Path) -> None:
    app = make_app(team_home)
    async with app.run_test(size=(100, 30)) as pilot:
        await until_text(pilot, "Workbench / no project")


async def test_a_changed_file_is_shown_at_once_and_the_cursor_stays(
    team_home: Path, project: Path
) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "csv_summary")
        await pilot.press("left", "left")  # on python_runtime, folded in
        tree = app.library.tool_tree
        await until(pilot, lambda: tree.node is not None and tree.node.label == "python_runtime")
        app.library.action_reveal(app.workbench.trees[0].space, "perl_runtime")  # type: ignore[union-attr]
        await until(pilot, lambda: shown(app) == "perl_runtime")
        text = tree.text
        perl = project / ".ai/tools/runtimes/perl_runtime.yaml"
        rewrite(perl, "Runs a Perl program.", "Runs [/] anything.")
        rewrite(perl, '"1.0.0"', '"1.1.0"')
        await until_text(pilot, "Runs [/] anything.", "perl_runtime  1.1.0")
        assert tree.node is not None
        assert tree.node.label == "perl_runtime"
        assert tree.text == text  # counts and folds as they were


async def test_a_broken_file_is_a_problem_and_hides_nothing_else(
    team_home: Path, project: Path
) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        tree = app.library.tool_tree
        assert "problems" not in tree.text
        good = (project / CSV).read_text()
        (project / CSV).write_text(good.replace('"1.0.0"', "1.10"))
        await until(pilot, lambda: "✗ problems" in tree.text)
        assert "csv_summary  1." not in tree.text.replace("✗ csv_summary", "")
        assert row_of(app, "roman")
        assert shown(app) == "word_count"
        await pilot.press("G")
        await until_text(
            pilot, ".ai/tools/data/csv_summary", "✗ error", "line 3", "no tool until this is fixed"
        )
        assert "unquoted" in screen_text(app) or "1.10" in screen_text(app)
        (project / CSV).write_text(good)
        await until(pilot, lambda: "problems" not in tree.text and bool(row_of(app, "csv_summary")))
        await until(pilot, lambda: "no tool until" not in screen_text(app))


async def test_a_vanished_and_a_new_file_are_followed(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "csv_summary")
        shutil.rmtree((project / CSV).parent)
        await until(pilot, lambda: not row_of(app, "csv_summary"))
        await until(pilot, lambda: shown(app) == "python_runtime", "the one above in the chain")
        shutil.copyfile(project / ".ai/tools/text/roman.py", project / ".ai/tools/text/greek.py")
        await until(pilot, lambda: bool(row_of(app, "greek")))


async def test_a_warning_of_a_tool_leads_to_it(team_home: Path, project: Path) -> None:
    async with open_workbench(team_home, project=project):
        pass
    rewrite(project / WORD_COUNT, "Count the words", "Tell the words")  # the number stays
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        tree = app.library.tool_tree
        await until(pilot, lambda: "▲ problems" in tree.text)
        await until(pilot, lambda: "1.0.0+" in row_of(app, "word_count", but="shadowed"))
        await pilot.press("G")
        await until_text(pilot, "version_taken", "It is the tool word_count", "▲ warning")
        await pilot.press("enter")
        await until(pilot, lambda: app.library.detail.has_focus_within)


async def test_many_problems_come_in_pages(team_home: Path, project: Path) -> None:
    for number in range(230):
        (project / f".ai/tools/bad_{number:03}.yaml").write_text(f"tool_id: bad_{number}\n")
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        tree = app.library.tool_tree
        await until(pilot, lambda: "▶ ✗ problems" in tree.text)
        assert row_of(app, "roman")
        await pilot.press("G", "right")
        await until(pilot, lambda: "… 30 more" in tree.text)
        await pilot.press("G", "right")
        await until(pilot, lambda: "bad_229.yaml" in tree.text)
        assert " more" not in tree.text


async def test_a_project_without_tools_says_what_to_do(team_home: Path, tmp_path: Path) -> None:
    (tmp_path / "fresh" / ".ai" / "tools").mkdir(parents=True)
    app = make_app(team_home, tmp_path / "fresh")
    async with app.run_test(size=(100, 30)) as pilot:
        await until_text(pilot, "fresh has no tools yet", "workbench new", "python_runtime")
        tool = tmp_path / "fresh/.ai/tools/roman.py"
        tool.write_text('"""Say hello."""\n\n\ndef main():\n    """Say hello."""\n    return 1\n')
        await until(pilot, lambda: bool(row_of(app, "roman")))
        await until(pilot, lambda: "no tools yet" not in screen_text(app))


async def test_the_registry_is_on_the_screen_before_the_files_are_read(
    team_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_sync = asyncio.Event()
    real = Workbench.sync

    async def late(self: Workbench, progress: object = None) -> Report:
        if callable(progress):
            progress(100, 2_500)
            await may_sync.wait()
        return await real(self)

    monkeypatch.setattr(Workbench, "sync", late)
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await until_text(pilot, "python_runtime", "◐ reading 100 of 2,500")
        assert not row_of(app, "roman")
        await pilot.press("j")
        await until(pilot, lambda: shown(app) == "bash_runtime")
        may_sync.set()
        await until(pilot, lambda: bool(row_of(app, "roman")))
        assert "reading" not in screen_text(app)
        assert shown(app) == "bash_runtime"


async def test_a_watch_that_fails_is_told_and_the_app_goes_on(
    team_home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: Workbench, stop: asyncio.Event) -> AsyncIterator[Report]:
        raise UnavailableError("[/] no watches left")
        yield Report()

    monkeypatch.setattr(Workbench, "watch", fail)
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await until_text(pilot, "Files are not followed any more", "[/] no watches left")
        await pilot.press("j")
        await until(pilot, lambda: shown(app) == "bash_runtime")


async def test_quitting_ends_the_watch(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "roman")
        assert [task for task in asyncio.all_tasks() if "_follow" in repr(task)]
        await pilot.press("ctrl+q")
    assert not [task for task in asyncio.all_tasks() if "_follow" in repr(task)]


async def test_the_files_tab_says_where_a_tool_lies(team_home: Path, project: Path) -> None:
    app = make_app(team_home, project)
    async with app.run_test(size=WIDE) as pilot:
        await show(pilot, app, "word_count")
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until_text(pilot, f"in {WORD_COUNT}", "main.py", "entrypoint", "words.py", " B")
        await show(pilot, app, "git_log", "public")
        await until_text(pilot, "Only in the registry")
