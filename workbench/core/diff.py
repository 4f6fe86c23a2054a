"""What differs between two versions: keys of the manifest, and lines of the files."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.core.problems import Path, path_text
from workbench.core.tool import ToolFile

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One key that differs. `before` or `after` is missing from `as_dict` where it was absent."""

    path: str
    before: Any
    after: Any

    def as_dict(self) -> dict[str, Any]:
        shape = {"path": self.path, "before": self.before, "after": self.after}
        return {key: value for key, value in shape.items() if value is not _ABSENT}

    @property
    def kind(self) -> str:
        if self.before is _ABSENT:
            return "added"
        return "removed" if self.after is _ABSENT else "changed"


@dataclass(frozen=True, slots=True)
class FileChange:
    path: str
    kind: str
    lines: tuple[str, ...]
    """A unified diff; empty for binary files."""


@dataclass(frozen=True, slots=True)
class Difference:
    fields: tuple[FieldChange, ...]
    text: tuple[str, ...]
    """A unified diff of the manifests as written."""
    files: tuple[FileChange, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.fields or self.text or self.files)

    def as_dict(self) -> dict[str, Any]:
        return {
            "fields": [change.as_dict() for change in self.fields],
            "manifest": list(self.text),
            "files": [
                {"path": change.path, "change": change.kind, "diff": list(change.lines)}
                for change in self.files
            ],
        }


def difference(
    before: tuple[Mapping[str, Any], str | None, Sequence[ToolFile]],
    after: tuple[Mapping[str, Any], str | None, Sequence[ToolFile]],
    labels: tuple[str, str],
) -> Difference:
    """Two versions, each as (manifest, its text, its files), compared."""
    return Difference(
        tuple(_fields(before[0], after[0], ())),
        tuple(_unified(before[1] or "", after[1] or "", labels)),
        tuple(_files(before[2], after[2], labels)),
    )


def _fields(before: Any, after: Any, path: Path) -> Iterator[FieldChange]:
    before, after = _by_name(before), _by_name(after)
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from _fields(before.get(key, _ABSENT), after.get(key, _ABSENT), (*path, key))
    elif before is _ABSENT or after is _ABSENT or before != after:
        yield FieldChange(path_text(path), before, after)


def _by_name(value: Any) -> Any:
    """A list of things that have names or ids (parameters, steps) as a mapping by them."""
    for key in ("name", "id"):
        if (
            isinstance(value, list)
            and value
            and all(isinstance(item, Mapping) and isinstance(item.get(key), str) for item in value)
        ):
            named = {item[key]: item for item in value}
            if len(named) == len(value):
                return named
    return value


def _unified(before: str, after: str, labels: tuple[str, str]) -> list[str]:
    if before == after:
        return []
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), *labels, lineterm="")
    return list(lines)


def _files(
    before: Sequence[ToolFile], after: Sequence[ToolFile], labels: tuple[str, str]
) -> Iterator[FileChange]:
    old = {file.path: file for file in before}
    new = {file.path: file for file in after}
    for path in sorted({*old, *new}):
        first, second = old.get(path), new.get(path)
        if first is not None and second is not None and first.sha256 == second.sha256:
            continue
        kind = "added" if first is None else "removed" if second is None else "changed"
        texts = [file.text if file is not None else "" for file in (first, second)]
        lines: list[str] = []
        if texts[0] is not None and texts[1] is not None:
            names = (f"{path}@{labels[0]}", f"{path}@{labels[1]}")
            lines = _unified(texts[0], texts[1], names)
        yield FileChange(path, kind, tuple(lines))
