"""How tools come in: looked up, checked, and stored; one by one or by the hundred thousand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from dataclasses import dataclass, field, replace

from workbench.core import chain, references, signature, versions
from workbench.core.dialects import Names
from workbench.core.integrity import content_hash
from workbench.core.problems import Problem, has_errors, in_order
from workbench.core.reading import Reading, did_you_mean
from workbench.core.spaces import PUBLIC, named, outward
from workbench.core.tool import Draft, Saved
from workbench.errors import InvalidError, RefusedError
from workbench.store.tools import ToolStore
from workbench.tool_types import TYPES, effect_of
from workbench.tool_types.validation import validate

BATCH = 500
_PATIENCE = 0.01
"""Seconds of work without a pause."""


@dataclass
class Taken:
    """What became of one tool that was to be added."""

    name: str
    tool_id: str = ""
    saved: Saved | None = None
    problems: list[Problem] = field(default_factory=list)
    refusal: RefusedError | None = None

    @property
    def ok(self) -> bool:
        return self.saved is not None


class Intake:
    """Checks readings against the registry and stores them."""

    def __init__(self, store: ToolStore, names: Names) -> None:
        self.store = store
        self.names = names
        self._links: dict[tuple[str, str], chain.Link | None] = {}
        self._guesses: dict[str, str | None] = {}

    async def check(
        self, reading: Reading, batch: dict[str, Reading] | None = None
    ) -> list[Problem]:
        """Every problem of one reading. `batch` holds others that may come in with it."""
        await self._look_up(reading, batch or {})
        return [await self._with_guess(reading, problem) for problem in validate(reading)]

    async def review(
        self, reading: Reading, batch: dict[str, Reading] | None = None
    ) -> list[Problem]:
        """Every problem of one reading, also those with what the registry has already."""
        self.forget()
        problems = await self.check(reading, batch)
        tool_id, version = reading.manifest.get("tool_id"), reading.manifest.get("version")
        if not isinstance(tool_id, str) or reading.is_shipped:
            return problems
        first = (batch or {}).get(tool_id, reading)
        if first is not reading:
            message = f"{first.name} has the id {tool_id} already"
            hint = "give one of them another tool_id"
            problems.append(reading.problem("duplicate_tool", ("tool_id",), message, hint=hint))
        shipped = await self.store.find(tool_id, [PUBLIC])
        if shipped is not None and shipped.is_builtin:
            message = f"{tool_id} is the id of a shipped primitive or runtime"
            hint = "choose another tool_id"
            problems.append(reading.problem("reserved_id", ("tool_id",), message, hint=hint))
        known = await self.store.find(tool_id, [reading.space], str(version), absent=True)
        if (
            known is not None
            and not has_errors(problems)
            and known.content_hash != hash_of(reading)
        ):
            message = f"{version} exists with other content; versions do not change"
            hint = f"raise it to {versions.next_patch(str(version))}"
            problems.append(reading.problem("version_taken", ("version",), message, hint=hint))
        return in_order(problems)

    async def save(self, reading: Reading) -> Saved:
        """Stores one reading; InvalidError if it has errors."""
        self.forget()
        problems = await self.check(reading)
        if has_errors(problems):
            raise InvalidError(
                f"{reading.name or reading.manifest.get('tool_id')} is not a valid tool",
                problems,
                tool_id=reading.manifest.get("tool_id"),
                suggestion="fix the problems listed, then try again",
            )
        (saved,) = await self.store.save([self.draft(reading)], shipped=reading.is_shipped)
        self.forget()
        return saved

    async def add(self, readings: AsyncIterable[Reading]) -> AsyncIterator[list[Taken]]:
        """Stores every valid reading; yields what became of each as soon as it is certain.

        Tools may come before the executors they name: those wait until all others are in.
        """
        self.forget()
        ready: list[Reading] = []
        waiting: list[Reading] = []
        rejected: list[Taken] = []
        async for reading in readings:
            problems = await self.check(reading)
            if waits(problems):
                waiting.append(reading)
            elif has_errors(problems):
                rejected.append(_rejected(reading, problems))
            else:
                ready.append(reading)
            if len(ready) >= BATCH or len(rejected) >= BATCH:
                yield [*rejected, *await self._store(ready)]
                ready, rejected = [], []
        yield [*rejected, *await self._store(ready)]
        async for taken in self._add_waiting(waiting):
            yield taken

    async def _add_waiting(self, waiting: list[Reading]) -> AsyncIterator[list[Taken]]:
        """Those whose executors came later: again, until nothing more can be stored."""
        while waiting:
            ready: list[Reading] = []
            still: list[Reading] = []
            for reading in waiting:
                (still if has_errors(await self.check(reading)) else ready).append(reading)
            if not ready:
                break
            waiting = still
            for start in range(0, len(ready), BATCH):
                yield await self._store(ready[start : start + BATCH])
        batch = {str(reading.manifest["tool_id"]): reading for reading in waiting}
        if waiting:
            yield [_rejected(r, await self._why(r, batch)) for r in waiting]

    async def _why(self, reading: Reading, batch: dict[str, Reading]) -> list[Problem]:
        """What keeps one of `batch` out: with all of them known, so that a circle is called one;
        if it only needs another that cannot come in, then alone."""
        problems = await self.check(reading, batch)
        return problems if has_errors(problems) else await self.check(reading)

    async def _store(self, readings: list[Reading]) -> list[Taken]:
        if not readings:
            return []
        drafts = [self.draft(reading) for reading in readings]
        shipped = readings[0].is_shipped
        try:
            saved = await self.store.save(drafts, shipped=shipped)
        except RefusedError:
            return [await self._store_one(r, d) for r, d in zip(readings, drafts, strict=True)]
        finally:
            self.forget()
        return [
            Taken(reading.name, one.tool_id, one)
            for reading, one in zip(readings, saved, strict=True)
        ]

    async def _store_one(self, reading: Reading, draft: Draft) -> Taken:
        tool_id = str(reading.manifest["tool_id"])
        try:
            (saved,) = await self.store.save([draft], shipped=reading.is_shipped)
        except RefusedError as refusal:
            return Taken(reading.name, tool_id, refusal=refusal)
        return Taken(reading.name, tool_id, saved)

    def draft(self, reading: Reading) -> Draft:
        """A checked reading as it will be stored."""
        return Draft(
            space=reading.space,
            manifest=reading.manifest,
            content_hash=hash_of(reading),
            effect=effect_of(reading.manifest, trusted=reading.is_shipped),
            declared_effect=effect_of(reading.manifest, trusted=True),
            claimed_hash=claimed_hash(reading),
            files=reading.files,
            text=reading.text,
            manifest_file=reading.manifest_file,
            uses=_uses(reading),
        )

    async def _look_up(self, reading: Reading, batch: dict[str, Reading]) -> None:
        """Finds the reading's chain and the other tools it names."""
        manifest = reading.manifest
        tool_type = TYPES.get(str(manifest.get("tool_type")))
        executor = manifest.get("executor")
        reading.chain = None
        if tool_type is None or not isinstance(manifest.get("tool_id"), str):
            return

        async def find(reference: str, space: str) -> chain.Link | None:
            return batch.get(reference) or await self._find(reference, space)

        if executor is None or isinstance(executor, str):
            reading.chain = await chain.resolve(reading, find)
        reading.known = {}
        for _, reference in tool_type.references(manifest):
            link = await find(reference, reading.space)
            reading.known[reference] = None if link is None else link.manifest.get("tool_type")

    async def _with_guess(self, reading: Reading, problem: Problem) -> Problem:
        """A problem that says which executor was probably meant, if one is near."""
        missing = str(reading.manifest.get("executor"))
        if problem.code != "executor_not_found" or f"{missing!r}" not in problem.message:
            return problem
        if missing not in self._guesses:
            carriers = ("primitive", "runtime", "mcp_server")
            rows = await self.store.rows(outward(reading.space), tool_types=carriers, limit=1000)
            self._guesses[missing] = did_you_mean(missing, [row.tool_id for row in rows])
        meant = self._guesses[missing]
        if meant is None:
            return problem
        fix = reading.replace_value(("executor",), meant)
        return replace(problem, hint=f"did you mean {meant}?", fix=fix)

    async def _find(self, reference: str, space: str) -> chain.Link | None:
        key = (reference, space)
        if key not in self._links:
            parsed = references.try_parse(reference)
            self._links[key] = (
                await self.store.find(
                    parsed.tool_id, named(parsed.space, outward(space)), parsed.version
                )
                if parsed is not None
                else None
            )
        return self._links[key]

    def forget(self) -> None:
        """What was missing may be there now; what was there may have a newer version."""
        self._links = {
            key: link
            for key, link in self._links.items()
            if link is not None and link.manifest["tool_type"] == "primitive"
        }


