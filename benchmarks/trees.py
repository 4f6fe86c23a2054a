"""File trees of known sizes, and what it costs to see that nothing in them changed."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from pathlib import Path

from benchmarks import registries
from benchmarks.measures import Result, ratio
from workbench.sources import scan
from workbench.workbench import open_workbench

_RUNS = 11
_SCRIPT = """\
tool_id: script_{number:06d}
tool_type: script
version: "1.0.0"
executor: python_runtime
description: "Prints the number {number}"
config: {{entrypoint: main.py}}
"""


def write_project(project: Path, count: int) -> None:
    """`count` tools: every other a folder with two files, the rest one file each."""
    for number in range(count):
        shelf = project / ".ai" / "tools" / f"{number // 200:03d}"
        if number % 2:
            shelf.mkdir(parents=True, exist_ok=True)
            (shelf / f"t{number:06d}.yaml").write_text(registries.manifest(number), "utf-8")
            continue
        folder = shelf / f"s{number:06d}"
        folder.mkdir(parents=True)
        (folder / "tool.yaml").write_text(_SCRIPT.format(number=number), "utf-8")
        (folder / "main.py").write_text(f"print({number})\n", "utf-8")


def unchanged(home: Path, project: Path, count: int, label: str) -> list[Result]:
    """A sync that finds nothing to do, against looking at every file of the same tree."""
    write_project(project, count)

    async def measure() -> tuple[float, float, float]:
        started = time.perf_counter()
        async with open_workbench(home, project=project) as workbench:
            first = time.perf_counter() - started
            await asyncio.sleep(scan._FRESH_NS / 1e9 + 0.1)  # what is new is read again
            await workbench.sync()
            floors, syncs = [], []
            for _ in range(_RUNS):
                floors.append(_look_at_every_file(project))
                started = time.perf_counter()
                report = await workbench.sync()
                syncs.append(time.perf_counter() - started)
                assert report.is_quiet, report
        return first, statistics.median(floors), statistics.median(syncs)

    first, floor, sync = asyncio.run(measure())
    return [
        Result(f"first sync of a tree, {label} tools", f"{first:.1f} s", "≤ 20 s", first <= 20),
        ratio(f"sync of an unchanged tree, {label} tools", sync, floor, 2),
    ]


def _look_at_every_file(project: Path) -> float:
    started = time.perf_counter()
    for folder, _, names in os.walk(project):
        for name in names:
            os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - it is a floor
    return time.perf_counter() - started
