"""The case route-finder: its files are those of the oracle, and its references do what they say."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import route_finder
from tests.oracles.route_finder import STRESS, Map, stress_map
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


@st.composite
def small_maps(draw: st.DrawFn) -> Map:
    """Maps of up to five places, with all pairs of places as queries; short lengths, so that many routes are equal."""
    places = draw(st.integers(1, 5))
    place = st.integers(0, places - 1)
    roads = draw(st.lists(st.tuples(place, place, st.integers(0, 3)), max_size=12))
    return Map(places, roads, list(itertools.product(range(places), repeat=2)))


def by_trying_every_route(found: Map) -> list[list[int] | None]:
    """The answers by the definition itself: of all routes that visit no place twice the smallest pair."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(found.places))
    graph.add_edges_from((start, end, {"length": length}) for start, end, length in found.roads)
    answers: list[list[int] | None] = []
    for source, target in found.queries:
        routes = [[]] if source == target else nx.all_simple_edge_paths(graph, source, target)
        pairs = [[sum(graph.edges[road]["length"] for road in route), len(route)] for route in routes]
        answers.append(min(pairs, default=None))
    return answers


@settings(deadline=None)
@given(small_maps())
def test_the_oracle_answers_as_trying_every_route_does(found: Map) -> None:
    assert route_finder.routes(found) == by_trying_every_route(found)


def test_the_oracle_tells_fewer_hops_from_more_among_routes_of_one_length() -> None:
    found = Map(4, [(0, 1, 1), (1, 3, 1), (0, 2, 0), (2, 1, 0)], [(0, 3), (0, 1)])
    assert route_finder.routes(found) == [[1, 3], [0, 2]]


def test_every_input_and_answer_is_the_oracles_to_the_byte() -> None:
    there = {
        path.relative_to(VERSION).as_posix(): path.read_bytes()
        for folder in ("smoke", "cases")
        for path in (VERSION / folder).iterdir()
    }
    assert there == route_finder.files()


def test_the_places_of_every_road_and_query_exist_as_the_problem_promises() -> None:
    for found in [*route_finder.SMOKE.values(), *map(stress_map, STRESS)]:
        named = [place for road in found.roads for place in road[:2]] + [
            place for query in found.queries for place in query
        ]
        assert all(0 <= place < found.places for place in named)


@pytest.mark.parametrize("name", STRESS)
def test_a_stress_map_has_a_target_that_no_route_reaches_beside_those_that_one_does(name: str) -> None:
    answers = route_finder.routes(stress_map(name))
    assert None in answers
    assert answers.count(None) < len(answers) / 10


def test_the_stress_maps_grow() -> None:
    maps = [stress_map(name) for name in STRESS]
    for smaller, larger in itertools.pairwise(maps):
        assert smaller.places < larger.places
        assert len(smaller.roads) < len(larger.roads)
        assert len(smaller.queries) < len(larger.queries)


def test_the_example_in_the_interface_is_right() -> None:
    text = (VERSION / "specs/interface.md.hbs").read_text()
    question, answer = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    assert answer == {"routes": route_finder.routes(Map(**question))}


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
