"""`migrate`: tools in older forms become folders with a manifest of their own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import command, confirm, yes_option
from workbench.cli.output import Exit, Output, exit_of
from workbench.core.references import try_parse
from workbench.errors import InvalidError, UsageError
from workbench.workbench import Workbench

if TYPE_CHECKING:
    from workbench.migration import Failure, Plan, Step

_LISTED = 20
"""How many tools a question lists."""


@click.command()
@click.argument("target", metavar="PATH|REF")
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="Write below a folder.")
@click.option("--keep", is_flag=True, help="Leave the originals where they are.")
@click.option("--dry-run", "dry", is_flag=True, help="Print what would be written, and stop.")
@yes_option
@command
async def migrate(
    workbench: Workbench,
    output: Output,
    target: str,
    to: Path | None,
    keep: bool,
    dry: bool,
    yes: bool,
) -> int:
    """Turn a script, or an older manifest, into a tool folder; or all below a folder."""
    plan = await workbench.plan_migration(_what(target), to, keep=keep)
    steps, failures = plan.steps, plan.failures
    if not dry:
        if plan.takes_away:
            _ask(output, plan, yes=yes)
        result = await workbench.migrate(
            plan, lambda done, total: output.progress(f"◐ {done:,} of {total:,} migrated")
        )
        output.end_progress()
        steps, failures = result.done, [*failures, *result.failures]
    if output.as_json:
        output.json(_report(plan, steps, failures, dry=dry))
    else:
        _print(output, plan, steps, failures, dry=dry)
    codes = {exit_of(failure.error) for failure in failures}
    return codes.pop() if len(codes) == 1 else Exit.FAILED if codes else Exit.DONE


def _what(target: str) -> Path | str:
    """A reference is one only where no file has that name."""
    if not target:
        raise UsageError("the path is empty", suggestion="write . for this folder")
    is_file_name = target.endswith((".yaml", ".yml", ".py", ".md"))
    if is_file_name or os.path.lexists(target) or try_parse(target) is None:
        return Path(target)
    return target


def _ask(output: Output, plan: Plan, *, yes: bool) -> None:
    """Asks once, after a list of what goes."""
    steps = plan.takes_away
    if not yes:
        for step in steps[:_LISTED]:
            output.note(_line(step), "")
        if len(steps) > _LISTED:
            output.note(f"… and {len(steps) - _LISTED:,} more", "")
    removed = sum(1 for step in steps if step.removes)
    rewritten = len(steps) - removed
    said = [
        *([f"remove {_count(removed, 'original')}"] if removed else []),
        *([f"rewrite {_count(rewritten, 'manifest')}"] if rewritten else []),
    ]
    confirm(f"Migrate {_count(len(plan.steps), 'tool')} and {' and '.join(said)}?", yes=yes)


def _print(
    output: Output, plan: Plan, steps: list[Step], failures: list[Failure], *, dry: bool
) -> None:
    for step in steps:
        output.line(_line(step), "bold" if dry else "")
        for note in step.notes:
            output.line(f"  {note}", "dim")
        if dry:
            for path in step.paths:
                output.line(f"  writes {_shown(path)}")
            if step.removes and step.source is not None:
                output.line(f"  removes {_shown(step.source.full)}")
            output.line()
            output.block(step.reading.text or "")
            output.line()
    for failure in failures:
        error = failure.error
        output.note(f"{_shown(Path(failure.name))}: {error.message}", "red")
        if isinstance(error, InvalidError):
            output.problems(error.problems, _shown(Path(failure.name)))
        output.note(f"    {error.suggestion}", "")
    if not steps and not failures:
        have = _count(len(plan.settled), "tool")
        output.line(f"nothing to do{f': {have} in canonical form' if plan.settled else ''}")
    elif steps and dry:
        output.note("nothing was changed")
    elif steps:
        output.note("`workbench validate` checks them, `workbench sign REF` signs them")


def _line(step: Step) -> str:
    version = step.version if step.version == step.before else f"{step.before} → {step.version}"
    source = _shown(step.source.full) if step.source is not None else "the registry"
    target = _shown(step.target.full) if step.target is not None else "the registry"
    if step.in_place or source == target:
        return f"{step.tool_id} {version}: {source}"
    kept = "" if step.removes or step.source is None else " (the original stays)"
    return f"{step.tool_id} {version}: {source} → {target}{kept}"


def _report(plan: Plan, steps: list[Step], failures: list[Failure], *, dry: bool) -> dict[str, Any]:
    tools: list[dict[str, Any]] = [
        {
            "tool_id": step.tool_id,
            "version": step.version,
            "previous_version": step.before,
            "status": "planned" if dry else "migrated",
            "source": str(step.source.full) if step.source is not None else None,
            "target": str(step.target.full) if step.target is not None else None,
            "files": [str(path) for path in step.paths],
            "removes": [str(step.source.full)] if step.removes and step.source else [],
            "manifest": step.reading.text,
            "notes": list(step.notes),
        }
        for step in steps
    ]
    refused = [
        {"name": one.name, "status": "refused", "error": one.error.as_dict(action="migrate")}
        for one in failures
    ]
    return {
        "dry_run": dry,
        "tools": [*tools, *refused],
        "unchanged": plan.settled,
        "failed": len(failures),
    }


def _shown(path: Path) -> str:
    """A path as short as it can be from here."""
    here = Path(os.path.realpath("."))
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
