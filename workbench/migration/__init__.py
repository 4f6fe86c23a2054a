"""Migration: a tool in an older form becomes a folder with `tool.yaml`, or a canonical manifest.

    plan = await migration.plan(Path(".ai/scripts"))
    result = await migration.carry_out(plan)

`plan` looks and changes nothing. `carry_out` does what was planned, one tool after the other;
each is written whole and read back before its original goes, or it stays as it was.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core import dialects, references, signature, versions
from workbench.core.files import MANIFEST_FILES
from workbench.core.manifest_text import manifest_text
from workbench.core.problems import Problem, has_errors
from workbench.core.reading import Reading
from workbench.core.spaces import PUBLIC
from workbench.errors import InvalidError, RefusedError, UsageError, WorkbenchError
from workbench.intake import claimed_hash, hash_of
from workbench.migration.finding import Finding, Found, Place
from workbench.migration.moving import ALONE, Step, carry_out
from workbench.site import Site
from workbench.sources.library import own_files
from workbench.sources.names import MANIFESTS, is_hidden, is_skipped
from workbench.sources.scan import LIBRARY, READ_ONLY

if TYPE_CHECKING:
    from workbench.trees import Progress

__all__ = ["Failure", "Migration", "Plan", "Result", "Step"]

_MANIFEST = MANIFEST_FILES[0]
_NO_COMMENTS = "comments in the old manifest are not kept"
_COPY = "copy that into its folder, or share it in tools/lib"
_SIGN_AGAIN = "its signature was that of the old form and is left out; sign it again"


@dataclass(frozen=True, slots=True)
class Failure:
    """A tool that stays as it is, and why."""

    name: str
    error: WorkbenchError


@dataclass
class Plan:
    """What would be done. `settled` are the names of tools that need nothing."""

    steps: list[Step] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    _taken: dict[object, str] = field(default_factory=dict)
    """Places, and ids in trees, with the name of the tool that will have them."""

    def add(self, step: Step) -> None:
        """Adds a step. A second tool at one place, or with one id in a tree, is refused."""
        place = step.target
        if place is not None:
            wanted = {place.full} | ({(place.space, step.tool_id)} if place.tree else set())
            for key in wanted:
                if (other := self._taken.get(key)) is not None:
                    raise RefusedError(
                        f"{other} becomes {step.tool_id} there already",
                        code="tool_exists",
                        tool_id=step.tool_id,
                        suggestion="give one of them another tool_id, or migrate them apart",
                    )
            self._taken |= dict.fromkeys(wanted, step.original.name)
        self.steps.append(step)

    @property
    def takes_away(self) -> list[Step]:
        """The steps after which an original is no longer there as it was."""
        return [step for step in self.steps if step.removes or step.in_place]


@dataclass
class Result:
    done: list[Step] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What was asked for; `batch` are the tools that it is asked for, by id."""

    to: Place | None
    keep: bool
    batch: dict[str, Reading]


