"""The tools that ship with the program, stored on first start and after each upgrade."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import __version__
from workbench.errors import UnavailableError
from workbench.store.tools import ToolStore

if TYPE_CHECKING:
    from workbench.core.dialects import Names
    from workbench.core.reading import Reading

META_KEY = "seeds"
HASHES = "hashes.txt"
"""One content hash a line; `make seeds` writes it, and a test sees that it is true."""
FOLDERS = ("primitives", "runtimes", "servers", "tools", "directives")


def fingerprint(seeds: Path) -> str:
    """Changes whenever the shipped files may have; costs a look at each, not a read."""
    digest = hashlib.sha256(__version__.encode())
    for folder in FOLDERS:
        for place, folders, files in os.walk(seeds / folder):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(files):
                status = os.stat(os.path.join(place, name))  # noqa: PTH116, PTH118 - hot path
                digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def shipped_hashes(seeds: Path) -> frozenset[str]:
    """The content hashes of everything that ships, as the program itself knows them."""
    return frozenset((seeds / HASHES).read_text("ascii").split())


def content_hashes(seeds: Path) -> list[str]:
    """What `hashes.txt` has to hold."""
    from workbench.dialect_names import load_names
    from workbench.intake import hash_of

    return sorted({hash_of(reading) for reading in readings(seeds, load_names(seeds))})


def readings(seeds: Path, names: Names) -> Iterator[Reading]:
    """Everything that ships."""
    from workbench.sources.reader import read_tools

    for folder in FOLDERS:
        for reading in read_tools(seeds / folder, names):
            reading.is_shipped = True
            yield reading


async def seed(store: ToolStore, seeds: Path) -> bool:
    """Stores what ships, unless that was done already. True if it had to be."""
    mark = fingerprint(seeds)
    if await store.meta_get(META_KEY) == mark:
        return False
    from workbench.dialect_names import load_names
    from workbench.intake import Intake, each

    intake = Intake(store, load_names(seeds))
    async for batch in intake.add(each(readings(seeds, intake.names))):
        for taken in batch:
            if not taken.ok:
                reason = taken.problems[0].message if taken.problems else str(taken.refusal)
                raise UnavailableError(
                    f"the shipped tool {taken.name} cannot be stored: {reason}",
                    code="seeds_damaged",
                    suggestion="install Workbench again",
                )
    await store.meta_set(META_KEY, mark)
    return True


if __name__ == "__main__":
    _seeds = Path(__file__).parent / "seeds"
    (_seeds / HASHES).write_text("\n".join(content_hashes(_seeds)) + "\n", "ascii")
