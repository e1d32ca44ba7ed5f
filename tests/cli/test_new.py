"""`cabinet-ci new`: what it writes validates, builds and scores as it stands."""

from __future__ import annotations

import json
import os
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from tests.history.repositories import new_repo
from tests.support.cases import put, write_case
from tests.support.command import cabinet, one_line

PATH = "test-cases/performance/easy/pair-sum/v1.0.0"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    assert cabinet("new", "performance", "easy", "pair-sum", cwd=tmp_path).code == 0
    return tmp_path


def test_a_new_case_validates_without_a_finding(root: Path) -> None:
    ran = cabinet("validate", cwd=root)
    assert (ran.code, ran.out) == (0, "1 version checked, nothing found\n")


def test_a_new_case_builds_and_its_references_do_as_they_say(root: Path) -> None:
    ran = cabinet("evaluate", "--format", "json", cwd=root)
    assert ran.code == 0, ran.err
    runs = {run["reference"]: run for run in ran.json["versions"][0]["runs"]}
    assert {name: run["status"] for name, run in runs.items()} == {"efficient": "pass", "naive": "over-ceiling"}
    shares = [case["fuel"] / case["fuel_limit"] for case in runs["efficient"]["cases"] if case["kind"] == "stress"]
    assert max(shares) < 0.7


def test_the_answers_of_a_new_case_are_those_of_trying_every_pair(root: Path) -> None:
    cases = [path.with_suffix(".json") for path in (root / PATH).rglob("*.out")]
    assert len(cases) == 5
    for path in cases:
        given = json.loads(path.read_text())
        pairs = sum(one + other == given["target"] for one, other in combinations(given["numbers"], 2))
        assert json.loads(path.with_suffix(".out").read_text()) == {"pairs": pairs}


def test_slug_name_and_difficulty_are_filled_in(root: Path) -> None:
    manifest = (root / PATH / "test-case.toml").read_text()
    assert 'slug = "pair-sum"\nname = "Pair Sum"\n' in manifest
    assert 'difficulty = "easy"' in manifest
    assert "{{workspace}}" in (root / PATH / "prompt.hbs").read_text()


def test_a_case_that_exists_is_left_alone(root: Path) -> None:
    before = (root / PATH / "test-case.toml").read_bytes()
    ran = cabinet("new", "performance", "easy", "pair-sum", cwd=root)
    assert ran.code == 2
    assert "exists" in one_line(ran.err)
    assert (root / PATH / "test-case.toml").read_bytes() == before


def test_writing_that_was_killed_leaves_nothing_that_is_judged(tmp_path: Path) -> None:
    root = new_repo(tmp_path / "repo").root
    write_case(root)
    before = sorted(root.rglob("test-cases/**/*"))
    put(
        tmp_path / "site/sitecustomize.py",
        "import os, pathlib\npathlib.Path.write_bytes = lambda *_: os.kill(os.getpid(), 9)\n",
    )
    env = {"PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{Path(__file__).parents[2]}"}
    assert cabinet("new", "performance", "easy", "pair-sum", cwd=root, env=env).code == -9
    assert cabinet("validate", cwd=root).out == "1 version checked, nothing found\n"
    assert sorted(root.rglob("test-cases/**/*")) == before
    assert cabinet("new", "performance", "easy", "pair-sum", cwd=root).code == 0
    assert list((root / ".git/cabinet-ci").iterdir()) == []


@pytest.mark.parametrize("folder", [".", "refs"])
def test_a_bare_repository_has_no_place_for_a_case(tmp_path: Path, folder: str) -> None:
    new_repo(tmp_path).git("init", "--quiet", "--bare", "bare")
    shutil.rmtree(tmp_path / ".git")
    ran = cabinet("new", "performance", "easy", "pair-sum", cwd=tmp_path / "bare" / folder)
    assert ran.code == 2
    assert "bare is a bare repository, without a working tree; run it in a clone of it" in one_line(ran.err)


@pytest.mark.parametrize("catalog", [".git", ".git/cases", ".GIT"])
def test_gits_own_folder_is_no_catalog(tmp_path: Path, catalog: str) -> None:
    root = new_repo(tmp_path).root
    ran = cabinet("new", "performance", "easy", "pair-sum", "--catalog", catalog, cwd=root)
    assert ran.code == 2
    assert f"{catalog} is in git's own folder" in one_line(ran.err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["performances", "easy", "x"], "types are performance"),
        (["end-to-end", "easy", "x"], "end-to-end"),
        (["performance", "simple", "x"], "easy, medium, hard"),
        (["performance", "easy", "Not_Kebab"], "kebab-case"),
        (["performance", "easy", "../x"], "kebab-case"),
        (["performance", "easy"], "SLUG"),
    ],
)
def test_what_does_not_fit_is_one_line_and_writes_nothing(tmp_path: Path, arguments: list[str], words: str) -> None:
    ran = cabinet("new", *arguments, cwd=tmp_path)
    assert ran.code == 2
    assert words in one_line(ran.err)
    assert list(tmp_path.iterdir()) == []
