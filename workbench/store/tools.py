"""The tools of the registry: the one object the rest of the program asks and tells."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import apsw

from workbench.core.tool import Draft, Saved, ToolFile, ToolRow, ToolVersion, VersionRow
from workbench.errors import UnavailableError
from workbench.store import listing, reading, saving
from workbench.store.attestations import AttestationStore
from workbench.store.blobs import Blobs, inline_text
from workbench.store.database import Database
from workbench.store.driver import Cursor
from workbench.store.search import SearchPage, search
from workbench.store.trees import TreeStore


class ToolStore:
    """Made by `open_store`. A space is named as it is stored: public, user, project:<hash>.

    Absent tools (their file vanished) are in no list, count or search until they come back.
    """

    def __init__(self, database: Database, blobs: Blobs) -> None:
        self._database = database
        self._blobs = blobs
        self.trees = TreeStore(database)
        self.attestations = AttestationStore(database)

    # Reading

    async def find(
        self,
        tool_id: str,
        spaces: Sequence[str],
        version: str | None = None,
        *,
        files: bool = False,
        absent: bool = False,
    ) -> ToolVersion | None:
        """The latest or the named version in the first of `spaces` that has the tool. None if
        no space has it, and also if that first space does not have that version."""
        found = await self._database.read(
            lambda cursor: reading.find(
                cursor, tool_id, spaces, version, files=files, absent=absent
            )
        )
        if found is None:
            return None
        tool, stored = found
        return replace(tool, files=await self._contents(tool_id, stored)) if stored else tool

    async def versions(self, space: str, tool_id: str) -> list[VersionRow]:
        """All versions, newest first in semver order; none if the tool is unknown."""
        return await self._database.read(lambda c: reading.history(c, space, tool_id))

    async def rows(
        self,
        spaces: Sequence[str],
        *,
        tool_types: Sequence[str] = (),
        category: str | None = None,
        after: tuple[str, str] | None = None,
        limit: int = 200,
    ) -> list[ToolRow]:
        """Tools by tool_id, then space. `after` is (tool_id, space) of the last row seen."""
        return await self._database.read(
            lambda cursor: listing.page(
                cursor, spaces, tool_types=tool_types, category=category, after=after, limit=limit
            )
        )

    async def children(
        self,
        spaces: Sequence[str],
        executor: str | None,
        home: str | None = None,
        *,
        tool_types: Sequence[str] = (),
        after: tuple[str, str, str] | None = None,
        limit: int = 200,
    ) -> list[ToolRow]:
        """Tools that mean `executor` in the space `home` (None: an executor that is missing)
        or that have none, runtimes and MCP servers first, then by tool_id, then space.
        `after` is (tool_type, tool_id, space) of the last row seen."""
        return await self._database.read(
            lambda cursor: listing.children(
                cursor, spaces, executor, home, tool_types=tool_types, after=after, limit=limit
            )
        )

    async def row(
        self, tool_id: str, spaces: Sequence[str], sight: Sequence[str]
    ) -> ToolRow | None:
        """The tool in the first of `spaces` that has it."""
        return await self._database.read(lambda c: listing.row(c, tool_id, spaces, sight))

    async def dependants(self, tool_id: str, space: str, limit: int = 200) -> list[ToolRow]:
        """Tools of any space that mean this one, as executor, step or directive, by tool_id."""
        return await self._database.read(lambda c: listing.dependants(c, tool_id, space, limit))

    async def missing_executors(self, spaces: Sequence[str]) -> list[tuple[str, int]]:
        """Executors that tools name and cannot see, with how many name them."""
        return await self._database.read(lambda c: listing.missing_executors(c, spaces))

    async def descendants(self, tool_id: str, spaces: Sequence[str]) -> int:
        """How many tools end up at this one through any number of executors."""
        return await self._database.read(lambda c: listing.descendants(c, tool_id, spaces))

    async def count(self) -> int:
        """How many tools there are in all spaces."""
        [(total,)] = await self._database.fetch("SELECT sum(present) FROM type_counts")
        return int(total or 0)

    async def counts_by_type(self, spaces: Sequence[str]) -> dict[str, int]:
        return dict(
            await self._database.fetch(
                "SELECT tool_type, sum(present) FROM type_counts WHERE present > 0"  # noqa: S608
                f" AND namespace IN ({', '.join('?' * len(spaces))})"
                " GROUP BY tool_type ORDER BY tool_type",
                tuple(spaces),
            )
        )

    async def search(
        self, query: str, spaces: Sequence[str], *, limit: int = 50, tool_types: Sequence[str] = ()
    ) -> SearchPage:
        """Tools that have any of the words; an id that is, starts with or contains the query
        comes first."""
        return await self._database.read(
            lambda cursor: search(cursor, query, spaces, limit=limit, tool_types=tool_types)
        )

    async def data_version(self) -> int:
        """Changes whenever something was committed, by this process or another."""
        return await self._database.data_version()

    # Writing

    async def save(self, drafts: Sequence[Draft], *, shipped: bool = False) -> list[Saved]:
        """Save all drafts or none; durable when this returns.

        In the public space a version that exists with other content is refused
        (`version_exists`), and the greatest version is the latest. The other spaces mirror
        files, which win: what they hold is the latest, and other content under a known version
        is kept beside it as `<version>+local.<8 hex>` (with `shipped`, `+shipped.<8 hex>`).
        The ids of shipped primitives and runtimes are refused everywhere (`reserved_id`).
        """
        large = [file for draft in drafts for file in draft.files if inline_text(file) is None]
        if large:
            # Before the transaction: what it refers to is on disk when it commits.
            await asyncio.to_thread(lambda: [self._blobs.write(file) for file in large])
        return await self._database.write(lambda c: saving.save(c, drafts, shipped=shipped))

    async def set_absent(self, space: str, tool_id: str, absent: bool) -> bool:
        """Mark a tool as gone or as back. False if it is unknown or was so already."""
        since = datetime.now(UTC).isoformat(timespec="milliseconds") if absent else None

        def change(cursor: Cursor) -> bool:
            rows = cursor.execute(
                "UPDATE tools SET absent_since = ? WHERE namespace = ? AND tool_id = ?"
                " AND (absent_since IS NULL) = ? RETURNING row",
                (since, space, tool_id, absent),
            ).fetchall()
            if rows and not absent:
                saving.reindex(cursor, rows[0][0])
            return bool(rows)

        return await self._database.write(change)

    async def meta_get(self, key: str) -> str | None:
        rows = await self._database.fetch("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    async def meta_set(self, key: str, value: str) -> None:
        def change(cursor: Cursor) -> None:
            cursor.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

        await self._database.write(change)

    # The file itself

    async def info(self) -> dict[str, Any]:
        """What a person wants to know who looks for a fault."""
        [(schema,)] = await self._database.fetch("PRAGMA user_version")
        [(journal,)] = await self._database.fetch("PRAGMA journal_mode")
        path = self._database.path
        return {
            "path": str(path),
            "size_bytes": path.stat().st_size,
            "schema_version": schema,
            "journal_mode": journal,
            "sqlite_version": apsw.sqlite_lib_version(),
            "sqlite_vec_version": await self._database.load_vectors(),
            "tools": await self.count(),
        }

    async def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; nothing if it is sound."""
        try:
            found = await self._database.fetch("PRAGMA quick_check")
        except UnavailableError as error:
            # Some damage stops the check itself.
            if error.code != "registry_corrupt":
                raise
            return [error.message]
        return [text for (text,) in found if text != "ok"]

    async def close(self) -> None:
        await self._database.close()

    async def _contents(
        self, tool_id: str, stored: Sequence[reading.StoredFile]
    ) -> tuple[ToolFile, ...]:
        files = []
        for file in stored:
            if file.key is None:
                data = (file.text or "").encode()
            else:
                data = await asyncio.to_thread(
                    self._blobs.read, file.key, tool_id=tool_id, file=file.path
                )
            files.append(ToolFile(file.path, data, file.is_entrypoint))
        return tuple(files)
