"""Calibration: the exact interval of the fuel limit and of each runway, held to brute force by the classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cabinet_ci.catalog.manifest import Build, Case, Contract, Manifest, Outcome, Sandbox, Status
from cabinet_ci.evaluation.calibration import Calibration, calibrate
from cabinet_ci.evaluation.classify import budget_of, classify, status_of, stress_fuel_of
from cabinet_ci.evaluation.knowledge import Known
from cabinet_ci.evaluation.result import CaseResult, Module, Run, VersionResult
from cabinet_ci.evaluation.rounding import round_limits, round_runway
from cabinet_ci.evaluation.sandbox.calls import Called

MOST = 60
"""Fuel of a call in the random versions: every limit that could matter can be tried."""


class Does(NamedTuple):
    """What a module does on a case: the fuel of its call, what it answers, and the fuel of its setting up."""

    fuel: int
    answer: bytes = b"1"
    setup: int = 0


class Solution(NamedTuple):
    """A reference: what it does on each case, and what is expected of it."""

    does: tuple[Does, ...]
    expect: Status = "pass"
    listed: Mapping[str, Outcome] = {}


def cases_of(*runways: float, smoke: int = 0) -> list[Case]:
    kinds = [("smoke", 1.0)] * smoke + [("stress", runway) for runway in runways]
    return [
        Case(input=f"{chr(97 + index)}.json", expected="x", kind=kind, fuel_runway=runway)
        for index, (kind, runway) in enumerate(kinds)
    ]


def manifest_of(limit: int, cases: Sequence[Case]) -> Manifest:
    return Manifest(
        slug="echo", name="Echo", difficulty="easy", tags=[], changelog="x", prompt="x", variants=["x"],
        build=Build(install="x", build="x", module="x"), contract=Contract(entry="x", input="x", output="x"),
        case=list(cases), sandbox=Sandbox(fuel_limit=limit, max_memory_bytes=1),
    )  # fmt: skip


def run_of(name: str, solution: Solution, manifest: Manifest) -> Run:
    """What the runner would find, by the classifier."""
    sandbox, found = manifest.sandbox, {}
    for case, does in zip(manifest.case, solution.does, strict=True):
        budget, ran = budget_of(sandbox, case), Called(ending="answer", answer=does.answer, fuel=does.fuel)
        if does.setup > sandbox.fuel_limit:
            ran = Called(ending="out-of-fuel")
        elif does.fuel > budget:
            ran = Called(ending="out-of-fuel", fuel=budget)
        outcome = classify(case, sandbox, ran, b"1")[0]
        if case.kind == "stress" and any(one.kind == "smoke" and one.outcome != "pass" for one in found.values()):
            outcome, ran = "not-run", Called(ending="out-of-fuel")
        found[case.input] = CaseResult(
            input=case.input, expected="x", kind=case.kind, outcome=outcome, fuel=ran.fuel, memory_bytes=None,
            fuel_limit=sandbox.fuel_limit, fuel_budget=budget, seconds=0.0, detail="",
        )  # fmt: skip
    cases = tuple(found.values())
    status, fuel = status_of(cases), stress_fuel_of(cases)
    listed = all(found[name].outcome == outcome for name, outcome in solution.listed.items())
    return Run(
        reference=name, variant="base", expect=solution.expect, status=status, build=None, cases=cases,
        as_expected=listed and status == solution.expect, score=fuel if status == "pass" else None, stress_fuel=fuel,
        module=Module("core", "00", 1),
    )  # fmt: skip


def result_of(solutions: Mapping[str, Solution], manifest: Manifest) -> VersionResult:
    runs = tuple(run_of(name, solution, manifest) for name, solution in solutions.items())
    return VersionResult(path="v", slug="echo", version="v1.0.0", tree=None, runs=runs)


def as_expected(solutions: Mapping[str, Solution], limit: int, cases: Sequence[Case]) -> bool:
    return all(run.as_expected for run in result_of(solutions, manifest_of(limit, cases)).runs)


def truth(solutions: Mapping[str, Solution], cases: Sequence[Case]) -> dict[tuple[str, str, str], Known]:
    """What a measurement without limits would tell."""
    return {
        (name, "base", case.input): Known(
            outcome="pass" if does.answer == b"1" else "wrong-answer", fuel=does.fuel, setup=does.setup
        )
        for name, solution in solutions.items()
        for case, does in zip(cases, solution.does, strict=True)
    }


def calibrated(
    solutions: Mapping[str, Solution], limit: int, cases: Sequence[Case], *, measured: bool = True
) -> Calibration:
    manifest = manifest_of(limit, cases)
    listed = {(name, "base"): solution.listed for name, solution in solutions.items()}
    known = truth(solutions, cases) if measured else None
    found = calibrate(result_of(solutions, manifest), manifest, listed, known)
    assert found is not None
    return found


class World(NamedTuple):
    solutions: dict[str, Solution]
    cases: list[Case]
    limit: int


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Random fuels, and expectations as they come out at one limit; now and then one that does not fit."""
    runways = draw(st.lists(st.sampled_from([1.0, 1.15, 1.5, 2.0, 3.3, 10.0]), min_size=1, max_size=3))
    cases = cases_of(*runways, smoke=draw(st.integers(0, 2)))
    limit = draw(st.integers(1, MOST))
    does = st.builds(
        Does, st.integers(1, MOST), st.sampled_from([b"1"] * 9 + [b"2"]), st.sampled_from([0, 0, 0, 1, 7, 40])
    )
    solutions = {}
    for name in ("efficient", "naive", "wrong")[: draw(st.integers(1, 3))]:
        doing = tuple(draw(does) for _ in cases)
        run = run_of(name, Solution(doing), manifest_of(limit, cases))
        expect, listed = run.status, {case.input: case.outcome for case in run.cases if draw(st.booleans())}
        if draw(st.integers(0, 9)) == 0:
            expect = draw(st.sampled_from(["pass", "over-ceiling", "fail"]))
        solutions[name] = Solution(doing, expect, listed)
    return World(solutions, cases, draw(st.integers(1, MOST)))


