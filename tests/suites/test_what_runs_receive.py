"""What runs of a suite receive: nothing lands on anything else, and nothing held out is within reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suites.pong import change, findings, told, write_pong
from tests.support.cases import put

END_TO_END = "test-cases/end-to-end.toml"


@pytest.mark.parametrize(
    ("name", "clashes"),
    [
        ("specs/ball.md", True),
        ("specs", True),
        ("specs/ball.md/deep.md", True),
        ("specs/other.md", False),
        ("ball.md", False),
        (".specs/ball.md", False),
    ],
)
def test_a_specification_can_t_land_on_a_workspace_s_file(tmp_path: Path, name: str, clashes: bool) -> None:
    put(write_pong(tmp_path) / "workspaces/none" / name, "Mine.\n")
    found = [one for one in findings(tmp_path) if "paddle" not in one.path]
    assert [(one.code, one.path.rpartition("v1.0.0/")[2]) for one in found] == (
        [("CAB638", "specifications/ball/specification.toml")] if clashes else []
    )


def test_a_path_that_is_broken_is_not_told_again_as_a_clash(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/specs/other.md", "Mine.\n")
    change(folder, "specifications/ball/specification.toml", path=1)
    assert [one.code for one in findings(tmp_path)] == ["CAB103"]


def test_only_specifications_that_a_definition_covers_are_seeded(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/specs/ball.md", "Mine.\n")
    change(folder, END_TO_END, specifications=["paddle"])
    assert told(tmp_path) == []


@pytest.mark.parametrize(("type_", "codes"), [("end-to-end", ["CAB638"]), ("full-stack", [])])
def test_an_asset_can_t_either_where_assets_are_seeded(tmp_path: Path, type_: str, codes: list[str]) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/assets/paddle/paddle.png", "mine")
    change(folder, END_TO_END, type=type_)
    assert [one.code for one in findings(tmp_path)] == codes


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("checks", "../../validators"),
        ("solution.ts", "../../reference-implementations/none/index.ts"),
        ("deep/prompt.hbs", "../../../prompts/build.hbs"),
    ],
)
def test_nothing_that_is_kept_from_runs_is_linked_into_a_workspace(tmp_path: Path, link: str, target: str) -> None:
    workspace = write_pong(tmp_path) / "workspaces/none"
    (workspace / "deep").mkdir()
    (workspace / link).symlink_to(target)
    assert told(tmp_path) == [f"CAB639 workspaces/none/{link}"]


def test_a_link_to_another_workspace_or_an_asset_is_fine(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/shared/index.ts", "")
    (folder / "workspaces/none/again").symlink_to("shared")
    (folder / "workspaces/none/paddle.png").symlink_to("../../assets/paddle/paddle.png")
    assert told(tmp_path) == []
