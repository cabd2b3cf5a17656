# make demo   plays a whole game with mock hardware      make test    passes the tests
# make check  the fast checks                            make proofs  the slow proofs
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml constraints.txt
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test check proofs bench clean

demo: .venv/companion
	$(BIN)/companion demo $(ARGS)

test: .venv/tools
	$(BIN)/pytest -m "not slow" $(ARGS)

proofs: .venv/tools
	$(BIN)/pytest -m slow $(ARGS)

check: .venv/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/tools
	$(BIN)/python benchmarks/rules.py
	$(BIN)/python benchmarks/table.py
	$(if $(STILLS),$(BIN)/python benchmarks/eyes.py --stills $(STILLS),@echo "For the reader: make bench STILLS=FOLDER")

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.13 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/companion: $(SOURCES) | .venv/bin/python
	$(INSTALL) -e .
	@touch $@

.venv/tools: $(SOURCES) | .venv/bin/python
	$(INSTALL) -e '.[dev]'
	@touch $@ .venv/companion

clean:
	rm -rf .venv out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
