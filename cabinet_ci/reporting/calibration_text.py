"""How the limits of a version are chosen, in words and tables: gaps, warnings, and what else could be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cabinet_ci.evaluation.calibration import Calibration, Gap, Headroom, Interval, Stopped, told
from cabinet_ci.evaluation.runways import RunwayInterval
from cabinet_ci.reporting.figures import percent
from cabinet_ci.reporting.findings import visible

PLACES = 6
"""Decimal places of a bound of a runway."""


def gap_table(gaps: Sequence[Gap]) -> Table | None:
    """How many times the fuel of the efficient reference each other one needs, per stress case; None without any."""
    if not gaps:
        return None
    others = list(dict.fromkeys(gap.reference for gap in gaps))
    by_place = {(gap.input, gap.reference): gap for gap in gaps}
    table = _table(f"gap to {visible(gaps[0].efficient)}")
    for name in others:
        table.add_column(visible(name), justify="right", no_wrap=True)
    for name in dict.fromkeys(gap.input for gap in gaps):
        table.add_row(Text(visible(name)), *(_times(by_place.get((name, other))) for other in others))
    return table


def warning_lines(calibration: Calibration) -> list[Text]:
    """Each warning on a line."""
    return [Text.assemble(("warning: ", "yellow"), visible(text)) for text in calibration.warnings]


def advice(calibration: Calibration) -> RenderableType:
    """The interval of the fuel limit with round numbers in it, the runways, the headroom, and what was stopped."""
    parts: list[RenderableType] = [*_limit(calibration), Text()]
    if calibration.runways:
        parts += [_runways(calibration), Text()]
    if calibration.headroom:
        parts += [_headroom(calibration.headroom), Text()]
    if calibration.stopped:
        parts += [_stopped(calibration.stopped, calibration.limit), Text()]
    return Group(*parts)


def _limit(calibration: Calibration) -> Iterator[RenderableType]:
    interval, limit = calibration.interval, calibration.limit
    yield Text.assemble((f"fuel_limit is {limit:,}", "bold"), _place(interval, limit))
    if interval.low_by is not None:
        bound = f"{interval.low:,} or more" if interval.low_exact else f"more than {interval.low - 1:,}"
        yield _clause(f"{bound}: {told(interval.low_by)}")
    if interval.high_by is not None and interval.high:
        bound = "" if interval.high_exact else ", and how much more is not known"
        yield _clause(f"{interval.high:,} or less{bound}: {told(interval.high_by)}")
    elif interval.high_by is not None:
        yield _clause(told(interval.high_by))
    elif interval.low_by is not None:
        yield _clause("there is no upper end: no reference has to be over the ceiling or to fail by its fuel")
    if not interval.low_exact:
        yield _clause("the least is not known: a reference that has to come to its end did not, with all it was given")
    if calibration.with_runways:
        yield _clause(f"with the runways below: {calibration.suggested[0]:_}", "green")
    elif calibration.suggested:
        yield _clause(f"round numbers inside: {', '.join(f'{each:_}' for each in calibration.suggested)}", "green")


def _place(interval: Interval, limit: int) -> str:
    if interval.is_empty:
        return ", and none is right with these runways"
    if not interval.is_certain:
        return ""
    if not interval.holds(limit):
        is_above = interval.high is not None and limit > interval.high
        return ", more than is known to be right" if is_above and not interval.high_exact else ", which is not right"
    low = f"{percent(limit / interval.low - 1)} above the least" if interval.low_by is not None else ""
    high = "" if interval.high is None else f"{percent(1 - limit / interval.high)} below the most"
    words = " and ".join(filter(None, (low, high)))
    return ", which is right" + (f": {words} that is right" if words else "")


def _runways(calibration: Calibration) -> Table:
    table = _table(f"fuel_runway at a fuel_limit of {calibration.at:,}")
    table.add_column("now", justify="right", no_wrap=True)
    table.add_column("right", no_wrap=True)
    table.add_column("round", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for runway in calibration.runways:
        now = Text(_decimal(runway.current), style="" if runway.holds(runway.current) else "red")
        suggested = "" if runway.suggested is None else _decimal(runway.suggested)
        by = ", ".join(dict.fromkeys(visible(name) for name in (runway.low_by, runway.high_by) if name))
        table.add_row(Text(visible(runway.input)), now, _range(runway), Text(suggested, "green"), Text(by, "dim"))
    return table


def _range(runway: RunwayInterval) -> str:
    if runway.is_empty:
        return "none"
    low = _decimal(_rounded(runway.low, up=True))
    if not runway.low_exact:
        return f"more than {low}"
    if runway.high is None:
        return "any" if runway.low <= 1 else f"{low} or more"
    high = f"below {_decimal(_rounded(runway.high, up=False))}{'' if runway.high_exact else ' or more'}"
    return high if runway.low <= 1 else f"{low} or more, {high}"


def _headroom(found: Sequence[Headroom]) -> Table:
    table = _table("nearest to the ceiling")
    table.add_column("case", no_wrap=True)
    table.add_column("fuel", justify="right", no_wrap=True)
    table.add_column("headroom", no_wrap=True)
    for each in found:
        share = each.fuel / each.limit
        left = percent(float(each.left)) if each.left >= 0 else f"over the ceiling: {percent(share)}"
        fuel = f"{each.fuel:,}" if each.exact else f"over {each.fuel - 1:,}"
        table.add_row(Text(visible(each.reference)), Text(visible(each.input)), fuel, left)
    return table


def _stopped(found: Sequence[Stopped], limit: int) -> Table:
    table = _table("ran out of fuel")
    table.add_column("case", no_wrap=True)
    table.add_column("needs", justify="right", no_wrap=True)
    table.add_column("of the ceiling", no_wrap=True)
    for each in found:
        fuel = f"{each.fuel:,}" if each.exact else f"over {each.fuel:,}"
        table.add_row(Text(visible(each.reference)), Text(visible(each.input)), fuel, percent(each.fuel / limit))
    return table


def _table(first: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first, no_wrap=True)
    return table


def _clause(text: str, style: str = "") -> Padding:
    return Padding(Text(visible(text), style=style), (0, 0, 0, 2))


def _times(gap: Gap | None) -> str:
    if gap is None:
        return "-"
    return f"{'' if gap.exact else 'over '}{float(gap.times):,.1f} x"


def _rounded(value: Fraction, *, up: bool) -> Fraction:
    """To the decimal places that are shown, always to the side where it stays right."""
    scale = 10**PLACES
    scaled = -(-value.numerator * scale // value.denominator) if up else value.numerator * scale // value.denominator
    return Fraction(scaled, scale)


def _decimal(value: Fraction) -> str:
    whole, places = f"{float(value):,.{PLACES}f}".split(".")
    return f"{whole}.{places}".rstrip("0").rstrip(".")
