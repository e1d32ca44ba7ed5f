"""The case phrase-index: its files are those of the oracle, and its references do what they say."""

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

from tests.oracles import phrase_index
from tests.oracles.phrase_index import STRESS, Question, stress_question
from tests.support.command import cabinet

REPOSITORY = Path(__file__).parents[2]
VERSION = phrase_index.FOLDER


@pytest.fixture(scope="module")
def runs() -> dict[str, dict[str, Any]]:
    """The run of each reference, by its name, built by the real compiler."""
    assert shutil.which("clang"), "no clang on PATH: run the tests with `make test`"
    ran = cabinet("evaluate", VERSION, "--format", "json", cwd=REPOSITORY)
    assert ran.code == 0, ran.err + ran.out
    return {run["reference"]: run for run in ran.json["versions"][0]["runs"]}


def small_questions() -> st.SearchStrategy[Question]:
    """Texts of few different words, so that phrases are found, overlap and repeat."""
    text = st.lists(st.sampled_from(["a", "A", "b", "ab", "7", " ", "-", "\n", '"', "\\"]), max_size=24).map("".join)
    return st.builds(Question, text, st.lists(text, max_size=4))


def by_trying_every_place(question: Question) -> list[list[int] | None]:
    """The answers by the definition itself: every place of the text is compared, word for word."""

    def words_of(text: str) -> list[str]:
        return "".join(c if c.isalnum() else " " for c in text).casefold().split()

    words = words_of(question.text)
    answers: list[list[int] | None] = []
    for query in question.queries:
        phrase = words_of(query)
        places = [place for place in range(len(words)) if phrase and words[place : place + len(phrase)] == phrase]
        answers.append([len(places), places[0]] if places else None)
    return answers


@settings(deadline=None)
@given(small_questions())
def test_the_oracle_answers_as_trying_every_place_does(question: Question) -> None:
    assert phrase_index.answers(question) == by_trying_every_place(question)


def test_the_oracle_counts_occurrences_that_share_words() -> None:
    assert phrase_index.answers(Question("x no no no", ["no no", "no"])) == [[2, 1], [3, 1]]


def test_every_input_and_answer_is_the_oracles_to_the_byte() -> None:
    there = {
        path.relative_to(VERSION).as_posix(): path.read_bytes()
        for folder in ("smoke", "cases")
        for path in (VERSION / folder).iterdir()
    }
    assert there == phrase_index.files()


@pytest.mark.parametrize("name", STRESS)
def test_a_stress_case_asks_for_phrases_that_are_there_and_for_some_that_are_not(name: str) -> None:
    answers = phrase_index.answers(stress_question(name))
    assert len(answers) / 10 < answers.count(None) < len(answers) / 2
    assert max(found[0] for found in answers if found) > 10


@pytest.mark.parametrize("name", STRESS)
def test_a_stress_text_has_escapes_and_words_in_either_case(name: str) -> None:
    text = stress_question(name).text
    assert "\n" in text
    assert '"' in text
    assert text.lower() != text != text.upper()


def test_the_stress_cases_grow() -> None:
    questions = [stress_question(name) for name in STRESS]
    for smaller, larger in itertools.pairwise(questions):
        assert len(smaller.text) < len(larger.text)
        assert len(smaller.queries) < len(larger.queries)


def test_the_example_in_the_interface_is_right() -> None:
    text = (VERSION / "specs/interface.md.hbs").read_text()
    question, answer = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    assert answer == {"found": phrase_index.answers(Question(**question))}


def test_the_interface_states_the_memory_that_the_sandbox_allows() -> None:
    allowed = tomllib.loads((VERSION / "test-case.toml").read_text())["sandbox"]["max_memory_bytes"]
    assert f"{allowed // 2**20} MiB" in " ".join((VERSION / "specs/interface.md.hbs").read_text().split())


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


def test_the_naive_reference_burns_at_least_five_times_as_much_on_every_stress_case(
    runs: dict[str, dict[str, Any]],
) -> None:
    efficient, naive = (
        [case["fuel"] for case in runs[name]["cases"] if case["kind"] == "stress"] for name in ("efficient", "naive")
    )
    assert all(more >= 5 * less for less, more in zip(efficient, naive, strict=True))


def test_the_wrong_reference_fails_the_one_smoke_case_that_shows_its_mistake(runs: dict[str, dict[str, Any]]) -> None:
    failed = {case["input"] for case in runs["wrong"]["cases"] if case["outcome"] == "wrong-answer"}
    assert failed == {"smoke/occurrences-that-overlap.json"}


def test_the_starter_project_builds_as_it_is_handed_out(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "test-cases", tmp_path / "test-cases", ignore=shutil.ignore_patterns("references"))
    version = tmp_path / VERSION.relative_to(REPOSITORY)
    (version / "references/starter").mkdir(parents=True)
    (version / "references/starter/reference.toml").write_text('expect = "fail"\n')
    ran = cabinet("evaluate", version, "--format", "json", cwd=tmp_path, env={"PATH": os.environ["PATH"]})
    (run,) = ran.json["versions"][0]["runs"]
    assert run["build"]["ok"], run["build"]["log_tail"]
    assert next(case["outcome"] for case in run["cases"] if case["input"] == "smoke/empty-text.json") == "pass"
