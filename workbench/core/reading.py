"""A tool as it was read: canonical, and still tied to the text it came from."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.core.chain import Chain
from workbench.core.codes import problem_at
from workbench.core.document import Document
from workbench.core.problems import Edit, Fix, Path, Problem
from workbench.core.scalars import plain_value
from workbench.core.spaces import PUBLIC
from workbench.core.tool import ToolFile


@dataclass
class Reading:
    """What a path, a text or an agent gave us, before anything is stored.

    `manifest` is canonical; `document` knows where its parts stand; `origin` maps the canonical
    paths that an older dialect wrote elsewhere. Exactly one of `text` and `manifest_file` is set.
    """

    manifest: dict[str, Any]
    document: Document = field(default_factory=Document)
    origin: dict[Path, Path] = field(default_factory=dict)
    files: tuple[ToolFile, ...] = ()
    text: str | None = None
    manifest_file: str | None = None
    problems: list[Problem] = field(default_factory=list)
    space: str = PUBLIC
    name: str = ""
    """What to call it in messages: a path, or the tool's reference."""
    chain: Chain | None = None
    known: dict[str, str | None] = field(default_factory=dict)
    """The type of every other tool it names; None where there is no such tool."""
    is_shipped: bool = False

    @property
    def config(self) -> Mapping[str, Any]:
        config = self.manifest.get("config")
        return config if isinstance(config, Mapping) else {}

    def file(self, path: str) -> ToolFile | None:
        return next((file for file in self.files if file.path == path), None)

    def source(self, path: Path) -> Path:
        """The path in the document of a canonical path."""
        for length in range(len(path), 0, -1):
            if (found := self.origin.get(path[:length])) is not None:
                return (*found, *path[length:])
        return path

    def problem(
        self,
        code: str,
        path: Path,
        message: str,
        *,
        hint: str = "",
        fix: Fix | None = None,
        on_key: bool = False,
    ) -> Problem:
        """A problem at a canonical path, with the line where it was written."""
        where = self.source(path)
        mark = self.document.key(where) if on_key else self.document.at(where)
        return problem_at(
            code,
            message,
            path=path,
            line=mark.line if mark else None,
            column=mark.column if mark else None,
            hint=hint,
            fix=fix,
        )

    def replace_value(self, path: Path, value: str) -> Fix | None:
        """The fix that writes `value` (a string, quoted if needed) at `path`."""
        mark = self.document.values.get(self.source(path))
        if mark is None:
            return None
        is_word = value.isidentifier() and isinstance(plain_value(value), str)
        written = value if is_word else json.dumps(value, ensure_ascii=False)
        return Fix(f"Write {written}", (Edit(*mark, written),))

    def rename_key(self, path: Path, key: str) -> Fix | None:
        """The fix that gives the key at `path` another name, unless that is taken."""
        where = self.source(path)
        mark = self.document.keys.get(where)
        if mark is None or (*where[:-1], key) in self.document.keys:
            return None
        return Fix(f"Rename to {key}", (Edit(*mark, key),))

    def quote(self, path: Path) -> Fix | None:
        """The fix that puts a bare scalar in quotes, exactly as it was written."""
        where = self.source(path)
        text = self.document.plain.get(where)
        return None if text is None else self.document.quoted(where, text)


def did_you_mean(word: str, known: list[str]) -> str | None:
    """The one known word that was probably meant."""
    if len(word) > 128 or len(known) > 1000:
        return None  # comparing takes as long as both together
    near = difflib.get_close_matches(word.lower(), known, 1, cutoff=0.6)
    return near[0] if near else None
