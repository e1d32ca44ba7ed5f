"""Result documents for tests: sound ones, made from what matters in a test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from cabinet_ci.catalog.manifest import CaseKind, Outcome, Status
from cabinet_ci.diagnostics import Diagnostic, make_report
from cabinet_ci.evaluation.classify import status_of, stress_fuel_of
from cabinet_ci.evaluation.result import (
    BuildOutcome,
    CaseResult,
    Engine,
    Module,
    ResultDocument,
    Run,
    Tool,
    VersionResult,
)
from cabinet_ci.origin import Origin

LIMIT = 1_000
HEAD, BASE = "a" * 40, "b" * 40
FOLDER = "test-cases/performance/easy"


def case(
    name: str = "cases/a.json",
    fuel: int | None = 500,
    *,
    kind: CaseKind = "stress",
    outcome: Outcome = "pass",
    runway: float = 1.0,
    detail: str = "",
) -> CaseResult:
    """One case of a ceiling of `LIMIT`."""
    return CaseResult(
        input=name,
        expected="out",
        kind=kind,
        outcome=outcome,
        fuel=fuel,
        fuel_limit=LIMIT,
        fuel_budget=int(LIMIT * runway),
        memory_bytes=None if fuel is None else 65_536,
        seconds=0.001,
        detail=detail,
    )


SMOKE = case("smoke/a.json", 10, kind="smoke")


def run(
    *cases: CaseResult, reference: str | None = "efficient", expect: Status | None = None, variant: str = "base"
) -> Run:
    """A reference's run; it is expected to do what it did unless `expect` says otherwise."""
    given = cases or (SMOKE, case())
    status, fuel = status_of(given), stress_fuel_of(given)
    return Run(
        reference=reference,
        variant=variant,
        expect=expect or status,
        status=status,
        as_expected=(expect or status) == status,
        score=fuel if status == "pass" else None,
        stress_fuel=fuel,
        module=Module("core", "ab" * 32, 100),
        build=None if reference is None else BuildOutcome(True, 1.5, "$ build"),
        cases=tuple(given),
    )


def version(*runs: Run, slug: str = "echo", number: str = "v1.0.0", folder: str | None = None) -> VersionResult:
    """A version of a case of the catalog."""
    return VersionResult(
        path=f"{folder or f'{FOLDER}/{slug}'}/{number}", slug=slug, version=number, tree=None, runs=runs or (run(),)
    )


def document(*versions: VersionResult, **keys: Any) -> ResultDocument:
    """A whole document; `keys` replace what it says by default."""
    told = ResultDocument(
        schema=1,
        tool=Tool("cabinet-ci", "0.1.0"),
        engine=Engine("wasmtime", "50.0.1", "6001e57e819ceff5"),
        versions=versions,
    )
    return msgspec.structs.replace(told, **keys)


def measured_by(schedule: str) -> Engine:
    """An engine with another fuel schedule."""
    return Engine("wasmtime", "50.0.1", schedule)


def found(*diagnostics: Diagnostic, checked: int = 1) -> dict[str, Any]:
    """The key `findings`."""
    return {"findings": make_report(diagnostics, checked)}


def finding(message: str = "something is wrong", **keys: Any) -> Diagnostic:
    """One finding."""
    given: dict[str, Any] = {
        "code": "CAB101",
        "severity": "error",
        "path": f"{FOLDER}/echo/v1.0.0/test-case.toml",
        "line": 7,
        "column": 1,
        "message": message,
    }
    return Diagnostic(**(given | keys))


def of(**keys: Any) -> dict[str, Any]:
    """The key `origin`."""
    return {"origin": Origin(**keys)}


def plain(told: ResultDocument) -> Any:
    """A document as JSON values, for tests that break one."""
    return json.loads(msgspec.json.encode(told))


def write_result(path: Path, told: ResultDocument | Mapping[str, Any] | Sequence[Any]) -> Path:
    """Write a document to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(told))
    return path
