"""Which names in a tree mean something, and which are passed over."""

from __future__ import annotations

from pathlib import Path

from workbench.core.files import MANIFEST_FILES, SKILL_FILE

AREAS: dict[str, tuple[str, ...]] = {
    "tools": (".yaml", ".yml", ".py"),
    "scripts": (".yaml", ".yml", ".py"),
    "directives": (".md",),
    "knowledge": (".md",),
    "skills": (),
}
"""The folders of a tree that hold tools, and the files in them that are tools by themselves."""
MANIFESTS = (*MANIFEST_FILES, SKILL_FILE)
"""A folder in an area with one of these is one tool, with all the files in it."""
MAX_FOLDERS_DEEP = 32
_SKIPPED = frozenset(("__pycache__", "node_modules", "outputs"))
_SKIPPED_FILES = frozenset(("readme.md", "__init__.py", "settings.yaml", "preferences.yaml"))


def is_skipped(name: str) -> bool:
    return name in _SKIPPED or name.endswith(".pyc")


def is_file_skipped(name: str) -> bool:
    return name.lower() in _SKIPPED_FILES


def is_area(path: Path) -> bool:
    """Whether a folder holds the tools of a tree. It is never one itself: a stray manifest
    there would take all others as its files."""
    return path.absolute().match(".ai/*") and path.absolute().name in AREAS


def is_hidden(name: str) -> bool:
    return name.startswith(".") and name != ".ai"
