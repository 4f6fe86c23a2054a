"""What the commands share: `--json`, and running their coroutine on an open workbench."""

from __future__ import annotations

import asyncio
import functools
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import click

from workbench.cli.output import Output
from workbench.errors import RefusedError
from workbench.workbench import open_workbench


def command(function: Callable[..., Awaitable[int | None]]) -> Callable[..., Any]:
    """Makes an `async def f(workbench, output, …)` a function that click can call."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @functools.wraps(function)
    def call(as_json: bool, **arguments: Any) -> int | None:
        async def opened() -> int | None:
            async with open_workbench() as workbench:
                return await function(workbench, Output(as_json=as_json), **arguments)

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
