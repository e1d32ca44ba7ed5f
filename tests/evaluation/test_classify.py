"""Classification: from how a call ended to an outcome, exact to the unit of fuel (section 2 of the format)."""

from __future__ import annotations

import pytest

from cabinet_ci.catalog.manifest import Case, Sandbox
from cabinet_ci.evaluation.classify import budget_of, classify
from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called, Limits
from cabinet_ci.evaluation.sandbox.engine import load, make_engine
from cabinet_ci.evaluation.sandbox.entry import Subject
from tests.support.cases import answering, component, core_module, spinning

LONG_WAYS = core_module(
    """(memory.fill (i32.const 2048) (i32.const 1) (i32.const 60000)) (memory.copy (i32.const 2048) (i32.const 4096)
      (i32.const 50000)) (i64.or (i64.shl (i64.extend_i32_u (local.get $ptr)) (i64.const 32))
      (i64.extend_i32_u (local.get $len)))"""
)
"""Spends its fuel where the engine does not look at it: at no loop and no call."""


def case_of(kind: str = "stress", runway: float = 1.0) -> Case:
    return Case(input="cases/a.json", expected="cases/a.out", kind=kind, fuel_runway=runway)


def outcome(module: bytes, limit: int, runway: float, expected: bytes = b"[1]", kind: str = "stress") -> str:
    case, sandbox = case_of(kind, runway), Sandbox(fuel_limit=limit, max_memory_bytes=1_048_576)
    limits = Limits(10**6, budget_of(sandbox, case), sandbox.max_memory_bytes)
    called = Subject(load(make_engine(), module), module, "solve").call(b"[1]", limits)
    return classify(case, sandbox, called, expected)[0]


def needed(module: bytes) -> int:
    fuel = Subject(load(make_engine(), module), module, "solve").call(b"[1]", Limits(10**6, 10**9, 1_048_576)).fuel
    assert fuel is not None
    return fuel


MODULES = [spinning(1), spinning(997), LONG_WAYS, component()]


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("runway", [1.0, 1.5, 2.0, 40.0])
def test_at_the_ceiling_one_unit_decides(module: bytes, runway: float) -> None:
    fuel = needed(module)
    above = "over-ceiling" if int((fuel - 1) * runway) >= fuel else "out-of-fuel"
    assert outcome(module, fuel - 1, runway) == above
    assert outcome(module, fuel, runway) == "pass"
    assert outcome(module, fuel + 1, runway) == "pass"


@pytest.mark.parametrize("module", MODULES[1:3])
def test_at_the_end_of_the_runway_one_unit_decides(module: bytes) -> None:
    fuel = needed(module)
    limit = fuel // 2
    for budget, expected in ((fuel - 1, "out-of-fuel"), (fuel, "over-ceiling"), (fuel + 1, "over-ceiling")):
        runway = (budget + 0.5) / limit
        assert budget_of(Sandbox(fuel_limit=limit, max_memory_bytes=1), case_of(runway=runway)) == budget
        assert outcome(module, limit, runway) == expected


def test_a_smoke_case_has_no_runway() -> None:
    module = spinning(100)
    assert outcome(module, needed(module) - 1, 10.0, kind="smoke") == "out-of-fuel"
    assert outcome(module, needed(module), 10.0, kind="smoke") == "pass"


def test_a_wrong_answer_on_the_runway_is_a_wrong_answer() -> None:
    module = spinning(100)
    assert outcome(module, needed(module) - 1, 10.0, expected=b"[2]") == "wrong-answer"


@pytest.mark.parametrize(
    ("limit", "runway", "budget"),
    [
        (10, 1.0, 10),
        (10, 1.15, 11),
        (100, 1.15, 115),
        (7, 1.4285714285714286, 10),
        (3, 1.1, 3),
        (9_007_199_254_740_993, 1.0, 9_007_199_254_740_993),
        (5_000_000_000, 10.0, 50_000_000_000),
        (5, 1e300, FUEL_MAX),
        (2**63 - 1, 1.0, FUEL_MAX),
    ],
)
def test_a_budget_is_the_exact_product_rounded_down(limit: int, runway: float, budget: int) -> None:
    assert budget_of(Sandbox(fuel_limit=limit, max_memory_bytes=1), case_of(runway=runway)) == budget


def test_the_greatest_limits_can_be_granted() -> None:
    assert outcome(answering("[1]"), 2**63 - 1, 1.7e308) == "pass"


@pytest.mark.parametrize(
    ("called", "outcome", "detail"),
    [
        (Called(ending="err", fuel=5, detail="no road"), "wrong-answer", "the component gave an err: no road"),
        (Called(ending="answer", fuel=5, answer=b"nope"), "invalid-output", "not JSON"),
        (Called(ending="answer", fuel=5, answer=b"[2]"), "wrong-answer", "at $[0]: expected 1, found 2"),
        (Called(ending="trap", fuel=5, detail="trap: x", printed="oh"), "trap", "trap: x; it printed: oh"),
        (Called(ending="answer", fuel=5, answer=b"[1]", printed="oh"), "pass", ""),
        (Called(ending="out-of-fuel", fuel=10), "out-of-fuel", "stopped at the end of the fuel limit"),
        (Called(ending="out-of-fuel", detail="setting up"), "out-of-fuel", "setting up"),
        (Called(ending="invalid-output", fuel=5, detail="too long"), "invalid-output", "too long"),
    ],
)
def test_each_ending_has_its_outcome(called: Called, outcome: str, detail: str) -> None:
    found = classify(case_of(), Sandbox(fuel_limit=10, max_memory_bytes=1), called, b"[1]")
    assert found[0] == outcome
    assert found[1].startswith(detail)
    assert bool(found[1]) == bool(detail)
