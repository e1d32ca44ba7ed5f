"""Numbers as they are shown: fuel, shares of the ceiling, differences, factors."""

from __future__ import annotations

from cabinet_ci.evaluation.result import CaseResult, Run, VersionResult

MINUS = "\u2212"


def count(number: int, noun: str) -> str:
    """`1 error`, `2,000 errors`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def fuel(value: int | None) -> str:
    """Fuel with its thousands apart, a dash where there is none."""
    return "\u2013" if value is None else f"{value:,}"


def share(case: CaseResult) -> float | None:
    """What a case burnt, as a part of its ceiling; None where it never ran."""
    return None if case.fuel is None else case.fuel / case.fuel_limit


def percent(part: float) -> str:
    """A share of the ceiling: in percent, and far above it as a factor."""
    return f"{part * 100:,.1f} %" if part < 10 else f"{part:,.1f} x"


def bar(part: float, cells: int) -> str:
    """A bar that is full at the ceiling."""
    filled = min(cells, round(part * cells))
    return "█" * filled + "░" * (cells - filled)


def signed(difference: int, before: int) -> str:
    """An exact difference and what it is of what was before: `+1,234 (+0.5 %)`."""
    if difference == 0:
        return "±0"
    sign = "+" if difference > 0 else MINUS
    if before == 0:
        return f"{sign}{abs(difference):,}"
    part = abs(difference) / before * 100
    told = "< 0.1" if part < 0.1 else f"{part:,.1f}"
    return f"{sign}{abs(difference):,} ({sign}{told} %)"


def nearest_the_ceiling(run: Run) -> CaseResult | None:
    """The stress case that burnt the largest part of its ceiling; None where none ran."""
    ran = [case for case in run.cases if case.kind == "stress" and case.fuel is not None]
    return max(ran, key=lambda case: (case.fuel or 0) / case.fuel_limit, default=None)


def is_correct(case: CaseResult) -> bool:
    """Whether the answer was right: then its fuel may be compared."""
    return case.outcome in ("pass", "over-ceiling")


def name_of(run: Run, version: VersionResult) -> str:
    """The reference's name, or what a ready module is called; with its variant where the version has several."""
    return version.name_of(run)
