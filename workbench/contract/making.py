"""Creating and updating tools from what a caller sent.

A manifest that came as JSON is written as YAML, so that the file in the tree is one a person
would have written. A tool whose manifest lives inside another file (Python, markdown) keeps that
form: it is changed by sending that file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from workbench.contract.forms import Form
from workbench.contract.items import ALIASES, find
from workbench.core import references, signature, versions
from workbench.core.files import MANIFEST_FILES
from workbench.core.integrity import canonical_json
from workbench.core.manifest_text import manifest_text
from workbench.core.reading import Reading
from workbench.core.reversion import as_version
from workbench.core.tool import Outcome, Saved, ToolFile, ToolVersion
from workbench.errors import InvalidError, RefusedError, UsageError
from workbench.workbench import Workbench


async def create(here: Workbench, kind: str, form: Form) -> dict[str, Any]:
    """A new tool, in the space it names: else in the project's tree, or in the registry."""
    manifest = {key: value for key, value in form.manifest.items() if value is not None}
    if kind in ALIASES:
        manifest.setdefault("tool_type", kind)
    files = [_file(path, text) for path, text in form.files.items() if text is not None]
    reading = _written(here, manifest, files)
    if kind in ALIASES and reading.manifest.get("tool_type") != kind:
        raise UsageError(
            f"{form.tool_id} is to be a {reading.manifest.get('tool_type')}, not a {kind}",
            code="bad_parameter",
            tool_id=form.tool_id,
            suggestion='create it with "item_type": "tool"',
        )
    try:
        saved = await here.add_new(reading, form.space)
    except InvalidError as error:
        raise _unplaced(error, form.tool_id) from error
    return await _shape(here, saved, "create", "created", "Tool created successfully")


async def update(here: Workbench, kind: str, form: Form) -> dict[str, Any]:
    """A new version of a tool: what was given replaces what was there, the rest stays."""
    if not references.is_tool_id(form.tool_id):
        raise UsageError(
            f"{form.tool_id[:80]!r} is not the id of a tool",
            code="bad_tool_id",
            suggestion="give its id alone, and its space as location",
        )
    wanted = references.Reference(form.tool_id, form.space)
    tool = await find(here, str(wanted), kind, files=True)
    if tool.is_builtin:
        raise RefusedError(
            f"{tool.tool_id} is a shipped {tool.tool_type} that others stand on",
            code="reserved_id",
            tool_id=tool.tool_id,
            suggestion="create one of your own with another id",
        )
    await here.require_unaltered(tool)
    reading = await _changed(here, tool, form)
    if reading is None:
        saved = Saved(tool.space, tool.tool_id, tool.version, Outcome.UNCHANGED)
        return await _shape(here, saved, "update", "updated", "Tool is as it was; nothing to do")
    try:
        saved = await here.save(replace(reading, space=tool.space, name=tool.tool_id))
    except InvalidError as error:
        raise (_unplaced(error, tool.tool_id) if reading.text is not None else error) from error
    message = "Tool updated successfully"
    if "version" not in form.manifest and saved.version != tool.version:
        message += f" as {saved.version}, the version after {tool.version}, since none was given"
    return await _shape(here, saved, "update", "updated", message)


async def _changed(here: Workbench, tool: ToolVersion, form: Form) -> Reading | None:
    """The tool with what was given; None if that changes nothing."""
    rows = await here.versions(tool.tool_id, tool.space)
    taken = [row.version for row in rows]
    next_version = versions.next_patch(versions.latest(taken) or tool.version, taken)
    kept = {file.path: file for file in tool.files}
    files = _merged_files(kept, form)
    given = {key: value for key, value in form.manifest.items() if key != "tool_id"}
    is_same = _contents(kept.values(), tool) == _contents(files, tool)
    if tool.manifest_file is not None:
        return await _changed_file(here, tool, given, files, next_version, is_same=is_same)
    before = {**tool.manifest, "version": versions.said(tool.version)}
    after = _merged(before, given)
    is_same_manifest = canonical_json(after) == canonical_json(before)
    if is_same_manifest and is_same:
        return None
    if is_same_manifest:
        text = signature.without(MANIFEST_FILES[0], tool.text or "")
        changed = sorted(form.files)
        what = f"Changes {', '.join(changed[:5])}{' …' if len(changed) > 5 else ''}."
        reading = here.reading(MANIFEST_FILES[0], text.encode(), files)
        return _again(here, as_version(reading, next_version, what))
    if "version" not in given:
        after["version"] = next_version
    if "changelog" not in given:
        after.pop("changelog", None)  # it told of the version before
    return _written(here, after, files)


