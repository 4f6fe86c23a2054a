"""Summarise a CSV file column by column."""

import csv
import math
import statistics


def main(source, columns=(), filters=()):
    names, rows = _read(source)
    wanted = list(columns) or names
    for name in [*wanted, *(rule["column"] for rule in filters)]:
        if name not in names:
            raise ValueError(f"no column {name!r}; there are: {', '.join(names)}")
    kept = [row for row in rows if all(_fits(row, rule) for rule in filters)]
    return {
        "rows": len(kept),
        "rows_skipped": len(rows) - len(kept),
        "columns": [_summary(name, [row[name].strip() for row in kept]) for name in wanted],
    }


def _read(source):
    delimiter = source.get("delimiter", ",")
    if len(delimiter) != 1:
        raise ValueError("delimiter must be one character")
    with open(source["path"], encoding="utf-8-sig", newline="") as file:
        cells = [row for row in csv.reader(file, delimiter=delimiter) if row]
    if not cells:
        raise ValueError(f"{source['path']}: has no rows")
    width = max(len(row) for row in cells)
    first = cells.pop(0) if source.get("header", True) else []
    names = [*first, *(f"column_{n + 1}" for n in range(len(first), width))]
    return names, [dict(zip(names, row + [""] * (width - len(row)), strict=True)) for row in cells]


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
