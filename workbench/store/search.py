"""Lexical search: FTS5 with bm25, and ids as people remember them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.tool import Hit
from workbench.store import listing
from workbench.store.driver import Cursor
from workbench.store.indexing import WEIGHTS, kind_token
from workbench.store.words import telling, words

COUNT_CAP = 1_000
_MAX_QUERY = 1_000
_MAX_WORDS = 32
_CANDIDATES = 100
_EXACT, _PREFIX, _PART = 3_000.0, 2_000.0, 1_000.0
"""Bonuses, each above what bm25 gives to any number of words."""

_BM25 = f"bm25(search_text, {', '.join(map(str, WEIGHTS.values()))})"
_ID_PART = re.compile(r"[a-z0-9_.-]+")
_TRIGRAM = 3
_RARE_TYPE = 0.2
"""Types of a smaller share are looked up in the index, others checked match by match."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The best hits, and how many matches there are: exact up to the cap, over it the cap."""

    hits: list[Hit]
    total: int
    by_type: dict[str, int]
    capped: bool


@dataclass(frozen=True, slots=True)
class _Match:
    """What to ask FTS5. If not `ranked`, the words are too common for bm25 to tell anything,
    and to compute it would cost a look at every document. `filter` is what has to be checked
    match by match."""

    text: str
    ranked: bool
    filter: _Filter


@dataclass(frozen=True, slots=True)
class _Filter:
    """Which tools are asked for, as a condition on the table `tools`. Empty means all."""

    tool_types: Sequence[str] = ()
    spaces: Sequence[str] = ()

    @property
    def condition(self) -> str:
        parts = [
            f"AND {column} IN ({', '.join('?' * len(choices))})"
            for column, choices in (("tool_type", self.tool_types), ("namespace", self.spaces))
            if choices
        ]
        return " ".join(parts)

    @property
    def values(self) -> tuple[str, ...]:
        return (*self.tool_types, *self.spaces)

    def of(self, table: str) -> str:
        """A condition on matches of `table`; asked per match, before its bm25 is computed."""
        if not self.values:
            return ""
        return (
            f"AND EXISTS (SELECT 1 FROM tools WHERE row = {table}.rowid"  # noqa: S608
            f" {self.condition})"
        )


def search(
    cursor: Cursor,
    query: str,
    spaces: Sequence[str],
    *,
    limit: int,
    tool_types: Sequence[str],
) -> SearchPage:
    """Present, listed tools that have any of the words, best first; unlisted by exact id."""
    query = query[:_MAX_QUERY].strip()
    wanted = _id_like(query)
    most = max(limit, _CANDIDATES)
    within = _Filter(tool_types, spaces if _has_others(cursor, spaces) else ())
    match = _match(cursor, query, within)
    scores = _by_id(cursor, wanted, within, most)
    if match is not None:
        for row, score in _by_words(cursor, match, most):
            scores[row] = scores.get(row, 0.0) + score
    best = sorted(scores, key=lambda row: (-scores[row], row))[:limit]
    rows = listing.by_numbers(cursor, best, spaces)
    total, by_type = _count(cursor, match, wanted, scores, within)
    return SearchPage(
        hits=[Hit(rows[row], scores[row]) for row in best],
        total=min(total, COUNT_CAP),
        by_type=by_type,
        capped=total > COUNT_CAP,
    )


def _has_others(cursor: Cursor, spaces: Sequence[str]) -> bool:
    """Whether there are tools that are not in sight."""
    found = cursor.execute("SELECT DISTINCT namespace FROM type_counts WHERE present > 0")
    return any(space not in spaces for (space,) in found.fetchall())


def _match(cursor: Cursor, query: str, within: _Filter) -> _Match | None:
    """The words OR'ed, each in quotes: no text becomes syntax. The last is also a prefix."""
    given = words(query)
    terms = [_quoted(word) for word in telling(given)[:_MAX_WORDS]]
    if not terms:
        return None
    if len(given[-1]) > 1:
        terms.append(f"{_quoted(given[-1])}*")
    counts = dict(
        cursor.execute("SELECT tool_type, sum(present) FROM type_counts GROUP BY 1").fetchall()
    )
    tools = sum(counts.values())
    text, ranked = _chosen(cursor, terms, tools)
    types = within.tool_types
    if types and sum(counts.get(each, 0) for each in types) < tools * _RARE_TYPE:
        kinds = " OR ".join(_quoted(kind_token(each)) for each in types)
        return _Match(f"({kinds}) AND ({text})", ranked, _Filter((), within.spaces))
    return _Match(text, ranked, within)


