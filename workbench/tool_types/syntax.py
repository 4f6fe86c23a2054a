"""Syntax checks of a tool's files. A language without a checker at hand is not checked."""

from __future__ import annotations

import ast
import functools
import json
import re
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator

from workbench.core.codes import problem_at
from workbench.core.problems import Problem
from workbench.core.source import read_yaml
from workbench.core.tool import ToolFile
from workbench.tool_types import requirements

_SECONDS = 10
_MAX_CHECKED = 2 * 1024 * 1024
Fault = tuple[str, str, int, int]  # code, message, line, column


def check_syntax(file: ToolFile) -> Iterator[Problem]:
    """What is wrong with one file, by the language its name or its first line tells."""
    text = file.text.removeprefix("\ufeff") if file.text is not None else None
    language = _language(file)
    if text is None or language is None or len(text) > _MAX_CHECKED:
        return
    if language == "requirements":
        yield from requirements.check_file(file.path, text)
        return
    if fault := _CHECKERS[language](text):
        code, message, line, column = fault
        yield problem_at(code, message, line=line, column=column, file=file.path)


def _language(file: ToolFile) -> str | None:
    name = file.path.rsplit("/", 1)[-1].lower()
    if re.fullmatch(r"requirements[\w.-]*\.txt", name):
        return "requirements"
    suffix = name.rsplit(".", 1)[-1] if "." in name else ""
    if language := _SUFFIXES.get(suffix):
        return language
    if suffix == "" and file.data.startswith(b"#!"):
        line = file.data.split(b"\n", 1)[0]
        if b"python" in line:
            return "python"
        if re.search(rb"[/ ](ba)?sh\b", line):
            return "bash"
        if b"node" in line:
            return "javascript"
    return None


@functools.lru_cache(maxsize=256)
def _python(text: str) -> Fault | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return "python_syntax", f"{error.msg}", error.lineno or 1, error.offset or 1
    except (ValueError, RecursionError, MemoryError) as error:
        return "python_syntax", f"cannot be parsed: {error}", 1, 1
    return None


@functools.lru_cache(maxsize=256)
def _bash(text: str) -> Fault | None:
    output = _run(("bash", "--norc", "-n"), text)
    if output is None:
        return None
    match = re.search(r"line (\d+): (.*)", output)
    line = int(match[1]) if match else 1
    return "bash_syntax", match[2] if match else output.strip()[:200], line, 1


@functools.lru_cache(maxsize=256)
def _javascript(text: str, kind: str = "commonjs") -> Fault | None:
    output = _run(("node", f"--input-type={kind}", "--check", "-"), text)
    if output is None:
        return None
    if kind == "commonjs" and re.search(r"(?m)^\s*(import|export)\b", text):
        return _javascript(text, "module")
    place = re.search(r"(?m)^\[?stdin\]?:(\d+)", output)
    reason = re.search(r"(?m)^SyntaxError: (.*)$", output)
    message = reason[1] if reason else output.strip()[:200]
    return "javascript_syntax", message, int(place[1]) if place else 1, 1


def _run(command: tuple[str, ...], text: str) -> str | None:
    """What a checker complains about, or None if it is content, absent or too slow."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments, the text goes to its stdin
            [program, *command[1:]],
            input=text.encode("utf-8"),
            capture_output=True,
            timeout=_SECONDS,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stderr.decode("utf-8", "replace") if done.returncode else None


def _json(text: str) -> Fault | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return "json_syntax", error.msg, error.lineno, error.colno
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, depth
        return "json_syntax", f"cannot be parsed: {error}", 1, 1
    return None


def _yaml(text: str) -> Fault | None:
    fatal = next((p for p in read_yaml(text).problems if p.code == "yaml_syntax"), None)
    if fatal is None:
        return None
    return "file_yaml_syntax", fatal.message, fatal.line or 1, fatal.column or 1


_SUFFIXES = {
    "py": "python",
    "sh": "bash",
    "bash": "bash",
    "js": "javascript",
    "mjs": "module",
    "cjs": "javascript",
    "json": "json",
    "yaml": "yaml",
    "yml": "yaml",
}
_CHECKERS: dict[str, Callable[[str], Fault | None]] = {
    "python": _python,
    "bash": _bash,
    "javascript": _javascript,
    "module": lambda text: _javascript(text, "module"),
    "json": _json,
    "yaml": _yaml,
}
