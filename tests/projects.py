"""Projects on disk for tests: small trees, written as a person would write them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Puts files below `root`/.ai; the root again."""
    for name, content in files.items():
        path = root / ".ai" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    (root / ".ai").mkdir(parents=True, exist_ok=True)
    return root


def api(tool_id: str, version: str = "1.0.0", **more: str) -> str:
    """A small valid tool that is nothing but its manifest."""
    fields = {"description": f"Asks for {tool_id}.", **more}
    extra = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return (
        f'tool_id: {tool_id}\ntool_type: api\nversion: "{version}"\nexecutor: http_client\n'
        f"{extra}config: {{method: GET, url: 'http://127.0.0.1:9/{tool_id}'}}\n"
    )


def script(tool_id: str, executor: str = "python_runtime", version: str = "1.0.0") -> str:
    """The manifest of a script whose entrypoint is main.py."""
    return (
        f'tool_id: {tool_id}\ntool_type: script\nversion: "{version}"\nexecutor: {executor}\n'
        "config: {entrypoint: main.py}\nmutates_state: false\n"
    )


def runtime(tool_id: str, command: str = "perl") -> str:
    return (
        f'tool_id: {tool_id}\ntool_type: runtime\nversion: "1.0.0"\nexecutor: subprocess\n'
        f"config: {{command: {command}, args: ['{{entrypoint}}'], params: stdin}}\n"
    )
