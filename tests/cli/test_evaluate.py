"""`cabinet-ci evaluate`, from the command line to the result document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.evaluating import evaluate, only_run, outcomes
from tests.support.cases import (
    DEFAULT_PATH,
    ECHO,
    CaseFile,
    answering,
    core_module,
    put,
    spinning,
    wat,
    write_case,
)
from tests.support.command import cabinet, one_line

TRAPPING = core_module("unreachable")


def test_a_reference_that_answers_right_within_the_limit_passes_and_scores_its_stress_fuel(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = evaluate(tmp_path, DEFAULT_PATH)
    run = only_run(ran)
    fuel = {case["kind"]: case["fuel"] for case in run["cases"]}
    assert ran.code == 0
    assert (run["status"], run["score"], run["stress_fuel"]) == ("pass", fuel["stress"], fuel["stress"])
    assert run["as_expected"] is True


def test_the_document_has_the_keys_of_the_contract(tmp_path: Path) -> None:
    write_case(tmp_path)
    document = evaluate(tmp_path).json
    assert document["schema"] == 1
    assert document["tool"]["name"] == "cabinet-ci"
    assert document["engine"] == {"name": "wasmtime", "version": "50.0.1", "fuel_schedule": "6001e57e819ceff5"}
    (version,) = document["versions"]
    assert set(version) == {"path", "slug", "version", "tree", "runs"}
    assert (version["path"], version["slug"], version["version"]) == (DEFAULT_PATH, "echo", "v1.0.0")
    (run,) = version["runs"]
    assert set(run) == {
        "reference", "variant", "expect", "status", "as_expected", "score", "stress_fuel", "module", "build", "cases",
    }  # fmt: skip
    assert set(run["module"]) == {"kind", "sha256", "bytes"}
    assert set(run["build"]) == {"ok", "seconds", "log_tail"}
    assert set(run["cases"][0]) == {
        "input", "expected", "kind", "outcome", "fuel", "fuel_limit", "fuel_budget", "memory_bytes", "seconds",
        "detail",
    }  # fmt: skip


def test_when_a_smoke_case_fails_no_stress_case_runs(tmp_path: Path) -> None:
    write_case(tmp_path, references={"fixed": answering("[9]")}, expectations={"fixed": 'expect = "fail"'})
    ran = evaluate(tmp_path)
    assert outcomes(only_run(ran)) == {"one": "wrong-answer", "two": "not-run"}
    assert ran.code == 0


def test_every_smoke_case_runs_even_after_one_failed(tmp_path: Path) -> None:
    cases = (CaseFile("a", "[1]", "[2]"), CaseFile("b", "[1]", "[1]"), CaseFile("c", kind="stress"))
    write_case(tmp_path, cases=cases)
    assert outcomes(only_run(evaluate(tmp_path))) == {"a": "wrong-answer", "b": "pass", "c": "not-run"}


def test_correct_on_the_runway_is_over_the_ceiling_and_has_no_score(tmp_path: Path) -> None:
    cases = (CaseFile("one"), CaseFile("two", kind="stress", runway=10.0), CaseFile("three", kind="stress", runway=20))
    write_case(tmp_path, cases=cases, fuel_limit=2000, references={"slow": spinning(1000)})
    run = only_run(evaluate(tmp_path))
    assert outcomes(run) == {"one": "out-of-fuel", "two": "not-run", "three": "not-run"}
    cases = cases[1:]
    write_case(tmp_path, cases=cases, fuel_limit=2000, references={"slow": spinning(1000)})
    run = only_run(evaluate(tmp_path))
    assert outcomes(run) == {"two": "over-ceiling", "three": "over-ceiling"}
    assert (run["status"], run["score"]) == ("over-ceiling", None)
    assert run["stress_fuel"] == sum(case["fuel"] for case in run["cases"])


@pytest.mark.parametrize("runway", [1.0, 1.5, 4.0])
@pytest.mark.parametrize(("below", "outcome"), [(1, "over"), (0, "pass"), (-1, "pass")])
def test_whether_a_case_passes_does_not_depend_on_its_runway(
    tmp_path: Path, runway: float, below: int, outcome: str
) -> None:
    cases = (CaseFile("one", kind="stress", runway=runway),)
    write_case(tmp_path, cases=cases, references={"slow": spinning(1000)})
    needed = only_run(evaluate(tmp_path))["cases"][0]["fuel"]
    write_case(tmp_path, cases=cases, references={"slow": spinning(1000)}, fuel_limit=needed - below)
    case = only_run(evaluate(tmp_path))["cases"][0]
    over = "out-of-fuel" if runway == 1.0 else "over-ceiling"
    assert case["outcome"] == (over if outcome == "over" else "pass")
    assert case["fuel"] == (needed - below if case["outcome"] == "out-of-fuel" else needed)


def test_a_budget_is_the_limit_times_the_runway_rounded_down(tmp_path: Path) -> None:
    cases = (CaseFile("one", runway=9.0), CaseFile("two", kind="stress", runway=1.15))
    write_case(tmp_path, cases=cases, fuel_limit=99_999)
    budgets = [case["fuel_budget"] for case in only_run(evaluate(tmp_path))["cases"]]
    assert budgets == [99_999, 114_998]


def test_a_module_without_the_entry_is_an_abi_error_for_smoke_and_not_run_for_stress(tmp_path: Path) -> None:
    write_case(tmp_path, references={"odd": core_module(ECHO).replace(b"solve", b"other")})
    ran = evaluate(tmp_path)
    run = only_run(ran)
    assert outcomes(run) == {"one": "abi-error", "two": "not-run"}
    assert "`solve`" in run["cases"][0]["detail"]
    assert ran.code == 1


def test_without_smoke_cases_a_module_that_can_t_be_run_is_an_abi_error_for_stress(tmp_path: Path) -> None:
    write_case(tmp_path, cases=(CaseFile("two", kind="stress"),), references={"odd": wat("(module)")})
    assert outcomes(only_run(evaluate(tmp_path))) == {"two": "abi-error"}


def test_a_reference_that_fails_without_being_expected_to_exits_with_1(tmp_path: Path) -> None:
    write_case(tmp_path, references={"trap": TRAPPING})
    ran = evaluate(tmp_path)
    assert (ran.code, only_run(ran)["as_expected"]) == (1, False)


def test_a_reference_that_passes_where_failure_is_expected_exits_with_1(tmp_path: Path) -> None:
    write_case(tmp_path, expectations={"echo": 'expect = "over-ceiling"'})
    assert evaluate(tmp_path).code == 1


def test_the_outcome_expected_of_a_single_case_counts(tmp_path: Path) -> None:
    write_case(
        tmp_path,
        references={"fixed": answering("[1]")},
        expectations={"fixed": 'expect = "fail"\n[cases]\n"cases/two.json" = "trap"'},
    )
    assert evaluate(tmp_path).code == 1
    write_case(
        tmp_path,
        references={"fixed": answering("[1]")},
        expectations={"fixed": 'expect = "fail"\n[cases]\n"cases/two.json" = "wrong-answer"'},
    )
    assert evaluate(tmp_path).code == 0


def test_a_ready_module_is_graded_instead_of_building(tmp_path: Path) -> None:
    write_case(tmp_path, references={})
    put(tmp_path / "ready.wasm", core_module(ECHO))
    ran = evaluate(tmp_path, DEFAULT_PATH, "--module", "ready.wasm")
    run = only_run(ran)
    assert ran.code == 0
    assert (run["reference"], run["build"], run["expect"], run["status"]) == (None, None, "pass", "pass")


def test_a_ready_module_that_fails_exits_with_1(tmp_path: Path) -> None:
    write_case(tmp_path)
    put(tmp_path / "ready.wasm", b"not wasm")
    assert evaluate(tmp_path, DEFAULT_PATH, "--module", "ready.wasm").code == 1


def test_only_the_named_reference_runs(tmp_path: Path) -> None:
    write_case(tmp_path, references={"echo": core_module(ECHO), "trap": TRAPPING})
    run = only_run(evaluate(tmp_path, "--reference", "echo"))
    assert run["reference"] == "echo"


def test_only_references_of_the_variant_run(tmp_path: Path) -> None:
    folder = write_case(
        tmp_path,
        references={"echo": core_module(ECHO), "other": core_module(ECHO)},
        expectations={"other": 'variant = "second"'},
    )
    put(folder / "variants/second.toml", 'slug = "second"\n')
    manifest = folder / "test-case.toml"
    manifest.write_text(
        manifest.read_text().replace('["variants/base.toml"]', '["variants/base.toml", "variants/second.toml"]')
    )
    run = only_run(evaluate(tmp_path, "--variant", "second"))
    assert (run["reference"], run["variant"]) == ("other", "second")


def test_a_variants_reference_implementation_is_built_by_itself(tmp_path: Path) -> None:
    folder = write_case(tmp_path, references={}, build="ls; cp given.wasm solution.wasm")
    put(folder / "complete/given.wasm", core_module(ECHO))
    put(folder / "variants/base.toml", 'slug = "base"\nreference_implementation = "complete"\n')
    run = only_run(evaluate(tmp_path))
    assert (run["reference"], run["status"]) == ("complete", "pass")
    assert "start.txt" not in run["build"]["log_tail"]


def test_a_folder_above_versions_stands_for_all_of_them(tmp_path: Path) -> None:
    write_case(tmp_path)
    write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    slugs = [version["slug"] for version in evaluate(tmp_path, "test-cases/performance").json["versions"]]
    assert slugs == ["echo", "other"]


def test_a_version_with_errors_is_refused_with_the_first_of_them(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "schemas/output.json", "{")
    ran = cabinet("evaluate", cwd=tmp_path)
    assert ran.code == 2
    assert f"{DEFAULT_PATH}/schemas/output.json:1:2: CAB501" in one_line(ran.err)


def test_fuel_is_the_same_over_ten_runs_with_one_job_and_with_two(tmp_path: Path) -> None:
    cases = (
        CaseFile("one"),
        *(CaseFile(f"s{size}", f"[{'1,' * size}1]", f"[{'1,' * size}1]", "stress") for size in range(8)),
    )
    write_case(tmp_path, cases=cases, references={"slow": spinning(500)})
    documents = [evaluate(tmp_path, "--jobs", str(1 + turn % 2)) for turn in range(10)]
    fuels = {json.dumps([case["fuel"] for case in only_run(ran)["cases"]]) for ran in documents}
    assert len(fuels) == 1


def test_the_result_can_be_written_to_a_file(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = evaluate(tmp_path, "--output", "result.json")
    assert ran.out == ""
    assert json.loads((tmp_path / "result.json").read_text())["schema"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], ["nowhere", "does not exist"]),
        (["empty"], ["empty", "is not in a version folder"]),
        ([DEFAULT_PATH, "--reference", "nope"], ["no reference `nope`", "echo"]),
        ([DEFAULT_PATH, "--variant", "nope"], ["no variant `nope`", "base"]),
        ([DEFAULT_PATH, "--module", "nope.wasm"], ["nope.wasm", "does not exist"]),
        ([DEFAULT_PATH, "--jobs", "0"], ["--jobs"]),
        (["--format", "yaml"], ["yaml"]),
        (["--root", "nowhere"], ["nowhere"]),
    ],
)
def test_what_can_t_be_evaluated_is_one_line_and_exit_code_2(
    tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    write_case(tmp_path)
    (tmp_path / "empty").mkdir()
    ran = cabinet("evaluate", *arguments, cwd=tmp_path)
    line = one_line(ran.err)
    assert ran.code == 2
    assert all(word in line for word in words), line


def test_a_broken_manifest_is_one_line_that_names_the_place(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("fuel_limit = 100000", 'fuel_limit = "much"'))
    ran = cabinet("evaluate", DEFAULT_PATH, cwd=tmp_path)
    assert ran.code == 2
    line = one_line(ran.err)
    assert f"{DEFAULT_PATH}/test-case.toml:" in line
    assert "cabinet-ci validate" in line


def test_an_outcome_expected_of_an_input_that_is_no_case_is_told(tmp_path: Path) -> None:
    write_case(tmp_path, expectations={"echo": '[cases]\n"cases/typo.json" = "pass"'})
    ran = cabinet("evaluate", cwd=tmp_path)
    assert ran.code == 2
    assert "cases/typo.json" in ran.err
