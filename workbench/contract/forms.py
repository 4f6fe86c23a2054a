"""The two forms in which a caller may write a tool: an envelope, or the manifest alone.

    {"tool_id": …, "tool_type": …, "executor": …, "manifest": {…}, "files": {path: text}}
    {"tool_id": …, "tool_type": …, "version": …, "config": {…}, …, "files": {path: text}}

Either may say in which space it belongs, by `location`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.contract.checks import Given, kind_of
from workbench.contract.items import location
from workbench.core import references
from workbench.core.files import MANIFEST_FILES
from workbench.errors import UsageError

_WHERE = "parameters."
_ABOVE = ("tool_id", "tool_type", "executor", "executor_id")
_BESIDE = ("files", "location")


@dataclass(frozen=True, slots=True)
class Form:
    """A tool as it was sent. `manifest` has what the caller gave and no more; a null in it or
    in `files` takes away what is there."""

    tool_id: str
    space: str | None
    manifest: Mapping[str, Any]
    files: Mapping[str, str | None]


def read(item_id: str | None, parameters: Mapping[str, Any]) -> Form:
    """The tool in `parameters`; its id may also be given as `item_id`, with its space."""
    if "manifest" in parameters:
        beside = Given(parameters, (*_ABOVE, "manifest", *_BESIDE), _WHERE)
        manifest = _joined(beside, parameters)
    else:
        manifest = {key: value for key, value in parameters.items() if key not in _BESIDE}
        beside = Given(
            {key: parameters[key] for key in _BESIDE if key in parameters}, _BESIDE, _WHERE
        )
    named = references.parse(item_id) if item_id is not None else None
    if named is not None:
        if named.version is not None:
            message = "leave @version out of item_id; the manifest says which version it is"
            raise UsageError(message, code="bad_parameter", suggestion=f"write {named.tool_id}")
        _same("tool_id", manifest.setdefault("tool_id", named.tool_id), named.tool_id, "item_id")
    if manifest.get("tool_id") is None:
        raise UsageError(
            "neither item_id nor parameters.tool_id says which tool is meant",
            code="missing_parameter",
            suggestion='add "item_id": "tool_name"',
        )
    if not isinstance(manifest["tool_id"], str):
        what = f"is a string, not {kind_of(manifest['tool_id'])}"
        raise beside.bad("tool_id", what)
    space = location(beside)
    if named is not None and named.space is not None:
        space = space or named.space
        _same("location", space, named.space, "item_id")
    return Form(manifest["tool_id"], space, manifest, _files(beside))


def _joined(given: Given, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of an envelope, with what the envelope says of it."""
    inner = given.mapping("manifest")
    above = {key: parameters[key] for key in _ABOVE if key in parameters}
    for key in above:
        if key in inner:
            _same(key, above[key], inner[key], "manifest")
    return {**above, **inner}


def _same(name: str, one: Any, other: Any, where: str) -> None:
    if one != other:
        raise UsageError(
            f"parameters.{name} and {where} say different things: "
            f"{str(one)[:60]!r} and {str(other)[:60]!r}",
            code="bad_parameter",
            suggestion="say it once",
        )


def _files(given: Given) -> dict[str, str | None]:
    files: dict[str, str | None] = {}
    for path, text in given.mapping("files").items():
        if text is not None and not isinstance(text, str):
            raise given.bad("files", f"holds texts; {path[:60]} is {kind_of(text)}")
        if path in MANIFEST_FILES:
            raise given.bad("files", f"holds all but the manifest; leave out {path}")
        files[path] = text
    return files
