"""Directives: instructions that a language model follows, as markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from workbench.core import markdown, parameters
from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.tool_types.base import ToolType, executor_config

DEFAULT_FILE = "directive.md"


class Config(Shape):
    entrypoint: str = Field(default=DEFAULT_FILE, description="the markdown file")
    model_tier: str | None = Field(default=None, description="which model of the runtime")
    max_tokens: int | None = Field(default=None, gt=0, description="budget")
    max_turns: int | None = Field(default=None, gt=0, description="turns at most")
    permissions: Any = Field(default=None, description="what the directive may use")
    git_checkpoint: Literal["auto", "explicit", "disabled"] | None = None


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    yield from check_providers(reading)
    yield from check_tier(reading, config.model_tier)
    file = reading.file(config.entrypoint)
    if file is None:
        yield reading.problem(
            "files_missing",
            ("config", "entrypoint"),
            f"a directive has its text in {config.entrypoint}, which is not there",
            hint=f"put {config.entrypoint} beside tool.yaml",
            on_key=True,
        )
        return
    text = file.text or ""
    if not markdown.split(text).body.strip():
        problem = reading.problem("empty_content", (), f"{file.path} has no text")
        yield replace(problem, file=file.path, line=1, column=1)
    element, problems = markdown.directive(text)
    if reading.manifest_file != file.path:  # else the dialect has said so already
        for problem in problems:
            yield replace(problem, file=file.path)
        if element is not None:
            yield from _check_agreement(reading, element, file.path)


def _check_agreement(reading: Reading, element: markdown.Element, file: str) -> Iterator[Problem]:
    """What the XML says of itself is what the manifest says."""
    for attribute, key in (("name", "tool_id"), ("version", "version")):
        said = element.attributes.get(attribute)
        if said is not None and said != reading.manifest.get(key):
            own = reading.manifest.get(key)
            message = f"the XML says {attribute} {said!r}, the manifest {key} {own!r}"
            problem = reading.problem("directive_mismatch", (key,), message)
            yield replace(problem, file=file, line=element.line, column=element.column)
    inputs = element.find("inputs")
    listed = {i.attributes.get("name", "") for i in inputs.all("input")} if inputs else set()
    missing = listed - set(parameters.names(reading.manifest.get("parameters")))
    if missing and reading.manifest.get("parameters"):
        message = f"inputs without a parameter: {', '.join(sorted(missing))}"
        problem = reading.problem("directive_mismatch", ("parameters",), message)
        yield replace(problem, file=file, line=inputs.line if inputs else 1, column=1)


def check_providers(reading: Reading) -> Iterator[Problem]:
    """Directives and threads need a runtime that talks to language models."""
    below = executor_config(reading)
    if below is not None and not below.get("providers"):
        yield reading.problem(
            "executor_type",
            ("executor",),
            f"a {reading.manifest['tool_type']} needs a runtime with providers",
            hint="name a runtime whose config lists language model providers",
        )


def check_tier(reading: Reading, tier: str | None) -> Iterator[Problem]:
    tiers = list((executor_config(reading) or {}).get("model_tiers") or {})
    if tier is not None and tiers and tier not in tiers:
        yield reading.problem(
            "not_one_of",
            ("config", "model_tier"),
            f"the runtime has the tiers {', '.join(tiers)}, not {tier!r}",
        )


TYPE = ToolType(
    name="directive",
    summary="Instructions for a language model",
    config=Config,
    executors=("runtime",),
    files="required",
    check=_check,
)
