"""The plain data that travels between the store, the facade and the faces."""

from __future__ import annotations

import functools
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Manifest = Mapping[str, Any]

PUBLIC = "public"
TOOL_TYPES = (
    "primitive",
    "runtime",
    "mcp_server",
    "mcp_tool",
    "script",
    "api",
    "directive",
    "thread",
    "knowledge",
    "composite",
)


class Effect(StrEnum):
    """What running a tool does to the world, as far as we know."""

    READS = "reads"
    WRITES = "writes"
    DESTROYS = "destroys"


@dataclass(frozen=True)
class ToolFile:
    """One file of one version. `path` is relative, with forward slashes."""

    path: str
    data: bytes
    is_entrypoint: bool = False

    @functools.cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @functools.cached_property
    def text(self) -> str | None:
        """The content as text, or None if it is binary."""
        try:
            return None if b"\0" in self.data else self.data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    @property
    def media_type(self) -> str:
        guess, _ = mimetypes.guess_type(self.path, strict=False)
        return guess or ("application/octet-stream" if self.text is None else "text/plain")


@dataclass(frozen=True, slots=True)
class Draft:
    """A version as it will be stored. Exactly one of `text` and `manifest_file` is set: the
    manifest is YAML of its own, or it lives inside one of the files."""

    space: str
    manifest: Manifest
    content_hash: str
    effect: Effect
    files: tuple[ToolFile, ...] = ()
    text: str | None = None
    manifest_file: str | None = None
    uses: tuple[str, ...] = ()
    """The ids of other tools it names, besides its executor."""


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool as lists and trees show it: its identity and its latest version."""

    space: str
    tool_id: str
    tool_type: str
    executor: str | None
    name: str
    description: str
    category: str
    version: str
    effect: Effect
    is_builtin: bool
    is_official: bool
    children: int
    """How many present tools name this one as their executor."""
    updated_at: str


@dataclass(frozen=True, slots=True)
class ToolVersion:
    """One stored version, whole. `files` is empty unless files were asked for."""

    space: str
    manifest: Manifest
    content_hash: str
    effect: Effect
    is_builtin: bool
    is_official: bool
    """Whether this very version ships with the program."""
    is_absent: bool
    created_at: str
    text: str | None = None
    manifest_file: str | None = None
    files: tuple[ToolFile, ...] = field(default=())

    @property
    def tool_id(self) -> str:
        return str(self.manifest["tool_id"])

    @property
    def tool_type(self) -> str:
        return str(self.manifest["tool_type"])

    @property
    def version(self) -> str:
        return str(self.manifest["version"])

    @property
    def executor(self) -> str | None:
        return self.manifest.get("executor")

    @property
    def config(self) -> Mapping[str, Any]:
        return self.manifest.get("config") or {}


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version as histories show it."""

    version: str
    content_hash: str
    changelog: str
    created_at: str
    is_latest: bool
    files: int


class Outcome(StrEnum):
    CREATED = "created"
    """The first version of a new tool."""
    VERSIONED = "versioned"
    """A new version of a known tool."""
    RESTORED = "restored"
    """That very content was deleted, and is back."""
    UNCHANGED = "unchanged"
    """That very content is there already."""


@dataclass(frozen=True, slots=True)
class Saved:
    space: str
    tool_id: str
    version: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result; greater scores fit better."""

    row: ToolRow
    score: float
