"""Registries of known sizes, made once per run."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

_TEXT = (
    "account archive balance branch budget calendar channel commit contact customer dataset "
    "deploy device document domain email event export filter folder forecast graph image import "
    "index invoice issue label ledger library message metric model network note order package "
    "page payment photo pipeline profile project query record release report request route "
    "schedule schema search secret server session sheet signal snapshot source stream summary "
    "table task team template ticket token track transfer user vector video volume weather"
)
WORDS = _TEXT.split()


def manifest(number: int) -> str:
    """A small, valid API tool; its words repeat as those of real tools do."""
    first = WORDS[number % len(WORDS)]
    second = WORDS[(number // len(WORDS)) % len(WORDS)]
    third = WORDS[(number * 7) % len(WORDS)]
    return f"""\
tool_id: {first}_{second}_{number:06d}
tool_type: api
version: "1.0.0"
executor: http_client
name: {first.capitalize()} {second} {number}
description: "Finds the {first} of a {second} and returns its {third} as JSON"
category: {third}
tags: [{first}, {second}]
config:
  method: GET
  url_template: "https://example.com/{first}/{{entry}}?page={{page}}"
parameters:
  - name: entry
    type: string
    required: true
    description: Which {first} to look at
  - name: page
    type: integer
    default: 1
    minimum: 1
"""


def write_tree(folder: Path, count: int) -> None:
    """`count` manifests, a thousand to a folder."""
    for number in range(count):
        place = folder / f"{number // 1000:03d}"
        if number % 1000 == 0:
            place.mkdir(parents=True, exist_ok=True)
        (place / f"t{number:06d}.yaml").write_text(manifest(number), "utf-8")


def fill(home: Path, tree: Path) -> float:
    """Loads a tree through the command line, as a person would; the seconds it took."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "workbench", "add", "--quiet", str(tree)],
        env=environment(home),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - started


def environment(home: Path) -> dict[str, str]:
    """A clean environment in which `home` is the registry."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "WORKBENCH_HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }


def large_manifest(lines: int = 300) -> str:
    """One manifest of about `lines` lines with positions, nesting and templates to check."""
    head = """\
tool_id: large
tool_type: api
version: "1.0.0"
executor: http_client
description: A manifest of the size that people complain about
config:
  method: POST
  url: "https://example.com/items"
  headers:
    Content-Type: application/json
  body_template:
"""
    count = (lines - head.count("\n") - 1) // 7
    body = "".join(f'    field_{n}: "{{field_{n}}}"\n' for n in range(count))
    parameters = "".join(
        f"""\
  - name: field_{n}
    type: {"integer" if n % 3 else "string"}
    description: What the field number {n} holds, said in a few words
    required: {"true" if n % 2 else "false"}
    {"minimum: 1" if n % 3 else "pattern: ^[a-z]+$"}
    {"maximum: 100" if n % 3 else "maxLength: 100"}
"""
        for n in range(count)
    )
    return head + body + "parameters:\n" + parameters
