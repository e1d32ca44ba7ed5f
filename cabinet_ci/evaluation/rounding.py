"""Round numbers inside an interval, well away from its ends: 1, 2 or 5 times a power of ten, else few digits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX

SHOWN = 5
"""Numbers that are offered at most."""

REACH = 8
"""How far a number goes from the one end that there is, as a factor."""


def round_limits(low: int, high: int | None) -> list[int]:
    """Round whole numbers from `low` to `high`, the one nearest to the middle first; at least one. `low` is 1 or more.

    The middle is that of their logarithms: the factor to either end is what guards against a change. Without an upper
    end the numbers stay within a small factor of the lower one.
    """
    top = max(low, min(low * REACH, FUEL_MAX)) if high is None else high
    first, last = low + -(-low // 10), top if high is None else top - -(-top // 10)
    if high is not None and low == 1:
        first = max(1, top // REACH)
    if first > last:
        first, last = low, top
    middle = isqrt(first * last)
    found = [value for value in _steps(first, last) if first <= value <= last]
    digits = len(str(middle))
    for kept in range(1, digits + 1):
        if found:
            break
        unit = 10 ** (digits - kept)
        down = middle // unit * unit
        found = [value for value in (down, down + unit) if first <= value <= last]
    found.sort(key=lambda value: max(Fraction(value, middle), Fraction(middle, value)))
    return found[:SHOWN]


def round_runway(low: Fraction, high: Fraction | None) -> Fraction | None:
    """A round decimal from `low` up to but not `high`, a tenth away from both where that can be.

    None where any is right, or no decimal of a few digits is. `low` is 1 or more. A lower end alone asks for some more
    than it, an upper end alone for no runway at all.
    """
    if low <= 1:
        return None if high is None or high <= low else Fraction(1)
    first = low * Fraction(11, 10)
    if high is None:
        return next(_decimals(first))
    last = high * Fraction(9, 10)
    if first > last:
        first, last = (low + high) / 2, high
    return next((value for value in _decimals(first) if value <= last and value < high), None)


def _steps(first: int, last: int) -> Iterator[int]:
    power = 10 ** (len(str(first)) - 1)
    while power <= last:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _decimals(first: Fraction) -> Iterator[Fraction]:
    """Ever less round decimals that are `first` or a little more: 1-2-5, then two digits, three and so on."""
    power = Fraction(10) ** (len(str(int(first))) - 1)
    yield next(step * power for step in (1, 2, 5, 10) if step * power >= first)
    for _ in range(15):
        power /= 10
        yield -(-first // power) * power
