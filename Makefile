# make demo   plays a whole game with mock hardware      make test    passes the tests
# make check  the fast checks                            make proofs  the slow proofs
# make power  cuts the power thousands of times, at block level (as root; 40 minutes; docs/durability.md)
# make virtual-pi  boots the installed companion on an emulated board (as root; docs/virtual-pi.md)
# make container  installs on both releases of Debian in containers (as root; 7 minutes, and once 5 more)
# make arm64  the same wheels on an emulated Pi's processor (as root, before a release; an hour on a busy machine)
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml constraints.txt
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test check proofs container arm64 power virtual-pi bench clean

demo: .venv/companion
	$(BIN)/companion demo $(ARGS)

test: .venv/tools
	$(BIN)/pytest -n auto --dist worksteal -m "not slow and not container and not arm64 and not power and not virtual_pi" $(ARGS)

proofs: .venv/tools
	$(BIN)/pytest -m slow $(ARGS)

container: .venv/tools
	$(BIN)/pytest -m container --durations 5 $(ARGS)

arm64: .venv/tools
	$(BIN)/pytest -m arm64 --durations 5 $(ARGS)

power: .venv/tools
	$(BIN)/pytest -m power --durations 5 $(ARGS)

virtual-pi: .venv/tools
	$(BIN)/pytest tests/virtual_pi -m virtual_pi --durations 0 $(ARGS)

check: .venv/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/tools
	$(BIN)/python benchmarks/rules.py
	$(BIN)/python benchmarks/table.py
	$(BIN)/python benchmarks/screens.py
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/knowledge.py
	$(if $(shell command -v xvfb-run),xvfb-run -s "-screen 0 1280x800x24") $(BIN)/python benchmarks/displays.py
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
	$(INSTALL) --no-deps luma.emulator picamera2  # alone: they would bring pygame, over pygame-ce, and a Pi's own libraries
	@touch $@ .venv/companion

clean:
	rm -rf .venv out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
