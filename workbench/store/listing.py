"""Lists and trees: pages of tool rows, each page an index range however large the registry.

A list over several types or spaces is one range per type or space, merged by SQLite while
it reads (UNION ALL with ORDER BY); `INDEXED BY` holds the planner to the index meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.core.tool import Effect, ToolRow
from workbench.store.driver import Cursor

EXECUTOR_TYPES = ("mcp_server", "runtime")
_ROOT_TYPES = ("composite", "knowledge", "primitive")

_COLUMNS = """
    namespace, tool_id, tool_type, executor_id, name, description, category, latest_version,
    effect, is_builtin, is_official,
    (SELECT coalesce(sum(present), 0) FROM executor_counts
     WHERE executor_counts.executor_id = tools.tool_id),
    updated_at"""


@dataclass(slots=True)
class _Range:
    """One index range: the rows of `index` that meet all `conditions`."""

    index: str
    conditions: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def where(self, condition: str, *values: Any) -> _Range:
        self.conditions.append(condition)
        self.values += values
        return self

    def one_of(self, column: str, choices: Sequence[str]) -> _Range:
        if not choices:
            return self
        return self.where(f"{column} IN ({', '.join('?' * len(choices))})", *choices)

    def after(self, tool_id: str, space: str) -> _Range:
        return self.where("(tool_id, namespace) > (?, ?)", tool_id, space)


def page(
    cursor: Cursor,
    *,
    tool_types: Sequence[str],
    category: str | None,
    spaces: Sequence[str],
    after: tuple[str, str] | None,
    limit: int,
) -> list[ToolRow]:
    """Present tools by tool_id, then space."""
    tool_id, space = after or ("", "")
    types, wanted = _unique(tool_types), _unique(spaces)
    if category is not None:
        ranges = [
            _Range("tools_by_category")
            .where("category = ?", category)
            .after(tool_id, space)
            .one_of("tool_type", types)
            .one_of("namespace", wanted)
        ]
    elif types:
        ranges = [
            _Range("tools_by_type")
            .where("tool_type = ?", each)
            .after(tool_id, space)
            .one_of("namespace", wanted)
            for each in types
        ]
    elif wanted:
        # Inside one space only the tool_id runs; whether it may repeat depends on the space.
        ranges = [
            _Range("tools_by_space")
            .where("namespace = ?", each)
            .where("tool_id >= ?" if each > space else "tool_id > ?", tool_id)
            for each in wanted
        ]
    else:
        ranges = [_Range("tools_by_id").after(tool_id, space)]
    return _merged(cursor, ranges, limit)


def children(
    cursor: Cursor,
    executor: str | None,
    *,
    tool_types: Sequence[str],
    after: tuple[str, str, str] | None,
    limit: int,
) -> list[ToolRow]:
    """Present tools of one executor: executors first, each group by tool_id, then space."""
    types = set(_child_types(cursor, executor))
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
            _Range("tools_by_executor")
            .where("executor_id IS ?", executor)
            .where("tool_type = ?", each)
            .after(tool_id, space)
            for each in group
        ]
        rows += _merged(cursor, ranges, limit - len(rows))
    return rows


def dependants(cursor: Cursor, tool_id: str, limit: int) -> list[ToolRow]:
    """Present tools that name this one, as executor or otherwise, by tool_id, then space."""
    ranges = [
        _Range("tools_by_executor")
        .where("executor_id = ?", tool_id)
        .where("tool_type = ?", each)
        .after("", "")
        for each in _child_types(cursor, tool_id)
    ]
    found = {(row.tool_id, row.space): row for row in _merged(cursor, ranges, limit)}
    cursor.execute(
        f"SELECT {_COLUMNS} FROM tool_uses JOIN tools ON tools.row = tool_row"  # noqa: S608
        " WHERE used_id = ? AND absent_since IS NULL ORDER BY tool_id, namespace LIMIT ?",
        (tool_id, limit),
    )
    for cells in cursor.fetchall():
        row = _tool_row(cells)
        found[row.tool_id, row.space] = row
    return [found[key] for key in sorted(found)][:limit]


def missing_executors(cursor: Cursor) -> list[tuple[str, int]]:
    """Executors that tools name and that are not there, with how many name them."""
    return [
        (str(executor), int(present))
        for executor, present in cursor.execute(
            "SELECT executor_id, sum(present) FROM executor_counts WHERE present > 0"
            " AND NOT EXISTS (SELECT 1 FROM tools INDEXED BY tools_by_id"
            "  WHERE tools.tool_id = executor_counts.executor_id AND absent_since IS NULL)"
            " GROUP BY executor_id ORDER BY executor_id"
        ).fetchall()
    ]


def row(cursor: Cursor, tool_id: str, spaces: Sequence[str]) -> ToolRow | None:
    """The tool in the first of `spaces` that has it."""
    ranges = [_Range("tools_by_id").where("tool_id = ?", tool_id).one_of("namespace", spaces)]
    found = _merged(cursor, ranges, len(spaces) + 1)
    return min(found, key=lambda one: spaces.index(one.space), default=None)


def by_numbers(cursor: Cursor, numbers: Iterable[int]) -> dict[int, ToolRow]:
    """Tool rows by `tools.row`, for search."""
    found: dict[int, ToolRow] = {}
    for number in numbers:
        sql = f"SELECT {_COLUMNS} FROM tools WHERE row = ?"  # noqa: S608 our own names
        for cells in cursor.execute(sql, (number,)).fetchall():
            found[number] = _tool_row(cells)
    return found


def descendants(cursor: Cursor, tool_id: str) -> int:
    """How many present tools end up at this one. Walks executors, never their tools."""
    [(total,)] = cursor.execute(
        """
        WITH RECURSIVE reached (tool_id) AS (
            VALUES (?)
            UNION
            SELECT tools.tool_id FROM reached CROSS JOIN tools INDEXED BY tools_by_executor
                ON tools.executor_id = reached.tool_id
            WHERE tools.tool_type IN ('mcp_server', 'runtime') AND tools.absent_since IS NULL
        )
        SELECT coalesce(sum(present), 0)
        FROM reached CROSS JOIN executor_counts ON executor_counts.executor_id = reached.tool_id
        """,
        (tool_id,),
    ).fetchall()
    return int(total)


def _child_types(cursor: Cursor, executor: str | None) -> Sequence[str]:
    if executor is None:
        return _ROOT_TYPES
    rows = cursor.execute(
        "SELECT DISTINCT tool_type FROM executor_counts WHERE executor_id = ? AND present > 0",
        (executor,),
    ).fetchall()
    return [tool_type for (tool_type,) in rows]


def _merged(cursor: Cursor, ranges: Sequence[_Range], limit: int) -> list[ToolRow]:
    if not ranges or limit <= 0:
        return []
    sql = " UNION ALL ".join(
        f"SELECT {_COLUMNS} FROM tools INDEXED BY {each.index} "  # noqa: S608 our own names
        f"WHERE absent_since IS NULL AND {' AND '.join(each.conditions)}"
        for each in ranges
    )
    values = [value for each in ranges for value in each.values]
    cursor.execute(f"{sql} ORDER BY tool_id, namespace LIMIT ?", (*values, limit))
    return [_tool_row(cells) for cells in cursor.fetchall()]


def _tool_row(cells: tuple[Any, ...]) -> ToolRow:
    return ToolRow(
        space=cells[0],
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
        children=cells[11],
        updated_at=cells[12],
    )


def _unique(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))
