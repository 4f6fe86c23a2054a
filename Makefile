# From a fresh clone: `make run` opens Workbench, `make test` runs the tests.
# Both make their own .venv, and install nothing again while pyproject.toml stays the same.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
DEMO := WORKBENCH_HOME=$(CURDIR)/.workbench

.PHONY: run test check format bench drill seeds snapshots clean

run: .venv/.installed
	@$(DEMO) $(BIN)/workbench --project sample_tools

test: .venv/.installed-dev
	$(BIN)/pytest

check: .venv/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest

format: .venv/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The budgets of docs/budgets.md, measured against a floor in the same run; fails over budget.
bench: .venv/.installed-dev
	$(BIN)/python -m benchmarks

# The tests whose counts are cut to a twentieth in `make check`, whole.
drill: .venv/.installed-dev
	WORKBENCH_DRILL_SCALE=20 $(BIN)/pytest -m drill

# Writes down what the shipped tools are; a test refuses a list that is not true.
seeds: .venv/.installed-dev
	$(BIN)/python -m workbench.seeding

# Rewrites the snapshots of the screens. Look at each before committing it.
snapshots: .venv/.installed-dev
	$(BIN)/pytest tests/tui --snapshot-update

clean:
	rm -rf .venv .workbench .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv; this takes a moment."
	$(PIP) --editable .
	@touch $@

.venv/.installed-dev: .venv/.installed
	$(PIP) --editable '.[dev]'
	@touch $@
