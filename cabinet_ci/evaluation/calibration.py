"""Calibration: the limits within which every reference does as it is expected to, and how well they are chosen.

Fuel is exact, so the interval of the fuel limit and of each runway is exact too: every outcome is a function of them
(section 2 of the format). Whole numbers and fractions, no floats.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from cabinet_ci.catalog.manifest import Manifest
from cabinet_ci.catalog.version import Version
from cabinet_ci.evaluation.conditions import Condition, conditions_of
from cabinet_ci.evaluation.knowledge import Behaviour, Listed, Measured, Terms, behaviours_of, known_in, terms_of
from cabinet_ci.evaluation.result import ResultDocument, Run, VersionResult
from cabinet_ci.evaluation.rounding import round_limits
from cabinet_ci.evaluation.runways import RunwayInterval, runway_interval

GAP_LEAST = 2
"""How many times the efficient reference's fuel a slow one has to need, so that a case tells them apart."""


class Interval(msgspec.Struct, frozen=True):
    """Limits from `low` to `high`, both included; `high` is null where there is no end.

    A bound that is not exact is the least that the true one can be: a call was stopped before its end. `low_by` and
    `high_by` are the conditions that set the bounds, null where nothing does.
    """

    low: int
    high: int | None
    low_exact: bool
    high_exact: bool
    low_by: Condition | None
    high_by: Condition | None

    @property
    def is_empty(self) -> bool:
        """Whether no limit is right, whatever is not known."""
        return self.high is not None and self.high_exact and self.low > self.high

    @property
    def is_certain(self) -> bool:
        """Whether every limit in it is right: then only what lies above an inexact `high` is open."""
        return self.low_exact and (self.high is None or self.low <= self.high)

    def holds(self, limit: int) -> bool:
        """Whether a limit lies in it."""
        return self.low <= limit and (self.high is None or limit <= self.high)


class Headroom(msgspec.Struct, frozen=True):
    """The stress case that takes a reference nearest to the ceiling, or furthest over it, and its fuel."""

    reference: str
    input: str
    fuel: int
    exact: bool
    limit: int

    @property
    def left(self) -> Fraction:
        """What is left of the ceiling, as a part of it; below 0 over the ceiling."""
        return 1 - Fraction(self.fuel, self.limit)


class Gap(msgspec.Struct, frozen=True):
    """How many times the efficient reference's fuel another one needs for a case; at least that where not `exact`."""

    efficient: str
    reference: str
    input: str
    times: Fraction
    exact: bool


class Stopped(msgspec.Struct, frozen=True):
    """A case that ran out of fuel, and what it takes; more than that where not `exact`."""

    reference: str
    input: str
    fuel: int
    exact: bool


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """How the limits of one version are chosen, as far as its evaluated references tell.

    `limit` is the current limit and `interval` what it may be with the runways as they are. `suggested` are round
    limits, the best one first; with `with_runways` they are right only together with the suggested runways. `runways`
    are about the limit `at`: the current one where it is right, else the first suggested, null where there is none.
    """

    path: str
    limit: int
    interval: Interval
    suggested: tuple[int, ...]
    with_runways: bool
    at: int | None
    runways: tuple[RunwayInterval, ...]
    headroom: tuple[Headroom, ...]
    gaps: tuple[Gap, ...]
    stopped: tuple[Stopped, ...]
    warnings: tuple[str, ...]


def calibrate(
    result: VersionResult,
    manifest: Manifest,
    listed: Listed,
    measured: Measured | None = None,
) -> Calibration | None:
    """Calibrate one version by the runs of its references; None where there is none.

    `measured` tells what a run leaves open: how a stopped call goes on, and the fuel of setting up.
    """
    measured = measured or {}
    behaviours = behaviours_of(result, listed, measured)
    if not behaviours:
        return None
    cases, limit = [terms_of(case) for case in manifest.case], manifest.sandbox.fuel_limit
    interval = limit_interval(behaviours, cases)
    suggested, with_runways = _suggested(behaviours, cases, interval)
    right = interval.is_certain and interval.holds(limit)
    at = limit if right else next(iter(suggested), None)
    runways = () if at is None else tuple(_runways(behaviours, cases, at))
    gaps = tuple(gaps_of(result, measured))
    return Calibration(
        path=result.path,
        limit=limit,
        interval=interval,
        suggested=suggested,
        with_runways=with_runways,
        at=at,
        runways=runways,
        headroom=tuple(_headroom(behaviours, cases, limit)),
        gaps=gaps,
        stopped=tuple(_stopped(result, measured)),
        warnings=tuple(_warnings(interval, limit, gaps, _slow(result))),
    )


def calibrations_of(
    document: ResultDocument,
    versions: Iterable[Version],
    measured: Mapping[str, Measured] | None = None,
) -> dict[str, Calibration]:
    """The calibration of each evaluated version, by its path; `measured` is by that path too."""
    read = {version.path: version for version in versions}
    found: dict[str, Calibration] = {}
    for result in document.versions:
        version = read.get(result.path)
        if version is not None and version.performance is not None:
            listed = {(reference.name, reference.variant): reference.cases for reference in version.references}
            known = (measured or {}).get(result.path)
            calibration = calibrate(result, version.performance, listed, known)
            if calibration is not None:
                found[result.path] = calibration
    return found


