"""Whether the owner's word stands for a tool.

*Signed* means attested by the owner's key, or shipped with the program. A signature line alone
proves nothing; one that names another content than is there proves that something changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.chain import Chain
from workbench.core.tool import Evidence, ToolVersion, Trust
from workbench.errors import UnavailableError
from workbench.gate import KEY_FILE
from workbench.store.attestations import Attestation, AttestationStore

if TYPE_CHECKING:
    from workbench.gate.keys import OwnerKey


class Judge:
    """Tells signed tools from unsigned and altered ones."""

    def __init__(self, home: Path, store: AttestationStore, shipped: frozenset[str]) -> None:
        self._home = home
        self._store = store
        self._shipped = shipped
        self._attested: dict[str, set[str]] = {}
        """By key, the contents whose attestation was found to hold."""

    async def judge(self, evidence: Sequence[Evidence]) -> list[Trust]:
        """One verdict each."""
        hashes = {one.content_hash for one in evidence}
        hashes |= {one.replaced_hash for one in evidence if one.replaced_hash}
        attested = await self.attested(hashes - self._shipped)
        return [self._verdict(one, attested) for one in evidence]

    async def attested(self, hashes: Iterable[str]) -> set[str]:
        """Those of the contents that the owner's key signed."""
        key, wanted = self._key(), set(hashes)
        if key is None:
            return set()
        known = self._attested.setdefault(key.key_id, set())
        if unknown := wanted - known:
            found = await self._store.find(unknown)
            known |= {one.content_hash for one in found if _holds(one, key)}
        return wanted & known

    async def last_signed(self, tool_id: str) -> list[str]:
        """The contents of a tool that the owner signed, the latest first."""
        if (key := self._key()) is None:
            return []
        found = await self._store.of_tool(tool_id)
        return [one.content_hash for one in found if _holds(one, key)]

    def begin(self) -> str:
        """The time of a signature that is to come. Fails if there is no key and none can be
        made."""
        from workbench.gate import keys

        keys.load_or_make(self._home)
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    async def attest(
        self, tool: ToolVersion, version: str, content_hash: str, signed_at: str
    ) -> None:
        """Signs a content with the owner's key."""
        from workbench.gate import keys

        key = keys.load_or_make(self._home)
        claim = Attestation(content_hash, key.key_id, tool.tool_id, version, signed_at, b"")
        signature = key.sign(_message(claim))
        await self._store.add(
            Attestation(content_hash, key.key_id, tool.tool_id, version, signed_at, signature),
            tool.space,
        )

    def _verdict(self, evidence: Evidence, attested: set[str]) -> Trust:
        own = evidence.content_hash
        if evidence.claimed_hash is not None and evidence.claimed_hash != own:
            return Trust.ALTERED
        if own in self._shipped or own in attested:
            return Trust.SIGNED
        return Trust.ALTERED if evidence.replaced_hash in attested else Trust.UNSIGNED

    def _key(self) -> OwnerKey | None:
        """The owner's key as it is now. One that cannot be used vouches for nothing."""
        if not (self._home / KEY_FILE).exists():
            return None
        from workbench.gate import keys

        try:
            return keys.load(self._home)
        except UnavailableError:
            return None


def _holds(attestation: Attestation, key: OwnerKey) -> bool:
    """Whether this key really made an attestation."""
    from workbench.gate import keys

    return attestation.key_id == key.key_id and keys.verify(
        key.public, attestation.signature, _message(attestation)
    )


def chain_trust(chain: Chain) -> Trust:
    """A chain is signed when every member is; one altered member alters it all."""
    trusts = [getattr(link, "trust", Trust.UNSIGNED) for link in chain.links]
    if Trust.ALTERED in trusts:
        return Trust.ALTERED
    return Trust.UNSIGNED if Trust.UNSIGNED in trusts or chain.fault else Trust.SIGNED


def _message(attestation: Attestation) -> bytes:
    """What is signed: every field, and what kind of word this is."""
    fields = (
        "workbench attestation",
        attestation.content_hash,
        attestation.key_id,
        attestation.tool_id,
        attestation.version,
        attestation.signed_at,
    )
    return json.dumps(fields, separators=(",", ":")).encode()
