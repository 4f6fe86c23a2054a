"""What is known of file trees: which there are, and each tool in them as it was last seen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from workbench.store.database import Database
from workbench.store.driver import Cursor

State = Literal["stored", "waiting", "broken"]


@dataclass(frozen=True, slots=True)
class SeenUnit:
    """One file or folder that is a tool, or was meant to be one.

    `waiting` ones may become whole without being touched: another file may bring what they
    miss. `problems` are as they are shown, warnings of stored tools among them.
    """

    path: str
    fingerprint: str
    tool_id: str | None
    state: State
    problems: Sequence[dict[str, Any]] = ()


class TreeStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def fingerprints(self, space: str) -> dict[str, str]:
        """What every unit of a tree looked like; '' for those to be read again in any case."""
        rows = await self._database.fetch(
            "SELECT path, iif(state = 'waiting', '', fingerprint) FROM tree_units"
            " WHERE namespace = ?",
            (space,),
        )
        return dict(rows)

    async def waiting(self, space: str) -> list[str]:
        """The paths of units that miss something another file may bring."""
        rows = await self._database.fetch(
            "SELECT path FROM tree_units WHERE namespace = ? AND state = 'waiting'", (space,)
        )
        return [path for (path,) in rows]

    async def holders(self, space: str) -> dict[str, str]:
        """Path by tool_id, of the tools that a tree holds."""
        rows = await self._database.fetch(
            "SELECT tool_id, path FROM tree_units WHERE namespace = ? AND state = 'stored'",
            (space,),
        )
        return dict(rows)

    async def path_of(self, space: str, tool_id: str) -> str | None:
        """Where in its tree a tool lies."""
        rows = await self._database.fetch(
            "SELECT path FROM tree_units WHERE namespace = ? AND tool_id = ? AND state = 'stored'",
            (space, tool_id),
        )
        return str(rows[0][0]) if rows else None

    async def root(self, space: str) -> str | None:
        """The folder that a space mirrors."""
        rows = await self._database.fetch("SELECT path FROM trees WHERE namespace = ?", (space,))
        return str(rows[0][0]) if rows else None

    async def amiss(self, spaces: Sequence[str]) -> list[tuple[str, SeenUnit]]:
        """Every unit with problems, and its space."""
        rows = await self._database.fetch(
            "SELECT namespace, path, fingerprint, tool_id, state, problems FROM tree_units"  # noqa: S608
            f" WHERE namespace IN ({', '.join('?' * len(spaces))}) AND problems <> '[]'"
            " ORDER BY namespace, path",
            tuple(spaces),
        )
        return [
            (space, SeenUnit(path, fingerprint, tool_id, state, json.loads(problems)))
            for space, path, fingerprint, tool_id, state, problems in rows
        ]

    async def record(
        self,
        space: str,
        root: str,
        seen: Iterable[SeenUnit] = (),
        gone: Iterable[str] = (),
        absent: Iterable[str] = (),
    ) -> None:
        """Keeps what a sync found: units as they are now, paths that are no longer there, and
        tools that no file holds any more."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")

        def change(cursor: Cursor) -> None:
            cursor.execute(
                "INSERT INTO trees (namespace, path, synced_at) VALUES (?1, ?2, ?3)"
                " ON CONFLICT DO UPDATE SET path = ?2, synced_at = ?3",
                (space, root, now),
            )
            for path in gone:
                cursor.execute(
                    "DELETE FROM tree_units WHERE namespace = ? AND path = ?", (space, path)
                )
            for unit in seen:
                cursor.execute(
                    "INSERT OR REPLACE INTO tree_units"
                    " (namespace, path, fingerprint, tool_id, state, problems)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        space,
                        unit.path,
                        unit.fingerprint,
                        unit.tool_id,
                        unit.state,
                        json.dumps(list(unit.problems)),
                    ),
                )
            for tool_id in absent:
                cursor.execute(
                    "UPDATE tools SET absent_since = ?"
                    " WHERE namespace = ? AND tool_id = ? AND absent_since IS NULL",
                    (now, space, tool_id),
                )

        await self._database.write(change)
