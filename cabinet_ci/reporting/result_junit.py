"""A result as JUnit XML: a suite per reference, a test per case, and one for what was expected of it all."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from cabinet_ci.evaluation.result import CaseResult, ResultDocument, Run, VersionResult
from cabinet_ci.reporting.figures import fuel, name_of
from cabinet_ci.reporting.junit import as_document, clean, findings_suite


def as_junit(document: ResultDocument) -> str:
    """The findings, the runs and the lost versions.

    A case of a reference that is expected to pass fails where it does not; of another reference each case only tells
    its outcome. Whether a reference did as expected is a test of its own.
    """
    return as_document(_suites(document))


def _suites(document: ResultDocument) -> Iterator[Element]:
    if document.findings is not None:
        yield findings_suite(document.findings)
    for version in document.versions:
        for run in version.runs:
            yield _run(run, version)
    if document.lost:
        suite = Element("testsuite", name="lost", tests=str(len(document.lost)), failures="0")
        suite.set("errors", str(len(document.lost)))
        for path in document.lost:
            case = SubElement(suite, "testcase", classname="lost", name=clean(path))
            SubElement(case, "error", message="no result came back")
        yield suite


def _run(run: Run, version: VersionResult) -> Element:
    name = f"{version.path}.{name_of(run, version)}"
    tests = [_case(case, run, name) for case in run.cases]
    verdict = Element("testcase", classname=clean(name), name=f"expected to end as {run.expect}")
    if not run.as_expected:
        why = "the build failed" if run.module is None and run.build is not None else f"it ended as {run.status}"
        failure = SubElement(verdict, "failure", type=run.status, message=why)
        failure.text = clean(run.build.log_tail) if run.build is not None and not run.build.ok else None
    tests.append(verdict)
    suite = Element("testsuite", name=clean(name), tests=str(len(tests)), errors="0")
    suite.set("failures", str(sum(test.find("failure") is not None for test in tests)))
    suite.set("skipped", str(sum(test.find("skipped") is not None for test in tests)))
    suite.set("time", f"{sum(case.seconds for case in run.cases):.6f}")
    suite.extend(tests)
    return suite


def _case(case: CaseResult, run: Run, name: str) -> Element:
    test = Element("testcase", classname=clean(name), name=clean(case.input), time=f"{case.seconds:.6f}")
    told = f"{case.outcome}, {fuel(case.fuel)} fuel of {fuel(case.fuel_limit)}"
    if case.outcome == "not-run":
        SubElement(test, "skipped", message=clean(case.detail))
    elif case.outcome != "pass" and run.expect == "pass":
        failure = SubElement(test, "failure", type=case.outcome, message=clean(f"{told} {case.detail}".strip()))
        failure.text = clean(case.detail)
    SubElement(test, "system-out").text = clean(f"{told}\n{case.detail}".strip())
    return test
