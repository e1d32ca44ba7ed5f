"""What the expectation of a reference asks of the fuel limit, as conditions that each hold on one interval of limits.

The more fuel is granted, the further a case gets: from not run or out of fuel over the ceiling to a pass. So each thing
that is expected holds between two limits, and all of them together where all these intervals meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from cabinet_ci.catalog.manifest import Outcome
from cabinet_ci.evaluation.knowledge import Behaviour, Known, Terms


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected holds for limits from `low` to `high`, both included; `high` is null where it has no end.

    A bound that is not exact is the least that the true one can be. No limit is right where `high` is 0. `why` says
    what is expected and what it takes.
    """

    reference: str
    why: str
    low: int = 1
    high: int | None = None
    low_exact: bool = True
    high_exact: bool = True


def conditions_of(behaviour: Behaviour, cases: Sequence[Terms], *, any_runway: bool = False) -> Iterator[Condition]:
    """Every condition that a reference makes; with `any_runway` as if each runway were the best one for it."""
    if not behaviour.builds:
        yield _never(behaviour, "does not build")
        return
    rules = _Conditions(behaviour, cases, any_runway)
    yield from rules.of_status()
    for case in cases:
        outcome = behaviour.listed.get(case.input)
        if outcome is not None:
            yield from rules.of_listed(case, outcome)


class _Conditions:
    def __init__(self, behaviour: Behaviour, cases: Sequence[Terms], any_runway: bool) -> None:
        self._behaviour = behaviour
        self._any_runway = any_runway
        self._smoke = [(case, behaviour.known[case.input]) for case in cases if case.kind == "smoke"]
        self._stress = [(case, behaviour.known[case.input]) for case in cases if case.kind == "stress"]

    def of_status(self) -> Iterator[Condition]:
        for case, known in self._smoke if self._behaviour.expect != "fail" else ():
            yield self._passes(case, known)
        if self._behaviour.expect == "fail":
            yield from self._fails([*self._smoke, *self._stress], "must fail")
        elif self._behaviour.expect == "pass":
            for case, known in self._stress:
                yield self._passes(case, known)
        else:
            for case, known in self._stress:
                yield self._ends(case, known, "pass", f"may not run out of fuel at {case.input}")
            yield self._is_over(self._stress)

    def of_listed(self, case: Terms, outcome: Outcome) -> Iterator[Condition]:
        known = self._behaviour.known[case.input]
        if case.kind == "smoke":
            if outcome in ("over-ceiling", "not-run"):
                yield _never(self._behaviour, f"can't be {outcome} at {case.input}, which is a smoke case")
                return
        elif outcome == "not-run":
            yield from self._fails(self._smoke, f"must not run {case.input}, so a smoke case must fail")
            return
        else:
            for smoke, of_smoke in self._smoke:
                yield self._passes(smoke, of_smoke)
        if outcome == "pass":
            yield self._passes(case, known)
        elif outcome == "out-of-fuel":
            yield self._is_stopped(case, known)
        else:
            wanted: Outcome = "pass" if outcome == "over-ceiling" else outcome
            yield self._ends(case, known, wanted, f"must end as {outcome} at {case.input}")
            if outcome == "over-ceiling":
                yield self._is_over([(case, known)])

    def _passes(self, case: Terms, known: Known) -> Condition:
        if not known.is_right:
            return _never(self._behaviour, f"must pass {case.input}, and ends as {known.outcome} at any limit")
        low = known.passes_from
        return self._from(low, known.is_exact, f"must pass {case.input}, which takes {_amount(low, known.is_exact)}")

    def _ends(self, case: Terms, known: Known, wanted: Outcome, asked: str) -> Condition:
        """A case has to come to its end, and to this one."""
        if known.is_exact and known.outcome != wanted:
            return _never(self._behaviour, f"{asked}, and ends as {known.outcome} at any limit")
        runway = None if self._any_runway and case.kind == "stress" else case.runway
        on_runway = "" if case.runway == 1 or self._any_runway else f" on a runway of {_decimal(case.runway)}"
        taken = _amount(max(known.fuel, known.setup), known.is_exact)
        return self._from(known.ends_from(runway), known.is_exact, f"{asked}, which takes {taken}{on_runway}")

    def _is_over(self, stress: Sequence[tuple[Terms, Known]]) -> Condition:
        case, known = max(stress, key=lambda pair: pair[1].fuel)
        exact = all(each.is_exact for _, each in stress)
        taken = _amount(known.fuel, known.is_exact)
        return self._up_to(known.fuel - 1, exact, f"must be over the ceiling at {case.input}, which takes {taken}")

    def _is_stopped(self, case: Terms, known: Known) -> Condition:
        taken = _amount(known.fuel, known.is_exact)
        why = f"must run out of fuel at {case.input}, which takes {taken}"
        return self._up_to(self._stopped_below(case, known) - 1, known.is_exact, why)

    def _fails(self, cases: Sequence[tuple[Terms, Known]], asked: str) -> Iterator[Condition]:
        """One of these cases has to fail; a wrong answer does so at any limit."""
        if any(not known.is_right for _, known in cases):
            return
        if not cases:
            yield _never(self._behaviour, f"{asked}, and there is none")
            return
        case, known = max(cases, key=lambda pair: self._stopped_below(*pair))
        taken = _amount(max(known.fuel, known.setup), known.is_exact)
        why = f"{asked}, and answers {case.input} right with {taken}"
        exact = all(each.is_exact for _, each in cases)
        yield self._up_to(self._stopped_below(case, known) - 1, exact, why)

    def _stopped_below(self, case: Terms, known: Known) -> int:
        return known.ends_from(Fraction(1) if self._any_runway else case.runway)

    def _from(self, low: int, exact: bool, why: str) -> Condition:
        return Condition(reference=self._behaviour.reference, why=why, low=low, low_exact=exact)

    def _up_to(self, high: int, exact: bool, why: str) -> Condition:
        return Condition(reference=self._behaviour.reference, why=why, high=max(0, high), high_exact=exact)


def _never(behaviour: Behaviour, why: str) -> Condition:
    return Condition(reference=behaviour.reference, why=why, high=0)


def _amount(fuel: int, exact: bool) -> str:
    return f"{fuel:,} fuel" if exact else f"{fuel:,} fuel or more"


def _decimal(value: Fraction) -> str:
    return f"{float(value):,g}"
