"""Hostile modules are met in one pool of one worker: what is left of it after one of them is what the next one gets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cabinet_ci.evaluation.sandbox.pool import Pool
from tests.support.cases import ECHO, core_module
from tests.support.gallery import Gallery


@pytest.fixture(scope="session")
def _pool() -> Iterator[Pool]:
    with Pool(1) as pool:
        yield pool


@pytest.fixture
def gallery(_pool: Pool) -> Iterator[Gallery]:
    """Where a module is met. Whatever it did, the next case of the same pool goes on."""
    met = Gallery(_pool)
    yield met
    after = met.meet(core_module(ECHO))
    assert (after.outcome, after.detail) == ("pass", "")
