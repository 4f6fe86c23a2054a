"""API tools: one HTTP request, written as a template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.core.tool import Effect, Manifest
from workbench.tool_types.base import (
    Auth,
    ToolType,
    check_auth,
    check_headers,
    check_templates,
    check_url,
)

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
_BODILESS = ("GET", "HEAD", "OPTIONS")


class Retry(Shape):
    max_attempts: int = Field(default=3, ge=1, le=20, description="tries in all")
    backoff: float = Field(default=1.0, ge=0, description="seconds before the second try")


class Config(Shape):
    method: str = Field(description="the HTTP method, such as GET")
    url: str | None = Field(default=None, description="where the request goes")
    url_template: str | None = Field(default=None, description="the same, with {parameters}")
    query: dict[str, Any] = Field(default={}, description="what follows the question mark")
    headers: dict[str, str] = Field(default={}, description="header fields")
    body_template: Any = Field(default=None, description="the body, with {parameters}")
    auth: Auth | None = Field(default=None, description="bearer, basic or api_key")
    timeout: float | None = Field(default=None, gt=0, description="seconds")
    retry: Retry | None = Field(default=None, description="how often it is tried again")
    response_transform: str | None = Field(default=None, description="JSONPath of the result")


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    yield from _check_primitive(reading)
    yield from _check_method(reading, config)
    yield from _check_urls(reading, config)
    yield from check_headers(reading, ("config", "headers"), config.headers)
    if config.auth is not None:
        yield from check_auth(reading, ("config", "auth"), config.auth)
    if config.response_transform is not None:
        yield from _check_jsonpath(reading, config.response_transform)
    templated = ("url", "url_template", "query", "headers", "body_template", "auth")
    sends_all = config.method not in _BODILESS and config.body_template is None
    yield from check_templates(
        reading, [("config", name) for name in templated], unused=not sends_all
    )


def _check_primitive(reading: Reading) -> Iterator[Problem]:
    chain = reading.chain
    if chain is None or chain.fault is not None or chain.primitive in (None, "http_client"):
        return
    yield reading.problem(
        "executor_type",
        ("executor",),
        f"an api runs on http_client, not on {chain.primitive}",
        fix=reading.replace_value(("executor",), "http_client"),
    )


def _check_method(reading: Reading, config: Config) -> Iterator[Problem]:
    path = ("config", "method")
    if config.method not in METHODS:
        upper = config.method.upper()
        yield reading.problem(
            "bad_method",
            path,
            f"{config.method[:20]!r} is not one of {', '.join(METHODS)}",
            hint=f"write {upper}" if upper in METHODS else "",
            fix=reading.replace_value(path, upper) if upper in METHODS else None,
        )
    elif config.method in _BODILESS and config.body_template is not None:
        yield reading.problem(
            "body_not_sent",
            ("config", "body_template"),
            f"{config.method} requests have no body",
            hint="use query, or another method",
            on_key=True,
        )


def _check_urls(reading: Reading, config: Config) -> Iterator[Problem]:
    given = [name for name in ("url", "url_template") if getattr(config, name)]
    if len(given) != 1:
        yield reading.problem(
            "missing_field" if not given else "field_unused",
            ("config", "url"),
            "url is required in config" if not given else "url and url_template are both given",
            hint="give one of url and url_template",
            on_key=True,
        )
    for name in given:
        yield from check_url(reading, ("config", name), getattr(config, name))


def _check_jsonpath(reading: Reading, expression: str) -> Iterator[Problem]:
    from jsonpath import JSONPathEnvironment
    from jsonpath.exceptions import JSONPathError

    try:
        JSONPathEnvironment(strict=True).compile(expression)
    except (JSONPathError, RecursionError) as error:
        reason = str(error.args[0])  # str(error) fails where the expression is empty
        yield reading.problem(
            "bad_jsonpath",
            ("config", "response_transform"),
            f"{expression[:60]!r} is not a JSONPath: {reason[:120]}",
            hint='as in "$.items[0:5].name"',
        )


def _effect(manifest: Manifest) -> Effect:
    method = str((manifest.get("config") or {}).get("method", "")).upper()
    if method == "DELETE":
        return Effect.DESTROYS
    return Effect.READS if method in ("GET", "HEAD") else Effect.WRITES


TYPE = ToolType(
    name="api",
    summary="One HTTP request",
    config=Config,
    executors=("primitive",),
    check=_check,
    effect=_effect,
)
