"""What the API reference promises, key by key: the type of each value, or the value itself."""

from __future__ import annotations

from typing import Any

from tests.contract.conftest import Json

SEARCH: Json = {"results": list, "total": int, "query": str, "source": str}
RESULT: Json = {
    "name": str,
    "description": str,
    "source": str,
    "path": str,
    "score": float,
    "tool_type": str,
}
METADATA: Json = {
    "name": str,
    "description": str,
    "version": str,
    "tool_type": str,
    "executor_id": (str, type(None)),
    "category": str,
}
LOAD: Json = {"name": str, "path": str, "content": str, "source": str, "metadata": dict}
COPY: Json = {**LOAD, "destination": str, "message": str}
SIGN: Json = {
    "tool_id": str,
    "action": "sign",
    "status": "signed",
    "message": "Tool signed successfully",
    "signature": str,
    "hash": str,
}
CREATE: Json = {
    "tool_id": str,
    "action": "create",
    "status": "created",
    "message": str,
    "version": str,
    "path": str,
    "hash": str,
}
UPDATE: Json = {**CREATE, "action": "update", "status": "updated"}
DELETE: Json = {"tool_id": str, "action": "delete", "status": "deleted", "message": str}
HELP: Json = {"help": str, "topic": str, "examples": list}
ERROR: Json = {"error": str, "code": str, "item_type": str, "message": str, "suggestion": str}


def differences(shape: Any, expected: Json) -> list[str]:
    """What is wrong with an object: keys that are missing or too many, values of another type."""
    if not isinstance(shape, dict):
        return [f"not an object: {shape!r}"]
    found = [f"missing {key}" for key in expected if key not in shape]
    found += [f"unexpected {key}" for key in shape if key not in expected]
    for key, wanted in expected.items():
        if key not in shape:
            continue
        value = shape[key]
        fits = isinstance(value, wanted) if not isinstance(wanted, str) else value == wanted
        if not fits or (isinstance(value, bool) and wanted is int):
            found.append(f"{key} is {value!r}")
    return found
