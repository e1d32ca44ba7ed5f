"""The runways of a case on which every reference does as it is expected to, at one fuel limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from cabinet_ci.evaluation.knowledge import Behaviour, Known, Terms
from cabinet_ci.evaluation.rounding import round_runway


class RunwayInterval(msgspec.Struct, frozen=True, kw_only=True):
    """Runways from `low`, included, up to `high`, excluded; null where there is no end.

    A bound that is not exact is the least that the true one can be. `low_by` and `high_by` say which reference sets it,
    empty where none does. `suggested` is a round runway, null where any is right or none is.
    """

    input: str
    current: Fraction
    low: Fraction
    high: Fraction | None
    low_exact: bool
    high_exact: bool
    low_by: str
    high_by: str
    suggested: Fraction | None

    @property
    def is_empty(self) -> bool:
        """Whether no runway is right."""
        return self.high is not None and self.high_exact and self.low >= self.high

    def holds(self, runway: Fraction) -> bool:
        """Whether a runway lies in it."""
        return self.low <= runway and (self.high is None or runway < self.high)


class _Bound(msgspec.Struct, frozen=True):
    """What a reference asks of the runway: `ends` that the case comes to its end on it, else that it does not."""

    reference: str
    ends: bool
    runway: Fraction
    exact: bool


def runway_interval(behaviours: Sequence[Behaviour], cases: Sequence[Terms], case: Terms, limit: int) -> RunwayInterval:
    """The runways of a stress case that are right at `limit`, the other cases having the runways that they have.

    What no runway of this case decides is left out: with a limit that is right for every reference the interval is all
    there is to say.
    """
    bounds = [bound for behaviour in behaviours for bound in _bounds(behaviour, cases, case, limit)]
    ending, stopping = [one for one in bounds if one.ends], [one for one in bounds if not one.ends]
    lower = max(ending, key=lambda one: one.runway, default=None)
    upper = min(stopping, key=lambda one: (one.runway, not one.exact), default=None)
    low = Fraction(1) if lower is None else max(Fraction(1), lower.runway)
    high = None if upper is None else upper.runway
    low_exact = all(one.exact for one in ending)
    usable = low_exact and (high is None or low < high)
    return RunwayInterval(
        input=case.input,
        current=case.runway,
        low=low,
        high=high,
        low_exact=low_exact,
        high_exact=upper is None or upper.exact,
        low_by=lower.reference if lower is not None and low > 1 else "",
        high_by="" if upper is None else upper.reference,
        suggested=round_runway(low, high) if usable else None,
    )


def _bounds(behaviour: Behaviour, cases: Sequence[Terms], case: Terms, limit: int) -> Iterator[_Bound]:
    known = behaviour.known[case.input]
    if not behaviour.builds:
        return
    asked = Fraction(known.fuel, limit)
    outcome = behaviour.listed.get(case.input)
    if behaviour.expect == "over-ceiling" and known.is_right:
        yield _Bound(behaviour.reference, True, asked, known.is_exact)
    if behaviour.expect == "fail" and known.is_right and not _another_fails(behaviour, cases, case, limit):
        yield _Bound(behaviour.reference, False, asked, known.is_exact)
    if outcome == "out-of-fuel" and known.setup <= limit:
        yield _Bound(behaviour.reference, False, asked, known.is_exact)
    elif outcome not in (None, "pass", "not-run", "out-of-fuel"):
        yield _Bound(behaviour.reference, True, asked, known.is_exact)


def _another_fails(behaviour: Behaviour, cases: Sequence[Terms], case: Terms, limit: int) -> bool:
    others = [other for other in cases if other is not case]
    return behaviour.known[case.input].setup > limit or any(
        _fails(other, behaviour.known[other.input], limit) for other in others
    )


def _fails(case: Terms, known: Known, limit: int) -> bool:
    return not known.is_right or limit < known.ends_from(case.runway)
