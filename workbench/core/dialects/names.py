"""Which shipped tools the older forms mean: read from data, so that no code names one."""

from __future__ import annotations

from collections.abc import Mapping

Names = Mapping[str, str]
"""From a word of an older form (`python`, `bash`, `directive`) to a tool id."""

SCRIPT_WORDS = ("python", "bash", "node", "deno", "command", "docker")
