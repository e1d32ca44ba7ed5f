"""The case route-finder: its files are those of the oracle, and its references do what they say."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.oracles import route_finder
from tests.support.command import cabinet

REPOSITORY = Path(__file__).parents[2]
VERSION = route_finder.FOLDER


@pytest.fixture(scope="module")
def runs() -> dict[str, dict[str, Any]]:
    """The run of each reference, by its name, built by the real compiler."""
    assert shutil.which("cargo"), "no cargo on PATH: run the tests with `make test`"
    ran = cabinet("evaluate", VERSION, "--format", "json", cwd=REPOSITORY)
    assert ran.code == 0, ran.err + ran.out
    return {run["reference"]: run for run in ran.json["versions"][0]["runs"]}


def test_every_input_and_answer_is_the_oracles_to_the_byte() -> None:
    made = route_finder.files()
    there = {
        path.relative_to(VERSION).as_posix(): path.read_text()
        for folder in ("smoke", "cases")
        for path in (VERSION / folder).iterdir()
    }
    assert there == made


def test_the_efficient_reference_leaves_30_percent_of_the_ceiling_on_every_stress_case(
    runs: dict[str, dict[str, Any]],
) -> None:
    run = runs["efficient"]
    shares = [case["fuel"] / case["fuel_limit"] for case in run["cases"] if case["kind"] == "stress"]
    assert run["status"] == "pass"
    assert len(shares) >= 3
    assert max(shares) <= 0.7


def test_the_naive_reference_is_right_and_over_the_ceiling(runs: dict[str, dict[str, Any]]) -> None:
    assert runs["naive"]["status"] == "over-ceiling"


def test_the_wrong_reference_fails_a_smoke_case(runs: dict[str, dict[str, Any]]) -> None:
    outcomes = {case["input"]: case["outcome"] for case in runs["wrong"]["cases"]}
    assert outcomes["smoke/one-way-road.json"] == "wrong-answer"
    assert outcomes["cases/country.json"] == "not-run"


def test_the_starter_project_builds_as_it_is_handed_out(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "test-cases", tmp_path / "test-cases", ignore=shutil.ignore_patterns("references"))
    version = tmp_path / VERSION.relative_to(REPOSITORY)
    (version / "references/starter").mkdir(parents=True)
    (version / "references/starter/reference.toml").write_text('expect = "fail"\n')
    ran = cabinet("evaluate", version, "--format", "json", cwd=tmp_path, env={"PATH": os.environ["PATH"]})
    (run,) = ran.json["versions"][0]["runs"]
    assert run["build"]["ok"], run["build"]["log_tail"]
    assert next(case["outcome"] for case in run["cases"] if case["input"] == "smoke/source-is-target.json") == "pass"


def test_the_oracle_tells_fewer_hops_from_more_among_routes_of_one_length() -> None:
    found = route_finder.Map(4, [(0, 1, 1), (1, 3, 1), (0, 2, 0), (2, 1, 0)], [(0, 3), (0, 1)])
    assert route_finder.routes(found) == [[1, 3], [0, 2]]
