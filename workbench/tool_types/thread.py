"""Threads: a directive set up to run, with its limits."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from workbench.core import references
from workbench.core.problems import Path, Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.core.tool import Manifest
from workbench.tool_types.base import ToolType, config_of
from workbench.tool_types.directive import check_providers, check_tier


class Config(Shape):
    directive: str = Field(description="the directive it runs")
    model_tier: str | None = Field(default=None, description="which model of the runtime")
    max_tokens: int | None = Field(default=None, gt=0, description="tokens at most")
    max_turns: int | None = Field(default=None, gt=0, description="turns at most")
    max_cost: float | None = Field(default=None, gt=0, description="dollars at most")
    timeout: float | None = Field(default=None, gt=0, description="seconds at most")
    inherit_permissions: bool | None = Field(default=None, description="scope down from parent")


def _references(manifest: Manifest) -> Iterator[tuple[Path, str]]:
    directive = config_of(manifest).get("directive")
    if isinstance(directive, str):
        yield ("config", "directive"), directive


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    yield from check_providers(reading)
    yield from check_tier(reading, config.model_tier)
    path = ("config", "directive")
    if references.try_parse(config.directive) is None:
        message = f"{config.directive[:60]!r} is not a reference to a directive"
        yield reading.problem("bad_reference", path, message)
        return
    if config.directive not in reading.known:
        return  # nothing was looked up
    found = reading.known[config.directive]
    if found != "directive":
        what = f"is a {found}, not a directive" if found else "does not exist"
        yield reading.problem("directive_not_found", path, f"{config.directive} {what}")


TYPE = ToolType(
    name="thread",
    summary="A directive with its limits, ready to run",
    config=Config,
    executors=("runtime",),
    check=_check,
    references=_references,
)
