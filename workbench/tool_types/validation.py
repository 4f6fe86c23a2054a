"""Layers 1 and 2 of validation: what every tool must be, then what its type must be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from workbench.core import references, versions
from workbench.core.files import check_files
from workbench.core.manifest import ManifestShape
from workbench.core.parameter_checks import check_parameters, check_schema
from workbench.core.presets import check_presets
from workbench.core.problems import Edit, Fix, Path, Problem, Severity, has_errors, in_order
from workbench.core.reading import Reading
from workbench.core.scalars import is_old_boolean
from workbench.core.shape import check_shape, describe
from workbench.tool_types import TYPES
from workbench.tool_types.base import ToolType
from workbench.tool_types.syntax import check_syntax


def validate(reading: Reading) -> list[Problem]:
    """Every problem of a tool as it was read, in the order of its text.

    The reading's chain and the types of the tools it names must have been looked up before;
    without a chain (a chain of None) what depends on it is left out.
    """
    problems = [*reading.document.problems, *reading.problems]
    if not reading.manifest:
        return in_order(problems)
    problems += check_shape(reading, ManifestShape, reading.manifest)
    problems += _check_identity(reading)
    of_parameters = list(check_parameters(reading))
    problems += of_parameters
    problems += check_presets(reading, well_formed=not has_errors(of_parameters))
    problems += _check_outputs(reading)
    problems += check_files(reading.files)
    tool_type = TYPES.get(str(reading.manifest.get("tool_type")))
    if tool_type is not None:
        problems += _check_type(reading, tool_type)
    for file in reading.files:
        problems += check_syntax(file)
    problems += _check_booleans(reading, problems)
    return in_order(dict.fromkeys(_placed(problems, reading)))


def _placed(problems: list[Problem], reading: Reading) -> Iterator[Problem]:
    """Problems of the file that carries the manifest belong to the manifest itself."""
    for problem in problems:
        own = problem.file and problem.file == reading.manifest_file
        yield replace(problem, file="") if own else problem


def _check_identity(reading: Reading) -> Iterator[Problem]:
    tool_id = reading.manifest.get("tool_id")
    if isinstance(tool_id, str) and not references.is_tool_id(tool_id):
        meant = references.proposed_id(tool_id)
        yield reading.problem(
            "bad_tool_id",
            ("tool_id",),
            f"{describe(tool_id)} is not an id: a-z, 0-9, _ . - and at most {references.MAX_ID}",
            hint=f"write {meant}" if meant else "begin with a small letter or a digit",
            fix=reading.replace_value(("tool_id",), meant) if meant else None,
        )
    version = reading.manifest.get("version")
    if isinstance(version, str) and versions.parse(version) is None:
        meant = versions.repaired(version)
        yield reading.problem(
            "bad_version",
            ("version",),
            f"{describe(version)} is not a semantic version above 0.0.0",
            hint=f'write "{meant}"' if meant else 'as in "1.0.0" or "1.0.0-beta.1"',
            fix=reading.replace_value(("version",), meant) if meant else None,
        )


def _check_outputs(reading: Reading) -> Iterator[Problem]:
    """`outputs` is a JSON Schema, or says a format and perhaps a schema."""
    outputs = reading.manifest.get("outputs")
    if not isinstance(outputs, dict):
        return
    path: Path = ("outputs",)
    if "format" in outputs and outputs["format"] in ("json", "text", "file"):
        schema = outputs.get("schema")
        if isinstance(schema, dict):
            yield from check_schema(reading, (*path, "schema"), schema)
        elif schema is not None and not isinstance(schema, str):
            message = f"schema must be a JSON Schema or a name, not {describe(schema)}"
            yield reading.problem("wrong_type", (*path, "schema"), message)
        for key in outputs:
            if key not in ("format", "schema", "description"):
                message = f"{key!r} is not a key beside format"
                yield reading.problem("unknown_key", (*path, key), message, on_key=True)
    else:
        yield from check_schema(reading, path, outputs)


def _check_type(reading: Reading, tool_type: ToolType) -> Iterator[Problem]:
    yield from _check_executor(reading, tool_type)
    config = reading.manifest.get("config")
    shape = list(check_shape(reading, tool_type.config, config or {}, ("config",)))
    yield from shape
    others = [file.path for file in reading.files if file.path != reading.manifest_file]
    if tool_type.files == "none" and others:
        listed = ", ".join(others[:3])
        yield reading.problem(
            "files_forbidden",
            ("tool_type",),
            f"{tool_type.name} tools have no files, and here are {listed}",
            hint="remove them, or make it a script",
        )
    if not shape and isinstance(config, dict | None):
        yield from tool_type.check(reading)


def _check_executor(reading: Reading, tool_type: ToolType) -> Iterator[Problem]:
    executor = reading.manifest.get("executor")
    path: Path = ("executor",)
    if not tool_type.executors:
        if executor is not None:
            message = f"{tool_type.name} tools have no executor"
            yield reading.problem(
                "executor_forbidden", path, message, fix=_drop_value(reading, path)
            )
        return
    if executor is None:
        wanted = " or ".join(tool_type.executors)
        message = f"{_a(tool_type.name)} needs an executor of the type {wanted}"
        yield reading.problem("executor_missing", path, message, on_key=True)
        return
    if not isinstance(executor, str):
        return  # the shape has said so
    if references.try_parse(executor) is None:
        message = f"{describe(executor)} is not a reference to a tool"
        yield reading.problem("bad_reference", path, message)
        return
    yield from _check_chain(reading, tool_type)


def _check_chain(reading: Reading, tool_type: ToolType) -> Iterator[Problem]:
    chain = reading.chain
    if chain is None:
        return
    path: Path = ("executor",)
    if chain.fault is not None:
        yield reading.problem(chain.fault.code, path, chain.fault.message, hint=chain.fault.hint)
        return
    carrier = chain.executor
    found = carrier.manifest.get("tool_type") if carrier is not None else None
    if carrier is not None and found not in tool_type.executors:
        yield reading.problem(
            "executor_type",
            path,
            f"{_a(tool_type.name)} runs on {_a(' or '.join(tool_type.executors))};"
            f" {carrier.manifest['tool_id']} is {f'a {found}' if found else 'of no type'}",
        )


def _a(noun: str) -> str:
    return f"an {noun}" if noun.startswith(("a", "mcp")) else f"a {noun}"


def _drop_value(reading: Reading, path: Path) -> Fix | None:
    mark = reading.document.values.get(reading.source(path))
    return None if mark is None else Fix("Write null", (Edit(*mark, "null"),))


def _check_booleans(reading: Reading, problems: list[Problem]) -> Iterator[Problem]:
    """`yes` and `no` were read as booleans; say so where nothing worse was said."""
    lines = {(p.line, p.column) for p in problems if p.severity is Severity.ERROR}
    for path, text in reading.document.plain.items():
        mark = reading.document.values[path]
        if is_old_boolean(text) and (mark.line, mark.column) not in lines:
            truth = "true" if text.lower() in ("yes", "on") else "false"
            yield replace(
                reading.problem(
                    "ambiguous_boolean",
                    (),
                    f"{text} is read as {truth}; other YAML readers see a word",
                    hint=f'write {truth}, or "{text}" if a word is meant',
                    fix=Fix(f"Write {truth}", (Edit(*mark, truth),)),
                ),
                line=mark.line,
                column=mark.column,
            )
