"""Tests that start the command must not see the pull request that they may run in."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_pull_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_BASE_REF", raising=False)
