"""What the commands share: `--json`, and running their coroutine on an open workbench."""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click

from workbench.cli.output import Output
from workbench.errors import NotFoundError, RefusedError
from workbench.workbench import Workbench, open_workbench

project_option = click.option(
    "--project", metavar="DIR", help="The project whose tools are in sight (default: from here)."
)


@asynccontextmanager
async def open_here(output: Output, project: str | None) -> AsyncIterator[Workbench]:
    """The workbench as it is seen from a project, with a word about files that are amiss."""

    def show(done: int, total: int) -> None:
        output.progress(f"◐ reading {done:,} of {total:,} changed tools")

    async with open_workbench(project=project_folder(project), progress=show) as workbench:
        output.end_progress()
        yield workbench


def project_folder(project: str | None) -> Path | None:
    """The folder that --project names, for this command or for the program."""
    project = project or click.get_current_context().find_root().params.get("project")
    if project is None:
        return None
    if not os.path.isdir(os.path.join(project, ".ai")):  # noqa: PTH112, PTH118 - never raises
        raise NotFoundError(
            f"there is no folder .ai in {project}",
            code="no_project",
            suggestion=f"`mkdir {Path(project) / '.ai'}` makes it a project",
        )
    return Path(project).absolute()


def command(function: Callable[..., Awaitable[int | None]]) -> Callable[..., Any]:
    """Makes an `async def f(workbench, output, …)` a function that click can call."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @project_option
    @functools.wraps(function)
    def call(as_json: bool, project: str | None, **arguments: Any) -> int | None:
        output = Output(as_json=as_json)

        async def opened() -> int | None:
            async with open_here(output, project) as workbench:
                return await function(workbench, output, **arguments)

        return asyncio.run(opened())

    return call


yes_option = click.option("--yes", "-y", is_flag=True, help="Do it without asking.")


def confirm(question: str, *, yes: bool) -> None:
    """Asks once. Without a terminal and without --yes it is refused."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise RefusedError(
            f"{question} There is no terminal to ask on",
            code="confirmation_needed",
            suggestion="add --yes",
        )
    if not _ask(question):
        raise click.Abort


def _ask(question: str) -> bool:
    """A yes or a no. Ctrl-C is a no at once: asyncio's handler would wait for the answer."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return click.confirm(question, default=False, err=True)
    finally:
        signal.signal(signal.SIGINT, before)
