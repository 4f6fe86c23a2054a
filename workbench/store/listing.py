"""Lists and trees: pages of tool rows, each page an index range however large the registry.

A list over several types or spaces is one range per type and space, merged by SQLite while
it reads (UNION ALL with ORDER BY); `INDEXED BY` holds the planner to the index meant. What is
in sight are the tools of `spaces`; an id that several of them have means to a tool the one
that is nearest to its own space.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.core.spaces import carrier
from workbench.core.tool import Effect, Evidence, ToolRow
from workbench.store.driver import Cursor

EXECUTOR_TYPES = ("mcp_server", "runtime")
_ROOT_TYPES = ("composite", "knowledge", "primitive")
_CARRIERS = frozenset((*EXECUTOR_TYPES, "primitive"))

_COLUMNS = """
    namespace, tool_id, tool_type, executor_id, name, description, category, latest_version,
    effect, is_builtin, is_official, updated_at, content_hash, claimed_hash, replaced_hash,
    declared_effect"""


@dataclass(slots=True)
class _Range:
    """One index range inside one space: the rows of `index` that meet all `conditions`."""

    index: str
    space: str
    conditions: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.where("namespace = ?", self.space)

    def where(self, condition: str, *values: Any) -> _Range:
        self.conditions.append(condition)
        self.values += values
        return self

    def one_of(self, column: str, choices: Sequence[str]) -> _Range:
        if not choices:
            return self
        return self.where(f"{column} IN ({', '.join('?' * len(choices))})", *choices)

    def after(self, tool_id: str, space: str) -> _Range:
        """Past a place in the order of (tool_id, space)."""
        return self.where("tool_id >= ?" if self.space > space else "tool_id > ?", tool_id)


def page(
    cursor: Cursor,
    spaces: Sequence[str],
    *,
    tool_types: Sequence[str],
    category: str | None,
    after: tuple[str, str] | None,
    limit: int,
) -> list[ToolRow]:
    """Present tools by tool_id, then space."""
    types = _unique(tool_types)
    ranges = []
    for space in spaces:
        if category is not None:
            ranges.append(
                _Range("tools_by_category", space)
                .where("category = ?", category)
                .one_of("tool_type", types)
            )
        elif types:
            ranges += [
                _Range("tools_by_type", space).where("tool_type = ?", each) for each in types
            ]
        else:
            ranges.append(_Range("tools_by_space", space))
    for each in ranges:
        each.after(*(after or ("", "")))
    return _merged(cursor, ranges, limit, spaces)


def children(
    cursor: Cursor,
    spaces: Sequence[str],
    executor: str | None,
    home: str | None,
    *,
    tool_types: Sequence[str],
    after: tuple[str, str, str] | None,
    limit: int,
) -> list[ToolRow]:
    """Present tools of one executor: executors first, each group by tool_id, then space.
    `home` is the executor's own space; None if it is nowhere to be found."""
    users = spaces if executor is None else _users(cursor, executor, home, spaces)
    types = set(_child_types(cursor, executor, users))
    if tool_types:
        types &= set(tool_types)
    first, second = sorted(types & set(EXECUTOR_TYPES)), sorted(types - set(EXECUTOR_TYPES))
    last_type, *key = after or (None, "", "")
    groups = [(first, key), (second, ["", ""])]
    if last_type is not None and last_type not in EXECUTOR_TYPES:
        groups = [(second, key)]
    rows: list[ToolRow] = []
    for group, (tool_id, space) in groups:
        ranges = [
            _Range("tools_by_executor", each)
            .where("executor_id IS ?", executor)
            .where("tool_type = ?", kind)
            .after(tool_id, space)
            for each in users
            for kind in group
        ]
        rows += _merged(cursor, ranges, limit - len(rows), spaces)
    return rows


