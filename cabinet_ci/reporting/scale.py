"""A logarithmic scale: from fuel to a place between 0 and 100."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

_TICKS_MOST = 6
_UNITS = ((10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


class Scale(msgspec.Struct, frozen=True):
    """`low` and `high` are the decimal logarithms of what lies at 0 and at 100."""

    low: float
    high: float

    def at(self, value: int | None) -> float:
        """Where a value lies, in percent; what is off the scale lies at its end."""
        logarithm = math.log10(max(1, value or 1))
        return round(min(100.0, max(0.0, (logarithm - self.low) / (self.high - self.low) * 100)), 2)

    def ticks(self) -> list[int]:
        """Round values on the scale, few enough to be read: 1, 2 and 5 of each decade, or only powers of ten."""
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        for steps in ((1, 2, 5), (1,)):
            found = [step * 10**decade for decade in decades if decade >= 0 for step in steps]
            inside = [value for value in found if self.low - 1e-9 <= math.log10(value) <= self.high + 1e-9]
            if len(inside) <= _TICKS_MOST:
                return inside
        return inside[:: math.ceil(len(inside) / _TICKS_MOST)]


def whole_decades(values: Iterable[int]) -> Scale:
    """The scale from the power of ten below all values to the one above them."""
    logarithms = [math.log10(max(1, value)) for value in values] or [0.0]
    low, high = math.floor(min(logarithms)), math.ceil(max(logarithms))
    return Scale(low, max(high, low + 1))


def close_around(values: Iterable[int]) -> Scale:
    """The scale that leaves a tenth of its length, and at least a fifth of a value, around all values."""
    logarithms = [math.log10(max(1, value)) for value in values] or [0.0]
    low, high = min(logarithms), max(logarithms)
    margin = max((high - low) / 10, math.log10(1.2))
    return Scale(max(0.0, low - margin), high + margin)


def short(value: int) -> str:
    """A round value with a unit: `5 M`."""
    for size, unit in _UNITS:
        if value >= size:
            return f"{value / size:g} {unit}"
    return str(value)
