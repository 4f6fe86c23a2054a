"""`search`: tools by what they are called and what they say they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.contract.checks import Given
from workbench.contract.items import check_project, item_type, seen_from, tool_types
from workbench.core.spaces import LABELS, label
from workbench.core.tool import Hit
from workbench.workbench import Workbench

PARAMETERS = ("item_type", "query", "source", "limit", "sort_by", "project_path")
SOURCES = ("local", "all")
ORDERS = ("score", "date", "name")
MAX_LIMIT = 100
_MOST = 1_000
"""How many matches are sorted by date or name."""
_HALF = 10.0
"""The raw score that is shown as one half."""


async def search(workbench: Workbench, arguments: Mapping[str, Any]) -> dict[str, Any]:
    given = Given(arguments, PARAMETERS)
    project = check_project(arguments)
    kind = item_type(given)
    query = given.required("query", example="search keywords")
    source = given.text("source", choices=SOURCES) or SOURCES[0]
    limit = given.integer("limit", 10, 1, MAX_LIMIT)
    order = given.text("sort_by", choices=ORDERS) or ORDERS[0]
    here = await seen_from(workbench, project)
    page = await here.search(
        query, tool_types=tool_types(kind), limit=limit if order == "score" else _MOST
    )
    hits = _sorted(page.hits, order)[:limit]
    return {
        "results": [await _result(here, hit) for hit in hits],
        "total": page.total,
        "query": query,
        "source": source,
    }


def shown_score(raw: float) -> float:
    """A raw score as a number from 0 to 1; a greater one is never shown as less."""
    raw = max(raw, 0.0)
    return round(raw / (raw + _HALF), 4)


def _sorted(hits: list[Hit], order: str) -> list[Hit]:
    if order == "score":
        return hits
    by_name = sorted(
        hits, key=lambda hit: (hit.row.tool_id, LABELS.index(label(hit.row.space)), hit.row.space)
    )
    if order == "name":
        return by_name
    return sorted(by_name, key=lambda hit: hit.row.updated_at, reverse=True)


async def _result(here: Workbench, hit: Hit) -> dict[str, Any]:
    path = await here.path_of(hit.row)
    return {
        "name": hit.row.tool_id,
        "description": hit.row.description,
        "source": label(hit.row.space),
        "path": str(path) if path is not None else "",
        "score": shown_score(hit.score),
        "tool_type": hit.row.tool_type,
    }