async def _changed_file(
    here: Workbench,
    tool: ToolVersion,
    given: Mapping[str, Any],
    files: list[ToolFile],
    next_version: str,
    *,
    is_same: bool,
) -> Reading | None:
    """The same for a tool whose manifest is inside one of its files."""
    if given:
        raise UsageError(
            f"the manifest of {tool.tool_id} is inside {tool.manifest_file}",
            code="manifest_in_file",
            tool_id=tool.tool_id,
            suggestion=f'load it and send "files": {{"{tool.manifest_file}": "its new text"}}',
        )
    if is_same:
        return None
    path = await here.path_of(tool)
    name = path.name if path is not None else str(tool.manifest_file)
    own = next((file for file in files if file.path == tool.manifest_file), None)
    if own is None:
        raise UsageError(
            f"{tool.manifest_file} holds the manifest of {tool.tool_id} and cannot be taken away",
            code="manifest_in_file",
            tool_id=tool.tool_id,
            suggestion='use the action "delete" for the whole tool',
        )
    rest = [file for file in files if file is not own]
    reading = here.reading(name, signature.unsigned(own).data, rest)
    lost = [file.path for file in rest if reading.manifest and reading.file(file.path) is None]
    if lost:
        raise UsageError(
            f"{tool.tool_id} is one file; {lost[0][:80]} has no place beside it",
            code="manifest_in_file",
            tool_id=tool.tool_id,
            suggestion="leave it out, or create a tool with a folder of its own",
        )
    if reading.manifest.get("tool_id", tool.tool_id) != tool.tool_id:
        raise UsageError(
            f"{tool.manifest_file} says that it is {str(reading.manifest['tool_id'])[:80]!r}",
            code="bad_parameter",
            tool_id=tool.tool_id,
            suggestion='ids do not change; use the action "create" for another tool',
        )
    if reading.manifest.get("version") != versions.said(tool.version):
        return reading
    again = here.reading(name, _own_data(as_version(reading, next_version, "")), rest)
    if again.manifest.get("version") != next_version:
        raise RefusedError(
            f"{tool.tool_id} has a version {tool.version} with other content",
            code="version_exists",
            tool_id=tool.tool_id,
            suggestion=f"let {tool.manifest_file} say that it is {next_version}",
        )
    return again


def _merged(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with the keys that were given; null takes one away."""
    named = {"executor" if key == "executor_id" else key: value for key, value in given.items()}
    return {key: value for key, value in {**before, **named}.items() if value is not None}


def _merged_files(kept: Mapping[str, ToolFile], form: Form) -> list[ToolFile]:
    given = {path: None if t is None else _file(path, t) for path, t in form.files.items()}
    return [file for file in {**kept, **given}.values() if file is not None]


def _contents(files: Iterable[ToolFile], tool: ToolVersion) -> dict[str, bytes]:
    """What the files hold; the signature line is no part of it."""
    own = tool.manifest_file
    return {f.path: (signature.unsigned(f) if f.path == own else f).data for f in files}


def _written(here: Workbench, manifest: Mapping[str, Any], files: list[ToolFile]) -> Reading:
    data = manifest_text(manifest).encode("utf-8")
    return replace(here.reading(MANIFEST_FILES[0], data, files), name=str(manifest["tool_id"]))


def _again(here: Workbench, reading: Reading) -> Reading:
    """A reading whose text was changed, read from that text."""
    return here.reading(MANIFEST_FILES[0], (reading.text or "").encode(), reading.files)


def _own_data(reading: Reading) -> bytes:
    own = reading.file(reading.manifest_file or "")
    return own.data if own is not None else b""


def _file(path: str, text: str) -> ToolFile:
    return ToolFile(path, text.encode("utf-8"))


def _unplaced(error: InvalidError, tool_id: str) -> InvalidError:
    """The same problems without places in a text that the caller never saw."""
    problems = [
        problem if problem.file else replace(problem, line=None, column=None, fix=None)
        for problem in error.problems
    ]
    return InvalidError(
        error.message, problems, tool_id=tool_id, suggestion="fix the problems listed, then again"
    )


async def _shape(
    here: Workbench, saved: Saved, action: str, status: str, message: str
) -> dict[str, Any]:
    stored = await here.get(f"{saved.space}/{saved.tool_id}@{saved.version}")
    path = await here.path_of(stored)
    return {
        "tool_id": saved.tool_id,
        "action": action,
        "status": status,
        "message": message,
        "version": saved.version,
        "path": str(path) if path is not None else "",
        "hash": stored.content_hash,
    }
