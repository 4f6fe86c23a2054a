"""A manifest as text: YAML in the usual order, as a person would write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from workbench.core import scalars
from workbench.core.manifest import ordered

_WIDTH = 100
_SHORT = 60
"""A list of plain values up to this many characters stands on one line."""
_ODD = re.compile(r"[^\S\n ]|[^\x20-\ud7ff\ue000-\ufefe\uff00-\uffef\U00010000-\U0010ffff\n]")
"""Characters that YAML readers treat as breaks, or that no one sees."""
_PLAIN = re.compile(r"[\w/.(<>=$][^:#]*(?:[:#][^\s:#]+)*", re.DOTALL)


class _Version(str):
    """A version, which is always written in quotes."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The text of a canonical manifest. Whoever reads it finds the same manifest."""
    written = ordered(dict(manifest))
    if isinstance(written.get("version"), str):
        written["version"] = _Version(written["version"])
    return yaml.dump(
        written,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=_WIDTH,
    )


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(value), _style(value))


def _style(value: str) -> str | None:
    """None where it may stand plain, `|` where it has lines, else quotes."""
    if isinstance(value, _Version) or not value or _ODD.search(value):
        return '"'
    if "\n" in value:
        return "|"
    seen = scalars.plain_value(value)
    if seen is not value or not _PLAIN.fullmatch(value):
        return '"'
    is_odd = scalars.is_ambiguous_number(value) or scalars.is_date(value)
    return '"' if is_odd or scalars.is_not_finite(value) else None


def _list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.Node:
    short = all(isinstance(item, str | int | float | None) for item in value) and (
        sum(len(str(item)) + 2 for item in value) <= _SHORT
    )
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(_Version, _text)
_Dumper.add_representer(list, _list)
