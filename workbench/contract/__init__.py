"""Four operations for whoever is not a person: JSON in, JSON out, the same from every face.

    shape = await call(workbench, "search", {"item_type": "tool", "query": "count words", …})

`search`, `load`, `execute` and `help` are a file each. What goes wrong is raised as a
WorkbenchError; `error_object` is what the caller gets to read of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from workbench.contract import execute, load, search
from workbench.contract import help as helping
from workbench.contract.checks import check_values, did_you_mean
from workbench.contract.items import item_type_of
from workbench.core import references
from workbench.errors import NotFoundError, UsageError, WorkbenchError
from workbench.workbench import Workbench

Confirm = Callable[[str], None]
"""Asked before something is taken away; raises if it may not be."""

OPERATIONS = ("search", "load", "execute", "help")
_LOOKING: Mapping[str, Callable[[Workbench, Mapping[str, Any]], Awaitable[dict[str, Any]]]] = {
    "search": search.search,
    "load": load.load,
}
_ADVICE = {
    "has_dependants": 'delete those first, or pass "force": true in parameters',
    "hash_mismatch": 'look at changes; if they are right, sign it again with the action "sign"',
    "no_such_space": "make a folder .ai in the project, or name the user or the public space",
    "same_space": "leave destination out to read it, or name another space",
    "tool_exists": 'choose another id, or change that one with the action "update"',
    "version_kept": "leave @version out of item_id",
}
"""What to do, where the facade says it in the words of the command line."""


async def call(
    workbench: Workbench, operation: str, arguments: Any, *, confirm: Confirm | None = None
) -> dict[str, Any]:
    """The result of one operation. `arguments` is what the caller sent, not looked at yet."""
    if operation not in OPERATIONS:
        near = did_you_mean(operation, OPERATIONS)
        raise UsageError(
            f"there is no operation {operation[:60]!r}",
            code="unknown_operation",
            suggestion=f"did you mean {near}?" if near else f"one of {', '.join(OPERATIONS)}",
        )
    if not isinstance(arguments, Mapping):
        raise UsageError(
            f"the arguments of {operation} are one JSON object",
            code="bad_parameter",
            suggestion='write {"name": value, …}',
        )
    check_values(arguments)
    if operation == "help":
        return helping.answer(arguments)
    if operation == "execute":
        return await execute.execute(workbench, arguments, confirm)
    return await _LOOKING[operation](workbench, arguments)


def error_object(error: WorkbenchError, operation: str, arguments: Any) -> dict[str, Any]:
    """What the caller gets instead of a result."""
    given: Mapping[str, Any] = arguments if isinstance(arguments, Mapping) else {}
    action = given.get("action") if operation == "execute" else None
    shape = error.as_dict(
        action=action if isinstance(action, str) else None, item_type=item_type_of(given)
    )
    if "tool_id" not in shape and (named := _named(operation, given)) is not None:
        head = {key: shape.pop(key) for key in ("error", "code", "item_type")}
        shape = {**head, "tool_id": named, **shape}
    shape["suggestion"] = _advice(error)
    return shape


def _named(operation: str, given: Mapping[str, Any]) -> str | None:
    """The tool that a call is about, as far as it says so."""
    item_id = given.get("item_id")
    if item_id is None and operation == "execute" and given.get("action") != "run":
        parameters = given.get("parameters")
        item_id = parameters.get("tool_id") if isinstance(parameters, Mapping) else None
    if operation not in ("load", "execute") or not isinstance(item_id, str):
        return None
    parsed = references.try_parse(item_id)
    return parsed.tool_id if parsed is not None else item_id[:200]


def _advice(error: WorkbenchError) -> str:
    if isinstance(error, NotFoundError) and error.suggestion.startswith("`workbench list`"):
        return "search finds what there is"
    if error.code == "tool_exists" and "workbench restore" in error.suggestion:
        return error.suggestion
    return _ADVICE.get(error.code, error.suggestion)


__all__ = ["OPERATIONS", "Confirm", "call", "error_object"]
