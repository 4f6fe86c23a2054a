"""A real registry, seeded once and copied for each test, and ways to look at the screen."""

from __future__ import annotations

import asyncio
import html
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from workbench.tui import vocabulary
from workbench.tui.app import WorkbenchApp, make_app
from workbench.workbench import open_workbench

_PATIENCE = 20.0
_CELL_WIDTH = 12.2
_CELLS = re.compile(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>')
SAMPLES = Path(__file__).parent / "acme" / ".ai"
"""A small project of our own, so that pictures change only when the screens do."""
_HOSTILE = """\
tool_id: hostile
tool_type: script
version: "1.0.0"
executor: command_runtime
name: "[/] [@click=app.quit]x[/]"
description: "[/bad] [@click=app.quit]press[/] \\e]52;c;aGVsbG8=\\a \\u202Edesrever\\u202C"
category: "[/]"
config: {command: wc, args: ["{path}"]}
parameters:
  - {name: path, type: string, required: true, description: "[/] \\e[31mred"}
  - {name: lines, type: integer, minimum: 1, maximum: 5000, default: 7}
  - {name: mode, type: string, enum: ["[/]", plain], default: plain}
effects: {reads: ["[/]**"]}
requires: {commands: [wc], environment: [HOSTILE_TOKEN]}
changelog: "[/] \\e]0;title\\a"
"""


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped tools, the samples, and one tool whose texts try everything."""
    home = tmp_path_factory.mktemp("registry")
    source = tmp_path_factory.mktemp("source")

    async def fill() -> None:
        async with open_workbench(home, sync=False) as workbench:
            for text in (_HOSTILE, _HOSTILE.replace('"1.0.0"', '"1.1.0"').replace("7}", "8}")):
                (source / "hostile.yaml").write_text(text, encoding="utf-8")
                _ = [batch async for batch in workbench.add(source)]
            _ = [batch async for batch in workbench.add(SAMPLES)]

    asyncio.run(fill())
    return home


@pytest.fixture
def home(registry: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(registry, tmp_path / "home"))


@pytest.fixture(scope="session")
def team_registry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped tools, and one of the samples in the public space."""
    home = tmp_path_factory.mktemp("team")

    async def fill() -> None:
        async with open_workbench(home, sync=False) as workbench:
            _ = [batch async for batch in workbench.add(SAMPLES / "tools/text/word_count")]

    asyncio.run(fill())
    return home


@pytest.fixture
def team_home(team_registry: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(team_registry, tmp_path / "team-home"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project folder of this test, with the samples in its tree."""
    folder = tmp_path / "acme"
    shutil.copytree(SAMPLES, folder / ".ai")
    return folder


@pytest.fixture(autouse=True)
def plain_terminal(own_machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same marks whatever the developer's terminal is, and no project around us."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_ASCII", "0")
    vocabulary.marks.cache_clear()
    vocabulary.is_ascii.cache_clear()


@pytest.fixture
def app(home: Path) -> WorkbenchApp:
    return make_app(home)


def screen_text(app: App[Any]) -> str:
    """What a person reads, from the picture of the screen."""
    picture = app.export_screenshot(simplify=True)
    rows: dict[float, str] = {}
    for x, y, text in _CELLS.findall(picture):
        start = round(float(x) / _CELL_WIDTH)
        rows[float(y)] = rows.get(float(y), "").ljust(start) + html.unescape(text)
    return "\n".join(rows[y] for y in sorted(rows)).replace("\xa0", " ")


async def until(pilot: Pilot[Any], condition: Callable[[], bool], what: str = "") -> None:
    """Lets the app run until the condition holds."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if condition():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"{what or 'the condition'} never came true:\n{screen_text(pilot.app)}")


async def until_text(pilot: Pilot[Any], *texts: str) -> None:
    for text in texts:
        await until(pilot, lambda text=text: text in screen_text(pilot.app), repr(text))  # type: ignore[misc]


async def until_ready(pilot: Pilot[Any]) -> None:
    """The tree is there, and the detail of the tool under the cursor."""
    await until_text(pilot, "subprocess  1.0.0")
