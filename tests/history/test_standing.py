"""What differs from the base, and which folders are committed as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from cabinet_ci.history.planning import standing_of
from cabinet_ci.history.standing import tree_of, trees_of
from cabinet_ci.history.verdict import judge_history
from tests.history.repositories import CASE, FIRST, SUITE, environment, new_repo, published


def test_versions_that_differ_from_the_base_are_those_changed_added_untracked_or_gone(tmp_path: Path) -> None:
    repo = published(tmp_path)
    assert standing_of(tmp_path, {}).differing == frozenset()
    repo.version(f"{CASE}/v1.1.0")
    repo.commit()
    repo.version(f"{CASE}/v1.2.0")
    repo.suite()
    repo.put("README.md", "x")
    new = {f"{CASE}/v1.1.0", f"{CASE}/v1.2.0", SUITE}
    assert standing_of(tmp_path, {}).differing == judge_history(tmp_path, {}).differing == new
    repo.git("rm", "-r", "--quiet", FIRST)
    assert standing_of(tmp_path, {}).differing == judge_history(tmp_path, {}).differing == {FIRST, *new}


def test_a_file_that_git_was_told_to_take_for_unchanged_and_is_so_does_not_make_its_version_differ(
    tmp_path: Path,
) -> None:
    repo = published(tmp_path)
    repo.git("update-index", "--assume-unchanged", f"{FIRST}/prompt.hbs")
    assert standing_of(tmp_path, {}).differing == frozenset()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert standing_of(tmp_path, {}).differing == {FIRST}


def test_without_a_repository_or_a_base_there_is_no_answer(tmp_path: Path) -> None:
    assert standing_of(tmp_path, {}).differing is None
    repo = new_repo(tmp_path, branch="trunk")
    repo.version()
    repo.commit()
    assert standing_of(tmp_path, {}).differing is None
    assert judge_history(tmp_path, {}).differing is None


def test_the_tree_of_a_committed_folder_is_gits(tmp_path: Path) -> None:
    repo = published(tmp_path)
    assert tree_of(tmp_path, FIRST, environment()) == repo.git("rev-parse", f"HEAD:{FIRST}")


def test_a_folder_that_is_not_as_it_was_committed_has_no_tree(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.version(f"{CASE}/v1.0.1")
    repo.version(f"{CASE}/v1.0.10")
    repo.commit()
    repo.put(f"{FIRST}/new", "x")
    repo.put(f"{CASE}/v1.0.10/prompt.hbs", "x")
    trees = trees_of(tmp_path, [FIRST, f"{CASE}/v1.0.1", f"{CASE}/v1.0.10", "no/such"], environment())
    assert trees == {
        FIRST: None,
        f"{CASE}/v1.0.1": repo.git("rev-parse", f"HEAD:{CASE}/v1.0.1"),
        f"{CASE}/v1.0.10": None,
        "no/such": None,
    }


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_an_edit_that_the_index_hides_is_no_committed_tree(tmp_path: Path, flag: str) -> None:
    repo = published(tmp_path)
    repo.git("update-index", flag, f"{FIRST}/prompt.hbs")
    assert tree_of(tmp_path, FIRST, environment()) is not None
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert tree_of(tmp_path, FIRST, environment()) is None


def test_an_ignored_file_does_not_spoil_the_tree(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "target/\n")
    repo.put(f"{FIRST}/target/x", "x")
    assert tree_of(tmp_path, FIRST, environment()) is not None


def test_without_a_repository_there_is_no_tree(tmp_path: Path) -> None:
    assert tree_of(tmp_path, FIRST, environment()) is None