class Migration:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._finding = Finding(site)

    async def plan(self, what: Path | str, to: Path | None = None, *, keep: bool = False) -> Plan:
        """What would become of the tools at a path, or of the one that a reference means; below
        `to` if that is given. With `keep` no original goes."""
        destination = self._finding.destination(to) if to is not None else None
        finding = self._finding
        found = await (finding.at(what) if isinstance(what, Path) else finding.named(what))
        batch = {str(r.manifest["tool_id"]): r for r in (f.reading for f in found) if r.manifest}
        wish = _Wish(destination, keep, batch)
        plan = Plan()
        for one in found:
            try:
                step = await self._step(one, wish)
                if step is None:
                    plan.settled.append(one.reading.name)
                else:
                    plan.add(step)
            except WorkbenchError as error:
                plan.failures.append(Failure(one.reading.name, error))
        return plan

    async def carry_out(self, plan: Plan, progress: Progress | None = None) -> Result:
        """Does what was planned. What fails stays as it was, and the others go on."""
        result = Result()
        for count, step in enumerate(plan.steps):
            if progress is not None:
                progress(count, len(plan.steps))
            try:
                if step.target is None:
                    await self._site.intake.save(step.reading)
                else:
                    await asyncio.to_thread(carry_out, step, self._site.intake.names)
                result.done.append(step)
            except WorkbenchError as error:
                result.failures.append(Failure(step.original.name, error))
        await self._site.sync()
        for step in list(result.done):
            if (fault := await self._astray(step)) is not None:
                result.done.remove(step)
                result.failures.append(Failure(step.original.name, fault))
        return result

    async def _astray(self, step: Step) -> WorkbenchError | None:
        """What is wrong if the registry did not find in the tree what was written there."""
        if step.target is None or step.target.tree is None:
            return None
        tool = await self._site.store.find(step.tool_id, [step.target.space])
        if tool is not None and tool.content_hash == hash_of(step.reading):
            return None
        return RefusedError(
            f"{step.tool_id} was written to {step.target.full}, where something else became of it",
            code="file_changed",
            tool_id=step.tool_id,
            suggestion=f"`workbench validate {step.target.full}` says what is wrong there",
        )

    # Planning one step

    async def _step(self, found: Found, wish: _Wish) -> Step | None:
        reading = found.reading
        if found.is_settled:
            return None
        problems = await self._site.intake.check(reading, wish.batch)
        _require_valid(reading, problems, "is not a valid tool")
        target = _target(found, wish.to)
        await self._require_place(found, target, keep=wish.keep)
        removes = _in_tree(found.place) and found.place != target and not wish.keep
        space = target.space if target is not None else PUBLIC
        new, notes = await self._new(found, space)
        problems = await self._site.intake.check(new, wish.batch)
        _require_valid(new, problems, "would not be a valid tool any more")
        files = _files(found, new, target)
        return Step(reading, new, found.place, target, files, removes, notes)

    async def _new(self, found: Found, space: str) -> tuple[Reading, tuple[str, ...]]:
        """The tool as it will be read in `space`, and what there is to say about it."""
        old = found.reading
        if not found.is_older:  # it only moves
            return replace(old, space=space), ()
        tool_id, before = str(old.manifest["tool_id"]), str(old.manifest["version"])
        manifest = {**old.manifest}
        notes = [] if found.is_script else [_NO_COMMENTS]
        if stays := found.neighbours():
            notes.append(
                f"it imports {', '.join(stays)} from beside it, which stays there: {_COPY}"
            )
        if claimed_hash(old) is not None:
            notes.append(_SIGN_AGAIN)
        taken = [row.version for row in await self._site.store.versions(space, tool_id)]
        if before in taken:
            version = manifest["version"] = versions.next_patch(before, taken)
            form = old.manifest_file if found.is_script else "an older manifest"
            manifest["changelog"] = f"Migrated from {form}; does what {before} does."
            notes.append(f"{before} is known already, so this is {version}")
        files = [signature.unsigned(f) if f.path == old.manifest_file else f for f in old.files]
        text = manifest_text(manifest).encode("utf-8")
        new = dialects.read(_MANIFEST, text, files, self._site.intake.names)
        if new.manifest != manifest:
            raise RefusedError(
                f"the manifest of {tool_id} does not survive being written as YAML",
                code="not_yaml",
                tool_id=tool_id,
                suggestion="write its tool.yaml by hand; docs/manifests.md says how",
            )
        return replace(new, space=space, name=old.name), tuple(notes)

    async def _require_place(self, found: Found, target: Place | None, *, keep: bool) -> None:
        """Refuses a place where the tool could not be, or could not be found again."""
        tool_id = str(found.reading.manifest["tool_id"])
        shipped = await self._site.store.find(tool_id, [PUBLIC])
        if shipped is not None and shipped.is_builtin:
            raise RefusedError(
                f"{tool_id} is the id of a shipped primitive or runtime",
                code="reserved_id",
                tool_id=tool_id,
                suggestion="choose another tool_id",
            )
        if target is None:
            return
        source = found.place
        same_tree = source is not None and _in_tree(source) and source.tree == target.tree
        if keep and (same_tree or source == target):
            what = "there would be two of it" if same_tree else "its manifest is rewritten"
            raise UsageError(
                f"{tool_id} cannot be kept as it is: {what}",
                code="keep_needs_to",
                tool_id=tool_id,
                suggestion="name a folder outside the tree with --to, or leave --keep out",
            )
        if source != target:
            _require_free(target, tool_id)
        if target.tree is None:
            return
        holder = await self._site.store.trees.path_of(target.tree.space, tool_id)
        own = source.path if source is not None and same_tree else None
        if holder not in (None, own):
            raise RefusedError(
                f"{holder} has the id {tool_id} already",
                code="tool_exists",
                tool_id=tool_id,
                suggestion="give one of them another tool_id",
            )