@given(worlds())
def test_every_limit_in_the_interval_is_right_and_no_other(world: World) -> None:
    interval = calibrated(*world[:1], world.limit, world.cases).interval
    assert interval.low_exact
    assert interval.high_exact
    right = [limit for limit in range(1, 3 * MOST) if as_expected(world.solutions, limit, world.cases)]
    assert right == [limit for limit in range(1, 3 * MOST) if interval.holds(limit)]
    assert interval.is_empty == (not right)
    assert interval.is_certain == bool(right)


@given(worlds())
def test_every_runway_in_its_interval_is_right_and_no_other(world: World) -> None:
    assume(as_expected(world.solutions, world.limit, world.cases))
    found = calibrated(world.solutions, world.limit, world.cases)
    assert found.at == world.limit
    assert [each.input for each in found.runways] == [case.input for case in world.cases if case.kind == "stress"]
    for each in found.runways:
        tried = {round(1 + step / 8, 3) for step in range(40)} | {float(end) for end in (each.low, each.high) if end}
        for runway in tried:
            cases = [
                msgspec.structs.replace(case, fuel_runway=runway) if case.input == each.input else case
                for case in world.cases
            ]
            assert as_expected(world.solutions, world.limit, cases) == each.holds(Fraction(str(runway))), runway


@given(worlds())
def test_what_is_not_measured_leaves_only_what_can_t_be_wrong(world: World) -> None:
    solutions = {
        name: solution._replace(does=tuple(does._replace(setup=0) for does in solution.does))
        for name, solution in world.solutions.items()
    }
    interval = calibrated(solutions, world.limit, world.cases, measured=False).interval
    for limit in range(1, 3 * MOST):
        right = as_expected(solutions, limit, world.cases)
        if interval.is_certain and interval.holds(limit):
            assert right
        if limit < interval.low or (interval.high is not None and interval.high_exact and limit > interval.high):
            assert not right
    exact = calibrated(solutions, world.limit, world.cases).interval
    if interval.low_exact:
        assert interval.low == exact.low


