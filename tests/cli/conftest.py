"""The command line inside the test's own process, and tools to feed it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.conftest import Finished, cli_environment
from workbench.cli.main import _run

Cli = Callable[..., Finished]
Listing = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def cli(
    seeded_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Cli:
    """Runs a command in this process, in tmp_path: quicker than a process of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Finished:
        capsys.readouterr()
        code = _run([str(argument) for argument in arguments])
        written = capsys.readouterr()
        return Finished(code, written.out, written.err)

    return run


@pytest.fixture
def listing(cli: Cli) -> Listing:
    """Everything in the registry, as `list --json` gives it."""

    def read() -> list[dict[str, Any]]:
        tools: list[dict[str, Any]] = json.loads(cli("list", "--json", "--limit", "100000").out)[
            "tools"
        ]
        return tools

    return read


def on_terminal(*arguments: str, cwd: Path, columns: int = 80, **environment: str) -> pexpect.spawn:
    """A command that was started on a terminal of that width."""
    settings: Any = cli_environment(**environment)
    return pexpect.spawn(
        sys.executable,
        ["-m", "workbench", *arguments],
        env=settings,
        cwd=str(cwd),
        dimensions=(24, columns),
        encoding="utf-8",
        timeout=30,
    )


def script_folder(
    folder: Path,
    tool_id: str = "greeter",
    *,
    version: str = "1.0.0",
    body: str = "print('hello')\n",
    executor: str = "python_runtime",
    extra: str = "",
) -> Path:
    """A folder with a valid script; gives the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = (
        f"tool_id: {tool_id}\ntool_type: script\nversion: {json.dumps(version)}\n"
        f"executor: {executor}\ndescription: Greets.\nconfig: {{entrypoint: main.py}}\n{extra}"
    )
    (folder / "tool.yaml").write_text(manifest, "utf-8")
    (folder / "main.py").write_text(body, "utf-8")
    return folder


def api_text(tool_id: str, *, version: str = "1.0.0", extra: str = "") -> str:
    """A tool in one small YAML file: an API call, which needs nothing but a URL."""
    return (
        f"tool_id: {tool_id}\ntool_type: api\nversion: {json.dumps(version)}\n"
        f"executor: http_client\nconfig: {{method: GET, url: 'https://example.com/'}}\n{extra}"
    )
