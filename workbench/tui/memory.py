"""What the screen remembers from one start to the next: `tui.json` in the home folder."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

_MAX_BYTES = 65_536


class Memory:
    """A few values in one small file. Unreadable means empty; a write that fails is forgotten."""

    def __init__(self, home: Path) -> None:
        self._path = home / "tui.json"

    def read(self) -> Mapping[str, Any]:
        try:
            with self._path.open("rb") as file:
                content = json.loads(file.read(_MAX_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}
        return content if isinstance(content, dict) else {}

    def theme(self) -> str | None:
        name = self.read().get("theme")
        return name if isinstance(name, str) else None

    def remember(self, **values: Any) -> None:
        content = {**self.read(), **values}
        if content == self.read():
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._replace(json.dumps(content, indent=2) + "\n")

    def _replace(self, text: str) -> None:
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=".tui-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(self._path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
