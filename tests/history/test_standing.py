"""What differs from the base, and which folders are committed as they stand."""

from __future__ import annotations

from pathlib import Path

from cabinet_ci.history.standing import changed_versions, tree_of, trees_of
from tests.history.repositories import CASE, FIRST, SUITE, environment, new_repo, published


def test_versions_that_differ_from_the_base_are_those_changed_added_or_untracked(tmp_path: Path) -> None:
    repo = published(tmp_path)
    assert changed_versions(tmp_path, {}, environment()) == ()
    repo.version(f"{CASE}/v1.1.0")
    repo.commit()
    repo.version(f"{CASE}/v1.2.0")
    repo.suite()
    repo.put("README.md", "x")
    assert changed_versions(tmp_path, {}, environment()) == (f"{CASE}/v1.1.0", f"{CASE}/v1.2.0", SUITE)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_versions(tmp_path, {}, environment()) == (FIRST, f"{CASE}/v1.1.0", f"{CASE}/v1.2.0", SUITE)


def test_a_version_that_is_gone_is_not_among_them(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("rm", "-r", "--quiet", FIRST)
    assert changed_versions(tmp_path, {}, environment()) == ()


def test_without_a_repository_or_a_base_there_is_no_answer(tmp_path: Path) -> None:
    assert changed_versions(tmp_path, {}, environment()) is None
    repo = new_repo(tmp_path, branch="trunk")
    repo.version()
    repo.commit()
    assert changed_versions(tmp_path, {}, environment()) is None


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


def test_an_ignored_file_does_not_spoil_the_tree(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "target/\n")
    repo.put(f"{FIRST}/target/x", "x")
    assert tree_of(tmp_path, FIRST, environment()) is not None


def test_without_a_repository_there_is_no_tree(tmp_path: Path) -> None:
    assert tree_of(tmp_path, FIRST, environment()) is None
