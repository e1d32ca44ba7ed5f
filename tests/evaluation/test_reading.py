"""Result documents that anybody may have written: what is cut off, too large or can't be true is refused, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.evaluation.integrity import first_fault
from cabinet_ci.evaluation.reading import NESTING_LIMIT, RESULT_LIMIT, read_result
from cabinet_ci.failure import CannotRun
from tests.support.results import (
    LIMIT,
    SMOKE,
    case,
    document,
    finding,
    found,
    of,
    plain,
    run,
    version,
    write_result,
)

NAIVE = run(SMOKE, case(fuel=2 * LIMIT, outcome="over-ceiling", runway=4), reference="naive")
SOUND = document(
    version(run(SMOKE, case(runway=4)), NAIVE),
    **found(finding()),
    **of(repository="owner/name", head="a" * 40, pull_request=7),
    lost=("test-cases/performance/easy/gone/v1.0.0",),
)


def refusal(path: Path) -> str:
    with pytest.raises(CannotRun) as refused:
        read_result(path, "test-cases")
    said = str(refused.value)
    assert said.startswith(str(path))
    return said.removeprefix(str(path)).strip()


def refused(tmp_path: Path, content: bytes) -> str:
    (tmp_path / "result.json").write_bytes(content)
    return refusal(tmp_path / "result.json")


def altered(tmp_path: Path, change: Callable[[Any], object]) -> str:
    """What is said of a sound document after a change."""
    told = plain(SOUND)
    change(told)
    return refusal(write_result(tmp_path / "result.json", told))


def test_what_was_written_is_read_back_the_same(tmp_path: Path) -> None:
    assert read_result(write_result(tmp_path / "result.json", SOUND), "test-cases") == SOUND


def test_keys_that_are_not_known_are_passed_over(tmp_path: Path) -> None:
    told = plain(SOUND) | {"colour": "red"}
    assert read_result(write_result(tmp_path / "result.json", told), "test-cases") == SOUND


def test_a_document_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = json.dumps(plain(SOUND)).encode()
    for length in range(1, len(whole), 97):
        assert refused(tmp_path, whole[:length]).startswith("is ")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, b"\n").startswith("is empty")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.json").startswith("does not exist")
    assert refusal(tmp_path).startswith("is a folder")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "result.json").open("wb") as file:
        file.truncate(RESULT_LIMIT + 1)
    assert refusal(tmp_path / "result.json").startswith("is larger than 64 MiB")


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"schema":1,"x":' + b"["])
def test_deep_nesting_is_refused(tmp_path: Path, opening: bytes) -> None:
    assert f"deeper than {NESTING_LIMIT}" in refused(tmp_path, opening * 100_000)


@pytest.mark.parametrize("end", [b"", b"\\"])
def test_brackets_in_a_text_that_never_ends_are_no_nesting(tmp_path: Path, end: bytes) -> None:
    # As long as it is, reading it again from each of its quotes would take an hour.
    content = b'{"schema":1,"x":"' + b'\\"[' * 500_000 + end
    assert refused(tmp_path, content).startswith("is cut off")


def test_brackets_in_text_are_no_nesting(tmp_path: Path) -> None:
    told = document(version(run(SMOKE, case(outcome="wrong-answer", detail='[{"\\' * 1_000))))
    assert read_result(write_result(tmp_path / "result.json", told), "test-cases") == told


@pytest.mark.parametrize("schema", [0, 2, "1", 1.5, None, True, [1]])
def test_another_schema_is_refused(tmp_path: Path, schema: object) -> None:
    assert altered(tmp_path, lambda told: told.update(schema=schema)).startswith("has ")


def test_a_document_without_a_schema_is_refused(tmp_path: Path) -> None:
    assert altered(tmp_path, lambda told: told.pop("schema")).startswith("has no schema")


@pytest.mark.parametrize("content", [b"null", b"[]", b"1", b'"x"', b"{}", b"not JSON", b"\xff\xfe", b'{"schema":1}'])
def test_anything_else_is_refused(tmp_path: Path, content: bytes) -> None:
    assert refused(tmp_path, content).startswith(("is not a result document", "is no JSON", "has no schema"))


@given(content=st.binary(max_size=200) | st.text(max_size=80).map(str.encode))
def test_no_content_ends_in_anything_but_a_refusal(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "result.json"
    path.write_bytes(content)
    assert refusal(path)


def first_case(told: Any) -> Any:
    return told["versions"][0]["runs"][0]["cases"][1]


def first_run(told: Any) -> Any:
    return told["versions"][0]["runs"][0]


LIES: dict[str, tuple[Callable[[Any], object], str]] = {
    "passes with a failing case": (
        lambda told: first_case(told).update(outcome="trap"), "its cases make it fail, not pass"
    ),
    "scores less than it burnt": (lambda told: first_run(told).update(score=1), "its score is 500, not 1"),
    "adds up otherwise": (
        lambda told: first_run(told).update(stress_fuel=1, score=1), "adds up to 500, not to 1"
    ),
    "has a score though it does not pass": (
        lambda told: told["versions"][0]["runs"][1].update(score=2_000), "its score is none, not 2,000"
    ),
    "passes above its ceiling": (
        lambda told: (first_case(told).update(fuel=1_001), first_run(told).update(score=1_001, stress_fuel=1_001)),
        "it passes with 1,001 fuel of 1,000",
    ),
    "passes without having run": (
        lambda told: (first_case(told).update(fuel=None), first_run(told).update(score=None, stress_fuel=None)),
        "it passes with none fuel",
    ),
    "is over the ceiling below it": (
        lambda told: told["versions"][0]["runs"][1]["cases"][1].update(fuel=900), "it is over the ceiling with 900"
    ),
    "is as expected and is not": (
        lambda told: first_run(told).update(expect="fail"), "it is pass where fail was expected"
    ),
    "leaves a case out": (lambda told: first_run(told)["cases"].pop(0), "was not run on the cases of the others"),
    "has no stress case": (
        lambda told: [one["cases"].pop() for one in told["versions"][0]["runs"]], "it was run on no stress case"
    ),
    "has a case twice": (
        lambda told: [one["cases"].append(one["cases"][0]) for one in told["versions"][0]["runs"]], "is in it twice"
    ),
    "has another ceiling for one case": (
        lambda told: [one["cases"][0].update(fuel_limit=50, fuel_budget=50) for one in told["versions"][0]["runs"]],
        "different ceilings",
    ),
    "has no run": (lambda told: told["versions"][0].update(runs=[]), "it has no run"),
    "ran without a module": (lambda told: first_run(told).update(module=None), "a build that succeeds gives a module"),
    "has no build": (lambda told: first_run(told).update(build=None), "a reference has a build"),
    "ran stress cases after a smoke case failed": (
        lambda told: first_run(told)["cases"][0].update(outcome="trap"), "a smoke case failed"
    ),
    "was not run and burnt": (lambda told: first_case(told).update(outcome="not-run"), "it was not run, and burnt 500"),
    "burnt more than its budget": (
        lambda told: first_case(told).update(outcome="trap", fuel=4_001), "it burnt 4,001 of a budget of 4,000"
    ),
    "gives a smoke case a runway": (
        lambda told: [one["cases"][0].update(fuel_budget=1_001) for one in told["versions"][0]["runs"]],
        "a smoke case on a runway",
    ),
    "ran out before its end": (
        lambda told: first_case(told).update(outcome="out-of-fuel"), "it ran out of fuel at 500 of 4,000"
    ),
    "lies outside the catalog": (
        lambda told: told["versions"][0].update(path="elsewhere/performance/easy/echo/v1.0.0"), "is no version folder"
    ),
    "leads out of the catalog": (
        lambda told: told["versions"][0].update(path="test-cases/performance/easy/../v1.0.0"), "is no version folder"
    ),
    "is no version folder": (
        lambda told: told["versions"][0].update(path="test-cases/performance/easy/echo"), "is no version folder"
    ),
    "names another version": (lambda told: told["versions"][0].update(version="v2.0.0"), "says that it is 'v2.0.0'"),
    "has a slug that is none": (lambda told: told["versions"][0].update(slug="@all"), "'@all' is no slug"),
    "has a version twice": (lambda told: told["versions"].append(told["versions"][0]), "is in it twice"),
    "lost what it has": (lambda told: told.update(lost=[told["versions"][0]["path"]]), "is in it twice"),
    "lost what is elsewhere": (lambda told: told.update(lost=["../x/v1.0.0"]), "is no version folder"),
    "does not count its findings": (
        lambda told: told["findings"]["summary"].update(errors=0), "does not count its 1 findings"
    ),
    "checked less than nothing": (
        lambda told: told["findings"]["summary"].update(checked=-1), "does not count its 1 findings"
    ),
    "has a code that is none": (
        lambda told: told["findings"]["diagnostics"][0].update(code="**x**"), "'**x**' is no code of a rule"
    ),
    "found something outside": (
        lambda told: told["findings"]["diagnostics"][0].update(path="a/../../b"), "is no path in the repository"
    ),
    "found something above the first line": (
        lambda told: told["findings"]["diagnostics"][0].update(line=0), "is at line 0"
    ),
    "was made by another tool": (lambda told: told["tool"].update(name="other"), "says that 'other' made it"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_document_that_contradicts_itself_or_the_format_is_refused(tmp_path: Path, lie: str) -> None:
    change, reason = LIES[lie]
    said = altered(tmp_path, change)
    assert said.startswith("can't be true: ")
    assert reason in said


@pytest.mark.parametrize(
    ("place", "key", "value"),
    [
        (first_case, "fuel", -1),
        (first_case, "fuel", 1.5),
        (first_case, "fuel", True),
        (first_case, "fuel_limit", 0),
        (first_case, "seconds", -0.1),
        (first_case, "memory_bytes", -5),
        (first_case, "outcome", "great"),
        (first_case, "kind", "bonus"),
        (first_case, "input", ""),
        (first_case, "input", "a" * 5_000),
        (first_run, "score", "500"),
        (first_run, "status", "passed"),
        (first_run, "as_expected", "yes"),
        (lambda told: told["engine"], "fuel_schedule", "@someone"),
        (lambda told: told["origin"], "repository", "owner/name/more"),
        (lambda told: told["origin"], "head", "main"),
        (lambda told: told["origin"], "pull_request", 0),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_refused_with_its_place(
    tmp_path: Path, place: Callable[[Any], Any], key: str, value: object
) -> None:
    said = altered(tmp_path, lambda told: place(told).update({key: value}))
    assert said.startswith("is not a result document: ")
    assert f".{key}`" in said


def test_the_catalog_may_be_the_whole_repository_or_a_folder_in_a_folder() -> None:
    told = document(version(folder="performance/easy/echo"))
    assert first_fault(told, ".") is None
    assert first_fault(document(version(folder="a/b/performance/easy/echo")), "a/b/") is None
    assert first_fault(told, "test-cases") is not None


def test_the_older_layout_is_a_version_folder_too() -> None:
    assert first_fault(document(version(folder="test-cases/echo")), "test-cases") is None
