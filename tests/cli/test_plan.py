"""`cabinet-ci plan`: what has to be evaluated, and why."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.history.repositories import Repo, new_repo
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import Ran, cabinet, one_line
from tests.support.results import measured_by, write_result

OTHER = "test-cases/performance/easy/other/v1.0.0"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Two versions on `main`, on a branch that has just left it."""
    repo = new_repo(tmp_path / "repo")
    write_case(repo.root)
    write_case(repo.root, path=OTHER)
    repo.put("requirements.txt", "wasmtime==1\nother==1\n")
    repo.commit("Publish")
    repo.branch("work")
    return repo


def planned(repo: Repo, *arguments: str | Path) -> dict[str, list[str]]:
    """Paths and reasons of what is planned."""
    ran = cabinet("plan", "--format", "json", *arguments, cwd=repo.root)
    assert ran.code == 0, ran.err
    return {each["path"]: each["reasons"] for each in ran.json["versions"]}


def test_nothing_is_planned_where_nothing_changed(repo: Repo) -> None:
    ran = cabinet("plan", cwd=repo.root)
    assert (ran.code, ran.out) == (0, "0 versions to evaluate, 2 stand as they are\n")


def test_a_version_whose_files_differ_is_planned(repo: Repo) -> None:
    repo.put(f"{OTHER}/cases/one.json", "[2]")
    repo.put(f"{OTHER}/cases/one.out", "[2]")
    assert planned(repo) == {OTHER: ["it differs from the base"]}


def test_a_new_version_that_git_does_not_track_yet_is_planned(repo: Repo) -> None:
    new = DEFAULT_PATH.replace("v1.0.0", "v1.1.0")
    write_case(repo.root, path=new)
    assert planned(repo) == {new: ["it differs from the base"]}


def test_a_version_that_is_gone_is_not(repo: Repo) -> None:
    repo.git("rm", "-r", "--quiet", OTHER)
    assert planned(repo) == {}


def test_the_json_names_the_commits(repo: Repo) -> None:
    told = cabinet("plan", "--format", "json", cwd=repo.root).json
    assert told["head"] == told["base"] == repo.git("rev-parse", "HEAD")
    assert told["standing"] == 2


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("requirements.txt", "wasmtime==2\nother==1\n"),
        ("rust-toolchain.toml", '[toolchain]\nchannel = "1.90"\n'),
        (".github/workflows/check.yml", "- uses: the-test-cabinet/cabinet-ci@v2\n"),
        ("uv.lock", '[[package]]\nname = "wasmtime"\nversion = "2"\n'),
    ],
)
def test_another_tool_engine_or_compiler_plans_everything(repo: Repo, path: str, content: str) -> None:
    repo.put(path, content)
    repo.commit()
    assert planned(repo) == {DEFAULT_PATH: [f"{path} changed"], OTHER: [f"{path} changed"]}


def test_a_file_that_names_them_but_changed_elsewhere_plans_nothing(repo: Repo) -> None:
    repo.put("requirements.txt", "wasmtime==1\nother==2\n")
    repo.put("notes.md", "wasmtime\n")
    repo.commit()
    assert planned(repo) == {}


def test_a_version_on_a_line_below_the_name_counts_too(repo: Repo) -> None:
    repo.put("uv.lock", 'name = "wasmtime"\nversion = "1"\n')
    repo.commit()
    repo.git("branch", "--force", "main")
    repo.put("uv.lock", 'name = "wasmtime"\nversion = "2"\n')
    assert set(planned(repo)) == {DEFAULT_PATH, OTHER}


def test_all_plans_everything(repo: Repo) -> None:
    assert planned(repo, "--all") == {DEFAULT_PATH: ["it was asked for"], OTHER: ["it was asked for"]}


def test_without_a_base_everything_is_planned(tmp_path: Path) -> None:
    write_case(tmp_path)
    told = cabinet("plan", "--format", "json", cwd=tmp_path).json
    assert [each["reasons"] for each in told["versions"]] == [["there is no base"]]


def test_a_base_that_does_not_exist_is_exit_code_2(repo: Repo) -> None:
    ran = cabinet("plan", "--base", "nowhere", cwd=repo.root)
    assert ran.code == 2
    assert '"nowhere"' in one_line(ran.err)


