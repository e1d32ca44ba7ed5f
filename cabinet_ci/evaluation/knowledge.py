"""What is known of a reference on each case, whatever the limits are: how its call ends, and what that takes.

Fuel is exact, so an outcome is a function of the limits (section 2 of the format). A call that was stopped is known
from one side only: it takes more than it was granted.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from cabinet_ci.catalog.manifest import Case, CaseKind, Outcome, Status
from cabinet_ci.evaluation.result import CaseResult, Run, VersionResult


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """How a call ends where nothing stops it: "pass" for a right answer, another outcome, None where nobody knows.

    `fuel` is what the entry consumes and `setup` what setting up does, 0 where that was not measured. Where `outcome`
    is None both are the least that they can be.
    """

    outcome: Outcome | None
    fuel: int
    setup: int = 0

    @property
    def is_right(self) -> bool:
        """Whether the answer is right, or may be."""
        return self.outcome in ("pass", None)

    @property
    def is_exact(self) -> bool:
        """Whether the call was seen to its end."""
        return self.outcome is not None

    @property
    def passes_from(self) -> int:
        """The least limit at which a right answer passes."""
        return max(1, self.setup, self.fuel)

    def ends_from(self, runway: Fraction | None) -> int:
        """The least limit at which the call comes to its end on this runway; None is a runway without an end."""
        return max(1, self.setup, 0 if runway is None else -(-self.fuel // runway))


Measured = Mapping[tuple[str, str, str], Known]
"""What was measured beyond a run: by reference, variant and input."""

Listed = Mapping[tuple[str, str], Mapping[str, Outcome]]
"""The outcomes that a reference's `[cases]` lists for inputs: by reference and variant."""


class Terms(msgspec.Struct, frozen=True):
    """A case as far as fuel goes: its runway is exact, and 1 for a smoke case."""

    input: str
    kind: CaseKind
    runway: Fraction


class Behaviour(msgspec.Struct, frozen=True, kw_only=True):
    """A reference, by the name that it is shown by: what is expected of it, and what is known of it by input.

    `listed` maps inputs to the outcomes they must get. `builds` is false where there is no module.
    """

    reference: str
    expect: Status
    listed: Mapping[str, Outcome]
    known: Mapping[str, Known]
    builds: bool = True


def terms_of(case: Case) -> Terms:
    """A case's terms. The runway is the decimal number that the manifest writes."""
    runway = Fraction(1) if case.kind == "smoke" else Fraction(str(case.fuel_runway))
    return Terms(case.input, case.kind, runway)


def behaviours_of(result: VersionResult, listed: Listed, measured: Measured) -> tuple[Behaviour, ...]:
    """What the runs of a version's references tell."""
    return tuple(
        Behaviour(
            reference=result.name_of(run),
            expect=run.expect,
            listed=listed.get((run.reference, run.variant), {}),
            known={case.input: known_in(run, case, measured) for case in run.cases},
            builds=run.module is not None,
        )
        for run in result.runs
        if run.reference is not None
    )


def known_in(run: Run, case: CaseResult, measured: Measured) -> Known:
    """What is known of a case of a run: what was measured, else what its result tells."""
    return measured.get((run.reference or "", run.variant, case.input)) or known_of(case)


def known_of(case: CaseResult) -> Known:
    """What one result tells."""
    if case.outcome == "out-of-fuel":
        if case.fuel is None:
            return Known(outcome=None, fuel=0, setup=case.fuel_limit + 1)
        return Known(outcome=None, fuel=case.fuel_budget + 1)
    if case.outcome == "not-run":
        return Known(outcome=None, fuel=0)
    return Known(outcome="pass" if case.outcome == "over-ceiling" else case.outcome, fuel=case.fuel or 0)
