"""MCP servers: how a server is started or reached. What it offers is found by discovery."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.tool_types.base import (
    Auth,
    ToolType,
    check_auth,
    check_environment,
    check_headers,
    check_url,
    check_variables,
)


class RateLimit(Shape):
    calls: int = Field(gt=0, description="calls allowed")
    seconds: float = Field(gt=0, description="in that many seconds")


class Config(Shape):
    transport: Literal["stdio", "http", "sse", "websocket"] = Field(
        description="stdio for a local process; http, sse or websocket for a remote one"
    )
    command: str | None = Field(default=None, description="the program to start")
    args: list[str] = Field(default=[], description="its arguments")
    env: dict[str, str] = Field(default={}, description="variables it gets")
    cwd: str | None = Field(default=None, description="its working folder, inside the project")
    requires: list[str] = Field(default=[], description="Python packages of its environment")
    startup_timeout: float | None = Field(default=None, gt=0, description="seconds")
    url: str | None = Field(default=None, description="where it listens")
    headers: dict[str, str] = Field(default={}, description="headers of every request")
    auth: Auth | None = Field(default=None, description="bearer, basic or api_key")
    reconnect: bool | None = Field(default=None, description="connect again when it drops")
    reconnect_delay: float | None = Field(default=None, ge=0, description="seconds")
    call_timeout: float | None = Field(default=None, gt=0, description="seconds")
    idle_timeout: float | None = Field(default=None, gt=0, description="seconds")
    rate_limit: RateLimit | None = Field(default=None, description="how often it may be called")


_LOCAL = ("command", "args", "env", "cwd", "requires", "startup_timeout")
_REMOTE = ("url", "headers", "auth", "reconnect", "reconnect_delay")
_SCHEMES = {"http": ("http", "https"), "sse": ("http", "https"), "websocket": ("ws", "wss")}


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    local = config.transport == "stdio"
    yield from _check_primitive(reading, config, "subprocess" if local else "http_client")
    needed = "command" if local else "url"
    if not getattr(config, needed):
        yield reading.problem(
            "transport_field",
            ("config", "transport"),
            f"the transport {config.transport} needs config.{needed}",
            on_key=True,
        )
    for name in _REMOTE if local else _LOCAL:
        if name in reading.config:
            yield reading.problem(
                "field_unused",
                ("config", name),
                f"{name} means nothing with the transport {config.transport}",
                on_key=True,
            )
    if local:
        yield from check_environment(reading, ("config", "env"), config.env)
        for index, argument in enumerate(config.args):
            yield from check_variables(reading, ("config", "args", index), argument)
    elif config.url:
        yield from check_url(reading, ("config", "url"), config.url, _SCHEMES[config.transport])
    yield from check_headers(reading, ("config", "headers"), config.headers)
    if config.auth is not None:
        yield from check_auth(reading, ("config", "auth"), config.auth)


def _check_primitive(reading: Reading, config: Config, wanted: str) -> Iterator[Problem]:
    chain = reading.chain
    primitive = chain.primitive if chain is not None and chain.fault is None else None
    if primitive is not None and primitive != wanted:
        yield reading.problem(
            "transport_mismatch",
            ("executor",),
            f"the transport {config.transport} runs on {wanted}, not on {primitive}",
            fix=reading.replace_value(("executor",), wanted),
        )


TYPE = ToolType(
    name="mcp_server",
    summary="A connection to an MCP server",
    config=Config,
    executors=("primitive",),
    files="optional",
    check=_check,
)
