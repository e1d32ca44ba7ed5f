# Two commands set everything up and run it:
#   make check    validates, builds and scores this repository's own catalog
#   make test     lint, types and tests
# make PYTHON=python3.12 check makes the environment with another Python.
PYTHON ?= python3
export PYTHON

.PHONY: help check test

help:
	@echo 'make check    set up, then validate, build and score this catalog'
	@echo 'make test     set up, then lint, types and tests'
	@echo 'make help     this list'

check:
	@path=$$(.ci/setup path) && PATH="$$path:$$PATH" .venv/bin/cabinet-ci check --all

test:
	@.ci/setup venv dev
	@path=$$(.ci/setup path) && export PATH="$$path:$$PATH" && \
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy && \
	.venv/bin/pytest -n 2 -q
