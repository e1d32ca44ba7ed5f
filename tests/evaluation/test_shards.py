"""Sharing the work out: every version once, nobody idle, nobody with much more than the others."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.evaluation.planning import MATRIX_LIMIT, Plan, Planned, as_matrix, shards
from cabinet_ci.failure import CannotRun

WORK = st.lists(st.integers(0, 10**12), max_size=400)


def planned(work: list[int]) -> list[Planned]:
    return [
        Planned(f"test-cases/performance/easy/case-{index}/v1.0.0", ("x",), fuel) for index, fuel in enumerate(work)
    ]


def plan(*paths: str) -> Plan:
    versions = tuple(Planned(path, ("x",), 1) for path in paths)
    return Plan(schema=1, head=None, base=None, versions=versions, faulty=(), standing=0)


@given(work=WORK, jobs=st.integers(1, 300))
def test_each_version_is_in_one_shard_and_no_shard_is_empty(work: list[int], jobs: int) -> None:
    shares = shards(planned(work), jobs)
    assert sorted(path for share in shares for path in share) == sorted(each.path for each in planned(work))
    assert all(shares)
    assert len(shares) == min(jobs, len(work), MATRIX_LIMIT)


@given(work=WORK.filter(bool), jobs=st.integers(1, 40))
def test_no_shard_has_more_than_its_part_and_the_heaviest_version_together(work: list[int], jobs: int) -> None:
    fuel = {each.path: each.fuel for each in planned(work)}
    shares = shards(planned(work), jobs)
    heaviest = max(sum(fuel[path] for path in share) for share in shares)
    assert heaviest <= sum(work) / len(shares) + max(work)


def test_a_heavy_version_has_a_shard_to_itself() -> None:
    assert [len(share) for share in shards(planned([100, 1, 1, 1, 1]), 2)] == [1, 4]


def test_a_matrix_names_the_versions_of_a_job_a_line_each() -> None:
    told = json.loads(as_matrix(plan("a b/v1.0.0", "c/v1.0.0"), 1))
    assert told == {"include": [{"shard": 1, "versions": "a b/v1.0.0\nc/v1.0.0"}]}


def test_a_matrix_without_work_has_no_job() -> None:
    assert json.loads(as_matrix(plan(), 20)) == {"include": []}


@pytest.mark.parametrize("name", ["a\nb/v1.0.0", "a\u2028b/v1.0.0"])
def test_a_name_with_a_line_break_is_refused(name: str) -> None:
    with pytest.raises(CannotRun, match="line break"):
        as_matrix(plan(name), 20)
