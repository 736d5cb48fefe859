# Every task works from a fresh clone: it makes .venv and installs what it needs, once.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -qq --disable-pip-version-check

NODE   := $(PYTHON) tools/editor/node.py
VSIX   := dist/sidelight.vsix
SAMPLE := dist/sample/rmsnorm.py

# Stamps, newer than what they were made from: a second run installs nothing.
ENVIRONMENT := $(VENV)/.stamp-environment
TORCH       := $(VENV)/.stamp-torch
PACKAGE     := $(VENV)/.stamp-package
DEVELOPMENT := $(VENV)/.stamp-development
MODULES     := node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help demo editor vsix test test-python test-extension test-editor screenshots looks lint format \
  protocol bench fuzz clean

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

demo: $(PACKAGE) ## Profile examples/rmsnorm.py and print its source with the times beside it
	@$(BIN)/sidelight profile --python $(BIN)/python examples/rmsnorm.py

editor: $(VSIX) ## Open a VS Code with Sidelight and an example in the browser (PORT=8080)
	@$(NODE) npx esbuild tools/editor/open.ts --bundle --platform=node --format=esm \
	  --outfile=dist/tools/open.mjs --log-level=warning
	@$(NODE) node dist/tools/open.mjs $(PORT)

vsix: $(VSIX) ## Build the extension, as a file to install

# One after the other, also under 'make -j': an editor has no time to share.
test: lint ## Run the linters and every test
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-extension
	@$(MAKE) --no-print-directory test-editor

test-python: $(DEVELOPMENT) ## ... those of the command line and the server
	@$(BIN)/pytest --numprocesses logical --maxprocesses 4 --dist worksteal

test-extension: $(VSIX) ## ... those of the extension's and the pages' parts
	@$(NODE) npm run --silent unit
	@$(NODE) npx playwright test --project=page

test-editor: $(VSIX) ## ... those in a real VS Code
	@$(NODE) npm run --silent build -- --tests
	@$(NODE) npx playwright test --project=host --project=editor

screenshots: $(VSIX) ## Take the pictures in docs/screenshots anew
	@$(NODE) npx playwright test --project=screenshots

looks: $(VSIX) ## Take the pictures that the pages are compared with anew; look at them before they go in
	@$(NODE) npx playwright test --project=editor looks --update-snapshots

lint: $(DEVELOPMENT) $(MODULES) ## Check style, formatting and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright
	@$(NODE) npm run --silent check

format: $(DEVELOPMENT) $(MODULES) ## Format the code and fix what can be fixed
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix
	@$(NODE) npm run --silent format

protocol: $(DEVELOPMENT) ## Write the extension's message types anew, from the server's
	@$(BIN)/python tools/generate_protocol.py

bench: $(DEVELOPMENT) $(MODULES) ## Run the benchmarks (bench/README.md)
	@set -e; for benchmark in bench/*_bench.py; do $(BIN)/python $$benchmark; done
	@$(NODE) npx playwright test --project=bench

# FACTOR=100 takes some minutes, 10000 a night. Hypothesis keeps what fails, to try it first.
FACTOR ?= 100
FORMATS := torch_trace neuron_profile_json neuron_system_json neuron_summary perfetto_trace ntff \
  neff nxdi_report vllm_report
fuzz: $(DEVELOPMENT) ## Open damaged inputs of every format, many more than the tests do (FACTOR=100)
	@SIDELIGHT_FUZZ_FACTOR=$(FACTOR) $(BIN)/pytest tests/python/fuzz --timeout 0 \
	  --numprocesses logical
	@mkdir -p test-results
	@if ! $(PIP) atheris 2>/dev/null; then echo "Atheris does not install here: its part is left out."; \
	else set -e; cd tests/python; for format in $(FORMATS); do \
	  ../../$(BIN)/python -m fuzz.with_atheris $$format -max_total_time=$(FACTOR) \
	    -artifact_prefix=../../test-results/$$format-; done; fi

clean: ## Remove the environment and the caches; stored profiles stay
	@rm -rf $(VENV) node_modules .pytest_cache .ruff_cache .hypothesis dist test-results
	@find pyserver tests examples bench tools -name __pycache__ -type d -prune -exec rm -rf {} +

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

$(MODULES): package-lock.json
	@echo "Installing the extension's development tools into node_modules ..."
	@$(NODE) npm ci --ignore-scripts --loglevel=error >/dev/null
	@touch $@

# What the walkthrough opens: a script, and a profile of it that was taken here.
$(SAMPLE): $(PACKAGE) tools/make_sample.py examples/rmsnorm.py
	@echo "Making the sample ..."
	@$(BIN)/python tools/make_sample.py dist/sample

$(VSIX): $(DEVELOPMENT) $(MODULES) $(SAMPLE) package.json README.md .vscodeignore \
  $(shell find extension pyserver examples -type f -not -path '*/__pycache__/*')
	@echo "Building $(VSIX) ..."
	@rm -rf dist/server dist/webview
	@$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps --wheel-dir dist/server .
	@$(NODE) npm run --silent build
	@$(NODE) npx vsce package --no-dependencies --allow-missing-repository \
	  --no-rewrite-relative-links --out $@ >/dev/null
