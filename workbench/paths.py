"""Where things live. Nothing here makes a folder; whoever writes there does."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from pathlib import Path

_PACKAGE = Path(__file__).parent


def home(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder with registry, blobs, backups and keys: WORKBENCH_HOME, or the platform's."""
    if named := environ.get("WORKBENCH_HOME"):
        return Path(os.path.expanduser(named)).absolute()  # noqa: PTH111 - never raises
    import platformdirs  # costs a few milliseconds, only paid without WORKBENCH_HOME

    return Path(platformdirs.user_data_dir("workbench", appauthor=False))


def seeds() -> Path:
    """The tools, templates and names that ship with the program, as data."""
    return _PACKAGE / "seeds"


@functools.cache
def themes() -> Path:
    return _shipped("themes")


@functools.cache
def sample_tools() -> Path:
    return _shipped("sample_tools")


def _shipped(name: str) -> Path:
    """A top-level folder of the project: beside the package in a checkout, inside it in a wheel."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
