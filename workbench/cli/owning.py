"""`sign` and `copy`: what the owner of a tool does with it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.history import print_difference
from workbench.cli.options import command, confirm, yes_option
from workbench.cli.output import Exit, Output, exit_of
from workbench.core.spaces import LABELS, label
from workbench.core.tool import Outcome, ToolVersion, Trust
from workbench.errors import UsageError, WorkbenchError
from workbench.workbench import Workbench

if TYPE_CHECKING:
    from workbench.signing import Signed

_PAGE = 500


@click.command()
@click.argument("references", metavar="REF...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All that are in sight and not signed.")
@yes_option
@command
async def sign(
    workbench: Workbench, output: Output, references: tuple[str, ...], everything: bool, yes: bool
) -> int:
    """Validate tools and sign them as they are now. What changed since the last time is shown."""
    if bool(references) == everything:
        raise UsageError("name the tools to sign, or use --all", code="usage")
    tools = [await workbench.get(one, files=True) for one in dict.fromkeys(references)]
    if everything:
        tools = [tool async for tool in _not_signed(workbench)]
    if not output.as_json:
        for tool in tools:
            await _show_changes(workbench, output, tool)
    if tools and sys.stdin.isatty() and sys.stderr.isatty():  # it needs no terminal
        confirm(_question(tools), yes=yes)
    done = await workbench.sign_all(tools)
    failed = [one for one in done if isinstance(one, WorkbenchError)]
    if len(tools) == 1 and failed:
        raise failed[0]
    if output.as_json:
        shapes = [_signed_dict(one) for one in done]
        is_one = len(shapes) == 1 and not everything
        output.json(shapes[0] if is_one else {"tools": shapes, "failed": len(failed)})
    else:
        _print_signed(output, done)
    return exit_of(failed[0]) if failed else Exit.DONE


def _signed_dict(one: Signed | WorkbenchError) -> dict[str, Any]:
    if isinstance(one, WorkbenchError):
        return one.as_dict(action="sign")
    return {
        "tool_id": one.tool.tool_id,
        "version": one.tool.version,
        "space": label(one.tool.space),
        "status": "signed",
        "signature": one.line,
        "hash": one.content_hash,
        "path": str(one.path) if one.path is not None else None,
    }


def _print_signed(output: Output, done: list[Signed | WorkbenchError]) -> None:
    for one in done:
        if isinstance(one, WorkbenchError):
            output.error(one)
        else:
            where = f" in {one.path}" if one.path is not None else ""
            output.line(f"{one.tool.tool_id} {one.tool.version} signed{where}")
    if not done:
        output.note("all tools in sight are signed", "")


async def _not_signed(workbench: Workbench) -> AsyncIterator[ToolVersion]:
    """Every tool in sight that is not signed, whole."""
    after: tuple[str, str] | None = None
    while rows := await workbench.rows(after=after, limit=_PAGE):
        for row in rows:
            if row.trust is not Trust.SIGNED:
                yield await workbench.get(f"{row.space}/{row.tool_id}", files=True)
        after = (rows[-1].tool_id, rows[-1].space)


def _question(tools: list[ToolVersion]) -> str:
    if len(tools) == 1:
        return f"Sign {tools[0].tool_id} {tools[0].version}?"
    names = ", ".join(tool.tool_id for tool in tools[:8]) + (" …" if len(tools) > 8 else "")
    return f"Sign {len(tools)} tools: {names}?"


async def _show_changes(workbench: Workbench, output: Output, tool: ToolVersion) -> None:
    """What is different from what was signed; on stderr, as it is no result."""
    if tool.trust is not Trust.ALTERED:
        return
    output.note(f"{tool.tool_id} changed since it was signed:", "yellow")
    difference = await workbench.changes_since_signing(tool)
    if difference is None:
        output.note("  its signature line is of another content, which is not known here", "")
    else:
        print_difference(difference, output.note)


@click.command()
@click.argument("reference")
@click.option("--to", "space", required=True, type=click.Choice(LABELS), help="The other space.")
@command
async def copy(workbench: Workbench, output: Output, reference: str, space: str) -> None:
    """Copy a tool to another space, byte for byte."""
    tool = await workbench.get(reference)
    saved = await workbench.copy(reference, space)
    copied = await workbench.get(f"{saved.space}/{saved.tool_id}")
    path = await workbench.path_of(copied)
    if output.as_json:
        output.json(
            {
                "tool_id": saved.tool_id,
                "version": saved.version,
                "status": "unchanged" if saved.outcome is Outcome.UNCHANGED else "copied",
                "source": label(tool.space),
                "destination": space,
                "path": str(path) if path is not None else None,
            }
        )
    elif saved.outcome is Outcome.UNCHANGED:
        output.line(f"{saved.tool_id} {saved.version} is in the {space} space already")
    else:
        where = f", in {path}" if path is not None else ""
        output.line(f"{saved.tool_id} {saved.version} copied to the {space} space{where}")
