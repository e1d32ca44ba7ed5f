"""A release tag freezes its version whatever else holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.judging import changed_paths, changes, what_happened
from tests.history.repositories import CASE, FIRST, SUITE, Repo, new_repo, published

TAG = "route-finder-v1.0.0"


def experimental(root: Path) -> Repo:
    """A repository whose one version is experimental, on a branch that has just left main."""
    repo = new_repo(root)
    repo.version(experimental=True)
    repo.commit()
    repo.branch("work")
    return repo


@pytest.mark.parametrize("annotated", [True, False])
def test_a_tag_freezes_an_experimental_version(tmp_path: Path, annotated: bool) -> None:
    repo = experimental(tmp_path)
    repo.git("tag", TAG, *(["--annotate", "--message", "x"] if annotated else []))
    assert changes(repo) == ()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    (found,) = changes(repo)
    assert (found.code, found.path) == ("CAB801", FIRST)
    assert TAG in found.message


def test_a_tag_of_a_tag_freezes(tmp_path: Path) -> None:
    repo = experimental(tmp_path)
    repo.git("tag", "--annotate", "--message", "x", "inner")
    repo.git("tag", "--annotate", "--message", "x", TAG, "inner")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo) == [FIRST]


def test_a_tag_on_another_branch_does_not_count(tmp_path: Path) -> None:
    repo = experimental(tmp_path)
    repo.branch("other")
    repo.put("README.md", "x")
    repo.commit()
    repo.git("tag", TAG)
    repo.git("switch", "--quiet", "work")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changes(repo) == ()


def test_a_branch_that_left_before_the_tag_is_judged_by_its_merge_base_alone(tmp_path: Path) -> None:
    repo = experimental(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.commit("Release")
    repo.git("tag", TAG)
    repo.git("switch", "--quiet", "work")
    assert changes(repo) == ()


def test_a_tag_made_on_the_branch_itself_counts(tmp_path: Path) -> None:
    repo = experimental(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "on the branch\n")
    repo.commit()
    repo.git("tag", TAG)
    assert changes(repo) == ()
    repo.put(f"{FIRST}/prompt.hbs", "after the tag\n")
    assert changed_paths(repo) == [FIRST]


def test_a_folder_that_was_broken_on_the_base_has_to_equal_its_tag(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.commit()
    repo.git("tag", TAG)
    repo.put(f"{FIRST}/prompt.hbs", "Broken on main.\n")
    repo.commit()
    repo.branch("work")
    assert what_happened(repo) == "prompt.hbs (changed)"
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert changes(repo) == ()
    repo.commit("Repair")
    assert changes(repo) == ()


def test_a_tagged_version_that_the_base_lost_has_to_come_back(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.commit()
    repo.git("tag", TAG)
    repo.git("rm", "-r", "--quiet", FIRST)
    repo.commit()
    repo.branch("work")
    assert what_happened(repo).count("(deleted)") == 4
    repo.git("checkout", TAG, "--", FIRST)
    assert changes(repo) == ()


def test_a_file_added_on_the_base_after_the_tag_is_a_change(tmp_path: Path) -> None:
    repo = experimental(tmp_path)
    repo.git("tag", TAG)
    repo.git("switch", "--quiet", "main")
    repo.put(f"{FIRST}/extra.md", "x")
    repo.commit()
    assert what_happened(repo) == "extra.md (added)"


def test_the_folder_of_a_tag_is_the_one_that_declares_the_slug_not_the_one_of_its_name(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version("test-cases/performance/hard/paths/v1.0.0", slug="route-finder", experimental=True)
    repo.version("test-cases/performance/hard/route-finder/v1.0.0", slug="other", experimental=True)
    repo.commit()
    repo.git("tag", TAG)
    repo.put("test-cases/performance/hard/route-finder/v1.0.0/prompt.hbs", "x")
    assert changes(repo) == ()
    repo.put("test-cases/performance/hard/paths/v1.0.0/prompt.hbs", "x")
    assert changed_paths(repo) == ["test-cases/performance/hard/paths/v1.0.0"]


def test_a_case_that_moved_on_the_base_is_held_to_its_tag_where_it_is_now(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.commit()
    repo.git("tag", TAG)
    repo.git("mv", CASE, "test-cases/performance/hard/moved")
    repo.commit()
    repo.branch("work")
    assert changes(repo) == ()
    repo.put("test-cases/performance/hard/moved/v1.0.0/prompt.hbs", "x")
    assert changed_paths(repo) == ["test-cases/performance/hard/moved/v1.0.0"]


def test_a_tag_whose_commit_lacks_the_version_is_a_warning(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("tag", "route-finder-v9.0.0")
    (found,) = changes(repo)
    assert (found.code, found.severity) == ("CAB802", "warning")
    assert "route-finder-v9.0.0" in found.message


def test_a_tag_that_is_on_no_commit_is_a_warning(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("tag", TAG, f"HEAD:{FIRST}")
    (found,) = changes(repo)
    assert (found.code, found.severity) == ("CAB802", "warning")
    assert "is on no commit" in found.message


def test_tags_of_another_form_are_none_of_ours(tmp_path: Path) -> None:
    repo = published(tmp_path)
    for name in (
        "v1.0.0",
        "route-finder-1.0.0",
        "Route-Finder-v1.0.0",
        "route-finder-v1.0.0-rc1",
        "route-finder-v01.0.0",
    ):
        repo.git("tag", name, "HEAD^{tree}")
    assert changes(repo) == ()


def test_when_only_released_versions_are_frozen_an_untagged_one_is_free(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put("cabinet-ci.toml", 'freeze = "released"\n')
    repo.version()
    repo.version(f"{CASE}/v1.1.0")
    repo.suite()
    repo.commit()
    repo.git("tag", TAG)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.put(f"{CASE}/v1.1.0/prompt.hbs", "x")
    repo.put(f"{SUITE}/changelog.md", "x")
    assert changed_paths(repo) == [FIRST]
    repo.git("tag", "carom-v1.0.0")
    assert changed_paths(repo) == [FIRST, SUITE]


def test_untracked_files_count_against_a_tag_too(tmp_path: Path) -> None:
    repo = experimental(tmp_path)
    repo.git("tag", TAG)
    repo.git("rm", "--cached", "--quiet", f"{FIRST}/prompt.hbs")
    assert changes(repo) == ()
    repo.put(f"{FIRST}/new.md", "x")
    assert what_happened(repo) == "new.md (added)"
    assert what_happened(repo, staged=True) == "prompt.hbs (deleted)"
