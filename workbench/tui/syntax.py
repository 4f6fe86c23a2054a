"""Source text on the screen: which language a file is in, and the colours of the theme for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from rich.style import Style
from textual.widgets.text_area import TextAreaTheme

THEME = "workbench"

_LANGUAGES = {
    ".py": "python",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".md": "markdown",
    ".sh": "bash",
    ".bash": "bash",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "javascript",
    ".json": "json",
    ".toml": "toml",
    ".sql": "sql",
    ".xml": "xml",
    ".html": "html",
    ".css": "css",
    ".rs": "rust",
    ".go": "go",
    ".java": "java",
}
_TOKENS = {
    "comment": "faint",
    "string": "value-string",
    "string.documentation": "value-string",
    "string.special": "value-string",
    "number": "value-number",
    "float": "value-number",
    "boolean": "value-number",
    "constant.builtin": "value-number",
    "keyword": "value-type",
    "keyword.function": "value-type",
    "keyword.operator": "value-type",
    "keyword.return": "value-type",
    "conditional": "value-type",
    "repeat": "value-type",
    "include": "value-type",
    "exception": "value-type",
    "type": "value-type",
    "type.builtin": "value-type",
    "class": "value-type",
    "tag": "value-type",
    "function": "value-key",
    "function.call": "value-key",
    "method": "value-key",
    "method.call": "value-key",
    "property": "value-key",
    "yaml.field": "value-key",
    "json.label": "value-key",
    "toml.type": "value-key",
    "css.property": "value-key",
    "attribute": "value-key",
    "heading": "value-key",
    "link.uri": "value-string",
    "link.label": "value-key",
    "inline_code": "value-string",
    "list.marker": "value-type",
    "operator": "muted",
    "punctuation.bracket": "muted",
    "punctuation.delimiter": "muted",
    "heading.marker": "faint",
}
_BOLD = {"heading", "bold"}


def language_of(path: str) -> str | None:
    return _LANGUAGES.get(PurePosixPath(path).suffix.lower())


def source_theme(variables: Mapping[str, str]) -> TextAreaTheme:
    """Colours for source text from the variables of the current theme."""

    def style(name: str, *, bold: bool = False) -> Style:
        return Style(color=variables[name][:7], bold=bold or None)

    tokens = {token: style(name, bold=token in _BOLD) for token, name in _TOKENS.items()}
    tokens["bold"], tokens["italic"] = Style(bold=True), Style(italic=True)
    return TextAreaTheme(THEME, gutter_style=style("faint"), syntax_styles=tokens)
