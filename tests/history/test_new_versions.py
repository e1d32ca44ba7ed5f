"""New versions follow on those before them, and say what they changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cabinet_ci.history.order import next_numbers, statements
from tests.history.judging import disorder
from tests.history.repositories import CASE, FIRST, SUITE, Repo, new_repo
from tests.support.command import cabinet


def with_versions(root: Path, *versions: str) -> Repo:
    """A repository with these versions on main, on a branch that has just left it."""
    repo = new_repo(root)
    repo.commit()
    for version in versions:
        repo.version(f"{CASE}/{version}")
    repo.commit()
    repo.branch("work")
    return repo


@pytest.mark.parametrize(
    ("on_base", "new"),
    [
        (("v1.0.0",), "v1.0.1"),
        (("v1.0.0",), "v1.1.0"),
        (("v1.0.0",), "v2.0.0"),
        (("v1.0.9",), "v1.0.10"),
        (("v1.0.0", "v1.1.0"), "v1.0.1"),
        (("v1.0.0", "v1.0.1", "v2.0.0"), "v1.0.2"),
        ((), "v3.2.1"),
    ],
)
def test_a_version_that_follows_on_is_in_order(tmp_path: Path, on_base: tuple[str, ...], new: str) -> None:
    repo = with_versions(tmp_path, *on_base)
    repo.version(f"{CASE}/{new}")
    assert disorder(repo) == ()


@pytest.mark.parametrize(
    ("on_base", "new", "message", "allowed"),
    [
        (("v1.0.0",), "v1.0.2", "v1.0.2 leaves a hole after v1.0.0", "v1.0.1, v1.1.0 or v2.0.0"),
        (("v1.0.0",), "v1.2.0", "v1.2.0 leaves a hole after v1.0.0", "v1.0.1, v1.1.0 or v2.0.0"),
        (("v1.0.0",), "v2.0.1", "v2.0.1 leaves a hole after v1.0.0", "v1.0.1, v1.1.0 or v2.0.0"),
        (("v1.0.0", "v2.0.0"), "v1.1.0", "v1.1.0 is a step back behind v2.0.0", "v1.0.1, v2.0.1, v2.1.0 or v3.0.0"),
        (("v1.0.0", "v2.0.0"), "v1.0.2", "v1.0.2 is a step back behind v2.0.0", "v1.0.1, v2.0.1, v2.1.0 or v3.0.0"),
        (("v1.0.1",), "v1.0.0", "v1.0.0 is a step back behind v1.0.1", "v1.0.2, v1.1.0 or v2.0.0"),
    ],
)
def test_a_hole_or_a_step_back_is_a_warning_that_says_what_may_come_next(
    tmp_path: Path, on_base: tuple[str, ...], new: str, message: str, allowed: str
) -> None:
    repo = with_versions(tmp_path, *on_base)
    repo.version(f"{CASE}/{new}")
    (found,) = disorder(repo)
    assert (found.code, found.severity, found.path) == ("CAB810", "warning", f"{CASE}/{new}")
    assert (found.message, found.hint) == (message, f"the next version may be {allowed}")


def test_several_new_versions_follow_on_each_other(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    for version in ("v1.0.1", "v1.0.2", "v1.1.0"):
        repo.version(f"{CASE}/{version}")
    assert disorder(repo) == ()


def test_versions_that_came_to_the_base_since_the_branch_left_it_are_taken(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    repo.git("switch", "--quiet", "main")
    repo.version(f"{CASE}/v1.1.0")
    repo.commit()
    repo.git("switch", "--quiet", "work")
    repo.version(f"{CASE}/v1.2.0")
    assert disorder(repo) == ()


def test_each_folder_counts_for_itself(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    repo.version("test-cases/performance/easy/other/v5.0.0", slug="other")
    assert disorder(repo) == ()


def test_a_copied_changelog_says_nothing(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    copied = (tmp_path / FIRST / "changelog.md").read_text()
    repo.version(f"{CASE}/v1.1.0", log=f"# v1.1.0, 2026-02-03\n\n* {copied.upper()}")
    for staged in (False, True):
        repo.git("add", ".")
        (found,) = disorder(repo, staged=staged)
        assert (found.code, found.severity) == ("CAB811", "error")
        assert (found.path, found.line, found.column) == (f"{CASE}/v1.1.0/changelog.md", 1, 1)


def test_a_changelog_copied_from_a_version_outside_the_sparse_checkout_says_nothing(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    copied = (tmp_path / FIRST / "changelog.md").read_text()
    repo.git("sparse-checkout", "set", "--no-cone", f"{CASE}/v1.1.0")
    repo.version(f"{CASE}/v1.1.0", log=copied)
    assert not (tmp_path / FIRST).exists()
    assert [found.code for found in disorder(repo)] == ["CAB811"]


def test_a_changelog_that_adds_a_line_to_the_one_before_says_something(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    copied = (tmp_path / FIRST / "changelog.md").read_text()
    repo.version(f"{CASE}/v1.1.0", log=f"{copied}Larger inputs.\n")
    assert disorder(repo) == ()


def test_two_new_versions_with_one_changelog_are_both_told(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    repo.version(f"{CASE}/v1.1.0", log="Larger inputs.\n")
    repo.version(f"{CASE}/v1.2.0", log="Larger inputs.\n")
    assert [found.path for found in disorder(repo)] == [f"{CASE}/v1.{minor}.0/changelog.md" for minor in (1, 2)]


def test_the_index_is_what_counts_for_a_commit(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    copied = (tmp_path / FIRST / "changelog.md").read_text()
    repo.version(f"{CASE}/v1.1.0", log=copied)
    repo.git("add", ".")
    repo.put(f"{CASE}/v1.1.0/changelog.md", "Larger inputs.\n")
    assert (len(disorder(repo, staged=True)), len(disorder(repo))) == (1, 0)


def test_an_empty_changelog_is_left_to_the_rule_about_empty_ones(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    repo.version(f"{CASE}/v1.1.0", log=" \n")
    assert disorder(repo) == ()


def test_suites_are_held_to_the_same(tmp_path: Path) -> None:
    repo = with_versions(tmp_path)
    repo.git("switch", "--quiet", "main")
    repo.suite()
    repo.commit()
    repo.branch("suites")
    repo.suite(SUITE.replace("v1.0.0", "v1.0.3"))
    assert [found.code for found in disorder(repo)] == ["CAB810", "CAB811"]


def test_a_draft_of_a_suite_is_no_new_version(tmp_path: Path) -> None:
    repo = with_versions(tmp_path)
    repo.suite()
    repo.commit()
    repo.put("test-suites/carom/drafts/v9.0.0/changelog.md", (tmp_path / SUITE / "changelog.md").read_text())
    repo.put("test-suites/carom/drafts/v9.0.0/version.toml", 'changelog = "changelog.md"\n')
    assert disorder(repo, base="HEAD") == ()


def test_the_command_tells_both(tmp_path: Path) -> None:
    repo = with_versions(tmp_path, "v1.0.0")
    repo.version(f"{CASE}/v1.0.7", log="Larger inputs.\n")
    ran = cabinet("immutable", cwd=tmp_path)
    assert (ran.code, ran.out.count("CAB810")) == (0, 1)
    repo.version(f"{CASE}/v1.0.7", log=(tmp_path / FIRST / "changelog.md").read_text())
    ran = cabinet("immutable", cwd=tmp_path)
    assert (ran.code, ran.out.count("CAB811")) == (1, 1)


def test_numbers_marks_and_dates_alone_state_nothing() -> None:
    assert statements("# v1.2.3 (2026-01-02)\n\n---\n* 1.0\n") == set()
    assert statements("## Larger inputs\n- limit: 5000\n") == {"larger inputs", "limit 5000"}


def test_the_first_version_may_have_any_number() -> None:
    assert next_numbers([]) == []
