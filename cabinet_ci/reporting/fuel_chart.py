"""Fuel per stress case on a logarithmic scale, against ceiling and runway, for every reference of a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from cabinet_ci.evaluation.result import CaseResult, Run, VersionResult
from cabinet_ci.reporting.comparison import most_frugal
from cabinet_ci.reporting.escaping import shown
from cabinet_ci.reporting.figures import fuel, is_correct, name_of, percent
from cabinet_ci.reporting.scale import Scale, short, whole_decades


class Tick(msgspec.Struct, frozen=True):
    """A line of the grid; `anchor` keeps its label within the chart."""

    x: float
    label: str
    anchor: str


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One reference on one case: where its fuel lies, and the figures beside it.

    `shape` is "within", "over" or "failed"; `measured` is false where the case never ran.
    """

    reference: str
    shape: str
    is_within: bool
    is_over: bool
    is_failed: bool
    measured: bool
    x: float
    fuel: str
    told: str


class CaseChart(msgspec.Struct, frozen=True, kw_only=True):
    """One case: where its ceiling and the end of its runway lie, and its marks."""

    name: str
    ceiling: float
    runway: float
    marks: tuple[Mark, ...]


class FuelChart(msgspec.Struct, frozen=True, kw_only=True):
    """The chart of one version; `idle` are the references of which no stress case ran."""

    idle: tuple[str, ...]
    ceiling_told: str
    ticks: tuple[Tick, ...]
    cases: tuple[CaseChart, ...]


def fuel_chart(version: VersionResult) -> FuelChart:
    """The chart of a version's stress cases."""
    stress = [case for case in version.runs[0].cases if case.kind == "stress"]
    burnt = [case.fuel for run in version.runs for case in run.cases if case.kind == "stress" and case.fuel]
    scale = whole_decades([*burnt, *(case.fuel_limit for case in stress), *(case.fuel_budget for case in stress)])
    floor = most_frugal(version)
    named = [(run, shown(name_of(run, version), 200)) for run in version.runs]
    ran = [(run, name, {case.input: case for case in run.cases}) for run, name in named if _has_run(run)]
    return FuelChart(
        idle=tuple(name for run, name in named if not _has_run(run)),
        ceiling_told=fuel(stress[0].fuel_limit),
        ticks=ticks(scale),
        cases=tuple(_case(case, ran, scale, floor) for case in stress),
    )


def ticks(scale: Scale) -> tuple[Tick, ...]:
    """Grid lines with short labels."""
    found = []
    for value in scale.ticks():
        x = scale.at(value)
        found.append(Tick(x, short(value), "start" if x < 4 else "end" if x > 96 else "middle"))
    return tuple(found)


def _has_run(run: Run) -> bool:
    return any(case.kind == "stress" and case.outcome != "not-run" for case in run.cases)


def _case(
    case: CaseResult, ran: Sequence[tuple[Run, str, Mapping[str, CaseResult]]], scale: Scale, floor: Run | None
) -> CaseChart:
    """The chart of one case; of each run that `ran` there are its name and its cases by their input."""
    ceiling, end = scale.at(case.fuel_limit), scale.at(case.fuel_budget)
    against = next(((name, cases[case.input].fuel) for run, name, cases in ran if run is floor), None)
    return CaseChart(
        name=shown(case.input),
        ceiling=ceiling,
        runway=round(end - ceiling, 2),
        marks=tuple(
            _mark(cases[case.input], name, scale, None if run is floor else against) for run, name, cases in ran
        ),
    )


def _mark(case: CaseResult, name: str, scale: Scale, against: tuple[str, int | None] | None) -> Mark:
    """The mark of one reference; `against` are name and fuel of the one in multiples of which it is told."""
    shape = "within" if case.outcome == "pass" else "over" if case.outcome == "over-ceiling" else "failed"
    told: list[str] = [] if case.outcome == "pass" else [case.outcome]
    if case.fuel is not None and case.outcome in ("pass", "over-ceiling", "out-of-fuel"):
        told.append(percent(case.fuel / case.fuel_limit))
        if case.outcome == "pass" and case.fuel > 0:
            told.append(f"headroom {case.fuel_limit / case.fuel:,.1f} x")
        if against is not None and against[1] and is_correct(case):
            told.append(f"{case.fuel / against[1]:,.1f} x {against[0]}")
    return Mark(
        reference=name,
        shape=shape,
        is_within=shape == "within",
        is_over=shape == "over",
        is_failed=shape == "failed",
        measured=case.fuel is not None,
        x=scale.at(case.fuel),
        fuel=fuel(case.fuel),
        told=", ".join(told).replace(" x", "\u00a0x").replace(" %", "\u00a0%"),
    )
