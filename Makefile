# Everything happens in .venv; no target needs anything but Python 3.11 to 3.13.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup run test check bench clean

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

test: setup $(VENV)/gpu/.ready
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/threads.py
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/referee.py
	$(BIN)/python benchmarks/tournament.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
