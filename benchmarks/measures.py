"""Each budget as a function that measures it. Floors are measured in the same run."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import registries
from benchmarks.terminal import Terminal
from workbench.workbench import open_workbench

SIZE = (160, 45)
_FLOOR = "import aiosqlite, apsw, click, pydantic, yaml"
_EMPTY_APP = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("subprocess")
Empty().run()
"""


@dataclass(frozen=True, slots=True)
class Result:
    what: str
    measured: str
    budget: str
    ok: bool


def ratio(what: str, measured: float, floor: float, limit: float) -> Result:
    found = measured / floor
    text = f"{measured * 1000:.0f} ms = {found:.2f} × {floor * 1000:.0f} ms"
    return Result(what, text, f"≤ {limit:g} ×", found <= limit)


def milliseconds(what: str, seconds: float, limit: float) -> Result:
    return Result(what, f"{seconds * 1000:.1f} ms", f"≤ {limit:g} ms", seconds * 1000 <= limit)


def timed(command: Sequence[str], home: Path) -> float:
    started = time.perf_counter()
    subprocess.run(
        command,
        env=registries.environment(home),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - started


def alternating(runs: int, *functions: Callable[[], float]) -> list[float]:
    """The median of each, measured in turns so that a slow moment hits all alike."""
    samples: list[list[float]] = [[] for _ in functions]
    for _ in range(runs):
        for values, function in zip(samples, functions, strict=True):
            values.append(function())
    return [statistics.median(values) for values in samples]


def percentile(values: Sequence[float], part: float) -> float:
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def command_line(home: Path, label: str) -> list[Result]:
    python = [sys.executable]
    workbench = [*python, "-m", "workbench"]
    floor, listed, tree = alternating(
        11,
        lambda: timed([*python, "-c", _FLOOR], home),
        lambda: timed([*workbench, "list", "--limit", "50"], home),
        lambda: timed([*workbench, "tree"], home),
    )
    return [
        ratio(f"workbench list, cold, {label} tools", listed, floor, 2),
        ratio(f"workbench tree, cold, {label} tools", tree, floor, 2),
    ]


def search(home: Path, label: str, limit: float) -> list[Result]:
    """Every prefix of what a person types, as they type it."""
    queries = ["invoice export", "find the weather", "ledger_balance", "user token session", "zzz"]
    prefixes = [query[:end] for query in queries for end in range(1, len(query) + 1)]

    async def measure() -> list[float]:
        async with open_workbench(home) as workbench:
            await workbench.search("warm")
            samples = []
            for prefix in prefixes * 3:
                started = time.perf_counter()
                await workbench.search(prefix)
                samples.append(time.perf_counter() - started)
            return samples

    samples = asyncio.run(measure())
    return [milliseconds(f"search per key, p95, {label} tools", percentile(samples, 0.95), limit)]


def validation(home: Path) -> list[Result]:
    from workbench.core import dialects

    text = registries.large_manifest()
    data = text.encode()

    async def measure() -> float:
        async with open_workbench(home) as workbench:
            samples = []
            for _ in range(50):
                started = time.perf_counter()
                reading = dialects.read("tool.yaml", data, (), {})
                problems = await workbench.check(reading)
                samples.append(time.perf_counter() - started)
                assert not problems, problems[0]
            return statistics.median(samples)

    lines = text.count("\n")
    return [milliseconds(f"validate {lines} lines, with positions", asyncio.run(measure()), 8)]


def screen(home: Path, label: str) -> list[Result]:
    """First paint and readiness in a real pty, against an empty Textual app."""
    environment = registries.environment(home)

    def empty() -> float:
        terminal = Terminal([sys.executable, "-c", _EMPTY_APP], environment, SIZE)
        try:
            return terminal.wait_for(b"subprocess")
        finally:
            terminal.close()

    def ours(text: bytes) -> float:
        terminal = Terminal([sys.executable, "-m", "workbench"], environment, SIZE)
        try:
            return terminal.wait_for(text)
        finally:
            terminal.close()

    floor, paint, ready = alternating(
        7, empty, lambda: ours(b"Workbench"), lambda: ours(b"subprocess")
    )
    return [
        ratio(f"TUI, first paint, {label} tools", paint, floor, 2),
        ratio(f"TUI, ready, {label} tools", ready, floor, 3),
    ]


def keys(home: Path, label: str) -> list[Result]:
    """The cursor through a node with very many children."""
    terminal = Terminal([sys.executable, "-m", "workbench"], registries.environment(home), SIZE)
    try:
        terminal.wait_for(b"subprocess")
        terminal.settle(0.5)
        memory = terminal.memory() / 1024 / 1024
        for _ in range(40):
            terminal.press(b"j")
        samples = [terminal.press(b"j") for _ in range(100)]
        samples += [terminal.press(b"k") for _ in range(100)]
    finally:
        terminal.close()
    frame = percentile([first for first, _ in samples], 0.95)
    settled = percentile([last for _, last in samples], 0.95)
    return [
        milliseconds(f"cursor key to repaint, p95, {label} tools", frame, 30),
        milliseconds(f"cursor key to detail shown, p95, {label} tools", settled, 250),
        Result(f"TUI memory, idle, {label} tools", f"{memory:.0f} MB", "≤ 90 MB", memory <= 90),
    ]
