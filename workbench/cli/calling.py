"""`call`: the four operations of the contract, for programs."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import click

from workbench import contract
from workbench.cli.options import confirm, project_option, yes_option
from workbench.cli.output import Exit, Output, exit_of
from workbench.contract.parsing import MAX_BYTES, parse
from workbench.errors import RefusedError, UsageError, WorkbenchError
from workbench.workbench import open_workbench


@click.command()
@click.argument("operation")
@click.argument("arguments", metavar="[JSON|@FILE|-]", required=False)
@yes_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as it does anyway.")
@project_option
@click.pass_context
def call(
    context: click.Context,
    operation: str,
    arguments: str | None,
    yes: bool,
    as_json: bool,
    project: str | None,
) -> int:
    """Do one operation (search, load, execute, help) and print its result as JSON.

    JSON is one object, @FILE holds it, - reads it from stdin.
    """
    output = Output(as_json=True)
    given: Any = None
    project = project or context.find_root().params.get("project")
    try:
        given = parse(_read(arguments))
        if project and operation != "help" and isinstance(given, dict):
            given.setdefault("project_path", os.path.abspath(project))  # noqa: PTH100 - a str
        output.json(asyncio.run(_call(operation, given, yes=yes)))
    except WorkbenchError as error:
        output.json(contract.error_object(error, operation, given))
        return exit_of(error)
    except (click.Abort, KeyboardInterrupt):
        declined = RefusedError("it was not confirmed", code="cancelled", suggestion="ask again")
        output.json(contract.error_object(declined, operation, given))
        return Exit.CANCELLED
    return Exit.DONE


async def _call(operation: str, given: Any, *, yes: bool) -> dict[str, Any]:
    # The operation brings the project that it names up to date, and no other.
    async with open_workbench(sync=False) as workbench:
        return await contract.call(
            workbench, operation, given, confirm=lambda question: confirm(question, yes=yes)
        )


def _read(arguments: str | None) -> bytes:
    """What was sent: as it stands, from a file, or from stdin; a byte more than is allowed."""
    if arguments is None:
        return b"{}"
    if arguments == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    if not arguments.startswith("@"):
        return arguments.encode("utf-8")
    try:
        with Path(arguments[1:]).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"{arguments[1:][:200]} cannot be read: {reason}",
            code="json_unreadable",
            suggestion="name a file with the JSON after @, or - for stdin",
        ) from error
