"""Runtimes: how files of one kind, or requests of one kind, are run on a primitive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.tool_types.base import (
    ToolType,
    check_environment,
    check_headers,
    check_url,
    check_variables,
)
from workbench.tool_types.requirements import check_requirements

ParameterStyle = Literal["flags", "positional", "stdin", "env", "function"]


class Venv(Shape):
    enabled: bool = Field(default=True, description="give each set of packages its own venv")
    cache_dir: str = Field(default="", description="where environments are kept")
    default_packages: list[str] = Field(default=[], description="packages every tool gets")


class Provider(Shape):
    dialect: Literal["anthropic", "openai"] | None = Field(
        default=None, description="how it is spoken to; by default its name, if that is one"
    )
    url: str = Field(description="the full endpoint")
    auth: str = Field(default="", description="value of the Authorization header")
    headers: dict[str, str] = Field(default={}, description="further headers")


class ModelTier(Shape):
    provider: str
    model: str


class Config(Shape):
    command: str | None = Field(default=None, description="the program that runs files")
    url: str | None = Field(default=None, description="the endpoint that runs requests")
    providers: dict[str, Provider] | None = Field(default=None, description="LLM endpoints")
    compile_command: str | None = Field(default=None, description="builds {binary}")
    run_command: str | None = Field(default=None, description="runs what was built")
    args: list[str] = Field(default=[], description='by default ["{entrypoint}"]')
    shell: str | None = Field(default=None, description="the shell that scripts expect")
    params: ParameterStyle | None = Field(default=None, description="how values travel")
    timeout_default: float | None = Field(default=None, gt=0, description="seconds")
    env: dict[str, str] = Field(default={}, description="variables every tool gets")
    venv: Venv | None = Field(default=None, description="Python environments")
    npm_install: bool | None = Field(default=None, description="install package.json first")
    files: Literal["required", "none"] | None = Field(
        default=None, description="none: it wraps programs of the host"
    )
    extensions: list[str] = Field(default=[], description="endings of the files it runs")
    model_tiers: dict[str, ModelTier] = Field(default={}, description="tier → provider, model")
    defaults: dict[str, Any] = Field(default={}, description="request defaults")


_WAYS = {
    "command": ("command",),
    "url": ("url",),
    "providers": ("providers",),
    "compile_command with run_command": ("compile_command", "run_command"),
}


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    yield from _check_way(reading, config)
    for name in ("command", "compile_command", "run_command"):
        if text := getattr(config, name):
            yield from check_variables(reading, ("config", name), text)
    if config.url is not None:
        yield from check_url(reading, ("config", "url"), config.url)
    for name, provider in (config.providers or {}).items():
        path = ("config", "providers", name)
        yield from check_url(reading, (*path, "url"), provider.url)
        yield from check_headers(reading, (*path, "headers"), provider.headers)
        if provider.dialect is None and name not in ("anthropic", "openai"):
            message = f"the provider {name} needs a dialect: anthropic or openai"
            yield reading.problem("missing_field", (*path, "dialect"), message, on_key=True)
    yield from check_environment(reading, ("config", "env"), config.env)
    if config.venv is not None:
        packages = ("config", "venv", "default_packages")
        yield from check_requirements(reading, packages, config.venv.default_packages)
    for name, tier in config.model_tiers.items():
        if tier.provider not in (config.providers or {}):
            message = f"the tier {name} names the provider {tier.provider!r}, which is not listed"
            where = ("config", "model_tiers", name, "provider")
            yield reading.problem("not_one_of", where, message)


def _check_way(reading: Reading, config: Config) -> Iterator[Problem]:
    given = [way for way, keys in _WAYS.items() if all(getattr(config, key) for key in keys)]
    half = bool(config.compile_command) != bool(config.run_command)
    if len(given) != 1 or half:
        said = "says in no way" if not given else f"says in {len(given)} ways"
        yield reading.problem(
            "runtime_command",
            ("config",),
            f"a runtime {'needs both compile_command and run_command' if half else said}"
            f"{'' if half else ' how it runs things'}",
            hint=f"give exactly one of {', '.join(_WAYS)}",
            on_key=True,
        )
        return
    wanted = "http_client" if given[0] in ("url", "providers") else "subprocess"
    primitive = reading.chain.primitive if reading.chain and not reading.chain.fault else wanted
    if primitive is not None and primitive != wanted:
        yield reading.problem(
            "runtime_primitive",
            ("executor",),
            f"a runtime with {given[0]} runs on {wanted}, not on {primitive}",
            fix=reading.replace_value(("executor",), wanted),
        )


TYPE = ToolType(
    name="runtime",
    summary="Runs tools of one kind on a primitive",
    config=Config,
    executors=("primitive",),
    files="optional",
    check=_check,
)
