"""The tools that ship with the program, stored on first start and after each upgrade."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import __version__
from workbench.core.tool import ToolFile
from workbench.errors import UnavailableError
from workbench.store.tools import ToolStore

if TYPE_CHECKING:
    from workbench.core.reading import Reading

META_KEY = "seeds"
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


def _bring_library(reading: Reading, library: Path) -> None:
    """Shipped tools carry the modules they share, so that each version is whole by itself."""
    modules = [
        ToolFile(f"{name}.py", (library / f"{name}.py").read_bytes())
        for name in reading.manifest.get("lib_imports", ())
    ]
    reading.files = (*reading.files, *modules)


async def seed(store: ToolStore, seeds: Path) -> bool:
    """Stores what ships, unless that was done already. True if it had to be."""
    mark = fingerprint(seeds)
    if await store.meta_get(META_KEY) == mark:
        return False
    from workbench.dialect_names import load_names
    from workbench.intake import Intake
    from workbench.sources.reader import read_tools

    intake = Intake(store, load_names(seeds))
    readings = []
    for folder in FOLDERS:
        for reading in read_tools(seeds / folder, intake.names):
            reading.is_shipped = True
            _bring_library(reading, seeds / "tools" / "lib")
            readings.append(reading)
    async for batch in intake.add(readings):
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
