"""`validate`, `new`, `add` and `delete`."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import command, confirm, yes_option
from workbench.cli.output import Exit, Output
from workbench.core.problems import Problem, Severity, apply, has_errors
from workbench.core.references import try_parse
from workbench.core.spaces import label
from workbench.core.tool import Outcome
from workbench.errors import RefusedError, UnavailableError, UsageError
from workbench.workbench import Workbench

if TYPE_CHECKING:
    from workbench.core.reading import Reading
    from workbench.intake import Taken


@click.command()
@click.argument("target", metavar="PATH|REF")
@click.option("--fix", is_flag=True, help="Apply the fixes that are mechanical to the file.")
@command
async def validate(workbench: Workbench, output: Output, target: str, fix: bool) -> int:
    """Check a file, a folder of tools, or a stored tool."""
    if _is_path(target):
        path = _path(target)
        checked = [item async for item in workbench.validate_path(path)]
        if fix and sum(_apply_fixes(output, *item) for item in checked):
            checked = [item async for item in workbench.validate_path(path)]
    elif fix:
        raise UsageError(
            "--fix changes a file, and a stored version does not change",
            code="nothing_to_fix",
            suggestion=f"`workbench show {target} --manifest > tool.yaml`, fix that and add it",
        )
    else:
        checked = [await workbench.validate_stored(target)]
    problems = [problem for _, found in checked for problem in found]
    if output.as_json:
        output.json(_report(checked))
    else:
        for reading, found in checked:
            output.problems(found, reading.name)
        output.line(_summary(len(checked), problems))
    return Exit.FAILED if has_errors(problems) else Exit.DONE


def _is_path(target: str) -> bool:
    """A reference is one only where no file has that name."""
    if target.endswith((".yaml", ".yml", ".py", ".md", ".json")):
        return True
    return os.path.exists(target) or try_parse(target) is None  # noqa: PTH110 - never raises


def _path(text: str) -> Path:
    """An empty path would be this folder, and is more likely a variable that was not set."""
    if not text:
        raise UsageError("the path is empty", suggestion="write . for this folder")
    return Path(text)


def _report(checked: list[tuple[Reading, list[Problem]]]) -> dict[str, Any]:
    tools: list[dict[str, Any]] = [
        {
            "name": reading.name,
            "tool_id": reading.manifest.get("tool_id"),
            "valid": not has_errors(found),
            "problems": [problem.as_dict() for problem in found],
        }
        for reading, found in checked
    ]
    problems = [problem for tool in tools for problem in tool["problems"]]
    return {"valid": all(tool["valid"] for tool in tools), "tools": tools, "problems": problems}


def _summary(tools: int, problems: list[Problem]) -> str:
    counts = [
        f"{n} {severity}{'s' if n != 1 else ''}"
        for severity in Severity
        if (n := sum(1 for problem in problems if problem.severity is severity))
    ]
    checked = f"{tools} tool{'s' if tools != 1 else ''} checked"
    return f"{checked}: {', '.join(counts) if counts else 'no problems'}"


def _apply_fixes(output: Output, reading: Reading, problems: list[Problem]) -> bool:
    """Rewrites one file with every fix that its own text takes."""
    fixes = [problem.fix for problem in problems if problem.fix is not None and not problem.file]
    path = Path(reading.name)
    if not fixes or not path.is_file():
        return False
    try:
        data = path.read_bytes()
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        text = data.removeprefix(mark).decode("utf-8")
        if text != _own_text(reading):
            return False  # it was changed since it was read; the fixes are for what it was
        _replace(path.resolve(), mark + apply(text, fixes).encode("utf-8"))
    except OSError as error:
        raise _unwritable(path, error) from error
    for chosen in fixes:
        output.note(f"{reading.name}: {chosen.title}", "green")
    return True


def _own_text(reading: Reading) -> str | None:
    """The text that the places of a reading refer to."""
    own = reading.file(reading.manifest_file or "")
    text = own.text if own is not None else reading.text
    return None if text is None else text.removeprefix("\ufeff")


def _replace(path: Path, data: bytes) -> None:
    """The whole new content or the whole old one, whatever happens in between."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        shutil.copymode(path, name)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _unwritable(path: Path, error: OSError) -> UnavailableError:
    return UnavailableError(
        f"{path} cannot be written: {error.strerror or error}",
        code="path_unwritable",
        suggestion="choose a place that you may write to",
    )


