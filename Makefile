# Every target sets up its own requirements: a virtual environment in .venv, from the hash-locked requirements/.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile --universal --upgrade --generate-hashes --no-emit-index-url --quiet
INSTALLED := --extra run --extra postgres --extra sentry
AUDIT := .venv/audit
SYNAPSE := .venv/synapse/bin/synapse_homeserver
LOCKS := $(wildcard requirements/*.txt)
NPM := node_modules/.package-lock.json
ENGINE := .venv/engine
OXLINT := $(BIN)/node node_modules/oxlint/bin/oxlint
TSC := $(BIN)/node node_modules/typescript/bin/tsc
PYTEST := $(BIN)/pytest -n logical --dist worksteal
# Some machines keep no compiled files: then each run would compile all tests anew.
export PYTHONDONTWRITEBYTECODE :=
PROGRAM := $(filter-out tests,$(patsubst %/__init__.py,%,$(wildcard */__init__.py)))

.PHONY: run test test-all test-part quick deep lint types types-windows bench audit looks pictures listing lock release clean

run: .venv/runtime
	$(BIN)/kropka run

# Lint, types and the tests that most changes can break, side by side. CONTRIBUTING.md names the tiers left out.
test:
	$(MAKE) --jobs --no-print-directory lint types quick

# Lint, types and every test, with many random examples.
test-all:
	$(MAKE) --jobs --no-print-directory lint types deep

# A part of what `make test` leaves out: `make test-part PART=3/8`, counted from 0.
test-part: .venv/dev $(NPM) $(ENGINE) $(SYNAPSE)
	$(PYTEST) --hypothesis-profile=deep --part $(PART)

quick: .venv/dev $(NPM) $(ENGINE) $(SYNAPSE)
	$(PYTEST) --quick

deep: .venv/dev $(NPM) $(ENGINE) $(SYNAPSE)
	$(PYTEST) --hypothesis-profile=deep

lint: .venv/dev $(NPM)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(OXLINT) --report-unused-disable-directives --deny-warnings
	$(BIN)/node tools/browsers.js

types: .venv/dev $(NPM)
	$(BIN)/mypy
	$(TSC)

# The program's types as they are on Windows, where modules and functions are missing.
types-windows: .venv/dev
	$(BIN)/mypy --platform win32 $(PROGRAM:%=--package %)

bench: .venv/bench
	$(BIN)/python -m benchmarks

# Checks the versions of every lock against the public lists of vulnerabilities. It needs the network. Without --strict a
# version that cannot be looked up passes. It takes one lock at a time: the locks have packages in common.
audit: $(AUDIT)/bin/pip-audit .venv/dev
	set -e; for lock in $(LOCKS); do \
		$(AUDIT)/bin/pip-audit --strict --disable-pip --require-hashes -r $$lock; \
	done
	$(BIN)/npm audit --package-lock-only

# Draws the pictures of docs/looks.md again.
looks: .venv/dev
	$(BIN)/python -m tests.renderer.looks

# Draws the pictures of the rules pages and the film of README.md again, and takes those of the guides, and
# the screens of docs/looks.md, in Chromium.
pictures: .venv/dev $(ENGINE)
	$(BIN)/python -m docs.pictures
	$(BIN)/python -m docs.screens

# Makes the texts and pictures for Discord's directory and for lists of bots in dist/listing/, in six languages.
listing: .venv/dev
	$(BIN)/python -m docs.listing

# Makes and tries the packages of a release in dist/. CONTRIBUTING.md has the steps before and after it.
release: .venv/release
	$(BIN)/python -m tools.release build
	$(BIN)/python -m tools.release try

# Only this target changes versions. The lock is universal: one file for every Python from 3.11 on.
lock: .venv/dev
	$(LOCK) $(INSTALLED) pyproject.toml -o requirements/runtime.txt
	$(LOCK) $(INSTALLED) --extra dev pyproject.toml -o requirements/dev.txt
	$(LOCK) $(INSTALLED) --extra bench pyproject.toml -o requirements/bench.txt
	$(LOCK) $(INSTALLED) --extra release pyproject.toml -o requirements/release.txt
	$(LOCK) --python-version 3.11 requirements/audit.in -o requirements/audit.txt
	$(LOCK) --python-version 3.11 requirements/synapse.in -o requirements/synapse.txt
	$(BIN)/npm update --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts --no-audit --no-fund

clean:
	rm -rf .venv build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis node_modules

# All packages of npm: what checks the pages' JavaScript, and Discord's SDK, to which tests hold ours. npm and Node.js are
# those of the locked requirements. npm writes this file last.
$(NPM): package-lock.json .venv/dev
	$(BIN)/npm ci --ignore-scripts --no-audit --no-fund --silent
	touch $@

.venv/runtime: requirements/runtime.txt pyproject.toml setup.py
	test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements/runtime.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev: requirements/dev.txt .venv/runtime
	$(PIP) --require-hashes -r requirements/dev.txt
	touch $@

# Compiles the computer's search, beside the rest of the installation: otherwise each worker of the tests would do so.
$(ENGINE): .venv/runtime $(wildcard opponent/dots/*.py)
	$(BIN)/kropka engine </dev/null
	touch $@

# For comparison only: the libraries with which chess bots draw boards. cairosvg needs the system's libcairo.
.venv/bench: requirements/bench.txt .venv/runtime
	$(PIP) --require-hashes -r requirements/bench.txt
	touch $@

.venv/release: requirements/release.txt .venv/runtime
	$(PIP) --require-hashes -r requirements/release.txt
	touch $@

# A separate environment, since it needs other versions than the program.
$(AUDIT)/bin/pip-audit: requirements/audit.txt
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/audit.txt
	touch $@

# The Matrix server of the tests, a program of its own with versions of its own; nothing of it ships. It is made after the
# folder that it is in: two jobs that make that at once fail.
$(SYNAPSE): requirements/synapse.txt | .venv/runtime
	$(PYTHON) -m venv .venv/synapse
	.venv/synapse/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/synapse.txt
	touch $@
