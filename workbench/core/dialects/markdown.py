"""Markdown files that are tools: directives, knowledge, and Agent Skills."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from workbench.core import markdown
from workbench.core.codes import problem_at
from workbench.core.dialects.names import Names
from workbench.core.document import Document, Mark
from workbench.core.parameters import TYPE_ALIASES
from workbench.core.problems import Path
from workbench.core.reading import Reading
from workbench.core.references import proposed_id
from workbench.core.tool import ToolFile

_COUNT = re.compile(r"[0-9]{1,18}", re.ASCII)
_Put = Callable[[Path, Any, markdown.Element], None]
_ENTRY_KEYS = ("entry_type", "source_type", "source_url")
_PLAIN_KEYS = (
    "tool_id",
    "tool_type",
    "version",
    "name",
    "description",
    "category",
    "subcategory",
    "tags",
    "author",
    "visibility",
    "changelog",
    "created_at",
    "updated_at",
)


def from_markdown(name: str, data: bytes, text: str, names: Names) -> Reading:
    """A directive if a fenced `<directive>` is in it, else knowledge by its frontmatter."""
    element, problems = markdown.directive(text)
    if problems:
        return Reading({}, problems=problems, manifest_file="directive.md")
    if element is not None:
        return _directive(element, data, text, names)
    return _knowledge(name, data, text)


def _directive(element: markdown.Element, data: bytes, text: str, names: Names) -> Reading:
    document = Document(values={(): _mark(element)})
    manifest: dict[str, Any] = {"tool_type": "directive", "config": {}}
    if "directive" in names:
        manifest["executor"] = names["directive"]

    def put(path: Path, value: Any, at: markdown.Element) -> None:
        target = manifest
        for part in path[:-1]:
            target = target[str(part)]
        target[str(path[-1])] = value
        document.keys[path] = _mark(at)

    for attribute, key in (("name", "tool_id"), ("version", "version")):
        if attribute in element.attributes:
            put((key,), element.attributes[attribute], element)
            if mark := _attribute_mark(text, element, attribute):
                document.values[(key,)] = mark
    if (metadata := element.find("metadata")) is not None:
        _metadata(metadata, put)
    if (inputs := element.find("inputs")) is not None:
        items = list(inputs.all("input"))
        put(("parameters",), [_input(item) for item in items], inputs)
        for index, item in enumerate(items):
            document.keys[("parameters", index)] = _mark(item)
    document.value = manifest
    own = ToolFile("directive.md", data, is_entrypoint=True)
    return Reading(manifest, document, files=(own,), manifest_file=own.path)


def _metadata(metadata: markdown.Element, put: _Put) -> None:
    for key in ("description", "category", "subcategory", "author"):
        if (child := metadata.find(key)) is not None:
            put((key,), " ".join(child.text.split()), child)
    if (model := metadata.find("model")) is not None and "tier" in model.attributes:
        put(("config", "model_tier"), model.attributes["tier"], model)
    if (permissions := metadata.find("permissions")) is not None:
        rules = [{"action": rule.tag, **rule.attributes} for rule in permissions.children]
        put(("config", "permissions"), rules, permissions)
    if (checkpoint := metadata.find("git_checkpoint")) is not None:
        put(("git_checkpoint",), checkpoint.attributes.get("mode", "explicit"), checkpoint)
    _limits(metadata, put)


def _limits(metadata: markdown.Element, put: _Put) -> None:
    limits = metadata.find("limits")
    for key in ("max_tokens", "max_turns"):
        said = limits.attributes.get(key) if limits is not None else None
        if limits is not None and said is not None:
            put(("config", key), int(said) if _COUNT.fullmatch(said) else said, limits)


def _input(item: markdown.Element) -> dict[str, Any]:
    kind = item.attributes.get("type", "string")
    parameter: dict[str, Any] = {
        "name": item.attributes.get("name", ""),
        "type": TYPE_ALIASES.get(kind, kind),
    }
    if item.attributes.get("required", "").lower() == "true":
        parameter["required"] = True
    if description := " ".join(item.text.split()):
        parameter["description"] = description
    if "default" in item.attributes:
        parameter["default"] = _typed(item.attributes["default"], parameter["type"])
    return parameter


def _typed(text: str, kind: str) -> Any:
    """An attribute's text as the JSON type it stands for; as text if it does not fit."""
    if kind == "boolean" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            number = float(text)
            return number if math.isfinite(number) else text
    except ValueError:
        return text
    return text