def _in_tree(place: Place | None) -> bool:
    return place is not None and place.tree is not None


def _target(found: Found, to: Place | None) -> Place | None:
    """Where a tool will lie; None for the registry."""
    source, manifest = found.place, found.reading.manifest
    tool_id = str(manifest["tool_id"])
    if source is None:
        single = not found.is_script and not found.reading.files
        return None if to is None else to.inner(f"{tool_id}.yaml" if single else tool_id)
    name = tool_id if found.is_script else source.name
    if to is not None:
        return to.inner(name)
    if found.is_in_old_area:
        lay = source.above().path[len(READ_ONLY) :]
        shelf = references.proposed_id(str(manifest.get("category") or "")) or lay
        return replace(source, path="/".join(filter(None, ("tools", shelf, name))))
    return source.above().inner(name)


def _files(found: Found, new: Reading, target: Place | None) -> Mapping[str, bytes]:
    """What is written: the manifest, and with it the tool's own files if it goes elsewhere."""
    text = (new.text or "").encode("utf-8")
    source = found.place
    if found.is_script:
        own = _MANIFEST
    elif source is None:
        own = _MANIFEST if new.files else ALONE
    else:
        last = Path(found.reading.name).name
        own = last if last in MANIFESTS else ALONE
    if target is None or target == source or own == ALONE:
        return {own: text}
    library = target.library
    rest = own_files(new, library) if library is not None else new.files
    return {own: text, **{file.path: file.data for file in rest}}


def _require_valid(reading: Reading, problems: list[Problem], what: str) -> None:
    if not reading.manifest or has_errors(problems):
        raise InvalidError(
            f"{reading.name} {what}",
            problems,
            tool_id=reading.manifest.get("tool_id"),
            suggestion="fix the problems listed, then migrate it",
        )


def _require_free(target: Place, tool_id: str) -> None:
    """Refuses a path that is taken, or where nobody looks for tools."""
    if os.path.lexists(target.full):
        raise RefusedError(
            f"{target.full} exists already",
            code="path_exists",
            tool_id=tool_id,
            suggestion="move that away, or choose another place with --to",
        )
    reason = ""
    above, parts = target.above().full, target.path.split("/")
    owned = [above, *above.parents][: len(parts)] if target.tree is not None else [above]
    if target.tree is not None and parts[0] != "tools":
        reason = "new tools of a tree lie in its folder tools"
    elif target.tree is not None and "/".join(parts[:2]) == LIBRARY:
        reason = f"{LIBRARY} holds modules that tools share"
    elif any(is_skipped(part) or is_hidden(part) for part in parts):
        reason = "folders of that name are passed over"
    elif any(part in MANIFESTS for part in parts):
        reason = "that is the name of a manifest"
    elif any(os.path.lexists(folder / name) for folder in owned for name in MANIFESTS):
        reason = "it is inside the folder of another tool"
    if reason:
        raise RefusedError(
            f"{target.full} is no place for a tool: {reason}",
            code="bad_place",
            tool_id=tool_id,
            suggestion="choose another place with --to",
        )
