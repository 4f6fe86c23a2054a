"""What is there and what is missing on this machine, each with what to do."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from workbench.errors import UnavailableError
from workbench.store.tools import ToolStore

MIN_SQLITE = (3, 51, 3)
PATIENCE = 10
"""Seconds that a program has to say its version."""


class State(StrEnum):
    OK = "ok"
    MISSING = "missing"
    """Not there; something will not work until it is."""
    BROKEN = "broken"
    """There, and wrong."""


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    state: State
    detail: str
    advice: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "state": str(self.state),
            "detail": self.detail,
            "advice": self.advice,
        }


async def examine(home: Path, store: ToolStore) -> list[Finding]:
    """Everything, in the order in which a person would want to know it."""
    programs = await asyncio.gather(
        _program("uv", ("uv", "--version"), "Python tools get their packages through it",
                 "install uv: `pip install uv`"),
        _program("git", ("git", "--version"), "checkpoints and git tools need it",
                 "install git with your system's package manager"),
        _program("node", ("node", "--version"), "Node tools and npm servers need it",
                 "install Node.js 20 or later"),
        _program("npx", ("npx", "--version"), "most MCP servers are started with it",
                 "install npm, which brings npx"),
        _program("deno", ("deno", "--version"), "only Deno tools need it",
                 "install deno if you have Deno tools"),
        _sandbox(),
    )  # fmt: skip
    return [
        Finding("python", State.OK, f"{platform.python_version()} at {sys.executable}"),
        _home(home),
        *await _registry(store),
        _key(home),
        *programs,
        _keyring(),
        _terminal(),
    ]


def _home(home: Path) -> Finding:
    if not os.access(home, os.W_OK):
        advice = "make it writable, or set WORKBENCH_HOME to a folder that is"
        return Finding("home", State.BROKEN, f"{home} is not writable", advice)
    mode = home.stat().st_mode & 0o077
    if os.name == "posix" and mode:
        advice = f"chmod 700 {home}"
        return Finding("home", State.MISSING, f"{home} can be read by other users", advice)
    return Finding("home", State.OK, str(home))


def _key(home: Path) -> Finding:
    """The owner's key: there is none before the first signature."""
    from workbench.gate import keys

    try:
        key = keys.load(home)
    except UnavailableError as error:
        return Finding("key", State.BROKEN, error.message, error.suggestion)
    detail = f"{key.key_id}, {home / 'keys'}" if key else "made when you first sign a tool"
    return Finding("key", State.OK, detail)


async def _registry(store: ToolStore) -> list[Finding]:
    try:
        info = await store.info()
        faults = await store.integrity()
    except UnavailableError as error:
        return [Finding("registry", State.BROKEN, error.message, error.suggestion)]
    size = info["size_bytes"] / 1024 / 1024
    detail = f"{info['tools']:,} tools, {size:.1f} MiB, schema {info['schema_version']}"
    registry = Finding("registry", State.OK, f"{detail}, {info['path']}")
    if faults:
        advice = f"restore the newest file of {Path(info['path']).parent / 'backups'}"
        registry = Finding("registry", State.BROKEN, faults[0], advice)
    version = str(info["sqlite_version"])
    fine = tuple(int(part) for part in version.split(".")) >= MIN_SQLITE
    sqlite = Finding("sqlite", State.OK, f"{version}, journal {info['journal_mode']}")
    if not fine:
        advice = "upgrade apsw: earlier SQLite can damage a WAL with several writers"
        sqlite = Finding("sqlite", State.BROKEN, version, advice)
    vectors = Finding("sqlite-vec", State.OK, str(info["sqlite_vec_version"]))
    return [registry, sqlite, vectors]


async def _program(name: str, command: tuple[str, ...], why: str, advice: str) -> Finding:
    path = shutil.which(command[0]) or _beside_python(command[0])
    if path is None:
        return Finding(name, State.MISSING, f"not found; {why}", advice)
    try:
        process = await asyncio.create_subprocess_exec(
            path,
            *command[1:],
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as error:
        detail = f"{path} cannot be started: {error.strerror or error}"
        return Finding(name, State.BROKEN, detail, advice)
    try:
        output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
        return Finding(name, State.BROKEN, f"{path} does not answer", advice)
    words = output.decode("utf-8", "replace").strip().splitlines()
    if process.returncode != 0:
        return Finding(name, State.BROKEN, f"{path}: {words[0] if words else 'fails'}", advice)
    return Finding(name, State.OK, f"{words[0] if words else ''} at {path}")


def _beside_python(name: str) -> str | None:
    """Programs that came with our own dependencies."""
    return shutil.which(name, path=str(Path(sys.executable).parent))


async def _sandbox() -> Finding:
    why = "tools that you have not signed need a sandbox"
    if sys.platform != "linux":
        advice = "use Linux, or WSL on Windows, to run tools you have not signed"
        return Finding("bubblewrap", State.MISSING, f"not on {sys.platform}; {why}", advice)
    return await _program(
        "bubblewrap",
        ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"),
        why,
        "install bubblewrap; in a container, allow user namespaces",
    )


def _keyring() -> Finding:
    advice = "`pip install keyring`; without one, secrets come from the environment"
    try:
        version = importlib.metadata.version("keyring")
    except importlib.metadata.PackageNotFoundError:
        return Finding("keyring", State.MISSING, "not installed", advice)
    return Finding("keyring", State.OK, version)


def _terminal() -> Finding:
    encoding = (sys.stdout.encoding or "").lower()
    if "utf" not in encoding:
        advice = "set LANG=C.UTF-8, so that marks and names can be shown"
        return Finding("terminal", State.BROKEN, f"speaks {encoding or 'no encoding'}", advice)
    colour = os.environ.get("COLORTERM", "")
    return Finding("terminal", State.OK, f"{encoding}, {colour or os.environ.get('TERM', 'none')}")
