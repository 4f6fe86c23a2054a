"""Python files that are tools: metadata in dunder names, in the docstring, or nowhere."""

from __future__ import annotations

import ast
import contextlib
import math
import re
import tomllib
import warnings
from typing import Any

from workbench.core.codes import problem_at
from workbench.core.dialects.names import Names
from workbench.core.dialects.yaml import canonical
from workbench.core.document import Document, Mark
from workbench.core.manifest import KEYS
from workbench.core.reading import Reading
from workbench.core.references import proposed_id
from workbench.core.source import read_yaml
from workbench.core.tool import ToolFile

ENTRY_FUNCTIONS = ("main", "run", "execute")
_FRONT = re.compile(r"\s*(?:---[ \t]*\r?\n)?\s*(?:tool_id|tool_type|version|executor)[ \t]*:")
_LINE = re.compile(r"\r\n|\r|\n")
_INLINE = re.compile(r"(?m)^# /// script\s*$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
_TYPES = {
    "str": "string",
    "Path": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "List": "array",
    "tuple": "array",
    "set": "array",
    "dict": "object",
    "Dict": "object",
}


def from_python(name: str, data: bytes, text: str, names: Names) -> Reading:
    own = ToolFile(name, data, is_entrypoint=True)
    reading = Reading({}, files=(own,), manifest_file=name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except SyntaxError as error:
        reading.problems.append(
            problem_at("python_syntax", error.msg, line=error.lineno, column=error.offset)
        )
        return reading
    except (ValueError, RecursionError, MemoryError) as error:
        reading.problems.append(problem_at("python_syntax", f"cannot be parsed: {error}", line=1))
        return reading
    value, document = _metadata(reading, module, text)
    reading.document = document
    _assume(reading, value, module, name, text)
    canonical(reading, value, names)
    return reading


def _metadata(reading: Reading, module: ast.Module, text: str) -> tuple[dict[str, Any], Document]:
    """What the file says of itself, and where."""
    lines = _LINE.split(text)
    front = _front_matter(module, lines)
    if front is not None:
        value = dict(front.value) if isinstance(front.value, dict) else {}
        return value, front
    document = Document()
    value = {}
    for statement in module.body:
        name, node = _assignment(statement)
        if name is None or node is None:
            continue
        key = name.strip("_")
        known = (*KEYS, "executor_id", "requires_packages", "dependencies", "requirements")
        if not re.fullmatch(r"__\w+__", name) or key not in known:
            continue
        document.keys[(key,)] = _mark(statement, lines)
        document.values[(key,)] = _mark(node, lines)
        try:
            value[key] = _literal(node)
        except ValueError:
            message = f"{name} must be written as plain text, numbers, lists and mappings"
            mark = document.values[(key,)]
            reading.problems.append(
                problem_at(
                    "metadata_not_literal",
                    message,
                    path=(key,),
                    line=mark.line,
                    column=mark.column,
                )
            )
    document.value = value
    return value, document


def _front_matter(module: ast.Module, lines: list[str]) -> Document | None:
    """The YAML of the module's docstring, at its places in the file."""
    text = ast.get_docstring(module, clean=False)
    if text is None or not _FRONT.match(text):
        return None
    said = _LINE.split(text)
    start = next(index for index, line in enumerate(said) if line.strip())
    if said[start].strip() == "---":
        start += 1
        ends = (index for index in range(start, len(said)) if said[index].strip() == "---")
        return read_yaml("\n".join(said[start : next(ends, None)])).shifted(_first(module) + start)
    if start > 0:
        return read_yaml("\n".join(said[start:])).shifted(_first(module) + start)
    # It begins on the line of the quotes, whose indentation says nothing.
    indents = [len(line) - len(line.lstrip()) for line in said[1:] if line.strip()]
    margin = min(indents, default=0)
    first = said[0].lstrip()
    moved = max(lines[_first(module)].find(first) - margin, 0)
    document = read_yaml("\n".join([" " * margin + first, *said[1:]]))
    return document.shifted(_first(module), moved)


def _first(module: ast.Module) -> int:
    """The index of the line on which the docstring begins."""
    return module.body[0].lineno - 1


def _assume(
    reading: Reading, value: dict[str, Any], module: ast.Module, name: str, text: str
) -> None:
    """Fills in what a Python file need not say, from the code itself."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".py")
    if not ({"version", "tool_type", "tool_id"} & set(value)):
        hint = 'add __version__ = "1.0.0", __tool_type__, __executor_id__ and __category__'
        message = "a legacy script: version 1.0.0, a write, and its parameters were assumed"
        reading.problems.append(problem_at("dialect_assumed", message, line=1, column=1, hint=hint))
        value["version"] = "1.0.0"
        value["mutates_state"] = True
    value.setdefault("tool_id", proposed_id(stem) or stem)
    value.setdefault("tool_type", "python")
    function = _entry_function(module)
    if function is not None and "parameters" not in value:
        value["parameters"] = _parameters(function)
    if "description" not in value and (said := _description(module, function)):
        value["description"] = said
    for word in ("requires_packages", "dependencies", "requirements"):
        if word in value:
            _set_config(value, "requires", value.pop(word))
            reading.origin[("config", "requires")] = (word,)
    if packages := _inline_dependencies(text):
        _set_config(value, "requires", packages)
    if value["tool_type"] in ("python", "script"):
        _set_config(value, "entrypoint", name)


def _set_config(value: dict[str, Any], key: str, item: Any) -> None:
    config = value.setdefault("config", {})
    if isinstance(config, dict):
        config.setdefault(key, item)


def _assignment(statement: ast.stmt) -> tuple[str | None, ast.expr | None]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
        node: ast.expr | None = statement.value
    elif isinstance(statement, ast.AnnAssign):
        target, node = statement.target, statement.value
    else:
        return None, None
    return (target.id, node) if isinstance(target, ast.Name) else (None, None)


def _entry_function(module: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    functions = {
        node.name: node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return next((functions[name] for name in ENTRY_FUNCTIONS if name in functions), None)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[dict[str, Any]]:
    """The parameter list that a signature means. `*args` and `**kwargs` say nothing."""
    signature = function.args
    positional = [*signature.posonlyargs, *signature.args]
    padding: list[ast.expr | None] = [None] * (len(positional) - len(signature.defaults))
    pairs = [
        *zip(positional, [*padding, *signature.defaults], strict=True),
        *zip(signature.kwonlyargs, signature.kw_defaults, strict=True),
    ]
    parameters = []
    for argument, default in pairs:
        parameter: dict[str, Any] = {"name": argument.arg, **_type_of(argument.annotation)}
        if default is None:
            parameter["required"] = True
        else:
            with contextlib.suppress(ValueError):  # what is computed is not known before it runs
                if (literal := _literal(default)) is not None:
                    parameter["default"] = literal
        parameters.append(parameter)
    return parameters


def _type_of(annotation: ast.expr | None) -> dict[str, Any]:
    """The JSON type of an annotation, or nothing where it has none."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return {}
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = [side for side in (annotation.left, annotation.right) if not _is_none(side)]
        return _type_of(sides[0]) if len(sides) == 1 else {}
    if isinstance(annotation, ast.Attribute):
        return {"type": _TYPES[annotation.attr]} if annotation.attr in _TYPES else {}
    if isinstance(annotation, ast.Name):
        return {"type": _TYPES[annotation.id]} if annotation.id in _TYPES else {}
    if isinstance(annotation, ast.Subscript):
        return _subscript(annotation)
    return {}


def _subscript(annotation: ast.Subscript) -> dict[str, Any]:
    head = annotation.value
    name = head.id if isinstance(head, ast.Name) else getattr(head, "attr", "")
    if name == "Optional":
        return _type_of(annotation.slice)
    if name == "Literal":
        items = (
            annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        )
        choices = []
        for item in items:
            with contextlib.suppress(ValueError):
                choices.append(_literal(item))
        strings = all(isinstance(choice, str) for choice in choices)
        return {**({"type": "string"} if strings else {}), "enum": choices} if choices else {}
    found = _type_of(ast.Name(id=name))
    if found.get("type") == "array" and (items_of := _type_of(annotation.slice)):
        found["items"] = items_of
    return found


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _description(
    module: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef | None
) -> str:
    for node in (module, function):
        said = ast.get_docstring(node) if node is not None else None
        if said and not _FRONT.match(said):
            return " ".join(said.split("\n\n")[0].split()).encode("utf-8", "replace").decode()
    return ""


def _inline_dependencies(text: str) -> list[str]:
    """The packages of an inline script metadata block (PEP 723)."""
    match = _INLINE.search(text)
    if match is None:
        return []
    content = "\n".join(line[2:] for line in match["content"].splitlines())
    try:
        packages = tomllib.loads(content).get("dependencies")
    except (tomllib.TOMLDecodeError, RecursionError):
        return []
    return [str(package) for package in packages] if isinstance(packages, list) else []


def _literal(node: ast.expr) -> Any:
    """The value written at `node`; ValueError if it is computed, or nothing JSON can hold."""
    try:
        return _as_json(ast.literal_eval(node))
    except (TypeError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from None


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key is not text")
        return {_as_json(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, str):
        value.encode("utf-8")  # a lone surrogate is a ValueError too
    elif isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise ValueError("the number does not fit in 64 bits")
    elif value is not None and not (isinstance(value, float) and math.isfinite(value)):
        raise ValueError("not a value of JSON")
    return value


def _mark(node: ast.stmt | ast.expr, lines: list[str]) -> Mark:
    """Where a node stands. Python counts columns in bytes, we in characters."""

    def column(line: int, offset: int) -> int:
        return len(lines[line - 1].encode()[:offset].decode("utf-8", "replace")) + 1

    end = node.end_lineno or node.lineno
    return Mark(
        node.lineno,
        column(node.lineno, node.col_offset),
        end,
        column(end, node.end_col_offset or 0),
    )
