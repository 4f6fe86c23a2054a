"""What comes from outside is text: no markup, no control, no crash. Faults are said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.conftest import screen_text, until, until_ready, until_text
from tests.tui.test_library import go_to
from workbench.errors import UnavailableError
from workbench.tui import vocabulary
from workbench.tui.app import WorkbenchApp, make_app
from workbench.tui.memory import Memory
from workbench.tui.messages import RegistryFailed
from workbench.tui.theming import read_themes

WIDE = (160, 45)
UNFIT = ("\x1b", "\x07", "\u202e", "\u202c")


async def test_hostile_texts_are_shown_as_text_in_every_tab(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        await go_to(pilot, app, "hostile")
        await until_text(pilot, "[/bad] [@click=app.quit]press[/]", "\\x1b]52;c;")
        for _ in range(4):
            await pilot.press("right_square_bracket")
            await pilot.pause(0.1)
            assert not any(unfit in screen_text(app) for unfit in UNFIT)
        await pilot.press("ctrl+p", *"hostile")
        await until_text(pilot, "[/bad]")
        assert app.is_running


async def test_hostile_errors_are_shown_as_text(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        error = UnavailableError("[/] the disk \x1b[31mis full", suggestion="[bold]make room")
        app.library.post_message(RegistryFailed(error))
        await until_text(pilot, "[/] the disk \\x1b[31mis full", "[bold]make room")


async def test_a_registry_that_cannot_be_opened_offers_to_try_again(
    tmp_path: Path, registry: Path
) -> None:
    home = tmp_path / "home"
    home.write_text("a file where a folder should be")
    app = make_app(home)
    async with app.run_test(size=WIDE) as pilot:
        await until_text(pilot, "The registry is not open", "r tries again", "Check that")
        home.unlink()
        await pilot.press("r")
        await until_text(pilot, "python_runtime")
        assert "tries again" not in screen_text(app)


async def test_the_registry_is_closed_when_the_app_ends(app: WorkbenchApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await until_ready(pilot)
        workbench = app.workbench
        assert workbench is not None
    with pytest.raises(Exception, match=r"(?i)closed|no active connection"):
        await workbench.counts()


async def test_a_broken_theme_file_is_told_and_left_out(home: Path) -> None:
    folder = home / "themes"
    folder.mkdir()
    (folder / "mine.yaml").write_text("name: mine\nprimary: '#123456'\n")
    (folder / "broken.yaml").write_text("name: broken\nprimary: '[/]'\n")
    app = make_app(home)
    assert "mine" in app.available_themes
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await until_text(pilot, "broken.yaml: primary is not a colour")


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "name: x", "name: [x]\nprimary: red", "\x00", "name: x\nprimary: red\nfoo: 1",
        "name: x\nprimary: red\nvariables: 3", "name: x\nprimary: red\ndark: maybe",
        "name: x\nprimary: red\nvariables: {line: '#zz'}",
    ],
)  # fmt: skip
def test_theme_files_that_are_wrong_are_faults(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.yaml").write_text(text)
    found = read_themes([tmp_path, tmp_path / "missing"])
    assert found.themes == ()
    assert len(found.faults) == 1


def test_the_shipped_themes_can_be_read() -> None:
    from workbench import paths

    found = read_themes([paths.themes()])
    assert found.faults == ()
    assert {theme.name for theme in found.themes} >= {"workbench-dark", "workbench-light"}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"theme": 3}', '{"theme": "gone"}'])
def test_an_unreadable_memory_means_defaults(home: Path, text: str) -> None:
    (home / "tui.json").write_text(text)
    assert make_app(home).theme == "workbench-dark"


def test_memory_keeps_what_it_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "tui.json").write_text('{"later": 1}')
    Memory(tmp_path).remember(theme="x")
    assert Memory(tmp_path).read() == {"later": 1, "theme": "x"}
    assert [path.name for path in tmp_path.iterdir()] == ["tui.json"]


async def test_ascii_terminals_get_ascii(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_ASCII", "1")
    vocabulary.marks.cache_clear()
    vocabulary.is_ascii.cache_clear()
    app = make_app(home)
    async with app.run_test(size=(160, 90)) as pilot:  # tall: Textual draws scrollbars with blocks
        await until_text(pilot, "v # subprocess", "subprocess  1.0.0")
        await until(pilot, lambda: screen_text(app).isascii(), "only ASCII")
        await pilot.press("question_mark")
        await until_text(pilot, "EVERYWHERE")
        assert screen_text(app).isascii()
        await pilot.press("escape", "slash", *"statistics")
        await until_text(pilot, "csv_summary  1.0.0", '"...')
        await until(pilot, lambda: screen_text(app).isascii(), "only ASCII")
        await pilot.press(*"zq")
        await until_text(pilot, 'Nothing matches "statisticszq"')
        assert screen_text(app).isascii()
