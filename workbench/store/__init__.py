"""The registry: tools, their versions and files, and the search over them, in SQLite.

    store = await open_store(home)
    await store.save([draft])
    await store.close()

tools → (saving, listing, reading, search → indexing → words) → database → (migrations,
connecting) → driver → apsw. Blobs stand beside the database. Nothing else speaks SQL.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.store.tools import ToolStore

__all__ = ["open_store"]


async def open_store(home: Path) -> ToolStore:
    """Open the registry in `home`; folder, file and tables are made if they are missing.

    Raises UnavailableError if it is locked, damaged, not ours to write, or too new.
    """
    from workbench.store.blobs import Blobs
    from workbench.store.database import open_database
    from workbench.store.faults import REGISTRY
    from workbench.store.tools import ToolStore

    database = await open_database(home / REGISTRY)
    return ToolStore(database, Blobs(home / "blobs"))
