"""`tools/lib`: modules that the tools of a tree share.

A tool names those it needs in `lib_imports`. They are brought along as files of the tool, so that
a version is whole by itself, its hash covers all the code it runs, and a changed module is seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from workbench.core.reading import Reading
from workbench.core.source import MAX_BYTES
from workbench.core.tool import ToolFile
from workbench.sources.opening import (
    RefusedFileError,
    at_most_allowed,
    files_below,
    load,
    opened,
)

LIBRARY = "lib"


def bring(reading: Reading, tools: Path) -> None:
    """Adds to a reading the modules it names, from the folder `tools`/lib. A file of its own
    with a module's name stands for that module."""
    named = _named(reading)
    if not named:
        return
    have = {file.path for file in reading.files}
    for index, name in named:
        if f"{name}.py" in have or any(path.startswith(f"{name}/") for path in have):
            continue
        found = module(tools, name)
        reading.files = (*reading.files, *found)
        if not found:
            reading.problems.append(
                reading.problem(
                    "library_not_found",
                    ("lib_imports", index),
                    f"there is no {name}.py and no folder {name} in tools/{LIBRARY}",
                    hint=f"add it there, or to the tool's own folder as {name}.py",
                )
            )


def own_files(reading: Reading, tools: Path) -> tuple[ToolFile, ...]:
    """The files of a reading that are its own, and not just as they are in the library."""
    shared = {
        (file.path, file.sha256) for _, name in _named(reading) for file in module(tools, name)
    }
    return tuple(file for file in reading.files if (file.path, file.sha256) not in shared)


def module(tools: Path, name: str) -> tuple[ToolFile, ...]:
    """The file or the files of one shared module; none if there is no such module."""
    place = f"{tools.name}/{LIBRARY}"
    with suppress(OSError, RefusedFileError), opened(tools.parent, place) as folder:
        return (ToolFile(f"{name}.py", load(f"{name}.py", folder, MAX_BYTES)),)
    with suppress(OSError), opened(tools.parent, f"{place}/{name}") as folder:
        return tuple(at_most_allowed(files_below(folder, f"{name}/", [], 0)))
    return ()


def folder_of(path: Path) -> Path | None:
    """The nearest folder `tools` above a tool that has a library."""
    above = (folder for folder in path.absolute().parents if folder.name == "tools")
    return next((folder for folder in above if os.path.isdir(folder / LIBRARY)), None)  # noqa: PTH112


def _named(reading: Reading) -> list[tuple[int, str]]:
    """The names of modules, each with its place in the list."""
    said = reading.manifest.get("lib_imports")
    names: Iterable[object] = said if isinstance(said, list) else ()
    return [
        (index, name)
        for index, name in enumerate(names)
        if isinstance(name, str) and name.isidentifier()
    ]
