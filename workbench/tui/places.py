"""Where files lie, said shortly: from the project, or from the person's own folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.workbench import Workbench


def shown_path(workbench: Workbench, path: Path) -> str:
    """A path as people say it: below the project without its name, below home with `~`."""
    starts = [(tree.root.parent, "") for tree in workbench.trees[:-1]]
    starts += [(tree.root.parent, "~") for tree in workbench.trees[-1:]]
    for folder, name in starts:
        if path.is_relative_to(folder):
            return str(Path(name) / path.relative_to(folder))
    return str(path)
