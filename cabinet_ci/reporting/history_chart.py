"""Fuel of a case over the versions that results tell of, on a logarithmic scale, a line per reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from cabinet_ci.evaluation.result import CaseResult
from cabinet_ci.reporting.comparison import Told
from cabinet_ci.reporting.escaping import shown
from cabinet_ci.reporting.figures import fuel, is_correct, name_of, signed
from cabinet_ci.reporting.scale import Scale, close_around, short

HEIGHT = 140
"""Height of the part of a chart that is drawn on, in pixels; widths are percentages."""

_Key = tuple[str | None, str]
_COLOURS = 6
_LEFT, _RIGHT = 18.0, 94.0
_TOP = 8


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One version's fuel."""

    x: float
    y: float
    told: str


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a line."""

    x1: float
    y1: float
    x2: float
    y2: float


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """One reference over the versions. `colour` counts from 0."""

    reference: str
    colour: int
    points: tuple[Point, ...]
    segments: tuple[Segment, ...]


class Level(msgspec.Struct, frozen=True):
    """A line of the grid."""

    y: float
    label: str


class Column(msgspec.Struct, frozen=True):
    """A version's place, with its name below it."""

    x: float
    label: str


class HistoryRow(msgspec.Struct, frozen=True):
    """One reference in numbers: for each version its fuel, and the difference to the version before."""

    reference: str
    cells: tuple[str, ...]


class CaseHistory(msgspec.Struct, frozen=True, kw_only=True):
    """One case over the versions."""

    name: str
    ceiling: tuple[Segment, ...]
    levels: tuple[Level, ...]
    columns: tuple[Column, ...]
    series: tuple[Series, ...]
    table: tuple[HistoryRow, ...]


def histories(told: Sequence[Told], schedule: str) -> tuple[CaseHistory, ...]:
    """A chart per stress case that two versions or more were right about, by one fuel schedule."""
    comparable = [each for each in told if each.schedule == schedule]
    names = {
        (run.reference, run.variant): name_of(run, each.version) for each in comparable for run in each.version.runs
    }
    inputs = dict.fromkeys(
        case.input
        for each in reversed(comparable)
        for run in each.version.runs
        for case in run.cases
        if case.kind == "stress"
    )
    charts = (_case(name, comparable, names) for name in inputs)
    return tuple(chart for chart in charts if chart is not None)


def _case(name: str, told: Sequence[Told], references: Mapping[_Key, str]) -> CaseHistory | None:
    found = [
        {(run.reference, run.variant): case for run in each.version.runs for case in run.cases if case.input == name}
        for each in told
    ]
    used = [index for index, cases in enumerate(found) if any(_burnt(case) for case in cases.values())]
    if len(used) < 2:
        return None
    found, names = [found[index] for index in used], [told[index].version.version for index in used]
    ceilings = [next(iter(cases.values())).fuel_limit for cases in found]
    fuels = [case.fuel for cases in found for case in cases.values() if _burnt(case) and case.fuel is not None]
    scale = close_around([*fuels, *ceilings])
    step = (_RIGHT - _LEFT) / (len(used) - 1)
    xs = [round(_LEFT + index * step, 2) for index in range(len(used))]
    series = []
    rows = [HistoryRow("ceiling", tuple(fuel(limit) for limit in ceilings))]
    for index, (key, name_there) in enumerate(references.items()):
        cases = [cases.get(key) for cases in found]
        if any(case is not None and _burnt(case) for case in cases):
            called = shown(name_there, 200)
            series.append(_series(called, index % _COLOURS, cases, xs, names, scale))
            rows.append(HistoryRow(called, _cells(cases)))
    return CaseHistory(
        name=shown(name),
        ceiling=tuple(_around(x, step, _y(scale, limit)) for x, limit in zip(xs, ceilings, strict=True)),
        levels=tuple(Level(_y(scale, value), short(value)) for value in scale.ticks()),
        columns=tuple(Column(x, shown(name, 20)) for x, name in zip(xs, names, strict=True)),
        series=tuple(series),
        table=tuple(rows),
    )


def _around(x: float, step: float, y: float) -> Segment:
    """The level piece of the ceiling at one version, kept off the labels and within the chart."""
    return Segment(x1=round(max(x - step / 2, _LEFT - 5), 2), y1=y, x2=round(min(x + step / 2, 100), 2), y2=y)


def _series(
    reference: str,
    colour: int,
    cases: Sequence[CaseResult | None],
    xs: Sequence[float],
    names: Sequence[str],
    scale: Scale,
) -> Series:
    points = [
        Point(x=x, y=_y(scale, case.fuel), told=f"{reference}, {shown(name, 20)}: {fuel(case.fuel)}")
        for x, name, case in zip(xs, names, cases, strict=True)
        if case is not None and _burnt(case)
    ]
    segments = (Segment(x1=one.x, y1=one.y, x2=two.x, y2=two.y) for one, two in pairwise(points))
    return Series(reference=reference, colour=colour, points=tuple(points), segments=tuple(segments))


def _cells(cases: Sequence[CaseResult | None]) -> tuple[str, ...]:
    """Fuel of each version with the difference to the last one before it that was right."""
    cells: list[str] = []
    was = None
    for case in cases:
        if case is None or case.fuel is None or not _burnt(case):
            cells.append("\u2013" if case is None else case.outcome)
            continue
        cells.append(fuel(case.fuel) if was is None else f"{fuel(case.fuel)}, {signed(case.fuel - was, was)}")
        was = case.fuel
    return tuple(cells)


def _burnt(case: CaseResult) -> bool:
    return is_correct(case) and case.fuel is not None


def _y(scale: Scale, value: int | None) -> float:
    return round(_TOP + (100 - scale.at(value)) / 100 * (HEIGHT - 2 * _TOP), 1)
