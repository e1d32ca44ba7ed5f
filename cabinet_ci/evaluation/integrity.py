"""Whether a result document can be true: what the rules of section 2 say of any result holds for this one.

A document comes from where untrusted code ran. That its numbers were measured can't be shown; that they contradict
each other, or the format, can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cabinet_ci.catalog.identity import identity_of
from cabinet_ci.catalog.manifest import KEBAB
from cabinet_ci.diagnostics import Report
from cabinet_ci.evaluation.classify import status_of, stress_fuel_of
from cabinet_ci.evaluation.result import CaseResult, ResultDocument, Run, VersionResult

_CODE = re.compile(r"CAB[0-9]{3}\Z")


def first_fault(document: ResultDocument, catalog: str) -> str | None:
    """What can't be true about a document, in one clause; None where nothing speaks against it.

    `catalog` is the folder, relative to the repository's root, that all versions lie in.
    """
    return next(_faults(document, catalog), None)


def _faults(document: ResultDocument, catalog: str) -> Iterator[str]:
    if document.tool.name != "cabinet-ci":
        yield f"it says that {document.tool.name!r} made it"
    if document.findings is not None:
        yield from _of_findings(document.findings)
    seen: set[str] = set()
    for path in (*(version.path for version in document.versions), *document.lost):
        if path in seen:
            yield f"{path!r} is in it twice"
        seen.add(path)
        if not _is_version_path(path, catalog):
            yield f"{path!r} is no version folder of the catalog {catalog}"
    for version in document.versions:
        yield from (f"{version.path}: {fault}" for fault in _of_version(version))


def _is_version_path(path: str, catalog: str) -> bool:
    prefix = "" if catalog.strip("/") in ("", ".") else catalog.rstrip("/") + "/"
    below = path.removeprefix(prefix)
    parts = below.split("/")
    return (
        path.startswith(prefix)
        and identity_of(below) is not None
        and not any(part in ("", ".", "..") for part in parts)
        and not any(char in path for char in "\\\0")
    )


def _of_findings(report: Report) -> Iterator[str]:
    errors = sum(found.severity == "error" for found in report.diagnostics)
    warnings = len(report.diagnostics) - errors
    if (report.summary.errors, report.summary.warnings) != (errors, warnings) or report.summary.checked < 0:
        yield f"its summary does not count its {len(report.diagnostics)} findings"
    for found in report.diagnostics:
        if _CODE.match(found.code) is None:
            yield f"{found.code!r} is no code of a rule"
        if found.path.startswith("/") or ".." in found.path.split("/"):
            yield f"{found.path!r} is no path in the repository"
        if (found.line is not None and found.line < 1) or (found.column is not None and found.column < 1):
            yield f"a finding in {found.path!r} is at line {found.line}, column {found.column}"


def _of_version(version: VersionResult) -> Iterator[str]:
    if re.match(KEBAB, version.slug) is None:
        yield f"{version.slug!r} is no slug"
    if version.version != version.path.rpartition("/")[2]:
        yield f"it says that it is {version.version!r}"
    if not version.runs:
        yield "it has no run"
    cases = None
    for run in version.runs:
        named = f"reference {run.reference!r}" if run.reference is not None else "the module"
        asked = [(case.input, case.expected, case.kind, case.fuel_limit, case.fuel_budget) for case in run.cases]
        if cases is not None and asked != cases:
            yield f"{named} was not run on the cases of the others"
        cases = asked
        yield from (f"{named}, {case.input!r}: {fault}" for case in run.cases for fault in _of_case(case))
        yield from (f"{named}: {fault}" for fault in _of_run(run))


def _of_run(run: Run) -> Iterator[str]:
    stress = [case for case in run.cases if case.kind == "stress"]
    if not stress:
        yield "it was run on no stress case"
    if len({case.input for case in run.cases}) != len(run.cases):
        yield "a case is in it twice"
    if len({case.fuel_limit for case in run.cases}) > 1:
        yield "its cases have different ceilings"
    if (run.reference is None) != (run.build is None):
        yield "a reference has a build, and a ready module none"
    if run.build is not None and run.build.ok != (run.module is not None):
        yield "a build that succeeds gives a module, and one that fails none"
    ran = any(case.outcome != "not-run" for case in run.cases)
    if run.module is None and ran:
        yield "cases were run without a module"
    smoke_failed = any(case.kind == "smoke" and case.outcome != "pass" for case in run.cases)
    if smoke_failed and any(case.outcome != "not-run" for case in stress):
        yield "a smoke case failed, and stress cases were run all the same"
    status, stress_fuel = status_of(run.cases), stress_fuel_of(run.cases)
    if run.status != status:
        yield f"its cases make it {status}, not {run.status}"
    if run.stress_fuel != stress_fuel:
        yield f"the fuel of its stress cases adds up to {_number(stress_fuel)}, not to {_number(run.stress_fuel)}"
    score = stress_fuel if status == "pass" else None
    if run.score != score:
        yield f"its score is {_number(score)}, not {_number(run.score)}"
    if run.as_expected and (run.status != run.expect or run.module is None):
        yield f"it is {run.status} where {run.expect} was expected, and yet as expected"


def _of_case(case: CaseResult) -> Iterator[str]:
    most = min(case.fuel_limit, case.fuel_budget)
    fuel = case.fuel
    if case.kind == "smoke" and case.fuel_budget > case.fuel_limit:
        yield f"it is a smoke case on a runway, up to {case.fuel_budget:,} of {case.fuel_limit:,}"
    if fuel is not None and fuel > case.fuel_budget:
        yield f"it burnt {fuel:,} of a budget of {case.fuel_budget:,}"
    match case.outcome:
        case "pass" if fuel is None or fuel > most:
            yield f"it passes with {_number(fuel)} fuel of {most:,}"
        case "over-ceiling" if case.kind == "smoke" or fuel is None or not most < fuel <= case.fuel_budget:
            yield f"it is over the ceiling with {_number(fuel)} fuel of {case.fuel_limit:,} up to {case.fuel_budget:,}"
        case "out-of-fuel" if fuel is not None and fuel != case.fuel_budget:
            yield f"it ran out of fuel at {fuel:,} of {case.fuel_budget:,}"
        case "not-run" if fuel is not None:
            yield f"it was not run, and burnt {fuel:,}"
        case _:
            return


def _number(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"
