# make run    environment, install, server on http://127.0.0.1:8050
# make serve  the same for many people: gunicorn with the settings of deploy/
# make test   environment, browser and nginx where they are missing, lint, types, all tests
# make check  lint, types and the tests that need no browser
# make bench  measured figures beside their budgets
# make load   forty people at once, one web process killed half way; make soak: for ten minutes
# make fuzz   ten thousand requests that nobody should send, and what came back
# make wheels everything to install, in the folder wheels/; elsewhere: make serve WHEELS=wheels
# make stored compute the stored outcomes of simulations anew
# make lock   choose the exact versions anew

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT := DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get

# A folder of wheels to install from, where there is no network.
WHEELS ?=
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
INSTALL := $(PIP) install $(if $(WHEELS),--no-index --find-links $(WHEELS))

.PHONY: run serve install test check lint bench fuzz load soak wheels stored lock browser

run: $(VENV)/run.stamp
	$(BIN)/python app.py

serve: $(VENV)/run.stamp
	$(BIN)/python -m gunicorn --config deploy/gunicorn.conf.py

install: $(VENV)/run.stamp

wheels: | $(BIN)/python
	$(PIP) download --dest wheels --requirement requirements.lock

# Two processes, each with whole files: what a file computes once it then needs once. Files come in
# the order of tests/conftest.py.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test: $(VENV)/test.stamp browser lint
	$(PYTEST)

check: $(VENV)/test.stamp lint
	$(PYTEST) -m "not browser"

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/test.stamp browser
	$(BIN)/python -m tests.bench

fuzz: $(VENV)/test.stamp
	$(INSTALL) --constraint requirements-test.lock --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzz

# A line that begins with "load" would be one of make's own directives.
soak load: $(VENV)/test.stamp browser
	$(BIN)/python -m tests.load $(if $(filter soak,$@),--soak)

stored: $(VENV)/run.stamp
	$(BIN)/python -m foptrn_model.store

# Debian's python3 comes without the module that makes environments.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; say which with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		$(APT) update && $(APT) install -y python3-venv && $(PYTHON) -m venv $(VENV); }

$(VENV)/run.stamp: requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --requirement requirements.lock
	touch $@

$(VENV)/test.stamp: requirements-test.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --requirement requirements-test.lock
	touch $@ $(VENV)/run.stamp

browser:
	@export PATH="$$PATH:/usr/sbin"; \
		command -v chromium >/dev/null && command -v chromedriver >/dev/null && command -v nginx >/dev/null \
		|| { $(APT) update && $(APT) install -y chromium chromium-driver nginx; }

# The test versions come first: they bind tighter, and both files must agree.
lock: $(BIN)/python
	$(PIP) install uv
	$(BIN)/uv pip compile pyproject.toml --extra test --universal --python-version 3.11 --upgrade \
		--no-header --no-annotate --output-file requirements-test.lock
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 \
		--constraint requirements-test.lock --no-header --no-annotate --output-file requirements.lock
