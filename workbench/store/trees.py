"""What is known of file trees: which there are, and each tool in them as it was last seen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from workbench.store.database import Database
from workbench.store.driver import Cursor
from workbench.store.saving import reindex

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

    async def is_settled(self, space: str) -> bool:
        """Whether as many tools are present as units are stored; else a sync was cut short."""
        [(units, tools)] = await self._database.fetch(
            "SELECT (SELECT count(*) FROM tree_units WHERE namespace = ?1 AND state = 'stored'),"
            " (SELECT coalesce(sum(present), 0) FROM type_counts WHERE namespace = ?1)",
            (space,),
        )
        return bool(units == tools)

    async def record(self, space: str, root: str, seen: Iterable[SeenUnit]) -> None:
        """Keeps units as they are now. A tool that one of them holds is there, whoever took it
        for gone meanwhile."""

        def change(cursor: Cursor) -> None:
            _write_tree(cursor, space, root)
            for unit in seen:
                _write_unit(cursor, space, unit)

        await self._database.write(change)

    async def settle(
        self, space: str, root: str, seen: Iterable[SeenUnit], gone: Iterable[str]
    ) -> set[str]:
        """Ends a sync: keeps units, forgets paths that are gone, and marks the tools as absent
        that no file holds any more. Their ids."""

        def change(cursor: Cursor) -> set[str]:
            now = _write_tree(cursor, space, root)
            for path in gone:
                cursor.execute(
                    "DELETE FROM tree_units WHERE namespace = ? AND path = ?", (space, path)
                )
            for unit in seen:
                _write_unit(cursor, space, unit)
            rows = cursor.execute(
                "UPDATE tools SET absent_since = ?1 WHERE namespace = ?2 AND absent_since IS NULL"
                " AND NOT EXISTS (SELECT 1 FROM tree_units u WHERE u.namespace = ?2"
                " AND u.tool_id = tools.tool_id AND u.state = 'stored') RETURNING tool_id",
                (now, space),
            ).fetchall()
            return {tool_id for (tool_id,) in rows}

        return await self._database.write(change)


def _write_tree(cursor: Cursor, space: str, root: str) -> str:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    cursor.execute(
        "INSERT INTO trees (namespace, path, synced_at) VALUES (?1, ?2, ?3)"
        " ON CONFLICT DO UPDATE SET path = ?2, synced_at = ?3",
        (space, root, now),
    )
    return now


def _write_unit(cursor: Cursor, space: str, unit: SeenUnit) -> None:
    cursor.execute(
        "INSERT INTO tree_units (namespace, path, fingerprint, tool_id, state, problems)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint,"
        " state = excluded.state, problems = excluded.problems,"
        " tool_id = coalesce(excluded.tool_id, tool_id)",
        (
            space,
            unit.path,
            unit.fingerprint,
            unit.tool_id,
            unit.state,
            json.dumps(list(unit.problems)),
        ),
    )
    if unit.state == "stored":
        back = cursor.execute(
            "UPDATE tools SET absent_since = NULL"
            " WHERE namespace = ? AND tool_id = ? AND absent_since IS NOT NULL RETURNING row",
            (space, unit.tool_id),
        ).fetchall()
        for (row,) in back:
            reindex(cursor, row)
