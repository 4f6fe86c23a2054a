"""A registry of its own for every test, in tmp_path."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from workbench.core.tool import Draft, Effect, ToolFile
from workbench.store import open_store
from workbench.store.tools import ToolStore

MakeDraft = Callable[..., Draft]
SPACES = ("project:x", "user", "public")
"""All that the stores of these tests have."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
async def store(home: Path) -> AsyncIterator[ToolStore]:
    opened = await open_store(home)
    yield opened
    await opened.close()


@pytest.fixture
async def raw(store: ToolStore, home: Path) -> AsyncIterator[apsw.Connection]:
    """A foreign connection to the same file, for what the store would never do."""
    connection = apsw.Connection(str(home / "registry.db"))
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()


@pytest.fixture
def draft() -> MakeDraft:
    def make(
        tool_id: str = "mailer",
        version: str = "1.0.0",
        *,
        space: str = "public",
        files: tuple[ToolFile, ...] = (),
        effect: Effect = Effect.WRITES,
        **fields: Any,
    ) -> Draft:
        manifest = {
            "tool_id": tool_id,
            "tool_type": "script",
            "version": version,
            "executor": "python_runtime",
            **fields,
        }
        content = repr((manifest, [(file.path, file.sha256) for file in files]))
        return Draft(
            space=space,
            manifest=manifest,
            content_hash=hashlib.sha256(content.encode()).hexdigest(),
            effect=effect,
            declared_effect=effect,
            files=files,
            text=f"tool_id: {tool_id}\n",
        )

    return make
