"""The canonical manifest: the keys that every tool may have, whatever its type."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from workbench.core.shape import Shape

ToolType = Literal[
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
]


class Effects(Shape):
    reads: list[str] = Field(default=[], description="globs of what it reads in the project")
    writes: list[str] = Field(default=[], description="globs of what it writes in the project")
    destroys: list[str] = Field(default=[], description="globs of what it deletes in the project")
    network: list[str] = Field(default=[], description="hosts it talks to")


class Requires(Shape):
    commands: list[str] = Field(default=[], description="programs that must be on the PATH")
    environment: list[str] = Field(default=[], description="variables that must be set")


class ManifestShape(Shape):
    """Order is the order in which a manifest is written."""

    tool_id: str = Field(description="its name in the registry, such as word_count")
    tool_type: ToolType = Field(description="one of the ten types; decides what config holds")
    version: str = Field(description='semantic version in quotes, such as "0.1.0"')
    executor: str | None = Field(default=None, description="the tool that carries this one")
    name: str = Field(default="", description="what people call it")
    description: str = Field(default="", description="what it does, for whoever has to choose")
    category: str = Field(default="", description="where it is shelved")
    subcategory: str = Field(default="", description="where on that shelf")
    tags: list[str] = Field(default=[], description="words to find it by")
    author: str = Field(default="", description="who made it")
    visibility: Literal["public", "unlisted", "private"] = Field(
        default="public", description="private: not for agents; unlisted: by exact name only"
    )
    config: dict[str, Any] = Field(default={}, description="what its type needs")
    parameters: Any = Field(default=[], description="what it takes: a list, or a JSON Schema")
    presets: dict[str, dict[str, Any]] = Field(
        default={}, description="values for some of its parameters, by a name"
    )
    outputs: dict[str, Any] = Field(default={}, description="what it returns")
    mutates_state: bool | None = Field(
        default=None, description="whether running it changes things"
    )
    effects: Effects = Field(default=Effects(), description="what it needs to touch")
    isolation: Literal["trusted", "standard", "sandboxed", "restricted"] | None = Field(
        default=None, description="how far it is kept from everything else"
    )
    gate: Literal["before", "staged"] | None = Field(
        default=None, description="ask before it runs, or run on a copy and show the diff"
    )
    calls: list[str] = Field(default=[], description="tools it may call while it runs")
    requires: Requires = Field(default=Requires(), description="what the machine must have")
    lib_imports: list[str] = Field(default=[], description="modules of tools/lib it imports")
    git_checkpoint: Literal["auto", "explicit", "disabled"] | None = Field(
        default=None, description="whether a commit follows a write"
    )
    changelog: str = Field(default="", description="what is new in this version")
    created_at: str = Field(default="", description="when it was made, for people")
    updated_at: str = Field(default="", description="when it was changed, for people")


KEYS = tuple(ManifestShape.model_fields)


def ordered(manifest: dict[str, Any]) -> dict[str, Any]:
    """The same manifest with its keys in the usual order, unknown ones last."""
    known = {key: manifest[key] for key in KEYS if key in manifest}
    return known | {key: value for key, value in manifest.items() if key not in known}
