"""Classification: from how a call ended to a case's outcome, and from outcomes to a run's status and score.

Section 2 of the format. What counts is the fuel consumed: whether a case passes depends on neither its runway nor the
places where the engine looks at the fuel.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

from cabinet_ci.catalog.manifest import Case, Outcome, Sandbox, Status
from cabinet_ci.evaluation.grading import grade
from cabinet_ci.evaluation.result import CaseResult
from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called


def budget_of(sandbox: Sandbox, case: Case) -> int:
    """Fuel that a case may burn before it is stopped: limit times runway, rounded down; smoke cases have no runway.

    A runway that leads past what the engine counts ends there.
    """
    runway = Decimal(1) if case.kind == "smoke" else Decimal(str(case.fuel_runway))
    with localcontext() as exact:
        exact.prec = 400
        return min(int(sandbox.fuel_limit * runway), FUEL_MAX)


def classify(case: Case, sandbox: Sandbox, called: Called, expected: bytes) -> tuple[Outcome, str]:
    """The outcome of a case and its detail. Raises `grading.NotJson` where the expected answer is none."""
    outcome, detail = _outcome(case, sandbox, called, expected)
    if outcome in ("pass", "over-ceiling") or not called.printed.strip():
        return outcome, detail
    printed = f"it printed: {called.printed.strip()}"
    return outcome, f"{detail}; {printed}" if detail else printed


def _outcome(case: Case, sandbox: Sandbox, called: Called, expected: bytes) -> tuple[Outcome, str]:
    if called.ending == "err":
        return "wrong-answer", f"the component gave an err: {called.detail}"
    if called.ending == "out-of-fuel" and called.fuel is not None:
        end = "the runway" if budget_of(sandbox, case) > sandbox.fuel_limit else "the fuel limit"
        return "out-of-fuel", f"stopped at the end of {end}"
    if called.ending != "answer":
        return called.ending, called.detail
    assert called.answer is not None  # noqa: S101
    assert called.fuel is not None  # noqa: S101
    graded = grade(called.answer, expected)
    if graded.outcome == "pass" and case.kind == "stress" and called.fuel > sandbox.fuel_limit:
        return "over-ceiling", ""
    return graded.outcome, graded.detail


def status_of(cases: Sequence[CaseResult]) -> Status:
    """Pass if every case passes, over-ceiling if none fails otherwise, else fail."""
    outcomes = {case.outcome for case in cases}
    if outcomes <= {"pass"}:
        return "pass"
    return "over-ceiling" if outcomes <= {"pass", "over-ceiling"} else "fail"


def stress_fuel_of(cases: Sequence[CaseResult]) -> int | None:
    """Fuel of the correct stress cases added up; None where there is none."""
    correct = [
        case.fuel
        for case in cases
        if case.kind == "stress" and case.outcome in ("pass", "over-ceiling") and case.fuel is not None
    ]
    return sum(correct) if correct else None
