"""Joining what shards bring back."""

from __future__ import annotations

import msgspec
import pytest

from cabinet_ci.evaluation.merging import Part, merge
from cabinet_ci.evaluation.result import BuildOutcome, ResultDocument, Tool
from cabinet_ci.failure import CannotRun
from tests.support.results import BASE, HEAD, SMOKE, case, document, finding, found, measured_by, of, run, version

OWN = (document().tool, document().engine)


def merged(*documents: ResultDocument, expected: tuple[str, ...] = ()) -> ResultDocument:
    parts = [Part(f"{number}.json", told) for number, told in enumerate(documents, 1)]
    return merge(parts, expected, OWN)


def refusal(*documents: ResultDocument) -> str:
    with pytest.raises(CannotRun) as refused:
        merged(*documents)
    return str(refused.value)


def test_versions_are_joined_in_the_order_of_their_numbers() -> None:
    told = merged(document(version(number="v1.10.0")), document(version(number="v1.9.0"), version(slug="a")))
    assert [each.path.split("/")[-2:] for each in told.versions] == [
        ["a", "v1.0.0"], ["echo", "v1.9.0"], ["echo", "v1.10.0"]
    ]  # fmt: skip


def test_one_document_stays_as_it_is() -> None:
    told = document(version(), **found(finding()), **of(head=HEAD))
    assert merged(told) == told


def test_the_order_of_the_parts_does_not_matter() -> None:
    one, two = document(version(slug="a"), **of(head=HEAD)), document(version(slug="b"), **found(finding()))
    assert merged(one, two) == merged(two, one)


@pytest.mark.parametrize(
    ("told", "called"),
    [
        (document(tool=Tool("cabinet-ci", "0.2.0")), "the tool"),
        (document(engine=msgspec.structs.replace(OWN[1], version="51.0.0")), "the engine"),
        (document(engine=measured_by("00")), "the fuel schedule"),
        (document(**of(head=BASE)), "the commit"),
        (document(**of(base=HEAD)), "the base"),
        (document(**of(repository="other/name")), "the repository"),
        (document(**of(pull_request=8)), "the pull request"),
    ],
)
def test_parts_of_different_evaluations_are_refused(told: ResultDocument, called: str) -> None:
    first = document(**of(head=HEAD, base=BASE, repository="owner/name", pull_request=7))
    said = refusal(first, told)
    assert said.startswith(f"{called} of 1.json is ")
    assert "of 2.json" in said


def test_a_part_that_does_not_say_where_it_is_from_takes_the_others_word() -> None:
    told = merged(document(version(slug="a")), document(version(slug="b"), **of(head=HEAD)))
    assert told.origin is not None
    assert told.origin.head == HEAD


def test_the_same_version_twice_may_differ_in_times_and_in_what_the_build_printed() -> None:
    again = msgspec.structs.replace(
        run(SMOKE, msgspec.structs.replace(case(), seconds=9.0)), build=BuildOutcome(True, 9.0, "other")
    )
    assert merged(document(version()), document(version(again))) == document(version())


def test_the_same_version_with_other_fuel_is_refused() -> None:
    said = refusal(document(version()), document(version(run(SMOKE, case(fuel=501)))))
    assert said.startswith("1.json and 2.json tell differently about test-cases/performance/easy/echo/v1.0.0")


def test_what_was_expected_and_did_not_come_back_is_lost() -> None:
    here, gone = version().path, "test-cases/performance/easy/gone/v1.0.0"
    told = merged(document(version()), expected=(here, gone))
    assert told.lost == (gone,)
    assert not told.passed


def test_what_one_part_lost_another_may_bring() -> None:
    path = version().path
    assert merged(document(lost=(path,)), document(version())).lost == ()
    assert merged(document(lost=(path,)), document()).lost == (path,)


def test_where_no_part_came_back_everything_is_lost() -> None:
    told = merged(expected=(version().path,))
    assert (told.lost, told.tool) == ((version().path,), OWN[0])


def test_findings_of_several_parts_are_joined_once_each() -> None:
    told = merged(
        document(**found(finding("b"), finding("a"), checked=3)), document(version()), document(**found(finding("a")))
    )
    assert told.findings is not None
    assert [one.message for one in told.findings.diagnostics] == ["a", "b"]
    assert (told.findings.summary.errors, told.findings.summary.checked) == (2, 3)
