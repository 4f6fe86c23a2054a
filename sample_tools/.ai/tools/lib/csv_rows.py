"""CSV files as names and rows, for the tools that say `lib_imports: [csv_rows]`."""

import csv


def read_rows(path, delimiter=",", header=True):
    """The names of the columns, and a list with a dictionary for each row."""
    if len(delimiter) != 1:
        raise ValueError("delimiter must be one character")
    with open(path, encoding="utf-8-sig", newline="") as file:
        cells = [row for row in csv.reader(file, delimiter=delimiter) if row]
    if not cells:
        raise ValueError(f"{path}: has no rows")
    width = max(len(row) for row in cells)
    first = cells.pop(0) if header else []
    names = [*first, *(f"column_{n + 1}" for n in range(len(first), width))]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{path}: more than one column is called {', '.join(twice)}")
    return names, [dict(zip(names, row + [""] * (width - len(row)), strict=True)) for row in cells]


def require_columns(names, wanted):
    """Raises for the first wanted column that is not there."""
    for name in wanted:
        if name not in names:
            raise ValueError(f"no column {name!r}; there are: {', '.join(names)}")
