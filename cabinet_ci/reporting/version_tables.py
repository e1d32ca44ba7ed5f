"""The tables of one version in Markdown: its references at a glance, and its cases, smoke and stress apart."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cabinet_ci.catalog.manifest import CaseKind
from cabinet_ci.evaluation.result import CaseResult, Run, VersionResult
from cabinet_ci.reporting.comparison import Before, Lineage
from cabinet_ci.reporting.escaping import Markdown, code, prose
from cabinet_ci.reporting.evaluation_text import telling_lines
from cabinet_ci.reporting.figures import bar, count, fuel, name_of, nearest_the_ceiling, percent, share, signed
from cabinet_ci.reporting.templating import rendered

_CELLS = 10
_NARROW = "&nbsp;"
"""A blank at which no line of a cell is broken."""

_DETAIL = 300
"""Characters of a detail or a line of a log that are shown."""

_FAULTS_SHOWN = 5


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    name: Markdown
    expect: str
    sign: str
    status: str
    score: str
    share: str
    difference: str


class _Version(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    path: Markdown
    note: str
    compared: Markdown | None
    rows: tuple[_Row, ...]
    has_faults: bool
    faults: tuple[str, ...]


class _Case(msgspec.Struct, frozen=True, kw_only=True):
    name: Markdown
    reference: Markdown
    sign: str
    outcome: str
    fuel: str
    share: str
    difference: str
    detail: Markdown


class _Cases(msgspec.Struct, frozen=True, kw_only=True):
    summary: str
    is_stress: bool
    compared: Markdown | None
    rows: tuple[_Case, ...]


def overview(version: VersionResult, lineage: Lineage) -> str:
    """Heading, a row per reference, and what went otherwise than expected."""
    before = lineage.before(version)
    faults = tuple(text for run in version.runs if not run.as_expected for text in _faults(run, version))
    view = _Version(
        title=f"{code(version.slug)} {code(version.version)}",
        path=code(version.path),
        note="" if before is None or before.fuel is not None else _not_comparable(before),
        compared=_compared(before),
        rows=tuple(_row(run, version, before) for run in version.runs),
        has_faults=bool(faults),
        faults=faults,
    )
    return rendered("version", view)


def cases(version: VersionResult, kind: CaseKind, lineage: Lineage) -> str:
    """The cases of one kind, folded: a row per case and reference. Empty where none of them ran."""
    before = lineage.before(version)
    chosen = [
        (case, run) for run in version.runs for case in run.cases if case.kind == kind and case.outcome != "not-run"
    ]
    if not chosen:
        return ""
    order = {case.input: index for index, case in enumerate(version.runs[0].cases)}
    chosen.sort(key=lambda pair: order[pair[0].input])
    inputs = len({case.input for case, _ in chosen})
    failed = sum(case.outcome != "pass" for case, _ in chosen)
    passing = "all pass" if not failed else f"{failed:,} of {len(chosen):,} do not pass"
    view = _Cases(
        summary=f"{kind.capitalize()}: {count(inputs, 'case')}, {passing}",
        is_stress=kind == "stress",
        compared=_compared(before),
        rows=tuple(_case(case, run, version, before) for case, run in chosen),
    )
    return rendered("cases", view)


def _row(run: Run, version: VersionResult, before: Before | None) -> _Row:
    nearest = nearest_the_ceiling(run)
    return _Row(
        name=_named(run, version),
        expect=run.expect,
        sign="✅" if run.as_expected else "❌",
        status=run.status,
        score=fuel(run.score),
        share=_share(nearest),
        difference=_total_difference(run, before),
    )


def _case(case: CaseResult, run: Run, version: VersionResult, before: Before | None) -> _Case:
    was = None if before is None else before.of(run, case)
    return _Case(
        name=code(case.input, _DETAIL),
        reference=_named(run, version),
        sign="✅ " if case.outcome == "pass" else "" if run.as_expected else "❌ ",
        outcome=case.outcome,
        fuel=fuel(case.fuel),
        share=_share(case),
        difference="" if was is None or case.fuel is None else signed(case.fuel - was, was),
        detail=prose(case.detail, _DETAIL),
    )


def _faults(run: Run, version: VersionResult) -> Iterator[str]:
    """What went otherwise than expected: the status, the first cases that failed, the end of a failed build's log.

    Each is an item of a list.
    """
    name = _named(run, version)
    if run.build is not None and not run.build.ok:
        yield f"- ❌ {name} does not build<br>" + "<br>".join(
            code(line, _DETAIL) for line in telling_lines(run.build.log_tail)
        )
        return
    if run.status != run.expect:
        yield f"- ❌ {name} was expected to end as {run.expect}, and ended as {run.status}"
    else:
        yield f"- ❌ {name} ended as {run.status}, but not with the outcomes that its reference.toml lists"
    fine = ("pass", "not-run", *(["over-ceiling"] if run.expect == "over-ceiling" else []))
    failed = [case for case in run.cases if case.outcome not in fine]
    for case in failed[:_FAULTS_SHOWN]:
        yield f"  - {code(case.input, _DETAIL)}: {case.outcome} {prose(case.detail, _DETAIL)}".rstrip()
    if len(failed) > _FAULTS_SHOWN:
        yield f"  - and {count(len(failed) - _FAULTS_SHOWN, 'more case')}"


def _named(run: Run, version: VersionResult) -> Markdown:
    return code(name_of(run, version), 200)


def _share(case: CaseResult | None) -> str:
    part = None if case is None else share(case)
    return "" if part is None else f"`{bar(part, _CELLS)}`{_NARROW}{percent(part).replace(' ', _NARROW)}"


def _total_difference(run: Run, before: Before | None) -> str:
    """The difference of all stress cases together, where each was right both times."""
    stress = [case for case in run.cases if case.kind == "stress"]
    pairs = [(case.fuel or 0, None if before is None else before.of(run, case)) for case in stress]
    was = sum(then or 0 for _, then in pairs)
    if not pairs or any(then is None for _, then in pairs):
        return ""
    return signed(sum(now for now, _ in pairs) - was, was)


def _compared(before: Before | None) -> Markdown | None:
    return None if before is None or before.fuel is None else prose(before.name)


def _not_comparable(before: Before) -> str:
    return f"{prose(before.name)} was measured by another fuel schedule, so that nothing is compared"
