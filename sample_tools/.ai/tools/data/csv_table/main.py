"""Show a CSV file as a table that people can read."""

from csv_rows import read_rows, require_columns
from tabulate import tabulate


def main(path, columns=(), style="github", limit=20, delimiter=","):
    names, rows = read_rows(path, delimiter)
    shown = list(columns) or names
    require_columns(names, shown)
    # Cells stay as they are written: 24.90 is a price, and 007 is not the number 7.
    table = tabulate(
        [[row[name] for name in shown] for row in rows[:limit]],
        headers=shown,
        tablefmt=style,
        disable_numparse=True,
    )
    return {"table": table, "rows": len(rows), "shown": min(limit, len(rows))}
