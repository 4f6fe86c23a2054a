"""Changing tools: saved, made, copied, brought back, taken away; in the registry or in a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core import references, signature, spaces, versions
from workbench.core.problems import has_errors
from workbench.core.spaces import PUBLIC
from workbench.core.tool import Outcome, Saved, ToolVersion, VersionRow
from workbench.errors import InvalidError, RefusedError, UsageError
from workbench.intake import hash_of
from workbench.site import Site
from workbench.sources.library import bring

if TYPE_CHECKING:
    from workbench.core.reading import Reading
    from workbench.trees import Tree


class Changing:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def save(self, reading: Reading) -> Saved:
        """Stores a tool where its space keeps tools: in its tree, or in the registry."""
        tree = self._site.tree_of(reading.space)
        if tree is None:
            return await self._site.intake.save(reading)
        bring(reading, tree.root / "tools")
        await self._check(reading)
        return await self._to_tree(tree, reading)

    async def create(self, tool_type: str, tool_id: str, space: str | None) -> Saved:
        """A new tool from the template of its type."""
        from workbench import templates

        reading = templates.instantiate(tool_type, tool_id, self._site.intake.names)
        return await self.add_new(reading, space)

    async def add_new(self, reading: Reading, space: str | None) -> Saved:
        """Stores a tool whose id must be free in its space: without one in the project's tree
        if there is a project, else in the registry."""
        default = self._site.trees[0].space if self._site.project is not None else PUBLIC
        reading = replace(reading, space=space or default)
        tool_id = reading.manifest.get("tool_id")
        if isinstance(tool_id, str) and references.is_tool_id(tool_id):
            await self._check_free(tool_id, reading.space)
        return await self.save(reading)

    async def copy(self, tool: ToolVersion, space: str) -> Saved:
        """The same tool in another space, byte for byte."""
        if space == tool.space:
            raise UsageError(
                f"{tool.tool_id} is in the {spaces.label(space)} space already",
                code="same_space",
                tool_id=tool.tool_id,
                suggestion="name another space: project, user or public",
            )
        own = self._site.tree_of(tool.space)
        if own is not None and not tool.is_absent:
            reading = await self._site.placing.read(own, tool)
        else:
            reading = self._site.reread(tool)
        there = await self._site.store.find(tool.tool_id, [space])
        if there is not None and there.content_hash != tool.content_hash:
            raise RefusedError(
                f"the {spaces.label(space)} space has another {tool.tool_id}, {there.version}",
                code="tool_exists",
                tool_id=tool.tool_id,
                suggestion="delete that one first, or give this one another id",
            )
        if there is not None:
            return Saved(space, tool.tool_id, there.version, Outcome.UNCHANGED)
        return await self.save(replace(reading, space=space, is_shipped=False))

    async def restore(self, reference: str) -> Saved:
        """Brings back a tool that is gone, or an earlier version as a new one."""
        tool = await self.restorable(reference)
        rows = await self._site.versions(tool)
        tree = self._site.tree_of(tool.space)
        if _is_latest(rows, tool):
            if tree is not None:
                return await self._to_tree(tree, self._unsigned(tool))
            await self._site.store.set_absent(tool.space, tool.tool_id, absent=False)
            return Saved(tool.space, tool.tool_id, tool.version, Outcome.RESTORED)
        from workbench.core.reversion import as_version, says_version

        if tree is not None and not says_version(self._site.reread(tool)):
            # As a file it cannot be another version than it was.
            return await self._to_tree(tree, self._unsigned(tool))
        taken = [row.version for row in rows]
        version = versions.next_patch(versions.latest(taken) or tool.version, taken)
        reading = as_version(self._unsigned(tool), version, f"Restores {tool.version}.")
        return await self.save(self._again(reading))

    async def restorable(self, reference: str) -> ToolVersion:
        """The version that `restore` would bring back, or the error it would raise."""
        tool = await self._site.get(reference, files=True, absent=True)
        rows = await self._site.versions(tool)
        if _is_latest(rows, tool) and not tool.is_absent:
            earlier = next((row.version for row in below(rows, tool.version)), "")
            example = f"name an earlier version as in `workbench restore {tool.tool_id}@{earlier}`"
            raise UsageError(
                f"{tool.tool_id} {tool.version} is the latest version already",
                code="nothing_to_restore",
                suggestion=example if earlier else "there is no earlier version",
            )
        return tool

    async def delete(self, reference: str, *, force: bool) -> ToolVersion:
        """Takes a tool away; its versions stay and `restore` brings it back."""
        tool = await self.deletable(reference, force=force)
        tree = self._site.tree_of(tool.space)
        if tree is None:
            await self._site.store.set_absent(tool.space, tool.tool_id, absent=True)
        else:
            await self._site.placing.remove(tree, tool)
            await self._site.sync()
        return tool

    async def deletable(self, reference: str, *, force: bool) -> ToolVersion:
        """The tool that `delete` would take away, or the error it would raise."""
        tool = await self._site.get(reference, files=True)
        if references.parse(reference).version is not None:
            raise UsageError(
                "versions are kept; a tool is deleted as a whole",
                code="version_kept",
                suggestion=f"write `workbench delete {tool.tool_id}`",
            )
        if tool.is_builtin:
            raise RefusedError(
                f"{tool.tool_id} is a shipped {tool.tool_type} that others stand on",
                code="reserved_id",
                tool_id=tool.tool_id,
                suggestion="shipped primitives and runtimes cannot be deleted",
            )
        store = self._site.store
        users = [] if force else await store.dependants(tool.tool_id, tool.space, limit=6)
        if users:
            named = ", ".join(row.tool_id for row in users[:5]) + (" …" if len(users) > 5 else "")
            raise RefusedError(
                f"{tool.tool_id} is used by {named}",
                code="has_dependants",
                tool_id=tool.tool_id,
                suggestion="delete those first, or use --force and leave them without it",
            )
        return tool

    # Inside

    async def _check(self, reading: Reading) -> None:
        problems = await self._site.intake.check(reading)
        if has_errors(problems):
            raise InvalidError(
                f"{reading.name or reading.manifest.get('tool_id')} is not a valid tool",
                problems,
                tool_id=reading.manifest.get("tool_id"),
                suggestion="fix the problems listed, then try again",
            )

    async def _to_tree(self, tree: Tree, reading: Reading) -> Saved:
        """Writes a checked tool to its tree, and what the registry made of it."""
        tool_id, version = str(reading.manifest["tool_id"]), str(reading.manifest["version"])
        store = self._site.store
        await self._refuse_reserved(tool_id)
        rows = await store.versions(tree.space, tool_id)
        content_hash = hash_of(reading)
        is_known = any(row.content_hash == content_hash for row in rows)
        if not is_known and any(row.version == version for row in rows):
            taken = [row.version for row in rows]
            raise RefusedError(
                f"{tool_id} has a version {version} with other content; versions do not change",
                code="version_exists",
                tool_id=tool_id,
                suggestion=f"raise the version to {versions.next_patch(version, taken)}",
            )
        present = await store.find(tool_id, [tree.space], files=True)
        if present is not None and present.content_hash == content_hash:
            return Saved(tree.space, tool_id, present.version, Outcome.UNCHANGED)
        if present is None:
            await self._site.placing.create(tree, reading)
        else:
            await self._site.placing.replace(tree, present, reading)
        await self._site.sync()
        saved = await store.find(tool_id, [tree.space])
        if saved is None or saved.content_hash != content_hash:
            raise RefusedError(
                f"{tool_id} was written to {tree.root}, where something else became of it",
                code="file_changed",
                tool_id=tool_id,
                suggestion=f"`workbench validate {tree.root}` says what is wrong there",
            )
        new = Outcome.VERSIONED if rows else Outcome.CREATED
        return Saved(tree.space, tool_id, saved.version, Outcome.RESTORED if is_known else new)

    async def _refuse_reserved(self, tool_id: str) -> None:
        shipped = await self._site.store.find(tool_id, [PUBLIC])
        if shipped is not None and shipped.is_builtin:
            raise RefusedError(
                f"{tool_id} is the id of a shipped primitive or runtime",
                code="reserved_id",
                suggestion="choose another tool_id",
                tool_id=tool_id,
            )

    async def _check_free(self, tool_id: str, space: str) -> None:
        await self._refuse_reserved(tool_id)
        known = await self._site.store.find(tool_id, [space], absent=True)
        if known is None:
            return
        gone = f"choose another id, or bring it back with `workbench restore {tool_id}`"
        here = "choose another id, or change that one"
        raise RefusedError(
            f"there {'was' if known.is_absent else 'is'} a tool {tool_id} already",
            code="tool_exists",
            tool_id=tool_id,
            suggestion=gone if known.is_absent else here,
        )

    def _unsigned(self, tool: ToolVersion) -> Reading:
        """A stored version without the signature line it may have had. What the owner signed
        counts without it; what is made from it is something else."""
        reading = self._site.reread(tool)
        text = None if reading.text is None else signature.without("tool.yaml", reading.text)
        files = tuple(
            signature.unsigned(file) if file.path == reading.manifest_file else file
            for file in reading.files
        )
        return self._again(replace(reading, text=text, files=files))

    def _again(self, reading: Reading) -> Reading:
        """The reading with places and problems of its changed text."""
        from workbench.core.dialects import reread

        fresh = reread(
            reading.manifest,
            reading.text,
            reading.manifest_file,
            reading.files,
            self._site.intake.names,
        )
        return replace(fresh, name=reading.name, space=reading.space)


def _is_latest(rows: Sequence[VersionRow], tool: ToolVersion) -> bool:
    return any(row.is_latest and row.version == tool.version for row in rows)


def below(rows: Sequence[VersionRow], version: str) -> Iterator[VersionRow]:
    """The versions that come after `version` in a history that begins with the newest."""
    found = False
    for row in rows:
        if found:
            yield row
        found = found or row.version == version
