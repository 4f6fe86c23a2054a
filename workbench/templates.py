"""New tools from the templates that ship as data."""

from __future__ import annotations

from workbench import paths
from workbench.core import dialects, references
from workbench.core.reading import Reading
from workbench.core.tool import ToolFile
from workbench.errors import UsageError


def types() -> list[str]:
    """The tool types a person can make."""
    return sorted(folder.name for folder in (paths.seeds() / "templates").iterdir())


def files(tool_type: str, tool_id: str) -> list[ToolFile]:
    """The files of a new tool."""
    folder = paths.seeds() / "templates" / tool_type
    if tool_type not in types():
        raise UsageError(
            f"there is no template for the type {tool_type!r}",
            code="unknown_type",
            suggestion=f"one of {', '.join(types())}",
        )
    if not references.is_tool_id(tool_id):
        meant = references.proposed_id(tool_id)
        raise UsageError(
            f"{tool_id[:80]!r} is not an id: a-z, 0-9, _ . - and at most {references.MAX_ID}",
            code="bad_tool_id",
            suggestion=f"try {meant}" if meant else "begin with a small letter or a digit",
        )
    name = tool_id.replace("_", " ").replace("-", " ").replace(".", " ").strip().capitalize()
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            text = path.read_text("utf-8")
            text = text.replace("__TOOL_ID__", tool_id).replace("__NAME__", name)
            found.append(ToolFile(path.relative_to(folder).as_posix(), text.encode()))
    return found


def instantiate(tool_type: str, tool_id: str, names: dialects.Names) -> Reading:
    """A new tool, not stored yet."""
    parts = files(tool_type, tool_id)
    own = next(file for file in parts if file.path in dialects.MANIFEST_FILES)
    return dialects.read(own.path, own.data, [f for f in parts if f is not own], names)
