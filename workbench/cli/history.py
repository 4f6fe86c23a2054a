"""`versions`, `diff` and `restore`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import command, confirm, yes_option
from workbench.cli.output import Output
from workbench.core.tool import Outcome
from workbench.errors import NotFoundError
from workbench.workbench import Workbench

if TYPE_CHECKING:
    from workbench.core.diff import Difference


@click.command("versions")
@click.argument("reference")
@command
async def show_versions(workbench: Workbench, output: Output, reference: str) -> None:
    """List the versions of a tool, newest first."""
    tool = await workbench.get(reference, absent=True)
    rows = await workbench.versions(tool.tool_id, tool.space)
    if output.as_json:
        listed = [
            {
                "version": row.version,
                "content_hash": row.content_hash,
                "changelog": row.changelog,
                "created_at": row.created_at,
                "is_latest": row.is_latest,
                "files": row.files,
            }
            for row in rows
        ]
        output.json({"tool_id": tool.tool_id, "absent": tool.is_absent, "versions": listed})
        return
    table = [
        (
            f"{row.version}{' *' if row.is_latest else ''}",
            row.created_at[:16].replace("T", " "),
            row.content_hash[:12],
            row.changelog,
        )
        for row in rows
    ]
    output.table(table, ("version", "when", "hash", "changelog"))
    if tool.is_absent:
        output.note(f"deleted; `workbench restore {tool.tool_id}` brings it back", "yellow")


@click.command()
@click.argument("reference")
@click.argument("before", required=False, default="")
@click.argument("after", required=False, default="")
@command
async def diff(
    workbench: Workbench, output: Output, reference: str, before: str, after: str
) -> None:
    """Show what changed between two versions; by default between the last two."""
    tool = await workbench.get(reference, absent=True)
    rows = await workbench.versions(tool.tool_id, tool.space)
    for version in (before, after):
        if version and version not in [row.version for row in rows]:
            raise NotFoundError(
                f"{tool.tool_id} has no version {version}",
                tool_id=tool.tool_id,
                suggestion=f"it has {', '.join(row.version for row in rows[:5])}",
            )
    found = await workbench.diff(reference, before, after)
    if output.as_json:
        output.json({"tool_id": tool.tool_id, **found.as_dict()})
        return
    if found.is_empty:
        only = len(rows) == 1
        output.note("there is only one version" if only else "nothing differs", "")
        return
    print_difference(found, output.line)


def print_difference(found: Difference, write: Callable[[str, str], None]) -> None:
    """Each key that differs, then the lines of the manifest and of the files."""
    for change in found.fields:
        shape = change.as_dict()
        sides = [_short(shape[key]) if key in shape else "–" for key in ("before", "after")]
        write(f"{change.path}: {sides[0]} → {sides[1]}", "")
    for line in found.text:
        _write_diff_line(write, line)
    for file in found.files:
        if not file.lines:
            write(f"{file.path}: {file.kind}", "")
        for line in file.lines:
            _write_diff_line(write, line)


def _write_diff_line(write: Callable[[str, str], None], line: str) -> None:
    style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
    write(line, "bold" if line.startswith(("+++", "---")) else style)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


@click.command()
@click.argument("reference")
@yes_option
@command
async def restore(workbench: Workbench, output: Output, reference: str, yes: bool) -> None:
    """Bring back a deleted tool, or TOOL@VERSION as a new version."""
    tool = await workbench.restorable(reference)
    confirm(f"Restore {tool.tool_id} {tool.version}?", yes=yes)
    saved = await workbench.restore(reference)
    if output.as_json:
        shape = {"tool_id": saved.tool_id, "version": saved.version, "status": "restored"}
        output.json(shape)
    elif saved.outcome is Outcome.RESTORED:
        output.line(f"{saved.tool_id} {saved.version} is back")
    else:
        output.line(f"{reference} is now {saved.tool_id} {saved.version}")
