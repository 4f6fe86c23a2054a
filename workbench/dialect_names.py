"""Reads the data that says which shipped tools the older forms mean."""

from __future__ import annotations

from pathlib import Path

from workbench.core.dialects import Names
from workbench.core.source import read_yaml


def load_names(seeds: Path) -> Names:
    value = read_yaml((seeds / "dialects.yaml").read_text("utf-8")).value
    return {str(word): str(tool_id) for word, tool_id in value["executors"].items()}
