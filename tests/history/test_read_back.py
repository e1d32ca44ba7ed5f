"""What history writes and says, read back by GitPython, which shares no code with it."""

from __future__ import annotations

from pathlib import Path

import git

from cabinet_ci.history.planning import standing_of
from cabinet_ci.history.standing import trees_of
from tests.history.repositories import environment, new_repo
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet

OTHER = "test-cases/performance/easy/other/v1.0.0"


def test_a_release_tag_holds_the_changelog_and_the_tree_that_another_reader_sees(tmp_path: Path) -> None:
    root = tmp_path / "clone"
    write_case(root)
    repo = new_repo(root)
    repo.commit("Publish")
    repo.git("init", "--quiet", "--bare", "--initial-branch", "main", str(tmp_path / "remote"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote"))
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    assert cabinet("release", "--push", cwd=root, env=environment()).code == 0
    with git.Repo(root) as reader:
        tag = reader.tags["echo-v1.0.0"]
        assert tag.tag is not None
        assert tag.commit == reader.head.commit
        assert "First version." in tag.tag.message
        assert f"Tree: {(reader.head.commit.tree / DEFAULT_PATH).hexsha}" in tag.tag.message


def test_the_tree_of_a_result_is_the_one_that_another_reader_sees(tmp_path: Path) -> None:
    write_case(tmp_path)
    write_case(tmp_path, path=OTHER)
    new_repo(tmp_path).commit("Publish")
    put(tmp_path / OTHER / "changelog.md", "Not committed.\n")
    with git.Repo(tmp_path) as reader:
        expected = (reader.head.commit.tree / DEFAULT_PATH).hexsha
    assert trees_of(tmp_path, [DEFAULT_PATH, OTHER]) == {DEFAULT_PATH: expected, OTHER: None}
    (run,) = cabinet("evaluate", DEFAULT_PATH, "--format", "json", cwd=tmp_path).json["versions"]
    assert run["tree"] == expected


def test_the_changed_versions_are_those_of_another_readers_difference(tmp_path: Path) -> None:
    write_case(tmp_path)
    write_case(tmp_path, path=OTHER)
    repo = new_repo(tmp_path)
    repo.commit("Publish")
    repo.branch("work")
    put(tmp_path / OTHER / "changelog.md", "Changed.\n")
    repo.commit()
    with git.Repo(tmp_path) as reader:
        touched = {str(each.b_path) for each in reader.commit("main").diff(reader.head.commit)}
    assert {path for path in (DEFAULT_PATH, OTHER) if any(name.startswith(path) for name in touched)} == {OTHER}
    assert standing_of(tmp_path, {}).differing == {OTHER}
