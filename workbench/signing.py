"""Signing: the owner looks a tool over, and it counts as long as it stays what it was then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core import signature, versions
from workbench.core.problems import has_errors
from workbench.core.tool import Manifest, ToolFile, ToolVersion, Trust
from workbench.errors import InvalidError, MismatchError, RefusedError, WorkbenchError
from workbench.intake import hash_of
from workbench.site import Site

if TYPE_CHECKING:
    from workbench.core.diff import Difference
    from workbench.core.reading import Reading
    from workbench.trees import Tree


@dataclass(frozen=True, slots=True)
class Signed:
    """What was signed, and the line that says so."""

    tool: ToolVersion
    line: str
    content_hash: str
    path: Path | None
    """The file that carries the line; None for a tool that lives only in the registry."""


class Signing:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def sign(self, tools: Sequence[ToolVersion]) -> list[Signed | WorkbenchError]:
        """Validates tools as they are now, and attests them; in a tree their files get the line.
        For each what became of it."""
        done: list[Signed | WorkbenchError] = []
        for tool in tools:
            try:
                done.append(await self._sign(tool))
            except WorkbenchError as error:
                done.append(error)
        await self._site.sync()
        return [
            one if isinstance(one, WorkbenchError) else await self._settled(one) for one in done
        ]

    async def _sign(self, tool: ToolVersion) -> Signed:
        tree = self._site.tree_of(tool.space)
        if tree is None:
            await self._check(self._site.reread(tool))
            when = self._site.judge.begin()
            await self._site.judge.attest(tool, tool.version, tool.content_hash, when)
            return Signed(tool, signature.line(when, tool.content_hash), tool.content_hash, None)
        await self._site.placing.writable(tree, tool)
        reading = await self._site.placing.read(tree, tool)
        await self._check(reading)
        return await self._sign_file(tree, tool, reading)

    async def _settled(self, signed: Signed) -> Signed | WorkbenchError:
        """What was signed, as it is now that the registry knows it."""
        tool = await self._site.get(f"{signed.tool.space}/{signed.tool.tool_id}")
        if tool.content_hash == signed.content_hash:
            return replace(signed, tool=tool)
        return RefusedError(
            f"{signed.path or tool.tool_id} changed while it was signed",
            code="file_changed",
            tool_id=tool.tool_id,
            suggestion="look at it again, then sign it",
        )

    async def require(self, tool: ToolVersion) -> None:
        """Refuses a tool that is no longer what was signed, with what changed."""
        if tool.trust is not Trust.ALTERED:
            return
        difference = await self.changes(tool)
        claimed = tool.evidence.claimed_hash
        what = (
            "its content is no longer what was signed"
            if difference is not None
            else f"its signature line names {(claimed or '')[:12]}…, which is not its content"
        )
        raise MismatchError(
            f"{tool.tool_id} {tool.version}: {what} ({tool.content_hash[:12]}…)",
            changes=difference.as_dict() if difference is not None else None,
            tool_id=tool.tool_id,
            suggestion=f"look at what changed, then sign it again: `workbench sign {tool.tool_id}`",
        )

    async def changes(self, tool: ToolVersion) -> Difference | None:
        """What changed since the owner last signed this tool; None if that is not known."""
        from workbench.core.diff import difference

        signed = await self._last_signed(tool)
        if signed is None:
            return None
        now = await self._site.store.find(tool.tool_id, [tool.space], tool.version, files=True)
        if now is None:
            return None
        return difference(_unsigned(signed), _unsigned(now), ("as signed", "as it is now"))

    async def _last_signed(self, tool: ToolVersion) -> ToolVersion | None:
        rows = {row.content_hash: row.version for row in await self._site.versions(tool)}
        for content_hash in await self._site.judge.last_signed(tool.tool_id):
            if content_hash in rows and content_hash != tool.content_hash:
                return await self._site.store.find(
                    tool.tool_id, [tool.space], rows[content_hash], files=True, absent=True
                )
        return None

    async def _check(self, reading: Reading) -> None:
        problems = await self._site.intake.check(reading)
        if has_errors(problems):
            raise InvalidError(
                f"{reading.name} is not a valid tool and was not signed",
                problems,
                tool_id=reading.manifest.get("tool_id"),
                suggestion="fix the problems listed, then sign it",
            )

    async def _sign_file(self, tree: Tree, tool: ToolVersion, reading: Reading) -> Signed:
        """Writes the line into the file of the manifest. What is hashed is what is left of the
        file without it, as every later reader will find it."""
        name, text = _own_text(reading)
        draft = signature.signed(name, text, signature.line("", "0" * 64))
        bare = _with_text(reading, signature.without(name, draft))
        content_hash = hash_of(bare)
        version = str(reading.manifest["version"])
        when = self._site.judge.begin()
        line = signature.line(when, content_hash)
        # The file first: a line without an attestation proves nothing.
        path = await self._site.placing.rewrite(
            tree, tool, signature.signed(name, text, line).encode("utf-8")
        )
        await self._site.judge.attest(tool, version, content_hash, when)
        return Signed(tool, line, content_hash, path)


def _with_text(reading: Reading, text: str) -> Reading:
    """The reading with another text around the same manifest."""
    if reading.text is not None:
        return replace(reading, text=text)
    data = text.encode("utf-8")
    files = (
        replace(file, data=data) if file.path == reading.manifest_file else file
        for file in reading.files
    )
    return replace(reading, files=tuple(files))


def _unsigned(tool: ToolVersion) -> tuple[Manifest, str | None, Sequence[ToolFile]]:
    """A version as a comparison sees it: without signature line, and with the version it says."""
    manifest = {**tool.manifest, "version": versions.said(tool.version)}
    text = None if tool.text is None else signature.without("tool.yaml", tool.text)
    files = [
        signature.unsigned(file) if file.path == tool.manifest_file else file for file in tool.files
    ]
    return manifest, text, files


def _own_text(reading: Reading) -> tuple[str, str]:
    """The file that holds the manifest: its name, and its text."""
    own = reading.file(reading.manifest_file or "")
    return (own.path, own.text or "") if own is not None else ("tool.yaml", reading.text or "")
