"""The same tool under another version, changed in its text as little as possible."""

from __future__ import annotations

import json
from dataclasses import replace

from workbench.core.problems import Edit, Fix, apply, line_starts
from workbench.core.reading import Reading
from workbench.core.tool import ToolFile


def as_version(reading: Reading, version: str, changelog: str) -> Reading:
    """`reading` as `version`, with `changelog` saying why, in manifest and text alike.

    A text that does not say its version (a legacy script) stays as it is.
    """
    manifest = {**reading.manifest, "version": version}
    edits = []
    if mark := reading.document.values.get(reading.source(("version",))):
        edits.append(Edit(*mark, json.dumps(version)))
    if reading.text is not None:
        manifest["changelog"] = changelog
        edits.append(_changelog_edit(reading, reading.text, changelog))
    fix = Fix("", tuple(edits))
    if reading.text is not None:
        return replace(reading, manifest=manifest, text=apply(reading.text, [fix]))
    files = tuple(
        ToolFile(file.path, apply(file.text or "", [fix]).encode(), file.is_entrypoint)
        if file.path == reading.manifest_file
        else file
        for file in reading.files
    )
    return replace(reading, manifest=manifest, files=files)


def says_version(reading: Reading) -> bool:
    """Whether the version is written in the text; a legacy script has none."""
    return reading.source(("version",)) in reading.document.values


def _changelog_edit(reading: Reading, text: str, changelog: str) -> Edit:
    """Replaces the changelog, or adds one before the version."""
    written = json.dumps(changelog)
    if mark := reading.document.values.get(("changelog",)):
        return Edit(*mark, written)
    key = reading.document.keys[reading.source(("version",))]
    root = reading.document.values[()]
    flow = text[line_starts(text)[root.line - 1] + root.column - 1] == "{"
    separator = ", " if flow else "\n" + " " * (key.column - 1)
    return Edit(key.line, key.column, key.line, key.column, f"changelog: {written}{separator}")
