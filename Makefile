# Everything happens in .venv; no target needs anything but Python 3.11 to 3.13.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup run browser test check docs bench clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "Ludus needs Python 3.11 to 3.13; name one with: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || { echo "This Python has no venv; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

run: setup
	$(BIN)/ludus run nsoc --bots examples/nsoc --out demo
	$(BIN)/ludus report demo --html demo/report

# The simulator of a graphics processor, in a folder of its own: installed properly it slows down every start of Python.
$(VENV)/gpu/.ready: $(VENV)/.ready
	$(BIN)/pip install --quiet --no-deps --upgrade --target $(VENV)/gpu \
	  'numba-cuda>=0.30,<0.31' cuda-bindings cuda-core cuda-pathfinder
	touch $@

# Pages are tried in Debian's Chromium; where there is none and none can be installed, those tests are skipped.
CHROMIUM := command -v chromium || command -v chromium-browser || command -v google-chrome || command -v google-chrome-stable
PACKAGES := chromium fonts-dejavu-core
AS_ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo -n)

browser:
	@if { $(CHROMIUM); } >/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null || ! $(AS_ROOT) true 2>/dev/null; then \
	  echo "There is no Chromium and no right to install it: the tests in a browser are skipped."; exit 0; fi; \
	echo "Installing Chromium with apt-get, for the tests in a browser: $(strip $(AS_ROOT) apt-get install $(PACKAGES))"; \
	install="$(AS_ROOT) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(PACKAGES)"; \
	said=$$({ $$install || { $(AS_ROOT) apt-get update -qq && $$install; }; } 2>&1) && { $(CHROMIUM); } >/dev/null \
	  || { echo "$$said" | tail -n 3; echo "Chromium could not be installed: the tests in a browser are skipped."; }

# Tests wait for processes and browsers a third of their time, so one more of them than cores run at once.
test: setup browser $(VENV)/gpu/.ready
	$(BIN)/python -m pytest --numprocesses $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 1)') \
	  --dist loadfile --no-loadscope-reorder

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: setup
	$(BIN)/mkdocs build --quiet --strict
	@echo "The documentation is in build/site/index.html."

bench: setup
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/threads.py
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python benchmarks/openspiel.py
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/referee.py
	$(BIN)/python benchmarks/tournament.py
	$(BIN)/python benchmarks/web.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
