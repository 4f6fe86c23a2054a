"""Summarise a CSV file column by column."""

import math
import statistics

from csv_rows import read_rows, require_columns


def main(source, columns=(), filters=()):
    names, rows = read_rows(**source)
    wanted = list(columns) or names
    require_columns(names, [*wanted, *(rule["column"] for rule in filters)])
    kept = [row for row in rows if all(_fits(row, rule) for rule in filters)]
    return {
        "rows": len(kept),
        "rows_skipped": len(rows) - len(kept),
        "columns": [_summary(name, [row[name].strip() for row in kept]) for name in wanted],
    }


def _fits(row, rule):
    cell, operator, value = row[rule["column"]].strip(), rule.get("operator", "="), rule["value"]
    if operator == "contains":
        return value.casefold() in cell.casefold()
    left, right = _number(cell), _number(value)
    if left is None or right is None:
        left, right = cell, value
    return {"=": left == right, "!=": left != right, "<": left < right, ">": left > right}[operator]


def _number(cell):
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _summary(name, cells):
    filled = [cell for cell in cells if cell]
    summary = {"name": name, "filled": len(filled), "empty": len(cells) - len(filled)}
    if not filled:
        return {**summary, "kind": "empty"}
    numbers = [_number(cell) for cell in filled]
    if None in numbers:
        ends = {"minimum": min(filled), "maximum": max(filled)}
        return {**summary, "kind": "text", "distinct": len(set(filled)), **ends}
    return {
        **summary,
        "kind": "number",
        "distinct": len(set(numbers)),
        "minimum": min(numbers),
        "maximum": max(numbers),
        "mean": round(statistics.fmean(numbers), 6),
    }