def _chosen(cursor: Cursor, terms: list[str], tools: int) -> tuple[str, bool]:
    """The terms worth asking for in a registry of this size, and whether bm25 can rank them."""
    if tools <= 5_000:
        return " OR ".join(terms), True
    share, most = (0.10, 20) if tools <= 20_000 else (0.03, 12)
    ceiling = int(tools * share)
    seen = {term: _documents(cursor, term, ceiling + 1) for term in terms}
    rare = sorted((term for term in terms if seen[term] <= ceiling), key=lambda t: seen[t])[:most]
    if any(seen[term] for term in rare) or len(rare) == len(terms):
        return " OR ".join(rare), True
    common = [term for term in terms if seen[term] > ceiling]
    together = " AND ".join(common)
    return together if _documents(cursor, together, 1) else " OR ".join(common), False


def _documents(cursor: Cursor, term: str, most: int) -> int:
    """In how many documents a term occurs, counted no further than `most`."""
    [(documents,)] = cursor.execute(
        "SELECT count(*) FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? LIMIT ?)",
        (term, most),
    ).fetchall()
    return int(documents)


def _by_words(cursor: Cursor, match: _Match, limit: int) -> list[tuple[int, float]]:
    score = f"-{_BM25}" if match.ranked else "0.0"
    order = "ORDER BY score DESC" if match.ranked else ""
    return cursor.execute(
        f"SELECT rowid, {score} AS score FROM search_text"  # noqa: S608 our own names
        f" WHERE search_text MATCH ? {match.filter.of('search_text')} {order} LIMIT ?",
        (match.text, *match.filter.values, limit),
    ).fetchall()


def _id_like(query: str) -> str:
    """The query as an id would spell it, or nothing if no id could contain it."""
    wanted = "_".join(query.lower().split())
    return wanted if _ID_PART.fullmatch(wanted) else ""


def _by_id(cursor: Cursor, wanted: str, within: _Filter, limit: int) -> dict[int, float]:
    """Tools whose id is the query, starts with it or contains it. The nearer in length, the
    better within each kind."""
    if not wanted:
        return {}
    found = cursor.execute(
        "SELECT row, tool_id FROM tools INDEXED BY tools_by_id"  # noqa: S608 our own names
        f" WHERE absent_since IS NULL AND tool_id >= ? AND tool_id < ? {within.condition}"
        " AND (visibility <> 'unlisted' OR tool_id = ?) LIMIT ?",
        (wanted, wanted + "\x7f", *within.values, wanted, limit),
    ).fetchall()
    if len(wanted) >= _TRIGRAM:
        found += cursor.execute(
            "SELECT row, tools.tool_id FROM"  # noqa: S608 our own names
            " (SELECT rowid AS part FROM search_ids WHERE search_ids MATCH ? LIMIT ?)"
            f" CROSS JOIN tools ON row = part {within.condition} LIMIT ?",
            (_quoted(wanted), COUNT_CAP + 1, *within.values, limit),
        ).fetchall()
    return {row: _bonus(wanted, tool_id) for row, tool_id in found}


def _bonus(wanted: str, tool_id: str) -> float:
    if tool_id == wanted:
        return _EXACT
    kind = _PREFIX if tool_id.startswith(wanted) else _PART
    return kind + 10 * len(wanted) / len(tool_id)


def _count(
    cursor: Cursor,
    match: _Match | None,
    wanted: str,
    scores: dict[int, float],
    within: _Filter,
) -> tuple[int, dict[str, int]]:
    """How many match, and of which types; counted to one over the cap."""
    numbers = set(scores)
    if match is not None:
        numbers |= _numbers(cursor, "search_text", match.text, match.filter)
    if len(wanted) >= _TRIGRAM and len(numbers) <= COUNT_CAP:
        numbers |= _numbers(cursor, "search_ids", _quoted(wanted), within)
    counted = cursor.execute(
        "SELECT tool_type, count(*) FROM json_each(?) CROSS JOIN tools ON row = value"
        " GROUP BY tool_type ORDER BY count(*) DESC, tool_type",
        (str(sorted(numbers)[:COUNT_CAP]),),
    ).fetchall()
    return len(numbers), dict(counted)


def _numbers(cursor: Cursor, table: str, text: str, within: _Filter) -> set[int]:
    rows = cursor.execute(
        f"SELECT rowid FROM {table} WHERE {table} MATCH ?"  # noqa: S608 our own names
        f" {within.of(table)} LIMIT ?",
        (text, *within.values, COUNT_CAP + 1),
    ).fetchall()
    return {row for (row,) in rows}


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
