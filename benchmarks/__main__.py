"""Prints every budget that exists so far and fails if one is exceeded."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import measures, registries, trees
from benchmarks.measures import Result

SIZES = ((100, "100"), (10_000, "10k"), (100_000, "100k"))
_SEARCH_LIMITS = {"100": 5.0, "10k": 5.0, "100k": 15.0}


def _results(folder: Path) -> Iterator[Result]:
    for size, label in SIZES:
        tree, home = folder / f"tree-{label}", folder / f"home-{label}"
        registries.write_tree(tree, size)
        seconds = registries.fill(home, tree)
        if size == SIZES[-1][0]:
            yield Result(f"bulk load, {label} tools", f"{seconds:.1f} s", "≤ 60 s", seconds <= 60)
        yield from measures.command_line(home, label)
        yield from measures.search(home, label, _SEARCH_LIMITS[label])
        yield from measures.screen(home, label)
        yield from measures.keys(home, label)
    yield from trees.unchanged(folder / "home-tree", folder / "project", 10_000, "10k")
    yield from measures.validation(folder / "home-100")


def main() -> int:
    failed = 0
    print(f"{'':2}{'what':<46}{'measured':<34}budget")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder  # with no tree of the person's own in it
        for result in _results(Path(folder)):
            failed += not result.ok
            mark = "✓" if result.ok else "✗"
            print(f"{mark} {result.what:<46}{result.measured:<34}{result.budget}", flush=True)
    print(f"{failed} over budget" if failed else "all within budget")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
