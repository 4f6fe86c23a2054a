"""Every error a face may show.

WorkbenchError
├── UsageError         the call itself is wrong
├── NotFoundError      nothing has that name
├── InvalidError       a tool has problems; carries them
├── RefusedError       it exists, but this may not be done to it
│   └── MismatchError  it is no longer what was signed
└── UnavailableError   a part we need is missing, locked, damaged or too new

Each carries `error` (the short fixed text of the contract), a stable `code`, a `message`
that names the place, and a `suggestion` that names the fix. Faces print these four and
never a traceback. Foreign exceptions are translated into these at the boundary where
they arise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class WorkbenchError(Exception):
    """Base of all errors that are meant for a person or an agent to read."""

    error: str = "Execution failed"
    code: str = "error"

    def __init__(
        self,
        message: str,
        *,
        suggestion: str = "",
        code: str = "",
        tool_id: str | None = None,
        error: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.tool_id = tool_id
        if code:
            self.code = code
        if error:
            self.error = error

    def as_dict(self, *, action: str | None = None, item_type: str = "tool") -> dict[str, Any]:
        """The error object that every face returns."""
        shape: dict[str, Any] = {"error": self.error, "code": self.code, "item_type": item_type}
        if self.tool_id is not None:
            shape["tool_id"] = self.tool_id
        if action is not None:
            shape["action"] = action
        shape["message"] = self.message
        shape["suggestion"] = self.suggestion
        return shape


class UsageError(WorkbenchError):
    """The call itself is wrong."""

    error = "Invalid call"
    code = "usage"


class NotFoundError(WorkbenchError):
    """Nothing has that name."""

    error = "Tool not found"
    code = "not_found"


class InvalidError(WorkbenchError):
    """A tool has problems. They are in `problems`, each with its own place and code."""

    error = "Invalid metadata"
    code = "invalid"

    def __init__(self, message: str, problems: Sequence[Any] = (), **keywords: Any) -> None:
        super().__init__(message, **keywords)
        self.problems = list(problems)

    def as_dict(self, *, action: str | None = None, item_type: str = "tool") -> dict[str, Any]:
        return {
            **super().as_dict(action=action, item_type=item_type),
            "problems": [problem.as_dict() for problem in self.problems],
        }


class RefusedError(WorkbenchError):
    """It exists, but this may not be done to it."""

    error = "Refused"
    code = "refused"


class MismatchError(RefusedError):
    """A tool is no longer what was signed. `changes` says what is different, if that is known."""

    error = "Content hash mismatch"
    code = "hash_mismatch"

    def __init__(self, message: str, *, changes: Any = None, **keywords: Any) -> None:
        super().__init__(message, **keywords)
        self.changes = changes

    @property
    def changed_lines(self) -> list[str]:
        """What changed, line by line, for people."""
        if not self.changes:
            return []
        lines = list(self.changes["manifest"])
        for file in self.changes["files"]:
            lines += file["diff"] or [f"{file['path']}: {file['change']}"]
        return lines

    def as_dict(self, *, action: str | None = None, item_type: str = "tool") -> dict[str, Any]:
        return {**super().as_dict(action=action, item_type=item_type), "changes": self.changes}


class UnavailableError(WorkbenchError):
    """A part we need is missing, locked, damaged or too new."""

    error = "Unavailable"
    code = "unavailable"
