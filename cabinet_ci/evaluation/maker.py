"""What makes results here: this tool, and the engine that it runs modules with."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

import cabinet_ci
from cabinet_ci import __version__
from cabinet_ci.evaluation.result import Engine, Tool


def this_tool() -> Tool:
    """The tool and its version."""
    return Tool("cabinet-ci", __version__)


def this_engine() -> Engine:
    """The engine, its version, and its fuel schedule, which it takes to be started for."""
    from cabinet_ci.evaluation.sandbox.schedule import fuel_schedule

    return Engine("wasmtime", metadata.version("wasmtime"), fuel_schedule())


@cache
def code_in_force() -> str:
    """A hash of this tool's own code: what another would have done is not what this one does."""
    whole = hashlib.sha256()
    package = Path(cabinet_ci.__file__).parent
    for path in sorted(package.rglob("*.py")):
        whole.update(path.relative_to(package).as_posix().encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()


@cache
def conditions() -> str:
    """All that bears on the result of a case and is neither its version's nor its module's."""
    engine = this_engine()
    libraries = f"jsonschema {metadata.version('jsonschema')}"
    host = f"{sys.platform} {platform.machine()}"
    return f"{engine.name} {engine.version} {engine.fuel_schedule} {libraries} {host} {code_in_force()}"
