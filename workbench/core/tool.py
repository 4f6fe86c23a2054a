"""The plain data that travels between the store, the facade and the faces."""

from __future__ import annotations

import functools
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from workbench.core import spaces

Manifest = Mapping[str, Any]

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


class Trust(StrEnum):
    """Whether the owner's word stands for a tool as it is now."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    ALTERED = "altered"
    """It was signed, and is no longer what was signed."""


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
    declared_effect: Effect
    """What it does if its manifest is believed, as it is once the owner signed it."""
    files: tuple[ToolFile, ...] = ()
    text: str | None = None
    manifest_file: str | None = None
    claimed_hash: str | None = None
    """The hash that its signature line names, if it has one."""
    uses: tuple[str, ...] = ()
    """The ids of other tools it names, besides its executor."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What there is to judge by whether a version is trusted."""

    content_hash: str
    claimed_hash: str | None = None
    """The hash that the signature line in its file names."""
    replaced_hash: str | None = None
    """The hash of the version whose number it has without being it."""


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
    evidence: Evidence
    declared_effect: Effect
    trust: Trust = Trust.UNSIGNED
    also_in: tuple[str, ...] = ()
    """The other spaces in sight that have a tool of this id."""

    @property
    def shadowed_by(self) -> str | None:
        """The space whose tool a plain reference means instead of this one."""
        return next((one for one in self.also_in if self.space in spaces.outward(one)), None)

    @property
    def shadows(self) -> tuple[str, ...]:
        """The spaces whose tool of this id can only be reached by naming its space."""
        return tuple(one for one in self.also_in if one in spaces.outward(self.space))


@dataclass(frozen=True, slots=True)
class ToolVersion:
    """One stored version, whole. `files` is empty unless files were asked for."""

    space: str
    manifest: Manifest
    effect: Effect
    is_builtin: bool
    is_official: bool
    """Whether this very version ships with the program."""
    is_absent: bool
    created_at: str
    evidence: Evidence
    declared_effect: Effect
    trust: Trust = Trust.UNSIGNED
    text: str | None = None
    manifest_file: str | None = None
    files: tuple[ToolFile, ...] = field(default=())

    @property
    def content_hash(self) -> str:
        return self.evidence.content_hash

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
