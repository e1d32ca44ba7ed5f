"""The case job-shop: its files are those of the oracle, and its references do what they say."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import job_shop
from tests.oracles.job_shop import STRESS, Job, Outcome, Shop, stress_shop
from tests.support.command import cabinet

REPOSITORY = Path(__file__).parents[2]
VERSION = job_shop.FOLDER


@pytest.fixture(scope="module")
def runs() -> dict[str, dict[str, Any]]:
    """The run of each reference, by its name, built by the real tools."""
    missing = [tool for tool in ("cargo", "wasm-tools") if not shutil.which(tool)]
    assert not missing, f"not on PATH: {missing}; run the tests with `make test`"
    ran = cabinet("evaluate", VERSION, "--format", "json", cwd=REPOSITORY)
    assert ran.code == 0, ran.err + ran.out
    return {run["reference"]: run for run in ran.json["versions"][0]["runs"]}


@st.composite
def small_shops(draw: st.DrawFn) -> Shop:
    """Workshops of up to three machines, with times so short that much happens in one tick."""
    machines = draw(st.integers(1, 3))
    step = st.tuples(st.integers(0, machines - 1), st.integers(1, 4))
    job = st.builds(Job, st.integers(0, 6), st.integers(0, 2), st.lists(step, min_size=1, max_size=4))
    return Shop(draw(st.integers(0, 25)), machines, draw(st.lists(job, max_size=6)))


def tick_by_tick(shop: Shop) -> Outcome:
    """The answer as the problem tells it: every tick, and in it the ends, the releases and the choices."""
    finished: list[int | None] = [None] * len(shop.jobs)
    busy, longest = [0] * shop.machines, [0] * shop.machines
    left = [list(job.steps) for job in shop.jobs]
    waiting: dict[int, int] = {}
    at_work: dict[int, tuple[int, int]] = {}
    for tick in range(shop.ticks):
        for machine, (number, end) in list(at_work.items()):
            if end == tick:
                del at_work[machine]
                if left[number]:
                    waiting[number] = tick
                else:
                    finished[number] = tick
        waiting |= {number: tick for number, job in enumerate(shop.jobs) if job.release == tick}
        for machine in range(shop.machines):
            there = [number for number in waiting if left[number][0][0] == machine]
            if there and machine not in at_work:
                chosen = sorted(there, key=lambda one: (-shop.jobs[one].priority, waiting[one], one))[0]
                at_work[machine] = (chosen, tick + left[chosen].pop(0)[1])
                del waiting[chosen]
                there.remove(chosen)
            longest[machine] = max(longest[machine], len(there))
            busy[machine] += machine in at_work
    return Outcome(finished, busy, longest)


@settings(deadline=None)
@given(small_shops())
def test_the_oracle_answers_as_going_through_every_tick_does(shop: Shop) -> None:
    assert job_shop.outcome(shop) == tick_by_tick(shop)


def test_the_oracle_lets_the_longest_waiting_of_equals_go_first() -> None:
    jobs = [Job(0, 1, [(0, 5)]), Job(2, 1, [(0, 1)]), Job(1, 1, [(0, 1)])]
    assert job_shop.outcome(Shop(10, 1, jobs)) == Outcome([5, 7, 6], [7], [2])


def test_every_input_and_answer_is_the_oracles_to_the_byte() -> None:
    there = {
        path.relative_to(VERSION).as_posix(): path.read_bytes()
        for folder in ("smoke", "cases")
        for path in (VERSION / folder).iterdir()
    }
    assert there == job_shop.files()


def test_the_machine_of_every_step_exists_as_the_problem_promises() -> None:
    for shop in [*job_shop.SMOKE.values(), *map(stress_shop, STRESS)]:
        assert all(0 <= machine < shop.machines for job in shop.jobs for machine, _ in job.steps)


@pytest.mark.parametrize("name", ["factory", "plant"])
def test_a_large_workshop_has_long_queues_and_ends_before_all_jobs_are_finished(name: str) -> None:
    shop = stress_shop(name)
    found = job_shop.outcome(shop)
    assert max(found.longest) > len(shop.jobs) / 10
    assert 0 < found.finished.count(None) < len(shop.jobs) / 2


def test_the_stress_cases_grow() -> None:
    shops = [stress_shop(name) for name in STRESS]
    for smaller, larger in itertools.pairwise(shops):
        assert smaller.machines < larger.machines
        assert len(smaller.jobs) < len(larger.jobs)


def test_the_example_in_the_interface_is_right() -> None:
    text = (VERSION / "specs/interface.md.hbs").read_text()
    question, answer = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    jobs = [Job(*job) for job in question.pop("jobs")]
    assert answer == job_shop.outcome(Shop(**question, jobs=jobs))._asdict()


def test_the_interface_states_the_memory_that_the_sandbox_allows() -> None:
    allowed = tomllib.loads((VERSION / "test-case.toml").read_text())["sandbox"]["max_memory_bytes"]
    assert f"{allowed // 2**20} MiB" in " ".join((VERSION / "specs/interface.md.hbs").read_text().split())


def test_the_references_are_components(runs: dict[str, dict[str, Any]]) -> None:
    assert {run["module"]["kind"] for run in runs.values()} == {"component"}


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


def test_the_naive_reference_burns_at_least_four_times_as_much_on_every_stress_case(
    runs: dict[str, dict[str, Any]],
) -> None:
    efficient, naive = (
        [case["fuel"] for case in runs[name]["cases"] if case["kind"] == "stress"] for name in ("efficient", "naive")
    )
    assert all(more >= 4 * less for less, more in zip(efficient, naive, strict=True))


def test_the_wrong_reference_fails_the_one_smoke_case_that_shows_its_mistake(runs: dict[str, dict[str, Any]]) -> None:
    failed = {case["input"] for case in runs["wrong"]["cases"] if case["outcome"] == "wrong-answer"}
    assert failed == {"smoke/longest-waiting-among-equals.json"}


def test_the_starter_project_builds_as_it_is_handed_out(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "test-cases", tmp_path / "test-cases", ignore=shutil.ignore_patterns("references"))
    version = tmp_path / VERSION.relative_to(REPOSITORY)
    (version / "references/starter").mkdir(parents=True)
    (version / "references/starter/reference.toml").write_text('expect = "fail"\n')
    ran = cabinet("evaluate", version, "--format", "json", cwd=tmp_path, env={"PATH": os.environ["PATH"]})
    (run,) = ran.json["versions"][0]["runs"]
    assert run["build"]["ok"], run["build"]["log_tail"]
    assert next(case["outcome"] for case in run["cases"] if case["input"] == "smoke/no-ticks.json") == "pass"
