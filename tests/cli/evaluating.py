"""`cabinet-ci evaluate` as a test runs it, and what it says of the one reference there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.command import Ran, cabinet


def evaluate(root: Path, *arguments: str | Path) -> Ran:
    return cabinet("evaluate", *arguments, "--format", "json", cwd=root)


def only_run(ran: Ran) -> dict[str, Any]:
    (version,) = ran.json["versions"]
    (run,) = version["runs"]
    return run


def outcomes(run: dict[str, Any]) -> dict[str, str]:
    return {case["input"].removeprefix("cases/").removesuffix(".json"): case["outcome"] for case in run["cases"]}
