"""One self-contained HTML page: the verdict, the findings, and per version the pictures and the numbers.

It needs no script and loads nothing, which a policy in its head enforces; it follows the reader's light or dark scheme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.evaluation.result import CaseResult, ResultDocument, Run, VersionResult
from cabinet_ci.reporting.comment import verdict_of
from cabinet_ci.reporting.comparison import Before, Lineage, most_frugal
from cabinet_ci.reporting.escaping import Place, shown
from cabinet_ci.reporting.evaluation_text import telling_lines
from cabinet_ci.reporting.figures import count, fuel, is_correct, name_of, share, signed
from cabinet_ci.reporting.fuel_chart import FuelChart, fuel_chart
from cabinet_ci.reporting.history_chart import HEIGHT, CaseHistory, histories
from cabinet_ci.reporting.templating import rendered


class _Finding(msgspec.Struct, frozen=True, kw_only=True):
    severity: str
    tone: str
    link: str
    place: str
    code: str
    message: str
    hint: str


class _Run(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    expect: str
    status: str
    verdict: str
    tone: str
    score: str
    headroom: str
    gap: str
    module: str


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    reference: str
    outcome: str
    tone: str
    fuel: str
    memory: str
    difference: str
    detail: str


class _Table(msgspec.Struct, frozen=True, kw_only=True):
    summary: str
    compared: str
    rows: tuple[_Row, ...]


class _Version(msgspec.Struct, frozen=True, kw_only=True):
    anchor: int
    slug: str
    version: str
    path: str
    note: str
    runs: tuple[_Run, ...]
    logs: tuple[str, ...]
    chart: FuelChart
    tables: tuple[_Table, ...]
    has_histories: bool
    histories: tuple[CaseHistory, ...]


class _Page(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    tone: str
    verdict: str
    commit: str
    made_by: str
    has_findings: bool
    findings: tuple[_Finding, ...]
    lost: tuple[str, ...]
    has_index: bool
    versions: tuple[_Version, ...]
    history_height: int
    history_total: int


def as_page(document: ResultDocument, earlier: Sequence[ResultDocument] = (), place: Place | None = None) -> str:
    """The page. `earlier` are results to compare with and to draw the history from, `place` is where lines link to."""
    lineage = Lineage(document, earlier)
    found = document.findings.diagnostics if document.findings is not None else ()
    origin = document.origin
    about = (
        "" if origin is None else " at ".join(part for part in (origin.repository, (origin.head or "")[:12]) if part)
    )
    verdict = verdict_of(document)
    view = _Page(
        title=f"cabinet-ci {verdict.partition(':')[0]}",
        tone="good" if document.passed else "bad",
        verdict=f"cabinet-ci {verdict}",
        commit=about,
        made_by=shown(
            f"cabinet-ci {document.tool.version}, {document.engine.name} {document.engine.version}, "
            f"fuel schedule {document.engine.fuel_schedule}",
            300,
        ),
        has_findings=bool(found),
        findings=tuple(_finding(one, place) for one in found),
        lost=tuple(shown(path) for path in document.lost),
        has_index=len(document.versions) > 1,
        versions=tuple(_version(number, version, lineage) for number, version in enumerate(document.versions, 1)),
        history_height=HEIGHT,
        history_total=HEIGHT + 18,
    )
    return rendered("page", view)


def _finding(found: Diagnostic, place: Place | None) -> _Finding:
    where = found.path
    if found.line is not None:
        where += f":{found.line}" + (f":{found.column}" if found.column is not None else "")
    return _Finding(
        severity=found.severity,
        tone="bad" if found.severity == "error" else "warn",
        link="" if place is None else place.link(found.path, found.line),
        place=shown(where),
        code=found.code,
        message=shown(found.message),
        hint=shown(found.hint or ""),
    )


def _version(number: int, version: VersionResult, lineage: Lineage) -> _Version:
    before = lineage.before(version)
    told = lineage.versions[version.slug]
    # The history of a case is drawn once, beside its newest version.
    is_newest = told[-1].version is version
    note = ""
    if before is not None and before.fuel is None:
        note = f"{before.name} was measured by another fuel schedule, so that nothing is compared"
    drawn = histories(told, lineage.schedule) if is_newest else ()
    return _Version(
        anchor=number,
        slug=shown(version.slug),
        version=version.version,
        path=shown(version.path),
        note=shown(note),
        runs=tuple(_run(run, version, most_frugal(version)) for run in version.runs),
        logs=tuple(_log(run, version) for run in version.runs if run.build is not None and not run.build.ok),
        chart=fuel_chart(version),
        tables=tuple(_tables(version, before)),
        has_histories=bool(drawn),
        histories=drawn,
    )


def _run(run: Run, version: VersionResult, floor: Run | None) -> _Run:
    stress = [part for case in run.cases if case.kind == "stress" and (part := share(case))]
    return _Run(
        name=shown(name_of(run, version), 200),
        expect=run.expect,
        status=run.status,
        verdict="as expected" if run.as_expected else "not as expected",
        tone="good" if run.as_expected else "bad",
        score=fuel(run.score),
        headroom=f"{1 / max(stress):,.2f} x" if stress and run.status == "pass" else "\u2013",
        gap=_gap(run, floor) or "\u2013",
        module="\u2013" if run.module is None else f"{run.module.kind}, {count(run.module.bytes, 'byte')}",
    )


def _gap(run: Run, floor: Run | None) -> str:
    """How many times the fuel of the most frugal reference a run burns, from the least to the most of its cases."""
    if floor is None or run is floor:
        return ""
    least = {case.input: case.fuel for case in floor.cases if case.kind == "stress"}
    gaps = [
        case.fuel / under for case in run.cases if is_correct(case) and case.fuel and (under := least.get(case.input))
    ]
    if not gaps:
        return ""
    low, high = f"{min(gaps):,.1f}", f"{max(gaps):,.1f}"
    return f"{low} x" if low == high else f"{low} to {high} x"


def _log(run: Run, version: VersionResult) -> str:
    lines = telling_lines(run.build.log_tail) if run.build is not None else []
    return "\n".join([f"{shown(name_of(run, version), 200)} does not build:", *(shown(line, 500) for line in lines)])


def _tables(version: VersionResult, before: Before | None) -> Iterator[_Table]:
    for kind in ("stress", "smoke"):
        inputs = [case.input for case in version.runs[0].cases if case.kind == kind]
        by_run = [({case.input: case for case in run.cases}, run) for run in version.runs]
        rows = tuple(_row(cases[name], run, version, before) for name in inputs for cases, run in by_run)
        if rows:
            yield _Table(
                summary=f"{kind.capitalize()} cases in numbers: {len(inputs):,}",
                compared="" if before is None or before.fuel is None else before.name,
                rows=rows,
            )


def _row(case: CaseResult, run: Run, version: VersionResult, before: Before | None) -> _Row:
    was = None if before is None else before.of(run, case)
    tones: dict[Any, str] = {"pass": "good", "over-ceiling": "warn", "not-run": "none"}
    return _Row(
        case=shown(case.input),
        reference=shown(name_of(run, version), 200),
        outcome=case.outcome,
        tone=tones.get(case.outcome, "bad"),
        fuel=fuel(case.fuel),
        memory="\u2013" if case.memory_bytes is None else f"{case.memory_bytes:,}",
        difference="" if was is None or case.fuel is None else signed(case.fuel - was, was),
        detail=shown(case.detail),
    )