def limit_interval(behaviours: Sequence[Behaviour], cases: Sequence[Terms], *, any_runway: bool = False) -> Interval:
    """The limits at which every reference does as expected; with `any_runway` as if each runway were the best one."""
    conditions = [
        condition for behaviour in behaviours for condition in conditions_of(behaviour, cases, any_runway=any_runway)
    ]
    lower = max(conditions, key=lambda one: one.low, default=None)
    ended = [one for one in conditions if one.high is not None]
    # Of two conditions that end together the exact one tells more.
    upper = min(ended, key=lambda one: (one.high, not one.high_exact), default=None)
    return Interval(
        low=1 if lower is None else lower.low,
        high=None if upper is None else upper.high,
        low_exact=all(one.low_exact for one in conditions),
        high_exact=upper is None or upper.high_exact,
        low_by=lower if lower is not None and lower.low > 1 else None,
        high_by=upper,
    )


def efficient_run(result: VersionResult) -> Run | None:
    """The reference that passes with the least fuel; None where none passes."""
    passing = [run for run in result.runs if run.reference is not None and run.status == "pass" and run.stress_fuel]
    return min(passing, key=lambda run: run.stress_fuel or 0, default=None)


def gaps_of(result: VersionResult, measured: Measured | None = None) -> Iterator[Gap]:
    """The gap of every other reference to the efficient one, for each stress case that it answers right or may."""
    best = efficient_run(result)
    if best is None:
        return
    least = {case.input: case.fuel for case in best.cases if case.kind == "stress" and case.fuel}
    for run in result.runs:
        if run is best or run.reference is None:
            continue
        for case in run.cases:
            known = known_in(run, case, measured or {})
            if known.is_right and known.fuel and case.input in least:
                # A stopped call burnt what it was granted; that it needs one unit more is no news to anyone.
                fuel = known.fuel if known.is_exact else known.fuel - 1
                times = Fraction(fuel, least[case.input])
                yield Gap(result.name_of(best), result.name_of(run), case.input, times, known.is_exact)


def _suggested(
    behaviours: Sequence[Behaviour], cases: Sequence[Terms], interval: Interval
) -> tuple[tuple[int, ...], bool]:
    """Round limits, and whether they need other runways."""
    if interval.is_certain:
        is_bounded = interval.low_by is not None or interval.high is not None
        return (tuple(round_limits(interval.low, interval.high)) if is_bounded else ()), False
    freed = limit_interval(behaviours, cases, any_runway=True)
    if not freed.is_certain:
        return (), False
    # One runway serves all references: what each could do with its own is to be tried.
    limit = round_limits(freed.low, freed.high)[0]
    chosen = {runway.input: runway.suggested for runway in _runways(behaviours, cases, limit)}
    changed = [Terms(case.input, case.kind, chosen.get(case.input) or case.runway) for case in cases]
    tried = limit_interval(behaviours, changed)
    return ((limit,), True) if tried.is_certain and tried.holds(limit) else ((), False)


def _runways(behaviours: Sequence[Behaviour], cases: Sequence[Terms], limit: int) -> Iterator[RunwayInterval]:
    return (runway_interval(behaviours, cases, case, limit) for case in cases if case.kind == "stress")


def _headroom(behaviours: Sequence[Behaviour], cases: Sequence[Terms], limit: int) -> Iterator[Headroom]:
    for behaviour in behaviours:
        known = {case.input: behaviour.known[case.input] for case in cases if case.kind == "stress"}
        nearest = max(known, key=lambda name: known[name].fuel, default=None)
        if nearest is not None and known[nearest].fuel:
            yield Headroom(behaviour.reference, nearest, known[nearest].fuel, known[nearest].is_exact, limit)


def _stopped(result: VersionResult, measured: Measured) -> Iterator[Stopped]:
    for run in result.runs:
        for case in run.cases:
            if case.outcome == "out-of-fuel" and run.reference is not None:
                known = known_in(run, case, measured)
                fuel = max(known.fuel, known.setup)
                yield Stopped(result.name_of(run), case.input, fuel if known.is_exact else fuel - 1, known.is_exact)


def _slow(result: VersionResult) -> frozenset[str]:
    """References that are expected not to pass: those that the efficient one is to be told apart from."""
    return frozenset(result.name_of(run) for run in result.runs if run.reference is not None and run.expect != "pass")


def _warnings(interval: Interval, limit: int, gaps: Sequence[Gap], slow: frozenset[str]) -> Iterator[str]:
    low, high = interval.low_by, interval.high_by
    if interval.is_empty:
        yield f"no fuel_limit is right: {clash_of(interval)}"
    elif low is not None and limit < interval.low:
        yield f"fuel_limit {limit:,} is too low: {told(low)}"
    elif high is not None and interval.high is not None and interval.high_exact and limit > interval.high:
        yield f"fuel_limit {limit:,} is too high: {told(high)}"
    else:
        if low is not None and (limit - interval.low) * 10 <= interval.low:
            yield f"fuel_limit {limit:,} is within 10 % of the least that is right, {interval.low:,}: {told(low)}"
        top = interval.high
        if high is not None and top is not None and interval.high_exact and (top - limit) * 10 <= top:
            yield f"fuel_limit {limit:,} is within 10 % of the most that is right, {top:,}: {told(high)}"
    for gap in gaps:
        if gap.exact and gap.times < GAP_LEAST and gap.reference in slow:
            yield (
                f"{gap.input} hardly tells {gap.reference} from {gap.efficient}: the gap is"
                f" {float(gap.times):.2f}, and {GAP_LEAST} is the least that says something"
            )


def told(condition: Condition) -> str:
    """A condition as a clause."""
    return f"{condition.reference} {condition.why}"


def clash_of(interval: Interval) -> str:
    """The two conditions that no limit satisfies, or the one that none does."""
    low, high = interval.low_by, interval.high_by
    assert high is not None  # noqa: S101 - an interval without an end is not empty
    if not interval.high or low is None:
        return told(high)
    return f"{told(low)}: {interval.low:,} is the least; {told(high)}: {interval.high:,} is the most"
