"""What makes results here: this tool, and the engine that it runs modules with."""

from __future__ import annotations

from importlib import metadata

from cabinet_ci import __version__
from cabinet_ci.evaluation.result import Engine, Tool


def this_tool() -> Tool:
    """The tool and its version."""
    return Tool("cabinet-ci", __version__)


def this_engine() -> Engine:
    """The engine, its version, and its fuel schedule, which it takes to be started for."""
    from cabinet_ci.evaluation.sandbox.schedule import fuel_schedule

    return Engine("wasmtime", metadata.version("wasmtime"), fuel_schedule())