@click.command()
@click.argument("tool_type", metavar="TYPE")
@click.argument("tool_id", metavar="ID")
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Write it to a folder.")
@command
async def new(
    workbench: Workbench, output: Output, tool_type: str, tool_id: str, folder: Path | None
) -> None:
    """Make a tool from the template of its type, in the registry or in a folder."""
    if folder is None:
        saved = await workbench.create(tool_type, tool_id)
        path = await workbench.path_of(await workbench.get(f"{saved.space}/{saved.tool_id}"))
        shape = {
            "tool_id": saved.tool_id,
            "version": saved.version,
            "status": str(saved.outcome),
            "space": label(saved.space),
            "path": str(path) if path is not None else None,
        }
        if output.as_json:
            output.json(shape)
        else:
            where = f"in {path}" if path is not None else "in the registry"
            output.line(f"{saved.tool_id} {saved.version} is {where}")
            output.note(f"`workbench show {saved.tool_id}` shows it")
        return
    written = _write_template(tool_type, tool_id, folder)
    if output.as_json:
        output.json({"tool_id": tool_id, "files": [str(path) for path in written]})
        return
    for path in written:
        output.line(str(path))
    output.note(f"edit it, then `workbench add {folder / tool_id}`")


def _write_template(tool_type: str, tool_id: str, folder: Path) -> list[Path]:
    from workbench import templates

    files = templates.files(tool_type, tool_id)
    target = folder / tool_id
    if os.path.lexists(target):
        raise RefusedError(
            f"{target} exists already",
            code="path_exists",
            tool_id=tool_id,
            suggestion="choose another folder or id",
        )
    try:
        target.mkdir(parents=True)
    except OSError as error:
        raise _unwritable(target, error) from error
    try:
        return [_write(target / file.path, file.data) for file in files]
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        raise _unwritable(target, error) from error


def _write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@click.command()
@click.argument("path")
@click.option("--quiet", "-q", is_flag=True, help="Say only what was refused.")
@command
async def add(workbench: Workbench, output: Output, path: str, quiet: bool) -> int:
    """Add the tool at PATH, or all tools below it. What is printed is stored for good."""
    taken: list[Taken] = []
    stored = 0
    async for batch in workbench.add(_path(path)):
        taken += batch
        stored += sum(1 for one in batch if one.ok)
        if not output.as_json:
            output.end_progress()
            for one in batch:
                _print_taken(output, one, quiet=quiet)
            output.progress(f"◐ {stored:,} stored")
    output.end_progress()
    failed = [one for one in taken if not one.ok]
    if output.as_json:
        output.json({"tools": [_taken_dict(one) for one in taken], "failed": len(failed)})
    elif not taken:
        output.note(f"no tools found in {path}", "yellow")
    elif len(taken) > 1:
        output.line(_added(taken, len(failed)))
    if failed and all(one.refusal is not None for one in failed):
        return Exit.REFUSED
    return Exit.FAILED if failed or not taken else Exit.DONE


_SAID = {
    Outcome.CREATED: "created",
    Outcome.VERSIONED: "new version",
    Outcome.RESTORED: "restored",
    Outcome.UNCHANGED: "unchanged",
}


def _added(taken: list[Taken], failed: int) -> str:
    parts = [
        f"{n:,} {_SAID[outcome]}"
        for outcome in Outcome
        if (n := sum(1 for o in taken if o.saved is not None and o.saved.outcome is outcome))
    ]
    return ", ".join([*parts, *([f"{failed:,} refused"] if failed else [])])


def _print_taken(output: Output, one: Taken, *, quiet: bool) -> None:
    if one.saved is not None:
        if not quiet:
            said = _SAID[one.saved.outcome]
            output.line(f"{one.saved.tool_id} {one.saved.version} {said}")
    elif one.refusal is not None:
        output.note(f"{one.name}: {one.refusal.message}", "red")
        output.note(f"    {one.refusal.suggestion}", "")
    output.problems(one.problems, one.name)


def _taken_dict(one: Taken) -> dict[str, Any]:
    shape: dict[str, Any] = {"name": one.name, "tool_id": one.tool_id}
    if one.saved is not None:
        return {**shape, "version": one.saved.version, "status": str(one.saved.outcome)}
    shape["status"] = "refused"
    if one.refusal is not None:
        return {**shape, "error": one.refusal.as_dict(action="add")}
    return {**shape, "problems": [problem.as_dict() for problem in one.problems]}


@click.command()
@click.argument("reference")
@click.option("--force", is_flag=True, help="Also when other tools depend on it.")
@yes_option
@command
async def delete(
    workbench: Workbench, output: Output, reference: str, force: bool, yes: bool
) -> None:
    """Delete a tool. Its versions stay, and `restore` brings it back."""
    tool = await workbench.deletable(reference, force=force)
    confirm(f"Delete {tool.tool_id} {tool.version}?", yes=yes)
    await workbench.delete(reference, force=force)
    if output.as_json:
        output.json({"tool_id": tool.tool_id, "status": "deleted"})
    else:
        output.line(f"{tool.tool_id} is deleted")
        output.note(f"`workbench restore {tool.tool_id}` brings it back")