def dependants(cursor: Cursor, tool_id: str, home: str, limit: int) -> list[ToolRow]:
    """Present tools of any space that mean this one, as executor or otherwise, by tool_id."""
    everywhere = [
        space
        for (space,) in cursor.execute(
            "SELECT DISTINCT namespace FROM executor_counts WHERE executor_id = ?1"
            " UNION SELECT namespace FROM tool_uses JOIN tools ON tools.row = tool_row"
            " WHERE used_id = ?1",
            (tool_id,),
        ).fetchall()
    ]
    users = _users(cursor, tool_id, home, everywhere)
    if not users:
        return []
    ranges = [
        _Range("tools_by_executor", space)
        .where("executor_id = ?", tool_id)
        .where("tool_type = ?", kind)
        .after("", "")
        for space in users
        for kind in _child_types(cursor, tool_id, [space])
    ]
    found = {(row.tool_id, row.space): row for row in _merged(cursor, ranges, limit, users)}
    cursor.execute(
        f"SELECT {_COLUMNS} FROM tool_uses JOIN tools ON tools.row = tool_row"  # noqa: S608
        f" WHERE used_id = ? AND absent_since IS NULL AND namespace IN ({_marks(users)})"
        " ORDER BY tool_id, namespace LIMIT ?",
        (tool_id, *users, limit),
    )
    for row in _tool_rows(cursor, cursor.fetchall(), users):
        found[row.tool_id, row.space] = row
    return [found[key] for key in sorted(found)][:limit]


def missing_executors(cursor: Cursor, spaces: Sequence[str]) -> list[tuple[str, int]]:
    """Executors that tools name and cannot see anywhere, with how many name them."""
    named = cursor.execute(
        "SELECT executor_id, namespace, sum(present) FROM executor_counts WHERE present > 0"  # noqa: S608
        f" AND namespace IN ({_marks(spaces)}) GROUP BY executor_id, namespace",
        tuple(spaces),
    ).fetchall()
    there = _present(cursor, {executor for executor, _, _ in named}, spaces)
    missing: dict[str, int] = {}
    for executor, space, count in named:
        if carrier(space, there.get(executor, ())) is None:
            missing[executor] = missing.get(executor, 0) + count
    return sorted(missing.items())


def row(
    cursor: Cursor, tool_id: str, spaces: Sequence[str], sight: Sequence[str]
) -> ToolRow | None:
    """The tool in the first of `spaces` that has it, as it looks where `sight` is in sight."""
    ranges = [_Range("tools_by_space", space).where("tool_id = ?", tool_id) for space in spaces]
    found = _merged(cursor, ranges, len(spaces) + 1, sight)
    return min(found, key=lambda one: spaces.index(one.space), default=None)


def by_numbers(cursor: Cursor, numbers: Iterable[int], spaces: Sequence[str]) -> dict[int, ToolRow]:
    """Tool rows by `tools.row`, for search."""
    wanted = list(numbers)
    cells = []
    for number in wanted:
        sql = f"SELECT {_COLUMNS} FROM tools WHERE row = ?"  # noqa: S608 our own names
        cells += cursor.execute(sql, (number,)).fetchall()
    return dict(zip(wanted, _tool_rows(cursor, cells, spaces), strict=True))


def descendants(cursor: Cursor, tool_id: str, spaces: Sequence[str]) -> int:
    """How many present tools end up at this one. Walks executors, never their tools."""
    [(total,)] = cursor.execute(
        """
        WITH RECURSIVE reached (tool_id) AS (
            VALUES (?1)
            UNION
            SELECT tools.tool_id FROM reached CROSS JOIN json_each(?2) AS space
                CROSS JOIN tools INDEXED BY tools_by_executor
                ON tools.namespace = space.value AND tools.executor_id = reached.tool_id
            WHERE tools.tool_type IN ('mcp_server', 'runtime') AND tools.absent_since IS NULL
        )
        SELECT coalesce(sum(present), 0)
        FROM reached CROSS JOIN executor_counts ON executor_counts.executor_id = reached.tool_id
        WHERE namespace IN (SELECT value FROM json_each(?2))
        """,
        (tool_id, json.dumps(list(spaces))),
    ).fetchall()
    return int(total)


def _users(cursor: Cursor, tool_id: str, home: str | None, spaces: Sequence[str]) -> list[str]:
    """Those of `spaces` whose tools mean the tool in `home` by this id."""
    there = [
        space
        for (space,) in cursor.execute(
            "SELECT namespace FROM tools INDEXED BY tools_by_id"
            " WHERE tool_id = ? AND absent_since IS NULL",
            (tool_id,),
        ).fetchall()
    ]
    return [space for space in spaces if carrier(space, there) == home]


