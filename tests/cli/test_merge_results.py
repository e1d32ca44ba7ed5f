"""`cabinet-ci merge-results`: one result from those of shards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.repositories import new_repo
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet, one_line
from tests.support.results import HEAD, document, of, run, version, write_result

OTHER = "test-cases/performance/easy/other/v1.0.0"


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """A folder with the results of two shards."""
    write_result(tmp_path / "1.json", document(version(slug="a")))
    write_result(tmp_path / "2.json", document(version(slug="b")))
    return tmp_path


def test_shards_become_one_result(shards: Path) -> None:
    ran = cabinet("merge-results", "1.json", "2.json", cwd=shards)
    assert ran.code == 0
    assert [each["slug"] for each in ran.json["versions"]] == ["a", "b"]


def test_a_shard_that_did_not_come_back_is_told_and_exit_code_1(shards: Path) -> None:
    put(
        shards / "matrix.json",
        '{"include": [{"shard": 1, "versions": "test-cases/performance/easy/a/v1.0.0"},'
        f' {{"shard": 2, "versions": "{OTHER}"}}]}}',
    )
    ran = cabinet("merge-results", "1.json", "--expect", "matrix.json", "--output", "all.json", cwd=shards)
    assert ran.code == 1
    assert one_line(ran.err) == f"cabinet-ci: {OTHER} was to be evaluated and has no result"
    told = cabinet("report", "all.json", "--format", "markdown", cwd=shards)
    assert told.code == 1
    assert f"**No result** came back for <code>{OTHER}</code>" in told.out


def test_a_reference_that_is_not_as_expected_is_exit_code_1(shards: Path) -> None:
    write_result(shards / "3.json", document(version(run(expect="fail"))))
    assert cabinet("merge-results", "1.json", "3.json", cwd=shards).code == 1


def test_shards_of_different_commits_are_refused(shards: Path) -> None:
    write_result(shards / "1.json", document(**of(head=HEAD)))
    write_result(shards / "2.json", document(**of(head="b" * 40)))
    ran = cabinet("merge-results", "1.json", "2.json", cwd=shards)
    assert (ran.code, ran.out) == (2, "")
    assert one_line(ran.err).startswith("cabinet-ci: the commit of 1.json is ")


def test_a_shard_that_was_cut_off_is_refused_by_name(shards: Path) -> None:
    put(shards / "2.json", (shards / "1.json").read_text()[:-20])
    ran = cabinet("merge-results", "1.json", "2.json", cwd=shards)
    assert ran.code == 2
    assert one_line(ran.err).startswith("cabinet-ci: 2.json is cut off")


def test_nothing_to_join_is_exit_code_2(tmp_path: Path) -> None:
    assert cabinet("merge-results", cwd=tmp_path).code == 2


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"schema": 1}', '{"include": 1}', '{"schema": 2, "versions": []}']
)
def test_a_plan_that_is_none_is_refused(shards: Path, content: str) -> None:
    put(shards / "plan.json", content)
    ran = cabinet("merge-results", "1.json", "--expect", "plan.json", cwd=shards)
    assert ran.code == 2
    assert "plan.json" in one_line(ran.err)


def test_what_jobs_bring_back_of_a_plan_is_the_whole_check(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.commit("Start")
    repo.branch("work")
    write_case(repo.root)
    write_case(repo.root, path=OTHER)
    repo.commit("Two cases")
    matrix = cabinet("plan", "--matrix", "--shards", "2", "--output", "plan.json", cwd=tmp_path)
    assert matrix.code == 0
    for job in (DEFAULT_PATH, OTHER):
        name = job.split("/")[-2]
        assert cabinet("evaluate", job, "--format", "json", "--output", f"{name}.json", cwd=tmp_path).code == 0
    assert cabinet("check", "--no-evaluate", "--output", "check.json", cwd=tmp_path).code == 0
    ran = cabinet("merge-results", "check.json", "echo.json", "other.json", "--expect", "plan.json", cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert [each["path"] for each in ran.json["versions"]] == [DEFAULT_PATH, OTHER]
    assert ran.json["origin"] == {"head": repo.git("rev-parse", "HEAD"), "base": repo.git("rev-parse", "main")}
    assert ran.json["findings"]["summary"]["checked"] == 2
