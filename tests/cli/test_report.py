"""`cabinet-ci report`: a result document in a form that people read."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from cabinet_ci.reporting.comment import MARKER
from tests.support.cases import DEFAULT_PATH, CaseFile, answering, core_module, put, spinning, wat, write_case
from tests.support.command import cabinet, one_line
from tests.support.results import HEAD, document, finding, found, of, run, version, write_result

FORMATS = ["text", "markdown", "summary", "junit", "html"]


@pytest.fixture
def result(tmp_path: Path) -> Path:
    """A sound result with a finding that is no error."""
    told = document(version(), **found(finding(severity="warning")), **of(repository="owner/name", head=HEAD))
    return write_result(tmp_path / "result.json", told)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_the_score_and_the_finding(result: Path, form: str) -> None:
    ran = cabinet("report", result, "--format", form, cwd=result.parent)
    assert ran.code == 0, ran.err
    assert "500" in ran.out
    assert "CAB101" in ran.out


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "told",
    [
        document(**found(finding())),
        document(version(run(expect="fail"))),
        document(version(), lost=("test-cases/performance/easy/gone/v1.0.0",)),
    ],
)
def test_a_result_that_is_not_well_is_exit_code_1(tmp_path: Path, form: str, told: object) -> None:
    write_result(tmp_path / "result.json", told)  # type: ignore[arg-type]
    assert cabinet("report", "result.json", "--format", form, cwd=tmp_path).code == 1


def test_the_markdown_begins_with_the_marker_and_links_to_the_commit(result: Path) -> None:
    ran = cabinet("report", result, "--format", "markdown", cwd=result.parent)
    assert ran.out.startswith(MARKER + "\n")
    assert f'href="https://github.com/owner/name/blob/{HEAD}/test-cases/' in ran.out


def test_links_lead_to_the_server_that_the_job_is_of(result: Path) -> None:
    env = {"GITHUB_SERVER_URL": "https://git.example.org"}
    assert (
        "https://git.example.org/owner" in cabinet("report", result, "--format", "html", cwd=result.parent, env=env).out
    )


def test_the_output_goes_to_a_file_that_is_whole(result: Path) -> None:
    ran = cabinet("report", result, "--format", "junit", "--output", "out.xml", cwd=result.parent)
    assert (ran.code, ran.out) == (0, "")
    assert fromstring((result.parent / "out.xml").read_text()).tag == "testsuites"  # noqa: S314 - our own


def test_earlier_results_are_compared_with(result: Path, tmp_path: Path) -> None:
    write_result(tmp_path / "earlier.json", document(version(number="v0.9.0")))
    ran = cabinet("report", result, "--format", "markdown", "--previous", tmp_path / "earlier.json", cwd=tmp_path)
    assert "against <code>v0.9.0</code>" in ran.out
    assert "±0" in ran.out


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--repository", "other/name", "is about the repository owner/name, not other/name"),
        ("--head", "b" * 40, f"is about the commit {HEAD}, not {'b' * 40}"),
        ("--pull-request", "7", "does not say which pull request it is about"),
    ],
)
def test_a_result_of_another_origin_is_refused(result: Path, option: str, value: str, said: str) -> None:
    ran = cabinet("report", result, option, value, cwd=result.parent)
    assert (ran.code, ran.out) == (2, "")
    assert said in one_line(ran.err)


def test_a_result_of_the_origin_asked_for_is_taken(result: Path) -> None:
    assert cabinet("report", result, "--repository", "Owner/name", "--head", HEAD, cwd=result.parent).code == 0


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": 2}', "\0"])
@pytest.mark.parametrize("option", ["", "--previous"])
def test_a_broken_result_is_one_line_and_exit_code_2(result: Path, content: str, option: str) -> None:
    put(result.parent / "broken.json", content)
    arguments = [result, option, "broken.json"] if option else ["broken.json"]
    ran = cabinet("report", *arguments, cwd=result.parent)
    assert (ran.code, ran.out) == (2, "")
    assert "broken.json" in one_line(ran.err)


def test_versions_have_to_lie_in_the_configured_catalog(result: Path) -> None:
    ran = cabinet("report", result, "--catalog", "cases", cwd=result.parent)
    assert ran.code == 2
    assert "is no version folder of the catalog cases" in one_line(ran.err)


def test_whatever_an_evaluation_ends_in_is_taken_for_true(tmp_path: Path) -> None:
    cases = (CaseFile("one"), CaseFile("two", "[2]", "[2]", "stress", 2.0), CaseFile("three", "[3]", "[3]", "stress"))
    write_case(
        tmp_path,
        cases=cases,
        fuel_limit=10_000,
        references={
            "right": spinning(10),
            "over": spinning(1_700),
            "spent": spinning(100_000),
            "trap": core_module("unreachable"),
            "wrong": answering("[1]"),
            "no-json": answering("x"),
            "greedy": core_module("(drop (memory.grow (i32.const 1000))) unreachable"),
            "huge": core_module("unreachable", pages=100),
            "empty": wat("(module)"),
            "not-wasm": b"x",
            "setup": wat('(module (func $s (loop (br 0))) (start $s) (memory (export "memory") 1))'),
        },
    )
    put(tmp_path / DEFAULT_PATH / "references/unbuilt/readme.md", "There is no module here.\n")
    ran = cabinet("check", "--all", "--output", "result.json", cwd=tmp_path)
    assert ran.code == 1
    for form in FORMATS:
        told = cabinet("report", "result.json", "--format", form, cwd=tmp_path)
        assert (told.code, told.err) == (1, ""), form
    assert cabinet("merge-results", "result.json", "result.json", cwd=tmp_path).err == ""


def test_check_writes_the_whole_result_beside_its_text(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = cabinet("check", "--output", "result.json", cwd=tmp_path)
    assert ran.out.splitlines()[-1].startswith("check passed")
    told = cabinet("report", "result.json", "--format", "markdown", cwd=tmp_path)
    assert told.out.splitlines()[1] == (
        "### ✅ cabinet-ci passed: 1 version checked, nothing found; 1 reference evaluated, all as expected"
    )


def test_check_prints_the_result_as_json_instead_of_its_text(tmp_path: Path) -> None:
    write_case(tmp_path)
    told = cabinet("check", "--format", "json", "--output", "result.json", cwd=tmp_path)
    assert told.json["findings"]["summary"] == {"errors": 0, "warnings": 0, "checked": 1}
    assert [each["path"] for each in told.json["versions"]] == [DEFAULT_PATH]
    assert (tmp_path / "result.json").read_text() == told.out


def test_check_without_an_evaluation_leaves_it_to_other_jobs(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "changelog.md").unlink()
    told = cabinet("check", "--no-evaluate", "--format", "json", cwd=tmp_path)
    assert told.code == 1
    assert told.json["versions"] == []
    assert told.json["findings"]["summary"]["errors"] == 1


def test_a_result_names_repository_commit_and_pull_request_as_github_tells_them(tmp_path: Path) -> None:
    write_case(tmp_path)
    event = put_event(tmp_path / "event.json")
    env = {"GITHUB_REPOSITORY": "owner/name", "GITHUB_EVENT_PATH": str(event)}
    told = cabinet("check", "--no-evaluate", "--format", "json", cwd=tmp_path, env=env).json
    assert told["origin"] == {"repository": "owner/name", "head": HEAD, "pull_request": 7}


def put_event(path: Path) -> Path:
    put(path, f'{{"pull_request": {{"number": 7, "head": {{"sha": "{HEAD}"}}}}}}')
    return path