def _child_types(cursor: Cursor, executor: str | None, spaces: Sequence[str]) -> Sequence[str]:
    if executor is None:
        return _ROOT_TYPES
    rows = cursor.execute(
        "SELECT DISTINCT tool_type FROM executor_counts"  # noqa: S608 our own names
        f" WHERE executor_id = ? AND present > 0 AND namespace IN ({_marks(spaces)})",
        (executor, *spaces),
    ).fetchall()
    return [tool_type for (tool_type,) in rows]


def _merged(
    cursor: Cursor, ranges: Sequence[_Range], limit: int, spaces: Sequence[str]
) -> list[ToolRow]:
    if not ranges or limit <= 0:
        return []
    sql = " UNION ALL ".join(
        f"SELECT {_COLUMNS} FROM tools INDEXED BY {each.index} "  # noqa: S608 our own names
        f"WHERE absent_since IS NULL AND {' AND '.join(each.conditions)}"
        for each in ranges
    )
    values = [value for each in ranges for value in each.values]
    cursor.execute(f"{sql} ORDER BY tool_id, namespace LIMIT ?", (*values, limit))
    return _tool_rows(cursor, cursor.fetchall(), spaces)


def _present(
    cursor: Cursor, tool_ids: Iterable[str], spaces: Sequence[str]
) -> dict[str, list[str]]:
    """Which of `spaces` have each id, in their order."""
    if not spaces:
        return {}
    found = cursor.execute(
        "SELECT tools.tool_id, namespace FROM json_each(?) AS wanted CROSS JOIN tools"  # noqa: S608
        " INDEXED BY tools_by_id ON tools.tool_id = wanted.value"
        f" WHERE absent_since IS NULL AND namespace IN ({_marks(spaces)})",
        (json.dumps(sorted(tool_ids)), *spaces),
    ).fetchall()
    present: dict[str, list[str]] = {}
    for tool_id, space in sorted(found, key=lambda one: spaces.index(one[1])):
        present.setdefault(tool_id, []).append(space)
    return present


def _children(
    cursor: Cursor, tool_ids: Sequence[str], spaces: Sequence[str]
) -> dict[str, list[tuple[str, int]]]:
    """How many tools of each space name each of these as their executor."""
    found: dict[str, list[tuple[str, int]]] = {}
    for tool_id in tool_ids:
        found[tool_id] = cursor.execute(
            "SELECT namespace, sum(present) FROM executor_counts WHERE executor_id = ?"  # noqa: S608
            f" AND namespace IN ({_marks(spaces)}) GROUP BY namespace",
            (tool_id, *spaces),
        ).fetchall()
    return found


def _tool_rows(
    cursor: Cursor, rows: Sequence[tuple[Any, ...]], spaces: Sequence[str]
) -> list[ToolRow]:
    present = _present(cursor, {cells[1] for cells in rows}, spaces)
    carriers = [cells[1] for cells in rows if cells[2] in _CARRIERS]
    users = _children(cursor, carriers, spaces)
    return [_tool_row(cells, present.get(cells[1], []), users.get(cells[1], ())) for cells in rows]


def _tool_row(
    cells: tuple[Any, ...], present: Sequence[str], users: Iterable[tuple[str, int]]
) -> ToolRow:
    own = cells[0]
    return ToolRow(
        space=own,
        tool_id=cells[1],
        tool_type=cells[2],
        executor=cells[3],
        name=cells[4],
        description=cells[5],
        category=cells[6],
        version=cells[7],
        effect=Effect(cells[8]),
        is_builtin=bool(cells[9]),
        is_official=bool(cells[10]),
        children=sum(count for space, count in users if carrier(space, present) == own),
        updated_at=cells[11],
        evidence=Evidence(cells[12], cells[13], cells[14]),
        declared_effect=Effect(cells[15]),
        also_in=tuple(space for space in present if space != own),
    )


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _unique(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))
