"""A result as JUnit XML."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import msgspec

from cabinet_ci.evaluation.result import BuildOutcome, ResultDocument
from cabinet_ci.reporting.result_junit import as_junit
from tests.support.results import SMOKE, case, document, finding, found, run, version


def suites(told: ResultDocument) -> list[Element]:
    return list(fromstring(as_junit(told)))  # noqa: S314 - our own


def failed(suite: Element) -> list[str | None]:
    return [test.get("name") for test in suite if test.find("failure") is not None]


def test_a_reference_is_a_suite_with_a_test_per_case_and_one_for_what_was_expected() -> None:
    (suite,) = suites(document(version()))
    assert suite.get("name") == "test-cases/performance/easy/echo/v1.0.0.efficient"
    assert [test.get("name") for test in suite] == ["smoke/a.json", "cases/a.json", "expected to end as pass"]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "0", "0")
    assert suite[1].findtext("system-out") == "pass, 500 fuel of 1,000"


def test_a_case_fails_where_the_reference_was_expected_to_pass() -> None:
    wrong = run(case("smoke/a.json", kind="smoke", outcome="trap", detail="unreachable"),
                case(fuel=None, outcome="not-run", detail="a smoke case failed"), expect="pass")  # fmt: skip
    (suite,) = suites(document(version(wrong)))
    assert failed(suite) == ["smoke/a.json", "expected to end as pass"]
    assert suite.get("failures") == "2"
    assert suite[0].find("failure").get("message") == "trap, 500 fuel of 1,000 unreachable"  # type: ignore[union-attr]
    assert suite[1].find("skipped") is not None


def test_a_reference_that_fails_as_expected_fails_no_test() -> None:
    (suite,) = suites(document(version(run(SMOKE, case(outcome="wrong-answer")))))
    assert failed(suite) == []


def test_a_build_that_fails_is_told_with_its_log() -> None:
    broken = msgspec.structs.replace(
        run(case(fuel=None, outcome="not-run")),
        as_expected=False,
        module=None,
        build=BuildOutcome(False, 1, "\x1b[1mno"),
    )
    (suite,) = suites(document(version(broken)))
    failure = suite[-1].find("failure")
    assert failure is not None
    assert (failure.get("message"), failure.text) == ("the build failed", "\ufffd[1mno")


def test_findings_and_lost_versions_have_suites_of_their_own() -> None:
    findings, lost = suites(document(**found(finding()), lost=("test-cases/performance/easy/gone/v1.0.0",)))
    assert findings.get("failures") == "1"
    assert (lost.get("name"), lost.get("errors")) == ("lost", "1")
