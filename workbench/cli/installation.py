"""`doctor`, `help`, and what `workbench` alone does."""

from __future__ import annotations

import asyncio
import os
import sys

import click

from workbench.cli.options import command, open_here, project_folder
from workbench.cli.output import Exit, Output
from workbench.errors import UsageError
from workbench.workbench import Workbench


@click.command()
@command
async def doctor(workbench: Workbench, output: Output) -> int:
    """Say what is there and what is missing, each with what to do."""
    from workbench.doctor import State

    findings = await workbench.doctor()
    broken = any(finding.state is State.BROKEN for finding in findings)
    if output.as_json:
        output.json({"findings": [finding.as_dict() for finding in findings], "ok": not broken})
        return Exit.FAILED if broken else Exit.DONE
    marks = {State.OK: ("✓", ""), State.MISSING: ("○", "yellow"), State.BROKEN: ("✗", "red")}
    for finding in findings:
        mark, style = marks[finding.state]
        output.line(f"{mark} {finding.name:<12}{finding.detail}", style)
        if finding.advice:
            output.line(f"  {'':<12}{finding.advice}", "dim")
    return Exit.FAILED if broken else Exit.DONE


@click.command("help")
@click.argument("topic", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def show_help(context: click.Context, topic: str | None, as_json: bool) -> None:
    """Explain a command, or list them all."""
    root = context.find_root()
    group = root.command
    assert isinstance(group, click.Group)  # noqa: S101
    names = group.list_commands(root)
    if topic is not None and topic not in names:
        raise UsageError(
            f"there is no command {topic!r}",
            code="unknown_command",
            suggestion=f"one of {', '.join(names)}",
        )
    output = Output(as_json=as_json)
    if topic is not None:
        found = group.get_command(root, topic)
        assert found is not None  # noqa: S101
        inner = click.Context(found, info_name=topic, parent=root)
        text = found.get_help(inner)
    else:
        text = group.get_help(root)
    if as_json:
        commands = {}
        for name in names if topic is None else [topic]:
            one = group.get_command(root, name)
            commands[name] = one.get_short_help_str(200) if one is not None else ""
        output.json({"help": text, "topic": topic or "workbench", "commands": commands})
    else:
        output.block(text)


def open_tui(project: str | None) -> int:
    """The TUI on a terminal; elsewhere a summary and how to go on."""
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from workbench.tui.app import run

        return run(project=project_folder(project))
    return asyncio.run(_summary(project))


async def _summary(project: str | None) -> int:
    output = Output(as_json=False)
    async with open_here(output, project) as workbench:
        counts = await workbench.counts()
        output.line(f"Workbench has {sum(counts.values()):,} tools in {workbench.home}")
        output.line("  " + ", ".join(f"{n:,} {kind}" for kind, n in sorted(counts.items())))
    output.line("The screen needs a terminal. Here, go on with:")
    for line in ("workbench list", "workbench tree", "workbench add PATH", "workbench help"):
        output.line(f"  {line}")
    return Exit.DONE
