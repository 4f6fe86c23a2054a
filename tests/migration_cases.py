"""What the tests of migration share: a project with older forms, and how to look at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conftest import Finished, RunCli

PLAIN = '''\
#!/usr/bin/env python3
"""Adds two numbers.

And nothing else.
"""

from typing import Literal, Optional


def main(a: int, b: int = 2, label: Optional[str] = None, how: Literal["sum", "list"] = "sum"):
    return {"sum": a + b, "label": label, "how": how}
'''
DUNDER = '''\
# /// script
# dependencies = ["httpx>=0.28"]
# ///
"""Says hello."""

__version__ = "2.3.0"
__tool_type__ = "python"
__executor_id__ = "python_runtime"
__category__ = "words"
__tags__ = ["yes", "1.10", "plain"]
__lib_imports__ = ["greetings"]


async def run(name: str, times: int = 1) -> dict:
    return {"text": name * times}
'''
FRONT = '''\
"""
tool_id: shout
tool_type: script
version: "1.4.0"
executor: python_runtime
name: Shout
description: "Loud: very #loud"
category: words
mutates_state: false
parameters:
  - name: text
    type: string
    required: true
    description: What to shout.
    pattern: "^[^/~]"
presets:
  loud: {text: "on"}
"""

if __name__ == "__main__":
    print("LOUD")
'''
OLD_YAML = """\
---
# A comment that is lost.
tool_id: deploy
tool_type: bash
version: "1.0.0"
category: ops
executor:
  type: bash
  entrypoint: go.sh
  requires: {commands: [sh]}
mutates_state: true
parameters:
  - {name: where, type: string, default: "2026-01-01"}
---
"""
CANONICAL = """\
# A comment that stays.
tool_id: health
tool_type: api
version: "1.0.0"
executor: http_client
config: {method: GET, url: "https://example.com/"}
"""
LINE = f"# kiwi-mcp:validated:2026-01-01T00:00:00Z:{'0' * 64}\n"
FORMS = {"add_up": PLAIN, "hello": DUNDER, "shout": FRONT}


def older_project(folder: Path) -> Path:
    """A project with a script of each of the three forms."""
    put(folder / ".ai/scripts/sums/add_up.py", PLAIN)
    put(folder / ".ai/tools/hello.py", DUNDER)
    put(folder / ".ai/tools/deep/er/shout_it.py", FRONT)
    put(folder / ".ai/tools/lib/greetings.py", "HELLO = 'Hello'\n")
    return folder


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def below(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "machine" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def answer(finished: Finished) -> dict[str, Any]:
    assert not finished.has_traceback, finished.err
    shape: dict[str, Any] = json.loads(finished.out)
    return shape


def show(run_cli: RunCli, project: Path, tool_id: str) -> dict[str, Any]:
    return answer(run_cli("show", tool_id, "--json", cwd=project))
