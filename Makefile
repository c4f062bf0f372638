# Every target sets up what it needs: a virtual environment in .venv, filled from the hash-locked requirements/.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test lint types lock clean

run: .venv/runtime
	$(BIN)/kropka run

test: lint types
	$(BIN)/pytest

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

# Versions move only here. The lock is universal: one file for every Python from 3.11 on.
lock: .venv/dev
	$(BIN)/uv pip compile --universal --upgrade --generate-hashes --no-emit-index-url --quiet --extra run pyproject.toml -o requirements/runtime.txt
	$(BIN)/uv pip compile --universal --upgrade --generate-hashes --no-emit-index-url --quiet --extra dev pyproject.toml -o requirements/dev.txt

clean:
	rm -rf .venv build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/runtime: requirements/runtime.txt pyproject.toml
	test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev: requirements/dev.txt .venv/runtime
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@
