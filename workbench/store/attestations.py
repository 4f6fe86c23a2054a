"""What the owner's key signed. Whether a signature holds is for the gate to say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.store.database import Database
from workbench.store.driver import Cursor


@dataclass(frozen=True, slots=True)
class Attestation:
    """The word of one key for one content."""

    content_hash: str
    key_id: str
    tool_id: str
    version: str
    signed_at: str
    signature: bytes


class AttestationStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, hashes: Iterable[str]) -> list[Attestation]:
        """The attestations of these contents."""
        rows = await self._database.fetch(
            "SELECT a.content_hash, key_id, tool_id, version, signed_at, signature"
            " FROM json_each(?) AS wanted CROSS JOIN attestations a ON a.content_hash = value",
            (json.dumps(sorted(hashes)),),
        )
        return [Attestation(*row) for row in rows]

    async def of_tool(self, tool_id: str) -> list[Attestation]:
        """All attestations of a tool's contents, the latest first."""
        rows = await self._database.fetch(
            "SELECT content_hash, key_id, tool_id, version, signed_at, signature"
            " FROM attestations WHERE tool_id = ? ORDER BY signed_at DESC, content_hash",
            (tool_id,),
        )
        return [Attestation(*row) for row in rows]

    async def add(self, attestation: Attestation, space: str) -> None:
        """Keeps an attestation. A signature line that the tool's text carries from before no
        longer speaks against it."""

        def change(cursor: Cursor) -> None:
            cursor.execute(
                "INSERT OR REPLACE INTO attestations"
                " (content_hash, key_id, tool_id, version, signed_at, signature)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    attestation.content_hash,
                    attestation.key_id,
                    attestation.tool_id,
                    attestation.version,
                    attestation.signed_at,
                    attestation.signature,
                ),
            )
            cursor.execute(
                "UPDATE tools SET claimed_hash = content_hash"
                " WHERE namespace = ? AND tool_id = ? AND content_hash = ?",
                (space, attestation.tool_id, attestation.content_hash),
            )

        await self._database.write(change)
