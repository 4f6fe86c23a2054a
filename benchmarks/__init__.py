"""The budgets of docs/budgets.md, measured: `make bench`."""
