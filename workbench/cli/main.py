"""`workbench`: the commands, their options, and nothing else. Each lives in its own module."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import Any

import click

from workbench import __version__
from workbench.cli.output import Exit, Output, discard_output, exit_of, open_closed_streams
from workbench.errors import UsageError, WorkbenchError

_COMMANDS = {
    "list": ("looking", "list_tools"),
    "show": ("looking", "show"),
    "tree": ("looking", "tree"),
    "versions": ("history", "show_versions"),
    "diff": ("history", "diff"),
    "restore": ("history", "restore"),
    "validate": ("changing", "validate"),
    "new": ("changing", "new"),
    "add": ("changing", "add"),
    "copy": ("owning", "copy"),
    "delete": ("changing", "delete"),
    "migrate": ("migrating", "migrate"),
    "sign": ("owning", "sign"),
    "call": ("calling", "call"),
    "doctor": ("installation", "doctor"),
    "help": ("installation", "show_help"),
}


class Commands(click.Group):
    """Commands are imported when they are used, so that none pays for another."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        import importlib

        module, attribute = _COMMANDS[name]
        command = getattr(importlib.import_module(f"workbench.cli.{module}"), attribute)
        assert isinstance(command, click.Command)  # noqa: S101
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in _COMMANDS:
            import difflib

            near = difflib.get_close_matches(name, _COMMANDS, 1)
            raise UsageError(
                f"there is no command {name[:60]!r}",
                code="unknown_command",
                suggestion=f"did you mean `workbench {near[0]}`?"
                if near
                else "`workbench help` lists the commands",
            )
        return super().resolve_command(context, args)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--project", metavar="DIR", help="The project to open (default: from here).")
@click.version_option(__version__, "-V", "--version", message="workbench %(version)s")
@click.pass_context
def main(context: click.Context, project: str | None) -> None:
    """Everything an AI agent can use, in one local registry. Without a command: the TUI."""
    if context.invoked_subcommand is None:
        from workbench.cli.installation import open_tui

        context.exit(open_tui(project))


def run(arguments: list[str] | None = None) -> None:
    """The console script. Errors become sentences and exit codes here, and only here."""
    open_closed_streams()
    sys.exit(_run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: list[str]) -> int:
    try:
        return _obey(arguments)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        discard_output()
        return Exit.DONE
    except OSError as error:
        discard_output()
        with contextlib.suppress(OSError):
            Output(as_json=False).note(f"Unavailable: the system refused: {error}", "red")
        return Exit.UNAVAILABLE
    except Exception as error:
        # A fault of ours. Nobody is shown a traceback who did not ask for one.
        if os.environ.get("WORKBENCH_DEBUG"):
            raise
        fault = WorkbenchError(
            f"a fault in Workbench itself: {type(error).__name__}: {error}",
            code="internal",
            suggestion="please report it, with what WORKBENCH_DEBUG=1 shows",
        )
        Output(as_json=_wants_json(arguments)).error(fault)
        return Exit.FAILED


def _obey(arguments: list[str]) -> int:
    output = Output(as_json=_wants_json(arguments))
    action = next((word for word in arguments if not word.startswith("-")), None)
    try:
        _check_arguments(arguments)
        result: Any = main.main(arguments, prog_name="workbench", standalone_mode=False)
        return int(result or 0)
    except WorkbenchError as error:
        output.error(error, action)
        return exit_of(error)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt, asyncio.CancelledError):
        output.note("cancelled")
        return Exit.CANCELLED
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "workbench"
        usage = UsageError(error.format_message(), suggestion=f"`{path} --help` says how")
        output.error(usage, action)
        return Exit.USAGE


def _wants_json(arguments: list[str]) -> bool:
    """Whether a program reads this: it said so, or it made a call."""
    return "--json" in arguments or next(filter(_COMMANDS.get, arguments), "") == "call"


def _check_arguments(arguments: list[str]) -> None:
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError:
            raise UsageError(
                f"the argument {argument!r} is not valid UTF-8",
                code="not_utf8",
                suggestion="check the terminal's encoding",
            ) from None
