"""What the program knows of a tool type: one `ToolType` value per file of this folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from workbench.core import parameters, templates
from workbench.core.problems import Path, Problem
from workbench.core.reading import Reading, did_you_mean
from workbench.core.shape import Shape, describe
from workbench.core.tool import Effect, Manifest

Check = Callable[[Reading], Iterator[Problem]]

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)


def config_of(manifest: Manifest) -> Mapping[str, Any]:
    """The config of a manifest that may not have been checked yet."""
    config = manifest.get("config")
    return config if isinstance(config, Mapping) else {}


def nothing(reading: Reading) -> Iterator[Problem]:
    return iter(())


def no_references(manifest: Manifest) -> Iterator[tuple[Path, str]]:
    return iter(())


def writes(manifest: Manifest) -> Effect:
    """The cautious answer."""
    return Effect.WRITES


def reads(manifest: Manifest) -> Effect:
    return Effect.READS


@dataclass(frozen=True)
class ToolType:
    """One type. `executors` are the types its executor may have; () means it has none."""

    name: str
    summary: str
    config: type[Shape]
    executors: tuple[str, ...] = ()
    files: Literal["required", "optional", "none"] = "none"
    check: Check = nothing
    references: Callable[[Manifest], Iterator[tuple[Path, str]]] = no_references
    """The other tools it names, besides its executor, and where."""
    effect: Callable[[Manifest], Effect] = writes
    """What it does when nobody trusted says otherwise."""


def executor_config(reading: Reading) -> dict[str, Any] | None:
    """The merged config of everything below the tool, or None if its chain is broken."""
    chain = reading.chain
    if chain is None or chain.executor is None:
        return None
    config: dict[str, Any] = {}
    for link in reversed(chain.links[1:]):
        config |= config_of(link.manifest)
    return config


def check_templates(
    reading: Reading, paths: list[Path], *, extra: tuple[str, ...] = (), unused: bool = False
) -> Iterator[Problem]:
    """Template variables ↔ parameters, in the values at `paths`."""
    known = [*parameters.names(_parameters(reading)), *extra]
    used: set[str] = set()
    for start in paths:
        value = _value_at(reading.manifest, start)
        for path, text in templates.strings(value, start):
            yield from check_variables(reading, path, text)
            for hole in templates.holes(text):
                if hole.kind != "parameter":
                    continue
                used.add(hole.name)
                if hole.name not in known:
                    meant = did_you_mean(hole.name, known)
                    yield reading.problem(
                        "unknown_variable",
                        path,
                        f"{{{hole.name}}} is not a parameter of this tool",
                        hint=f"did you mean {{{meant}}}?" if meant else "add it to parameters",
                    )
    if unused:
        yield from _unused(reading, used)


def check_variables(reading: Reading, path: Path, text: str) -> Iterator[Problem]:
    if (position := templates.unclosed(text)) is not None:
        yield reading.problem(
            "bad_template",
            path,
            f"{text[position : position + 30]!r} is not a variable",
            hint="write ${NAME} or ${NAME:-default}",
        )


def _unused(reading: Reading, used: set[str]) -> Iterator[Problem]:
    given = _parameters(reading)
    for index, name in enumerate(parameters.names(given)):
        if name not in used:
            path: Path = ("parameters", index, "name")
            if isinstance(given, dict):
                path = ("parameters", "properties", name)
            yield reading.problem(
                "unused_parameter",
                path,
                f"nothing uses the parameter {name}",
                hint=f"write {{{name}}} where its value belongs, or remove it",
            )


def _parameters(reading: Reading) -> Any:
    given = reading.manifest.get("parameters") or []
    if isinstance(given, list):
        return [item for item in given if isinstance(item, dict)]
    return given if isinstance(given, dict) else []


def _value_at(value: Any, path: Path) -> Any:
    for part in path:
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def check_url(
    reading: Reading, path: Path, url: str, schemes: tuple[str, ...] = ("http", "https")
) -> Iterator[Problem]:
    """A URL whose holes may be anything, but whose fixed parts must be right."""
    yield from check_variables(reading, path, url)
    filled = re.sub(r"\$\{[^{}]*\}", "0", url)
    if re.match(r"\$\{[^{}]*\}", url):
        return  # the variable may hold the scheme and the host
    filled = re.sub(r"\{[^{}]*\}", "0", filled)
    problem = ""
    if re.search(r"[\s\x00-\x1f\x7f\\]", filled):
        problem = "has a blank or a control character in it"
    else:
        try:
            parts = urlsplit(filled)
            if parts.scheme not in schemes:
                problem = f"must begin with {' or '.join(f'{s}://' for s in schemes)}"
            elif not parts.hostname:
                problem = "has no host"
            elif parts.username or parts.password:
                problem = "holds credentials; give them in auth"
            else:
                _ = parts.port  # raises for a port that is none
        except ValueError as error:
            problem = f"is not a URL: {error}"
    if problem:
        yield reading.problem("bad_url", path, f"{describe(url)} {problem}")


def check_headers(reading: Reading, path: Path, headers: dict[str, str]) -> Iterator[Problem]:
    for name, value in headers.items():
        where = (*path, name)
        if not _HEADER.fullmatch(name):
            message = f"{name!r} is not a header name"
            yield reading.problem("bad_header", where, message, on_key=True)
        elif re.search(r"[\r\n\x00]", value):
            yield reading.problem("bad_header", where, f"the value of {name} has a line break")
        else:
            yield from check_variables(reading, where, value)


def check_environment(reading: Reading, path: Path, env: dict[str, str]) -> Iterator[Problem]:
    for name, value in env.items():
        where = (*path, name)
        if not VARIABLE.fullmatch(name):
            message = f"{name!r} cannot be the name of an environment variable"
            yield reading.problem("bad_template", where, message, on_key=True)
        yield from check_variables(reading, where, value)


def check_auth(reading: Reading, path: Path, auth: Any) -> Iterator[Problem]:
    """`auth` has what its kind needs (an `Auth` model, already of the right shape)."""
    needs = {
        "bearer": (("token", "token_env"),),
        "basic": (("username",), ("password", "password_env")),
        "api_key": (("key", "key_env"), ("header", "query")),
    }[auth.type]
    for alternatives in needs:
        if not any(getattr(auth, name) for name in alternatives):
            yield reading.problem(
                "auth_incomplete",
                path,
                f"{auth.type} authentication needs {' or '.join(alternatives)}",
                on_key=True,
            )
    for name, value in auth.model_dump(exclude_none=True).items():
        yield from check_variables(reading, (*path, name), str(value))


class Auth(Shape):
    """How a request proves who sends it. Secrets are named, never written."""

    type: Literal["bearer", "basic", "api_key"]
    token: str | None = None
    token_env: str | None = None
    username: str | None = None
    password: str | None = None
    password_env: str | None = None
    key: str | None = None
    key_env: str | None = None
    header: str | None = None
    query: str | None = None
