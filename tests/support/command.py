"""Running the command as its users do: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output, parsed."""
        return json.loads(self.out)


def cabinet(*arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run `cabinet-ci` in `cwd`; no traceback is ever right."""
    cleaned = {name: value for name, value in os.environ.items() if not name.startswith(("CABINET_CI_", "GIT_"))}
    done = subprocess.run(
        [sys.executable, "-m", "cabinet_ci", *map(str, arguments)],
        cwd=cwd,
        env={**cleaned, "NO_COLOR": "1", "CABINET_CI_CACHE": "off", **(env or {})},
        capture_output=True,
        timeout=600,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in ran.err, ran.err
    return ran


def one_line(text: str) -> str:
    """The single line of an error message."""
    lines = text.splitlines()
    assert len(lines) == 1, text
    return lines[0]
