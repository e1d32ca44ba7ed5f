"""What a version is held against: the version of the same case before it, and its own most frugal reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from cabinet_ci.catalog.identity import version_key
from cabinet_ci.evaluation.result import CaseResult, ResultDocument, Run, VersionResult
from cabinet_ci.reporting.figures import is_correct


class Told(msgspec.Struct, frozen=True):
    """A version's result and the fuel schedule that it was measured by."""

    schedule: str
    version: VersionResult

    @property
    def key(self) -> tuple[int, int, int]:
        """Its number, for order."""
        return version_key(self.version.version) or (0, 0, 0)


class Before(msgspec.Struct, frozen=True):
    """The version before.

    `fuel` holds what its correct cases burnt, by reference, variant, kind and input; it is null where another fuel
    schedule measured it, so that nothing can be compared.
    """

    name: str
    fuel: Mapping[tuple[str | None, str, str, str], int] | None

    def of(self, run: Run, case: CaseResult) -> int | None:
        """What the same case of the same reference burnt, where the answer was right both times."""
        if self.fuel is None or not is_correct(case):
            return None
        return self.fuel.get((run.reference, run.variant, case.kind, case.input))


class Lineage:
    """The versions of each case that a document tells of, and earlier results with it."""

    def __init__(self, document: ResultDocument, earlier: Sequence[ResultDocument]) -> None:
        self.schedule = document.engine.fuel_schedule
        self._own_earlier: dict[str, Told] = {}
        by_slug: dict[str, dict[str, Told]] = {version.slug: {} for version in document.versions}
        for source in (document, *earlier):
            for version in source.versions:
                told = Told(source.engine.fuel_schedule, version)
                if source is not document:
                    self._own_earlier.setdefault(version.path, told)
                if version.slug in by_slug:
                    by_slug[version.slug].setdefault(version.version, told)
        self.versions: dict[str, tuple[Told, ...]] = {
            slug: tuple(sorted(versions.values(), key=lambda told: told.key))
            for slug, versions in sorted(by_slug.items())
        }
        """By slug, in order; a version that several documents tell of is told by the first of them."""

    def before(self, version: VersionResult) -> Before | None:
        """The nearest lower version of the same case; where there is none, an earlier result of this very version."""
        own = version_key(version.version) or (0, 0, 0)
        lower = [told for told in self.versions[version.slug] if told.key < own]
        if lower:
            return self._told(lower[-1].version.version, lower[-1])
        again = self._own_earlier.get(version.path)
        return None if again is None else self._told("its last result", again)

    def _told(self, name: str, told: Told) -> Before:
        if told.schedule != self.schedule:
            return Before(name, None)
        fuel: dict[tuple[str | None, str, str, str], int] = {
            (run.reference, run.variant, case.kind, case.input): case.fuel
            for run in told.version.runs
            for case in run.cases
            if is_correct(case) and case.fuel is not None
        }
        return Before(name, fuel)


def most_frugal(version: VersionResult) -> Run | None:
    """The passing reference with the least score, in multiples of which the others' fuel is told."""
    passing = [run for run in version.runs if run.score is not None]
    return min(passing, key=lambda run: run.score or 0, default=None)