def _knowledge(name: str, data: bytes, text: str) -> Reading:
    own = ToolFile("content.md", data, is_entrypoint=True)
    page = markdown.split(text)
    reading = Reading({}, files=(own,), manifest_file=own.path, problems=list(page.problems))
    if page.frontmatter is None:
        if not page.problems:
            message = "this markdown has neither frontmatter nor a fenced <directive>"
            hint = "begin with --- and keys such as title: and tags:, then --- again"
            reading.problems.append(problem_at("no_manifest", message, line=1, column=1, hint=hint))
        return reading
    reading.document = page.frontmatter
    value = page.frontmatter.value
    if not isinstance(value, dict):
        return reading
    stem = name.rsplit("/", 1)[-1].removesuffix(".md")
    manifest: dict[str, Any] = {
        "tool_id": proposed_id(stem) or stem,
        "tool_type": "knowledge",
        "version": "1.0.0",
    }
    manifest |= {key: value[key] for key in _PLAIN_KEYS if value.get(key) is not None}
    for alias, key in (("id", "tool_id"), ("title", "name"), ("summary", "description")):
        if alias in value and key not in value:
            manifest[key] = value[alias]
            reading.origin[(key,)] = (alias,)
    if "name" not in manifest and (heading := re.search(r"(?m)^#\s+(.+?)\s*$", page.body)):
        manifest["name"] = heading[1]
    config = {key: value[key] for key in _ENTRY_KEYS if value.get(key) is not None}
    for key in config:
        reading.origin[("config", key)] = (key,)
    if config:
        manifest["config"] = config
    reading.manifest = manifest
    return reading


def from_skill(data: bytes, text: str, files: Sequence[ToolFile], names: Names) -> Reading:
    """An Agent Skill: a folder of instructions, as a directive that is not renamed."""
    own = ToolFile("SKILL.md", data, is_entrypoint=True)
    page = markdown.split(text)
    reading = Reading({}, files=(own, *files), manifest_file=own.path, problems=list(page.problems))
    value = page.frontmatter.value if page.frontmatter is not None else None
    if page.frontmatter is not None:
        reading.document = page.frontmatter
    if not isinstance(value, dict):
        if not reading.problems and not reading.document.problems:
            message = "a skill begins with frontmatter that holds its name and description"
            reading.problems.append(problem_at("no_manifest", message, line=1, column=1))
        return reading
    metadata = value.get("metadata")
    extra: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
    manifest: dict[str, Any] = {
        "tool_type": "directive",
        "version": extra.get("version", "1.0.0"),
        "tags": ["skill"],
        "config": {"entrypoint": own.path},
    }
    reading.origin |= {("version",): ("metadata", "version"), ("tool_id",): ("name",)}
    if "directive" in names:
        manifest["executor"] = names["directive"]
    if isinstance(name := value.get("name"), str):
        manifest |= {"tool_id": proposed_id(name) or name, "name": name}
    for key in ("description", "author"):
        if (said := value.get(key, extra.get(key))) is not None:
            manifest[key] = said
    allowed = value.get("allowed-tools")
    if allowed is not None:
        tools = (
            allowed
            if isinstance(allowed, list)
            else re.findall(r"[^\s,(]+(?:\([^)]*\))?", str(allowed))
        )
        manifest["config"]["permissions"] = {"tools": tools}
        reading.origin[("config", "permissions")] = ("allowed-tools",)
    reading.manifest = manifest
    return reading


def _attribute_mark(text: str, element: markdown.Element, attribute: str) -> Mark | None:
    """Where the quoted value of an attribute stands, so that it can be replaced."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: element.line - 1]) + element.column - 1
    tag = re.compile(rf"""<[^>]*?\s{attribute}\s*=\s*("[^"<>]*"|'[^'<>]*')""").match(text, start)
    if tag is None:
        return None
    line = text.count("\n", 0, tag.start(1)) + 1
    column = tag.start(1) - text.rfind("\n", 0, tag.start(1))
    return Mark(line, column, line, column + len(tag[1]))


def _mark(element: markdown.Element) -> Mark:
    end = element.column + len(element.tag) + 1
    return Mark(element.line, element.column, element.line, end)
