"""How tools come in: looked up, checked, and stored; one by one or by the hundred thousand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field, replace

from workbench.core import chain, references
from workbench.core.dialects import Names
from workbench.core.integrity import content_hash
from workbench.core.problems import Problem, has_errors
from workbench.core.reading import Reading, did_you_mean
from workbench.core.tool import PUBLIC, Draft, Saved
from workbench.errors import InvalidError, RefusedError
from workbench.store.tools import ToolStore
from workbench.tool_types import TYPES, effect_of
from workbench.tool_types.validation import validate

BATCH = 500


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

    async def save(self, reading: Reading) -> Saved:
        """Stores one reading; InvalidError if it has errors."""
        problems = await self.check(reading)
        if has_errors(problems):
            raise InvalidError(
                f"{reading.name or reading.manifest.get('tool_id')} is not a valid tool",
                problems,
                tool_id=reading.manifest.get("tool_id"),
                suggestion="fix the problems listed, then try again",
            )
        (saved,) = await self.store.save([self.draft(reading)], shipped=reading.is_shipped)
        self._forget()
        return saved

    async def add(self, readings: Iterable[Reading]) -> AsyncIterator[list[Taken]]:
        """Stores every valid reading; yields what became of each as soon as it is certain.

        Tools may come before the executors they name: those wait until all others are in.
        """
        ready: list[Reading] = []
        waiting: list[Reading] = []
        rejected: list[Taken] = []
        for reading in readings:
            problems = await self.check(reading)
            if _waits(problems):
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
            self._forget()
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
            content_hash=content_hash(reading.manifest, reading.files),
            effect=effect_of(reading.manifest, trusted=reading.is_shipped),
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
            rows = await self.store.rows(tool_types=carriers, limit=1000)
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
                await self.store.find(parsed.tool_id, [parsed.space or PUBLIC], parsed.version)
                if parsed is not None
                else None
            )
        return self._links[key]

    def _forget(self) -> None:
        """What was missing may be there now; what was there may have a newer version."""
        self._links = {
            key: link
            for key, link in self._links.items()
            if link is not None and link.manifest["tool_type"] == "primitive"
        }


def _uses(reading: Reading) -> tuple[str, ...]:
    """The ids of the tools that a checked reading names, besides its executor."""
    named = TYPES[reading.manifest["tool_type"]].references(reading.manifest)
    parsed = (references.try_parse(reference) for _, reference in named)
    return tuple(dict.fromkeys(one.tool_id for one in parsed if one is not None))


def _waits(problems: list[Problem]) -> bool:
    """Whether all that is wrong is that another tool is not there yet."""
    missing = ("executor_not_found", "step_tool_not_found", "directive_not_found")
    errors = [problem for problem in problems if has_errors([problem])]
    return bool(errors) and all(problem.code in missing for problem in errors)


def _rejected(reading: Reading, problems: list[Problem]) -> Taken:
    return Taken(reading.name, str(reading.manifest.get("tool_id", "")), problems=problems)