@given(worlds())
def test_what_is_suggested_is_right(world: World) -> None:
    found = calibrated(world.solutions, world.limit, world.cases)
    runways = {each.input: each.suggested for each in found.runways if each.suggested is not None}
    for limit in found.suggested:
        cases = world.cases
        if found.with_runways or limit == found.at:
            cases = [
                msgspec.structs.replace(case, fuel_runway=float(runways.get(case.input, case.fuel_runway)))
                for case in cases
            ]
        assert as_expected(world.solutions, limit, cases)
    assert bool(found.suggested) == (found.with_runways or found.interval.is_certain) or found.interval.high is None


PAIR = {
    "efficient": Solution((Does(400), Does(1_000))),
    "naive": Solution((Does(900), Does(15_000)), "over-ceiling", {"b.json": "over-ceiling"}),
}


def test_the_interval_says_which_reference_sets_each_end() -> None:
    interval = calibrated(PAIR, 2_000, cases_of(1.0, 10.0)).interval
    assert (interval.low, interval.high) == (1_500, 14_999)
    assert interval.low_by is not None
    assert interval.high_by is not None
    assert interval.low_by.reference == "naive"
    assert interval.low_by.why == "may not run out of fuel at b.json, which takes 15,000 fuel on a runway of 10"
    assert interval.high_by.why == "must be over the ceiling at b.json, which takes 15,000 fuel"


def test_expectations_that_clash_are_told_by_both_sides() -> None:
    alike = {"efficient": Solution((Does(1_000),)), "naive": Solution((Does(900),), "over-ceiling")}
    found = calibrated(alike, 1_000, cases_of(10.0))
    assert found.interval.is_empty
    assert found.suggested == ()
    (warning,) = found.warnings
    assert "efficient must pass a.json, which takes 1,000 fuel: 1,000 is the least" in warning
    assert "naive must be over the ceiling at a.json, which takes 900 fuel: 899 is the most" in warning


def test_an_answer_that_is_wrong_at_any_limit_is_told_alone() -> None:
    found = calibrated({"efficient": Solution((Does(10, b"2"),))}, 100, cases_of(1.0))
    assert found.warnings == (
        "no fuel_limit is right: efficient must pass a.json, and ends as wrong-answer at any limit",
    )


def test_a_reference_that_does_not_build_fits_no_limit() -> None:
    manifest = manifest_of(100, cases_of(1.0))
    result = result_of({"efficient": Solution((Does(10),))}, manifest)
    (run,) = result.runs
    case = msgspec.structs.replace(run.cases[0], outcome="not-run", fuel=None)
    unbuilt = msgspec.structs.replace(run, module=None, cases=(case,))
    found = calibrate(msgspec.structs.replace(result, runs=(unbuilt,)), manifest, {})
    assert found is not None
    assert found.warnings == ("no fuel_limit is right: efficient does not build",)


def test_limits_that_need_other_runways_are_suggested_with_them() -> None:
    found = calibrated(PAIR, 2_000, cases_of(1.0, 1.0))
    assert found.with_runways
    assert found.suggested == (5_000,)
    assert [each.suggested for each in found.runways] == [None, 5]


def test_a_call_that_was_stopped_bounds_the_limit_from_one_side() -> None:
    stopped = {"efficient": Solution((Does(1_000),)), "naive": Solution((Does(9_000),), "fail")}
    interval = calibrated(stopped, 1_500, cases_of(2.0), measured=False).interval
    assert (interval.low, interval.high, interval.high_exact) == (1_000, 1_500, False)
    assert calibrated(stopped, 1_500, cases_of(2.0)).interval.high == 4_499
    needed = calibrated(stopped, 500, cases_of(1.0), measured=False).interval
    assert (needed.low, needed.low_exact, needed.is_certain) == (501, False, False)


def test_setting_up_needs_the_limit_as_well() -> None:
    found = calibrated({"efficient": Solution((Does(10, setup=70),))}, 100, cases_of(1.0))
    assert found.interval.low == 70


@pytest.mark.parametrize(
    ("limit", "word"),
    [(999, "too low"), (1_000, "within 10 % of the least"), (1_100, "within 10 % of the least"), (1_101, ""),
     (8_999, ""), (9_000, "within 10 % of the most"), (10_000, "within 10 % of the most"), (10_001, "too high")],
)  # fmt: skip
def test_a_limit_near_an_end_of_the_interval_is_a_warning(limit: int, word: str) -> None:
    pair = {"efficient": Solution((Does(1_000),)), "naive": Solution((Does(10_001),), "over-ceiling")}
    warnings = calibrated(pair, limit, cases_of(20.0)).warnings
    assert [word in warning for warning in warnings] == ([True] if word else [])


