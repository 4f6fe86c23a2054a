"""Noticing changes: one burst is one, a tree may come and go, and what is no tool is nothing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from workbench.sources import watcher
from workbench.sources.watcher import bursts
from workbench.sources.writing import write_file

PATIENCE = 30
"""Seconds after which a test that hangs is ended; nothing depends on it."""


class Watch:
    """Counts bursts while it runs."""

    def __init__(self) -> None:
        self.count = 0
        self.stop = asyncio.Event()
        self._more = asyncio.Condition()

    async def run(self, roots: list[Path]) -> None:
        async for _ in bursts(roots, self.stop):
            async with self._more:
                self.count += 1
                self._more.notify_all()

    async def reach(self, count: int) -> None:
        async with self._more:
            await asyncio.wait_for(self._more.wait_for(lambda: self.count >= count), PATIENCE)

    async def after(self, change: Callable[..., object], *arguments: Any, **named: Any) -> None:
        """Makes a change, and waits for a burst after it."""
        seen = self.count
        change(*arguments, **named)
        await self.reach(seen + 1)


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "_LOOK_MS", 100)


@asynccontextmanager
async def _watching(*roots: Path) -> AsyncIterator[Watch]:
    watch = Watch()
    task = asyncio.create_task(watch.run(list(roots)))
    try:
        yield watch
    finally:
        watch.stop.set()
        await asyncio.wait_for(task, PATIENCE)


def _root(tmp_path: Path) -> Path:
    root = tmp_path / "p" / ".ai"
    (root / "tools").mkdir(parents=True)
    return root


async def test_a_thousand_changes_at_once_are_one_burst(tmp_path: Path) -> None:
    root = _root(tmp_path)
    async with _watching(root) as watch:
        await watch.reach(1)  # it looked once, and is on the watch
        await asyncio.to_thread(_write_many, root, 1_000)
        await watch.reach(2)
        seen = watch.count
        (root / "tools" / "last.yaml").touch()
        await watch.reach(seen + 1)
    assert watch.count < 20  # one, unless the machine paused between two files


def _write_many(root: Path, count: int) -> None:
    for number in range(count):
        (root / "tools" / f"t{number}.yaml").write_text("x")


async def test_a_tree_that_comes_goes_and_comes_back_is_followed(tmp_path: Path) -> None:
    root = tmp_path / "p" / ".ai"
    other = _root(tmp_path / "other")
    async with _watching(root, other) as watch:
        for _ in range(3):
            await watch.after((root / "tools").mkdir, parents=True)
            for name in ("a", "b", "c"):
                await watch.after((root / "tools" / f"{name}.yaml").touch)
            await watch.after(shutil.rmtree, root)


async def test_a_tree_that_is_exchanged_for_another_in_a_moment_is_followed(
    tmp_path: Path,
) -> None:
    root = _root(tmp_path)

    def exchange() -> None:
        shutil.rmtree(root)
        (root / "tools").mkdir(parents=True)

    async with _watching(root) as watch:
        await watch.reach(1)
        for _ in range(2):
            await watch.after(exchange)
            for name in ("a", "b", "c"):
                await watch.after((root / "tools" / f"{name}.yaml").touch)


async def test_what_no_scan_looks_at_causes_nothing(tmp_path: Path) -> None:
    root = _root(tmp_path / ".hidden")  # a hidden folder above does not hide the tree
    for name in ("outputs", "tools/__pycache__", "tools/.git", "tools/t/node_modules"):
        (root / name).mkdir(parents=True)
    async with _watching(root) as watch:
        await watch.reach(1)
        for number in range(50):
            (root / "outputs" / f"{number}.json").write_text("x")
            (root / "tools" / "__pycache__" / f"{number}.pyc").write_text("x")
            (root / "tools" / ".git" / f"{number}").write_text("x")
            (root / "tools" / f".t.yaml.{number:08x}").write_text("x")
            (root / "tools" / "t" / "node_modules" / f"{number}").write_text("x")
            await asyncio.sleep(0)
        write_file(root, "tools/t.yaml", b"x")
        await watch.reach(2)
        await asyncio.sleep(0.3)  # time in which more than one burst could show
    assert watch.count == 2


def test_only_what_lies_below_a_tree_decides_whether_it_matters() -> None:
    tops = {"/home/.dots/ai", "/home/p/.ai", "/home/p/.ai/tools/x/.ai"}
    for path in ("/home/.dots/ai/tools/a.yaml", "/home/p/.ai", "/home/p/.ai/tools/x/.ai/a.py"):
        assert watcher._matters(path, tops)
    for path in ("/home/p/.ai/.a.yaml.0f", "/home/.dots/ai/outputs/x", "/home/p/.ai/x/y.pyc"):
        assert not watcher._matters(path, tops)


@pytest.mark.parametrize("is_there", [True, False])
async def test_stopping_needs_no_change(is_there: bool, tmp_path: Path) -> None:
    root = _root(tmp_path) if is_there else tmp_path / "nowhere"
    async with _watching(root) as watch:
        await asyncio.sleep(0.01 if is_there else 0)
    assert watch.stop.is_set()


async def test_where_nothing_can_be_watched_it_looks_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr("watchfiles.awatch", refuse)
    async with _watching(_root(tmp_path)) as watch:
        await watch.reach(3)
