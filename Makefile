# Every task works from a fresh clone: it makes .venv and installs what it needs, once.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -qq --disable-pip-version-check

# Stamps, newer than what they were made from: a second run installs nothing.
ENVIRONMENT := $(VENV)/.stamp-environment
TORCH       := $(VENV)/.stamp-torch
PACKAGE     := $(VENV)/.stamp-package
DEVELOPMENT := $(VENV)/.stamp-development

.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench clean

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(PACKAGE) ## Profile examples/rmsnorm.py and print its source with the times beside it
	@$(BIN)/sidelight profile --python $(BIN)/python examples/rmsnorm.py

test: lint ## Run the linters and every test
	@$(BIN)/pytest --numprocesses logical --maxprocesses 4 --dist worksteal

lint: $(DEVELOPMENT) ## Check style, formatting and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright

format: $(DEVELOPMENT) ## Format the code and fix what can be fixed
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

bench: $(DEVELOPMENT) ## Run the benchmarks (bench/README.md)
	@set -e; for benchmark in bench/*_bench.py; do $(BIN)/python $$benchmark; done

clean: ## Remove the environment and the caches; stored profiles stay
	@rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist
	@find pyserver tests examples bench -name __pycache__ -type d -prune -exec rm -rf {} +

# An argument of $(call ...) may hold no comma.
fail = { echo "$(1)" >&2; exit 1; }
NEEDED := install Python 3.10 or newer or name one with 'make PYTHON=/path/to/python3'

$(ENVIRONMENT):
	@command -v $(PYTHON) >/dev/null || $(call fail,There is no '$(PYTHON)': $(NEEDED).)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  $(call fail,'$(PYTHON)' is older than Python 3.10 or does not start: $(NEEDED).)
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  $(call fail,'$(PYTHON)' has no venv module: install it with 'apt install python3-venv' or the like.)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# Alone and first: nothing else may choose torch's version. Tests and demo run against this one.
$(TORCH): $(ENVIRONMENT) Makefile
	@echo "Installing torch into $(VENV) (large, once) ..."
	@$(PIP) torch==2.13.0
	@touch $@

$(PACKAGE): $(TORCH) pyproject.toml
	@echo "Installing sidelight into $(VENV) ..."
	@$(PIP) --editable .
	@touch $@

$(DEVELOPMENT): $(TORCH) pyproject.toml
	@echo "Installing sidelight and its development tools into $(VENV) ..."
	@$(PIP) --editable '.[dev]'
	@touch $(PACKAGE) $@
