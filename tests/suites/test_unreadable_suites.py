"""Files and folders of suites that may not be read: one finding each, the rest still checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.test_unreadable import findings, forbidden, pytestmark
from tests.suites.pong import DRAFT, SUITE, TABLES, TEXTS, VERSION, write_pong
from tests.support.cases import put

__all__ = ["pytestmark"]


@pytest.mark.parametrize("name", [*TABLES, *TEXTS])
def test_a_file_that_may_not_be_read_is_one_finding(tmp_path: Path, name: str) -> None:
    path = write_pong(tmp_path) / name
    with forbidden(path):
        assert findings(tmp_path) == [("CAB001", f"{VERSION}/{name}")]


@pytest.mark.parametrize(
    "name",
    [
        "specifications",
        "specifications/ball",
        "validators",
        "test-cases",
        "prompts",
        "assets",
        "workspaces/none",
        "demos",
        "showcase",
        "debug-api",
        "reference-implementations",
        "reference-implementations/none",
    ],
)
def test_a_folder_that_may_not_be_read_is_one_finding(tmp_path: Path, name: str) -> None:
    path = write_pong(tmp_path) / name
    with forbidden(path):
        assert findings(tmp_path) == [("CAB001", f"{VERSION}/{name}")]


@pytest.mark.parametrize("path", [VERSION, f"{SUITE}/versions", f"{SUITE}/suite.toml", SUITE])
def test_so_is_what_is_above_a_version_and_the_draft_beside_it_is_checked(tmp_path: Path, path: str) -> None:
    write_pong(tmp_path)
    put(write_pong(tmp_path, DRAFT) / "changelog.md", " ")
    with forbidden(tmp_path / path):
        found = findings(tmp_path)
    draft = [("CAB004", f"{DRAFT}/changelog.md")]
    assert found == sorted([*([] if path == SUITE else draft), ("CAB001", path)], key=lambda one: one[1])