def test_a_version_with_errors_is_left_out_and_told(repo: Repo) -> None:
    (repo.root / OTHER / "changelog.md").unlink()
    ran = cabinet("plan", "--format", "json", cwd=repo.root)
    assert (ran.json["versions"], ran.json["faulty"]) == ([], [OTHER])
    assert OTHER in one_line(ran.err)


def test_a_version_without_a_reference_and_one_of_another_type_are_not_planned(repo: Repo) -> None:
    write_case(repo.root, path="test-cases/performance/easy/bare/v1.0.0", references={})
    put(repo.root / "test-cases/end-to-end/easy/page/v1.0.0/test-case.toml", 'slug = "page"\n')
    assert planned(repo) == {}


def result_of(repo: Repo, path: Path) -> Path:
    ran = cabinet("evaluate", "--format", "json", "--output", path, cwd=repo.root)
    assert ran.code == 0, ran.err
    return path


def test_an_earlier_result_of_the_same_files_tool_and_engine_stands(repo: Repo, tmp_path: Path) -> None:
    assert planned(repo, "--since", result_of(repo, tmp_path / "main.json")) == {}


def test_a_result_of_other_files_another_tool_or_engine_does_not(repo: Repo, tmp_path: Path) -> None:
    from cabinet_ci.evaluation.reading import read_result

    told = read_result(result_of(repo, tmp_path / "main.json"), "test-cases")
    replace = msgspec.structs.replace
    first, second = told.versions
    changed = {
        "its files are not those of its result": replace(told, versions=(replace(first, tree="ab" * 20), second)),
        "it has no earlier result": replace(told, versions=(second,)),
        "its result is by another fuel schedule": replace(told, engine=measured_by("00")),
        "its result is by wasmtime 49.0.0, not wasmtime 50.0.1": replace(
            told, engine=replace(told.engine, version="49.0.0")
        ),
        "its result is by cabinet-ci 0.0.1, not 0.1.0": replace(told, tool=replace(told.tool, version="0.0.1")),
    }
    for reason, earlier in changed.items():
        path = write_result(tmp_path / "earlier.json", earlier)
        assert planned(repo, "--since", path)[DEFAULT_PATH] == [reason]


def test_work_is_the_fuel_of_the_earlier_result_or_of_the_version_nearest_to_it(repo: Repo, tmp_path: Path) -> None:
    earlier = result_of(repo, tmp_path / "main.json")
    new = DEFAULT_PATH.replace("v1.0.0", "v1.1.0")
    write_case(repo.root, path=new)
    told = cabinet("plan", "--all", "--since", earlier, "--format", "json", cwd=repo.root).json
    work = {each["path"]: each["fuel"] for each in told["versions"]}
    assert work[new] == work[DEFAULT_PATH]
    unknown = cabinet("plan", "--all", "--format", "json", cwd=repo.root).json["versions"][0]["fuel"]
    assert unknown == work[DEFAULT_PATH] - burnt(earlier) + 100_000


def burnt(path: Path) -> int:
    first = json.loads(path.read_text())["versions"][0]
    return sum(each["fuel"] for each in first["runs"][0]["cases"])


def test_a_broken_earlier_result_is_exit_code_2(repo: Repo, tmp_path: Path) -> None:
    put(tmp_path / "main.json", "{")
    ran = cabinet("plan", "--since", tmp_path / "main.json", cwd=repo.root)
    assert ran.code == 2
    assert "main.json" in one_line(ran.err)


def matrix(repo: Repo, *arguments: str) -> Ran:
    return cabinet("plan", "--all", "--matrix", *arguments, cwd=repo.root)


def test_the_matrix_is_one_line_and_has_at_most_so_many_jobs(repo: Repo) -> None:
    assert len(matrix(repo).out.splitlines()) == 1
    assert [each["shard"] for each in matrix(repo).json["include"]] == [1, 2]
    assert [each["versions"] for each in matrix(repo, "--shards", "1").json["include"]] == [f"{DEFAULT_PATH}\n{OTHER}"]


@pytest.mark.parametrize("number", ["0", "257", "x"])
def test_a_number_of_jobs_that_github_does_not_start_is_a_usage_error(repo: Repo, number: str) -> None:
    assert matrix(repo, "--shards", number).code == 2


def test_evaluate_takes_what_a_job_names(repo: Repo) -> None:
    (job,) = matrix(repo, "--shards", "1").json["include"]
    ran = cabinet("evaluate", "--format", "json", job["versions"], cwd=repo.root)
    assert [each["path"] for each in ran.json["versions"]] == [DEFAULT_PATH, OTHER]