def hash_of(reading: Reading) -> str:
    return content_hash(reading.manifest, reading.files, reading.manifest_file)


def claimed_hash(reading: Reading) -> str | None:
    """The hash that the signature line in the manifest's file names."""
    own = reading.file(reading.manifest_file or "")
    name, text = (own.path, own.text) if own is not None else ("tool.yaml", reading.text)
    found = signature.find(name, text or "")
    return found.content_hash if found is not None else None


async def each(readings: Iterable[Reading]) -> AsyncIterator[Reading]:
    """Readings one by one, with room for whatever else waits for the loop."""
    last = time.monotonic()
    for reading in readings:
        yield reading
        if time.monotonic() - last > _PATIENCE:
            await asyncio.sleep(0)
            last = time.monotonic()


def _uses(reading: Reading) -> tuple[str, ...]:
    """The ids of the tools that a checked reading names, besides its executor."""
    named = TYPES[reading.manifest["tool_type"]].references(reading.manifest)
    parsed = (references.try_parse(reference) for _, reference in named)
    return tuple(dict.fromkeys(one.tool_id for one in parsed if one is not None))


def waits(problems: list[Problem]) -> bool:
    """Whether all that is wrong is that another tool is not there yet."""
    missing = ("executor_not_found", "step_tool_not_found", "directive_not_found")
    errors = [problem for problem in problems if has_errors([problem])]
    return bool(errors) and all(problem.code in missing for problem in errors)


def _rejected(reading: Reading, problems: list[Problem]) -> Taken:
    return Taken(reading.name, str(reading.manifest.get("tool_id", "")), problems=problems)
