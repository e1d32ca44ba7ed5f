"""What is on the merge base is frozen, and any difference counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.history.judging import changed_paths, changes, what_happened
from tests.history.repositories import CASE, FIRST, SUITE, new_repo, published


def test_an_untouched_repository_has_nothing_to_report(tmp_path: Path) -> None:
    assert changes(published(tmp_path)) == ()


def test_an_edited_file_is_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Find another way.\n")
    assert what_happened(repo) == "prompt.hbs (changed)"


def test_an_edit_counts_whether_it_is_committed_staged_or_neither(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Find another way.\n")
    assert changed_paths(repo) == [FIRST]
    repo.git("add", ".")
    assert changed_paths(repo) == [FIRST]
    repo.commit()
    assert changed_paths(repo) == [FIRST]


def test_an_edit_that_was_taken_back_is_none(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Find another way.\n")
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert changes(repo) == ()


def test_a_file_that_is_only_touched_is_unchanged(tmp_path: Path) -> None:
    repo = published(tmp_path)
    os.utime(tmp_path / FIRST / "prompt.hbs", (1, 1))
    assert changes(repo) == ()


def test_an_added_file_is_a_change_though_git_does_not_track_it(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/notes/new.md", "new\n")
    assert what_happened(repo) == "notes/new.md (added)"


def test_an_ignored_file_is_none(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "target/\n")
    repo.put(f"{FIRST}/target/out.bin", "built\n")
    assert changes(repo) == ()


def test_an_ignored_file_that_was_added_by_force_is_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "target/\n")
    repo.put(f"{FIRST}/target/out.bin", "built\n")
    repo.git("add", "--force", f"{FIRST}/target/out.bin")
    assert what_happened(repo) == "target/out.bin (added)"


def test_a_deleted_file_is_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "run.sh").unlink()
    assert what_happened(repo) == "run.sh (deleted)"


def test_a_changed_mode_is_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "run.sh").chmod(0o755)
    assert what_happened(repo) == "run.sh (mode 100644 to 100755)"


def test_a_file_that_became_a_link_is_a_change_of_type(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "run.sh").unlink()
    (tmp_path / FIRST / "run.sh").symlink_to("prompt.hbs")
    assert what_happened(repo) == "run.sh (type: was a file, is a link)"


def test_a_file_that_became_a_folder_is_deleted_and_what_it_holds_added(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "run.sh").unlink()
    repo.put(f"{FIRST}/run.sh/inner", "x\n")
    assert what_happened(repo) == "run.sh (deleted), run.sh/inner (added)"


@pytest.mark.parametrize("staged", [True, False])
def test_a_file_renamed_inside_the_version_tells_where_it_went(tmp_path: Path, staged: bool) -> None:
    repo = published(tmp_path)
    if staged:
        repo.git("mv", f"{FIRST}/prompt.hbs", f"{FIRST}/task.hbs")
    else:
        (tmp_path / FIRST / "prompt.hbs").rename(tmp_path / FIRST / "task.hbs")
    assert what_happened(repo, staged=staged) == f"prompt.hbs (renamed to {FIRST}/task.hbs), task.hbs (added)"


def test_a_file_renamed_out_of_the_catalog_tells_where_it_went(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / "attic").mkdir()
    repo.git("mv", f"{FIRST}/prompt.hbs", "attic/old.hbs")
    assert what_happened(repo) == "prompt.hbs (renamed to attic/old.hbs)"


def test_a_file_renamed_into_the_version_is_added(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.put("draft.md", "draft\n")
    repo.commit()
    repo.git("mv", "draft.md", f"{FIRST}/draft.md")
    assert what_happened(repo) == "draft.md (added)"


def test_the_whole_folder_moved_is_one_finding_that_follows_each_file(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("mv", CASE, "test-cases/performance/hard/way-finder")
    moved = what_happened(repo)
    assert moved.count("renamed to test-cases/performance/hard/way-finder/v1.0.0/") == 4


def test_a_deleted_folder_is_one_finding(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("rm", "-r", "--quiet", FIRST)
    assert what_happened(repo).count("(deleted)") == 4


def test_each_frozen_version_has_a_finding_of_its_own(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.version(f"{CASE}/v1.0.1")
    repo.version(f"{CASE}/v1.0.2")
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.put(f"{FIRST}/run.sh", "x")
    repo.put(f"{CASE}/v1.0.2/run.sh", "x")
    assert changed_paths(repo) == [FIRST, f"{CASE}/v1.0.2"]


def test_the_finding_is_about_the_folder_and_offers_a_command_to_paste(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    (found,) = changes(repo)
    assert (found.path, found.line, found.severity) == (FIRST, None, "error")
    assert found.hint == f"keep the edits as a new version: cabinet-ci bump {FIRST} --move-changes"


def test_a_new_version_is_free(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.version(f"{CASE}/v1.1.0")
    assert changes(repo) == ()
    repo.commit()
    repo.put(f"{CASE}/v1.1.0/prompt.hbs", "x")
    assert changes(repo) == ()


def test_a_version_that_is_experimental_at_the_merge_base_is_free(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version(experimental=True)
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changes(repo) == ()


def test_a_version_that_calls_itself_experimental_only_now_is_frozen(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.version(experimental=True)
    assert what_happened(repo) == "test-case.toml (changed)"


@pytest.mark.parametrize("manifest", ["experimental = true\nslug = [", 'experimental = "true"\n', None])
def test_an_unreadable_manifest_at_the_merge_base_frees_nothing(tmp_path: Path, manifest: str | None) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    if manifest is None:
        (tmp_path / FIRST / "test-case.toml").unlink()
    else:
        repo.put(f"{FIRST}/test-case.toml", manifest)
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(repo) == [FIRST]


def test_an_exported_suite_version_is_frozen_experimental_or_not(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.suite()
    repo.suite("test-suites/other/versions/v2.0.0", experimental=True)
    repo.commit()
    repo.put(f"{SUITE}/changelog.md", "x")
    repo.put("test-suites/other/versions/v2.0.0/changelog.md", "x")
    assert changed_paths(repo) == [SUITE, "test-suites/other/versions/v2.0.0"]


def test_a_draft_of_a_suite_is_free(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.suite()
    repo.put("test-suites/carom/drafts/next/version.toml", "tags = []\n")
    repo.commit()
    repo.put("test-suites/carom/drafts/next/version.toml", 'tags = ["new"]\n')
    repo.put("test-suites/carom/suite.toml", 'slug = "carom"\nname = "Renamed"\n')
    assert changes(repo) == ()


@pytest.mark.parametrize("staged", [True, False])
def test_any_difference_of_an_exported_suite_version_counts(tmp_path: Path, staged: bool) -> None:
    repo = new_repo(tmp_path)
    repo.suite()
    repo.put(f"{SUITE}/test-cases/deep/one.toml", "x\n")
    repo.commit()
    repo.put(f"{SUITE}/specifications/new.toml", "new\n")
    (tmp_path / SUITE / "changelog.md").chmod(0o755)
    (tmp_path / "test-suites/carom/drafts/next").mkdir(parents=True)
    repo.git("mv", f"{SUITE}/test-cases/deep/one.toml", "test-suites/carom/drafts/next/one.toml")
    repo.git("add", ".")
    assert what_happened(repo, staged=staged) == (
        "changelog.md (mode 100644 to 100755), specifications/new.toml (added), "
        "test-cases/deep/one.toml (renamed to test-suites/carom/drafts/next/one.toml)"
    )


def test_a_version_of_the_older_layout_is_frozen(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version("test-cases/old-case/v0.1.0")
    repo.commit()
    repo.put("test-cases/old-case/v0.1.0/prompt.hbs", "x")
    assert changed_paths(repo) == ["test-cases/old-case/v0.1.0"]


def test_files_beside_the_versions_are_free(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{CASE}/README.md", "About the case.\n")
    repo.put("README.md", "About all.\n")
    assert changes(repo) == ()


def test_a_file_that_left_the_index_but_not_the_disk_is_unchanged_in_the_working_tree(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("rm", "--cached", "--quiet", f"{FIRST}/prompt.hbs")
    assert changes(repo) == ()
    assert what_happened(repo, staged=True) == "prompt.hbs (deleted)"


def test_names_may_hold_anything(tmp_path: Path) -> None:
    repo = published(tmp_path)
    names = ["two words", "a\nb", 'quo"te', "tab\there", "-n", "*", "back\\slash", ":(top)x", "umläut"]
    for name in names:
        repo.put(f"{FIRST}/{name}", "x\n")
    message = what_happened(repo)
    assert message.count("(added)") == len(names)
    assert '"a\\nb" (added)' in message
    assert "umläut (added)" in message
    repo.commit()
    assert what_happened(repo) == message


def test_a_name_that_is_no_utf_8_is_shown_as_git_quotes_it(tmp_path: Path) -> None:
    repo = published(tmp_path)
    Path(os.fsdecode(os.fsencode(tmp_path / FIRST) + b"/caf\xe9.txt")).write_text("x")
    assert what_happened(repo) == '"caf\\351.txt" (added)'


def test_a_moved_file_with_a_line_break_in_its_name_is_followed(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "prompt.hbs").rename(tmp_path / FIRST / 'new\n"name')
    assert f'prompt.hbs (renamed to "{FIRST}/new\\n\\"name")' in what_happened(repo)


def test_line_endings_that_git_converts_are_no_difference(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.put(".gitattributes", "*.hbs text eol=crlf\n")
    repo.version()
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", b"Find the way.\r\n")
    assert changes(repo) == ()
    repo.put(f"{FIRST}/prompt.hbs", b"Find a way.\r\n")
    assert what_happened(repo) == "prompt.hbs (changed)"


def test_a_conflict_in_a_frozen_version_is_judged_by_the_file_on_disk(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Ours.\n")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.put(f"{FIRST}/prompt.hbs", "Theirs.\n")
    repo.commit()
    repo.git("switch", "--quiet", "work")
    repo.git("merge", "main", check=False)
    assert what_happened(repo) == "prompt.hbs (changed)"
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert changes(repo) == ()


def test_a_repository_of_its_own_inside_a_version_is_added(tmp_path: Path) -> None:
    repo = published(tmp_path)
    new_repo(tmp_path / FIRST / "nested")
    assert what_happened(repo) == "nested (added)"


def test_a_sparse_checkout_is_not_a_deletion(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put("README.md", "x\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "--no-cone", "README.md")
    assert not (tmp_path / FIRST).exists()
    assert changes(repo) == ()


def test_a_file_that_git_was_told_to_take_for_unchanged_is_judged_all_the_same(tmp_path: Path) -> None:
    repo = published(tmp_path)
    for name in ("prompt.hbs", "run.sh", "changelog.md"):
        repo.git("update-index", "--assume-unchanged", f"{FIRST}/{name}")
    assert changes(repo) == ()
    repo.put(f"{FIRST}/prompt.hbs", "Hidden.\n")
    (tmp_path / FIRST / "run.sh").unlink()
    assert repo.git("status", "--porcelain") == ""
    assert what_happened(repo) == "prompt.hbs (changed), run.sh (deleted)"


@pytest.mark.parametrize("flags", [["--skip-worktree"], ["--skip-worktree", "--assume-unchanged"]])
def test_a_file_that_git_was_told_to_do_without_is_judged_by_what_lies_there(tmp_path: Path, flags: list[str]) -> None:
    repo = published(tmp_path)
    for name in ("prompt.hbs", "run.sh", "changelog.md", "test-case.toml"):
        for flag in flags:
            repo.git("update-index", flag, f"{FIRST}/{name}")
    assert changes(repo) == ()
    repo.put(f"{FIRST}/prompt.hbs", "Hidden.\n")
    (tmp_path / FIRST / "run.sh").unlink()
    (tmp_path / FIRST / "changelog.md").chmod(0o755)
    assert repo.git("status", "--porcelain") == ""
    assert what_happened(repo) == "changelog.md (mode 100644 to 100755), prompt.hbs (changed), run.sh (deleted)"


def test_a_file_that_lies_outside_a_sparse_checkout_and_differs_is_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put("README.md", "x\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "--no-cone", "README.md")
    repo.put(f"{FIRST}/prompt.hbs", "Hidden.\n")
    assert what_happened(repo) == "prompt.hbs (changed)"
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert changes(repo) == ()


def test_a_change_that_is_staged_for_a_file_outside_a_sparse_checkout_is_found(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Staged.\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "--no-cone", "README.md")
    assert what_happened(repo) == "prompt.hbs (changed)"


def test_a_hidden_file_put_back_after_an_edit_was_committed_is_unchanged(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Committed.\n")
    repo.commit()
    repo.git("update-index", "--assume-unchanged", f"{FIRST}/prompt.hbs")
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert changes(repo) == ()


def test_a_folder_whose_name_holds_a_line_break_is_frozen_by_base_and_tag(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    folder = "test-cases/performance/hard/two\nlines/v1.0.0"
    repo.version(folder, experimental=True)
    repo.commit()
    repo.put(f"{folder}/prompt.hbs", "x")
    assert changes(repo) == ()
    repo.git("tag", "route-finder-v1.0.0")
    assert changed_paths(repo) == ['"test-cases/performance/hard/two\\nlines/v1.0.0"']


@pytest.mark.parametrize(
    ("manifest", "free"),
    [
        ("experimental = true\n[build]\n", True),
        ("experimental = true\n[build\n", False),
        ("tags = [\n[1],\n]\nexperimental = true\n[build]\n", True),
        ('summary = """\n[build]\nexperimental = true\n"""\n', False),
        ("[build]\nexperimental = true\n", False),
        ("\n[build]\n", False),
    ],
)
def test_experimental_is_what_the_root_key_of_a_readable_manifest_says(
    tmp_path: Path, manifest: str, free: bool
) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.put(f"{FIRST}/test-case.toml", manifest)
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert (changes(repo) == ()) is free