@pytest.mark.parametrize(("fuel", "warned"), [(900, True), (1_999, True), (2_000, False)])
def test_a_gap_under_two_is_a_warning(fuel: int, warned: bool) -> None:
    pair = {
        "efficient": Solution((Does(1_000), Does(1_000))),
        "naive": Solution((Does(50_000), Does(fuel)), "over-ceiling"),
    }
    warnings = calibrated(pair, 7_000, cases_of(20.0, 20.0)).warnings
    assert [warning.startswith("b.json hardly tells naive from efficient") for warning in warnings] == [True] * warned


def test_two_references_that_both_have_to_pass_need_no_gap() -> None:
    assert calibrated({"one": Solution((Does(10),)), "two": Solution((Does(11),))}, 100, cases_of(1.0)).warnings == ()


def test_the_gap_is_measured_from_the_reference_that_passes_with_the_least_fuel() -> None:
    found = calibrated({"other": Solution((Does(20),)), "best": Solution((Does(10),))}, 100, cases_of(1.0))
    assert [(gap.efficient, gap.reference, gap.times) for gap in found.gaps] == [("best", "other", 2)]


def test_a_gap_to_a_call_that_was_stopped_is_at_least_that() -> None:
    pair = {"efficient": Solution((Does(100),)), "naive": Solution((Does(5_000),), "fail")}
    (gap,) = calibrated(pair, 300, cases_of(2.0), measured=False).gaps
    assert (gap.times, gap.exact) == (6, False)
    (gap,) = calibrated(pair, 300, cases_of(2.0)).gaps
    assert (gap.times, gap.exact) == (50, True)


def test_headroom_is_told_where_a_reference_comes_nearest_to_the_ceiling() -> None:
    efficient, naive = calibrated(PAIR, 2_000, cases_of(1.0, 10.0)).headroom
    assert (efficient.input, efficient.left) == ("b.json", Fraction(1, 2))
    assert (naive.input, naive.left) == ("b.json", Fraction(-13, 2))


@given(st.integers(1, 10**19), st.integers(0, 10**19))
def test_round_limits_lie_inside_and_as_far_from_the_ends_as_they_can(low: int, width: int) -> None:
    high = low + width
    found = round_limits(low, high)
    assert found
    assert all(low <= limit <= high for limit in found)
    if low > 1 and high > 100 and width * 10 > 4 * high:
        assert all((limit - low) * 10 >= low and (high - limit) * 10 >= high for limit in found)


@pytest.mark.parametrize(
    ("low", "high", "limits"),
    [
        (63_346_543, 1_657_879_545, [500_000_000, 200_000_000, 1_000_000_000, 100_000_000]),
        (63_000, 97_000, [80_000, 70_000]),
        (777_777, 777_777, [777_777]),
        (63_346_543, None, [200_000_000, 100_000_000, 500_000_000]),
        (1, 1, [1]),
        (1, None, [5, 2]),
    ],
)
def test_limits_are_as_round_as_the_interval_lets_them_be(low: int, high: int | None, limits: list[int]) -> None:
    assert round_limits(low, high) == limits


@example(Fraction(1), Fraction(0))
@given(st.fractions(1, 10**6), st.none() | st.fractions(0, 10**6))
def test_a_round_runway_lies_inside(low: Fraction, width: Fraction | None) -> None:
    high = None if width is None else low + width
    found = round_runway(low, high)
    assert found is None or (low <= found and (high is None or found < high))
    assert found is None or Fraction(str(float(found))) == found


@pytest.mark.parametrize(
    ("low", "high", "runway"),
    [("15.07", None, "20"), ("152.3", None, "200"), ("1", None, None), ("1", "8", "1"), ("1.5", "1.6", "1.55"),
     ("9.5", None, "20"), ("4", "4.3", "4.2")],
)  # fmt: skip
def test_a_runway_is_as_round_as_it_can_be(low: str, high: str | None, runway: str | None) -> None:
    found = round_runway(Fraction(low), None if high is None else Fraction(high))
    assert found == (None if runway is None else Fraction(runway))
