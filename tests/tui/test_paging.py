"""Long lists: a page at a time, and the rest on request."""

from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import until, until_text
from workbench.tui.app import make_app
from workbench.tui.outline import PAGE, Kind
from workbench.workbench import open_workbench

_TOOL = """\
tool_id: many_{number:04}
tool_type: script
version: "1.0.0"
executor: command_runtime
name: Many
description: One of many.
config: {{command: wc, args: ["-l"]}}
"""
_COUNT = 2 * PAGE + 30


async def test_children_come_in_pages_and_the_cursor_stays(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "many"
    source.mkdir()
    for number in range(_COUNT):
        (source / f"{number}.yaml").write_text(_TOOL.format(number=number))
    async with open_workbench(home) as workbench:
        _ = [batch async for batch in workbench.add(source)]
    app = make_app(home)
    async with app.run_test(size=(160, 45)) as pilot:
        await until_text(pilot, "▶ □ command_runtime")  # too many tools to start folded out
        tree = app.library.tool_tree
        app.library.action_reveal("public", "command_runtime")
        await until(pilot, lambda: tree.node is not None and tree.node.label == "command_runtime")
        await pilot.press("right")
        await until(pilot, lambda: f"… {_COUNT + 1 - PAGE} more" in tree.text)
        lines = tree.outline.lines()
        place = next(index for index, line in enumerate(lines) if line.kind is Kind.MORE)
        tree.action_move(place - tree.cursor)
        await pilot.press("right")
        await until(pilot, lambda: f"… {_COUNT + 1 - 2 * PAGE} more" in tree.text)
        assert tree.cursor == place  # on the first of those that came
        app.library.action_reveal("public", f"many_{_COUNT - 1:04}")
        await until_text(pilot, f"public / command_runtime / many_{_COUNT - 1:04}")
        assert " more" not in tree.text
