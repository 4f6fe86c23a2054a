"""The forms in which tools are written, each turned into a canonical `Reading`.

Which shipped runtime an older form means is data (`names`), not code. Metadata is parsed,
never executed. Nothing here raises: what is wrong is among the reading's problems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.core import source
from workbench.core.codes import problem_at
from workbench.core.dialects.markdown import from_markdown, from_skill
from workbench.core.dialects.names import Names
from workbench.core.dialects.python import from_python
from workbench.core.dialects.yaml import from_yaml
from workbench.core.files import MANIFEST_FILES, SKILL_FILE
from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.tool import Manifest, ToolFile


def read(name: str, data: bytes, files: Sequence[ToolFile], names: Names) -> Reading:
    """The tool whose manifest is the file `name` with the content `data`.

    `files` are the other files of a tool that has a folder of its own.
    """
    text, problem = source.decode(data)
    if problem is not None:
        return Reading({}, problems=[problem], name=name)
    suffix = name.rsplit(".", 1)[-1].lower()
    if name == SKILL_FILE:
        reading = from_skill(data, text, files, names)
    elif suffix in ("yaml", "yml", "json"):
        reading = from_yaml(data.decode("utf-8"), files, names)
    elif suffix == "py":
        reading = from_python(name, data, text, names)
    elif suffix == "md":
        reading = from_markdown(name, data, text, names)
    else:
        reading = Reading({}, problems=[_no_manifest(name)])
    reading.name = name
    return reading


def reread(
    manifest: Manifest,
    text: str | None,
    manifest_file: str | None,
    files: Sequence[ToolFile],
    names: Names,
) -> Reading:
    """A stored version as a reading again, with the places of its text."""
    if text is not None:
        reading = from_yaml(text, files, names)
    else:
        own = next(file for file in files if file.path == manifest_file)
        rest = [file for file in files if file is not own]
        reading = read(own.path, own.data, rest, names)
    return replace(reading, manifest=dict(manifest), files=tuple(files))


def _no_manifest(name: str) -> Problem:
    return problem_at(
        "no_manifest",
        f"{name!r} is not a form a tool is written in",
        hint="a tool is tool.yaml, a .yaml, .py or .md file, or a folder with SKILL.md",
    )


__all__ = ["MANIFEST_FILES", "SKILL_FILE", "Names", "read", "reread"]
