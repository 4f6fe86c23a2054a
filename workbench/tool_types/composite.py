"""Composites: several tools as one, in steps that refer to each other's results.

A step's inputs may hold `{parameter}`, `{steps.ID.result…}` and, inside `for_each`, `{item}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from workbench.core import parameters, references, templates
from workbench.core.problems import Path, Problem
from workbench.core.reading import Reading, did_you_mean
from workbench.core.shape import Shape
from workbench.core.tool import Manifest
from workbench.tool_types.base import ToolType, check_variables, config_of


class Step(Shape):
    id: str = Field(min_length=1, description="what other steps call it")
    tool: str = Field(description="the tool it runs")
    with_: dict[str, Any] = Field(default={}, alias="with", description="its parameters")
    needs: list[str] = Field(default=[], description="steps that must be done before")
    for_each: Any = Field(default=None, description="a list; the step runs once for each {item}")
    when: Any = Field(default=None, description="a condition; the step is left out if false")
    on_error: Literal["stop", "continue", "skip"] | None = Field(
        default=None, description="stop, continue, or skip what depends on it"
    )


class Config(Shape):
    steps: list[Step] = Field(min_length=1, max_length=1000, description="what is run")
    output: Any = Field(default=None, description="the result, from {steps.ID.result}")


def _references(manifest: Manifest) -> Iterator[tuple[Path, str]]:
    steps = config_of(manifest).get("steps")
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if isinstance(step, dict) and isinstance(step.get("tool"), str):
            yield ("config", "steps", index, "tool"), step["tool"]


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    ids = [step.id for step in config.steps]
    yield from _check_ids(reading, ids)
    yield from _check_tools(reading)
    waits: dict[str, set[str]] = {}
    for index, step in enumerate(config.steps):
        path: Path = ("config", "steps", index)
        needed = set(step.needs)
        for number, need in enumerate(step.needs):
            if need not in ids:
                yield _unknown_step(reading, (*path, "needs", number), need, ids)
        for key, value in (("with", step.with_), ("for_each", step.for_each), ("when", step.when)):
            item = key == "with" and step.for_each is not None
            needed |= yield from _check_holes(reading, (*path, key), value, ids, item=item)
        waits.setdefault(step.id, needed & set(ids))
    yield from _check_holes(reading, ("config", "output"), config.output, ids, item=False)
    if circle := _circle(waits):
        where = ("config", "steps", ids.index(circle[0]))
        message = f"steps wait for each other: {' → '.join(circle)}"
        yield reading.problem("step_cycle", where, message)


def _check_ids(reading: Reading, ids: Sequence[str]) -> Iterator[Problem]:
    for index, step_id in enumerate(ids):
        path = ("config", "steps", index, "id")
        if not references.is_tool_id(step_id) or "." in step_id:
            message = f"{step_id[:40]!r} cannot be the id of a step"
            yield reading.problem("bad_reference", path, message, hint="use a-z, 0-9, _ and -")
        if step_id in ids[:index]:
            yield reading.problem("duplicate_step", path, f"there is a step {step_id!r} already")


def _check_tools(reading: Reading) -> Iterator[Problem]:
    for path, reference in _references(reading.manifest):
        if references.try_parse(reference) is None:
            message = f"{reference[:60]!r} is not a reference to a tool"
            yield reading.problem("bad_reference", path, message)
        elif reference == reading.manifest.get("tool_id"):
            yield reading.problem("step_cycle", path, "a composite cannot run itself")
        elif reading.known.get(reference, "") is None:  # "" where nothing was looked up
            message = f"the tool {reference} does not exist"
            yield reading.problem("step_tool_not_found", path, message)


def _check_holes(
    reading: Reading, path: Path, value: Any, ids: Sequence[str], *, item: bool
) -> Any:
    """Checks what a template refers to; returns the steps it waits for."""
    known = parameters.names(reading.manifest.get("parameters"))
    needed: set[str] = set()
    for where, text in templates.strings(value, path):
        yield from check_variables(reading, where, text)
        for hole in templates.holes(text):
            if hole.kind != "parameter":
                continue
            root, _, rest = hole.name.partition(".")
            if root == "steps":
                step = rest.split(".")[0]
                needed.add(step)
                if step not in ids:
                    yield _unknown_step(reading, where, step, ids)
            elif root not in known and not (item and root == "item"):
                meant = did_you_mean(root, [*known, "steps"])
                yield reading.problem(
                    "unknown_variable",
                    where,
                    f"{{{hole.name}}} is neither a parameter nor a step's result",
                    hint=f"did you mean {{{meant}}}?" if meant else "write {steps.ID.result}",
                )
    return needed


def _unknown_step(reading: Reading, path: Path, step: str, ids: Sequence[str]) -> Problem:
    meant = did_you_mean(step, list(ids))
    hint = f"did you mean {meant}?" if meant else f"steps here: {', '.join(ids)}"
    return reading.problem("unknown_step", path, f"there is no step {step!r}", hint=hint)


def _circle(waits: dict[str, set[str]]) -> list[str]:
    """Steps that wait for each other, first one repeated at the end; [] if none do."""
    done: set[str] = set()
    for start in waits:
        trail = [start]
        stack: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(waits[start] - done)))]
        while stack:
            step, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                done.add(step)
                stack.pop()
                trail.pop()
            elif following in trail:
                return [*trail[trail.index(following) :], following]
            elif following not in done:
                trail.append(following)
                stack.append((following, iter(sorted(waits.get(following, ())))))
    return []


TYPE = ToolType(
    name="composite",
    summary="Several tools as one",
    config=Config,
    files="optional",
    check=_check,
    references=_references,
)
