"""Scripts: files that a runtime runs, or a program of the host that it wraps."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.tool_types.base import (
    ToolType,
    check_environment,
    check_templates,
    executor_config,
)
from workbench.tool_types.requirements import check_requirements
from workbench.tool_types.runtime import ParameterStyle


class Config(Shape):
    entrypoint: str | None = Field(default=None, description="the file to run")
    requires: list[str] = Field(default=[], description="packages it needs")
    params: ParameterStyle | None = Field(default=None, description="how values travel")
    command: str | None = Field(default=None, description="a program of the host")
    args: list[str] = Field(default=[], description="its arguments, with {parameters}")
    env: dict[str, str] = Field(default={}, description="variables it gets")
    cwd: str | None = Field(default=None, description="working folder inside the project")
    timeout: float | None = Field(default=None, gt=0, description="seconds")
    shell: str | None = Field(default=None, description="the shell it expects")
    venv: bool | None = Field(default=None, description="use an environment of its own")


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    below = executor_config(reading)
    if below is not None and below.get("files") == "none":
        yield from _check_command(reading, config)
    elif below is not None or reading.files:  # else nobody knows yet whether it needs files
        yield from _check_entrypoint(reading, config)
    if below is not None and below.get("providers"):
        message = "this runtime talks to language models and runs no files"
        yield reading.problem("executor_type", ("executor",), message)
    yield from check_requirements(reading, ("config", "requires"), config.requires)
    yield from check_environment(reading, ("config", "env"), config.env)
    yield from check_templates(
        reading, [("config", "command"), ("config", "args")], extra=("entrypoint", "binary")
    )


def _check_command(reading: Reading, config: Config) -> Iterator[Problem]:
    if not config.command:
        message = "command is required: this runtime wraps a program of the host"
        yield reading.problem("missing_field", ("config", "command"), message, on_key=True)


def _check_entrypoint(reading: Reading, config: Config) -> Iterator[Problem]:
    if not reading.files:
        yield reading.problem(
            "files_missing",
            ("tool_type",),
            "a script has files, and there are none",
            hint=f"put {config.entrypoint or 'them'} beside tool.yaml, in the tool's own folder",
        )
        return
    if not config.entrypoint:
        message = "entrypoint is required in config"
        hint = f"which of these runs: {', '.join(file.path for file in reading.files[:5])}"
        yield reading.problem(
            "missing_field", ("config", "entrypoint"), message, hint=hint, on_key=True
        )
    elif reading.file(config.entrypoint) is None:
        yield reading.problem(
            "entrypoint_not_found",
            ("config", "entrypoint"),
            f"the entrypoint {config.entrypoint!r} is not among the tool's files",
            hint=f"files here: {', '.join(file.path for file in reading.files[:5])}",
        )


TYPE = ToolType(
    name="script",
    summary="Files that a runtime runs",
    config=Config,
    executors=("runtime",),
    files="optional",  # whether they are needed is the runtime's to say; see _check
    check=_check,
)
