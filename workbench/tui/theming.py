"""Theme files: YAML in the shipped folder and in the user's, each one Textual theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import yaml
from textual.color import Color, ColorParseError
from textual.theme import Theme

DEFAULT = "workbench-dark"
_MAX_BYTES = 100_000
_NOT_COLOURS = {"name", "dark", "luminosity_spread", "text_alpha", "variables", "ansi"}
_COLOURS = {field.name for field in fields(Theme)} - _NOT_COLOURS
_SHAPES: dict[str, type | tuple[type, ...]] = {
    "dark": bool,
    "ansi": bool,
    "luminosity_spread": (int, float),
    "text_alpha": (int, float),
}


class ThemeFileError(Exception):
    """A theme file that cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Themes:
    """The themes that could be read, and what is wrong with the others."""

    themes: tuple[Theme, ...]
    faults: tuple[str, ...]


def read_themes(folders: Iterable[Path]) -> Themes:
    """All themes in `folders`; of two with the same name the later one counts."""
    found: dict[str, Theme] = {}
    faults: list[str] = []
    for path in _files(folders):
        try:
            theme = read_theme(path)
            found[theme.name] = theme
        except ThemeFileError as error:
            faults.append(str(error))
    return Themes(tuple(found.values()), tuple(faults))


def read_theme(path: Path) -> Theme:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES or b"&" in data or b"*" in data:
            raise ThemeFileError(f"{path.name}: too large, or it has YAML anchors")
        content = yaml.safe_load(data.decode("utf-8"))
    except OSError as error:
        raise ThemeFileError(f"{path.name}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ThemeFileError(f"{path.name}: not YAML") from error
    return _theme(path, content)


def _theme(path: Path, content: object) -> Theme:
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):
        raise ThemeFileError(f"{path.name}: a theme needs at least a name and primary")
    if "primary" not in content:
        raise ThemeFileError(f"{path.name}: primary is missing")
    for key, value in content.items():
        if key in _COLOURS:
            _check_colour(path, str(key), value)
        elif key in _SHAPES:
            if not isinstance(value, _SHAPES[key]):
                raise ThemeFileError(f"{path.name}: {key} has the wrong type")
        elif key not in _NOT_COLOURS:
            raise ThemeFileError(f"{path.name}: {str(key)[:40]!r} is not a key of a theme")
    variables = content.get("variables") or {}
    if not isinstance(variables, dict):
        raise ThemeFileError(f"{path.name}: variables must be a mapping")
    for key, value in variables.items():
        if not (isinstance(value, str) and isinstance(key, str)):
            raise ThemeFileError(f"{path.name}: variables.{str(key)[:40]} must be text")
        if value.startswith("#"):
            _check_colour(path, f"variables.{key}", value)
    return Theme(**{**content, "variables": dict(variables)})


def _check_colour(path: Path, key: str, value: object) -> None:
    try:
        Color.parse(str(value))
    except ColorParseError as error:
        raise ThemeFileError(f"{path.name}: {key} is not a colour") from error


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        try:
            yield from sorted(folder.glob("*.yaml"))
        except OSError:
            continue
