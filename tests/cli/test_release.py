"""`cabinet-ci release`: annotated tags for new versions, all or none, safe to run again."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cabinet_ci.history.changelog import entry_for
from tests.cli.releasing import ECHO, TAG, add_version, pushed_clone, release, tags_at_remote
from tests.history.judging import changed_paths
from tests.history.repositories import Repo
from tests.suites.pong import DRAFT, VERSION, change, write_pong, write_suite_file
from tests.support.cases import put, write_case
from tests.support.command import one_line


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return pushed_clone(tmp_path)


def test_without_push_it_is_a_dry_run(repo: Repo) -> None:
    ran = release(repo)
    assert ran.code == 0
    assert ran.out.splitlines() == [f"{TAG}  new  {ECHO}", "dry run: --push would make 1 tag"]
    assert (repo.git("tag"), tags_at_remote(repo)) == ("", [])


def test_push_makes_an_annotated_tag_with_the_changelog_and_the_tree(repo: Repo) -> None:
    ran = release(repo, "--push")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1] == "1 tag pushed to origin"
    assert tags_at_remote(repo) == [TAG]
    assert repo.git("cat-file", "-t", TAG) == "tag"
    assert repo.git("rev-parse", f"{TAG}^{{commit}}") == repo.git("rev-parse", "HEAD")
    assert repo.git("tag", "--list", "--format=%(contents)", TAG).split("\n\n")[:2] == ["echo v1.0.0", "First version."]
    tree = repo.git("rev-parse", f"HEAD:{ECHO}")
    assert repo.git("tag", "--list", "--format=%(contents:trailers:key=Tree,valueonly)", TAG) == tree


def test_what_was_released_is_frozen(repo: Repo) -> None:
    release(repo, "--push")
    repo.put(f"{ECHO}/prompt.hbs", "x")
    assert changed_paths(repo, freeze="released") == [ECHO]


def test_run_again_there_is_nothing_to_tag(repo: Repo) -> None:
    release(repo, "--push")
    before = repo.git("rev-parse", TAG)
    ran = release(repo, "--push")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "nothing to tag; origin has every tag")
    assert repo.git("rev-parse", TAG) == before
    assert release(repo).out.splitlines()[0] == f"{TAG}  there already  {ECHO}"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("test-case.toml", "experimental = true\n"), "left out: experimental"),
        (("test-case.toml", "unknown = 1\n"), "left out: 1 error, see cabinet-ci validate"),
    ],
)
def test_what_is_experimental_or_not_complete_is_left_out(repo: Repo, change: tuple[str, str], reason: str) -> None:
    path = repo.root / ECHO / change[0]
    path.write_text(change[1] + path.read_text())
    repo.commit()
    repo.git("push", "--quiet")
    ran = release(repo, "--push")
    assert (ran.code, ran.out.splitlines()[0]) == (0, f"{TAG}  {reason}  {ECHO}")
    assert tags_at_remote(repo) == []


def test_a_version_that_is_not_as_committed_is_left_out(repo: Repo) -> None:
    repo.put(f"{ECHO}/prompt.hbs", "x")
    assert "left out: its files are not as committed" in release(repo).out
    assert release(repo, "--push").code == 0
    assert tags_at_remote(repo) == []


def test_a_version_outside_a_sparse_checkout_is_left_out_and_that_is_said(repo: Repo) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", f"{ECHO}/test-case.toml")
    assert f"{TAG}  left out: not all of it is checked out (sparse checkout)  {ECHO}" in release(repo).out
    repo.git("sparse-checkout", "disable")
    assert f"{TAG}  new  {ECHO}" in release(repo).out


def test_exported_versions_of_suites_are_tagged_too_and_drafts_are_not(repo: Repo) -> None:
    write_pong(repo.root)
    change(write_pong(repo.root, VERSION.replace("v1.0.0", "v1.0.1")), "version.toml", version="1.0.0")
    change(
        write_pong(repo.root, VERSION.replace("v1.0.0", "v1.1.0")), "version.toml", version="1.1.0", experimental=True
    )
    write_pong(repo.root, DRAFT)
    repo.commit()
    repo.git("push", "--quiet")
    ran = release(repo, "--push")
    assert tags_at_remote(repo) == [TAG, "pong-v1.0.0"]
    assert "pong-v1.0.1  left out: 1 error, see cabinet-ci validate" in ran.out
    assert "pong-v1.1.0  left out: experimental" in ran.out
    assert "drafts" not in ran.out
    assert repo.git("rev-parse", f"HEAD:{VERSION}") in repo.git("tag", "--list", "--format=%(contents)", "pong-v1.0.0")
    assert "First version." in repo.git("tag", "--list", "--format=%(contents)", "pong-v1.0.0")


def test_a_suite_whose_own_file_is_wrong_is_left_out(repo: Repo) -> None:
    write_pong(repo.root)
    write_suite_file(repo.root, slug="other")
    repo.commit()
    repo.git("push", "--quiet")
    assert "other-v1.0.0  left out: 1 error, see cabinet-ci validate" in release(repo, "--push").out
    assert tags_at_remote(repo) == [TAG]


def test_a_tag_at_another_content_is_an_error_and_nothing_is_tagged(repo: Repo) -> None:
    repo.git("tag", TAG)
    repo.put(f"{ECHO}/prompt.hbs", "changed\n")
    write_case(repo.root, path=ECHO.replace("echo", "other"))
    repo.commit()
    repo.git("push", "--quiet")
    for arguments in ((), ("--push",)):
        ran = release(repo, *arguments)
        assert ran.code == 1
        assert f"{ECHO}: CAB803 the tag {TAG} exists here, and what it tagged is another content" in ran.out
        assert f"or delete a tag made by mistake: git tag -d {TAG}\n" in ran.out
        assert tags_at_remote(repo) == []
    assert repo.git("tag") == TAG


def test_a_tag_of_the_remote_that_is_not_here_counts(repo: Repo, tmp_path: Path) -> None:
    repo.git("push", "--quiet", "origin", f"HEAD:refs/tags/{TAG}")
    ran = release(repo, "--push")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "nothing to tag; origin has every tag")
    repo.put(f"{ECHO}/prompt.hbs", "changed\n")
    repo.commit()
    repo.git("push", "--quiet", "origin", "main")
    ran = release(repo, "--push")
    assert ran.code == 1
    assert f"the tag {TAG} exists at origin, and what it tagged is another content" in ran.out
    assert f"or delete a tag made by mistake: git push origin --delete {TAG}\n" in ran.out
    assert repo.git("tag") == ""


def test_a_tag_that_is_wrong_here_and_right_at_the_remote_is_told_as_the_one_here(repo: Repo) -> None:
    right = repo.git("rev-parse", "HEAD")
    repo.put(f"{ECHO}/prompt.hbs", "changed\n")
    repo.commit()
    repo.git("tag", TAG)
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("push", "--quiet", "origin", "main", f"{right}:refs/tags/{TAG}")
    ran = release(repo, "--push")
    assert ran.code == 1
    assert f"the tag {TAG} exists here, and what it tagged is another content" in ran.out
    assert "at origin, and" not in ran.out


def test_a_tag_that_is_wrong_here_and_at_the_remote_is_one_finding(repo: Repo) -> None:
    repo.git("tag", TAG)
    repo.put(f"{ECHO}/prompt.hbs", "changed\n")
    repo.commit()
    repo.git("push", "--quiet", "origin", "main", TAG)
    ran = release(repo, "--push")
    assert (ran.code, ran.out.count("CAB803")) == (1, 1)
    assert f"the tag {TAG} exists here and at origin, and what it tagged is another content" in ran.out
    assert f"git tag -d {TAG} and git push origin --delete {TAG}" in ran.out


def test_a_tag_that_can_not_be_made_here_is_not_pushed_either(repo: Repo) -> None:
    repo.git("tag", f"{TAG}/draft")
    ran = release(repo, "--push")
    assert ran.code == 2
    assert f"the tag {TAG} can't be made beside the tag {TAG}/draft; nothing was tagged" in one_line(ran.err)
    assert tags_at_remote(repo) == []
    repo.git("tag", "--delete", f"{TAG}/draft")
    assert release(repo, "--push").code == 0


def test_what_was_pushed_is_released_though_the_tag_can_not_be_kept_here(repo: Repo) -> None:
    repo.put(f".git/refs/tags/{TAG}.lock", "")
    ran = release(repo, "--push")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1].startswith("1 tag pushed to origin; here they are to be fetched, as git update-ref")
    assert tags_at_remote(repo) == [TAG]


def test_a_tag_of_a_name_that_means_something_else_is_an_error(repo: Repo) -> None:
    repo.git("tag", TAG, f"HEAD:{ECHO}")
    ran = release(repo, "--push")
    assert (ran.code, "what it is on has no such version" in ran.out) == (1, True)


def test_a_tag_made_by_hand_here_is_pushed_if_its_commit_is_merged(repo: Repo) -> None:
    repo.git("tag", TAG)
    ran = release(repo, "--push")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 tag pushed to origin")
    assert repo.git("cat-file", "-t", TAG) == "commit"


def test_a_tag_made_by_hand_on_another_branch_is_not_pushed(repo: Repo) -> None:
    repo.branch("aside")
    repo.commit("Aside")
    repo.git("tag", TAG)
    repo.git("switch", "--quiet", "main")
    ran = release(repo, "--push")
    assert (ran.code, "on a commit that is not behind HEAD" in ran.out) == (1, True)
    assert tags_at_remote(repo) == []


def test_only_the_main_branch_is_released(repo: Repo) -> None:
    repo.branch("work")
    write_case(repo.root, path=ECHO.replace("echo", "other"))
    repo.commit()
    assert release(repo).out.endswith("but only once HEAD is on main\n")
    ran = release(repo, "--push")
    assert ran.code == 2
    assert one_line(ran.err) == "cabinet-ci: HEAD is not on main; release from the main branch, once it is pushed"


def test_a_commit_that_is_not_pushed_yet_is_not_released(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "--quiet", str(tmp_path / "remote"), str(tmp_path / "second"))
    second = Repo(tmp_path / "second")
    second.commit("Not pushed")
    assert "HEAD is not on origin/main" in release(second, "--push").err


@pytest.mark.parametrize("hook", ["pre-receive", "update"])
def test_a_rejected_push_leaves_nothing_behind_and_can_be_repeated(repo: Repo, tmp_path: Path, hook: str) -> None:
    add_version(repo, ECHO.replace("echo", "other"))
    refuse = tmp_path / "remote/hooks" / hook
    put(refuse, f'#!/bin/sh\ncase "$* $(cat)" in *{TAG}*) exit 1;; esac\n')
    refuse.chmod(0o755)
    ran = release(repo, "--push")
    assert ran.code == 2
    assert "refused the tag" in one_line(ran.err)
    assert "nothing was tagged; it is safe to run again" in ran.err
    assert (repo.git("tag"), tags_at_remote(repo)) == ("", [])
    refuse.unlink()
    assert release(repo, "--push").code == 0
    assert tags_at_remote(repo) == [TAG, "other-v1.0.0"]


def test_a_remote_without_atomic_pushes_takes_them_one_by_one(repo: Repo, tmp_path: Path) -> None:
    Repo(tmp_path / "remote").git("config", "receive.advertiseAtomic", "false")
    add_version(repo, ECHO.replace("echo", "other"))
    refuse = tmp_path / "remote/hooks/update"
    put(refuse, f'#!/bin/sh\ncase "$1" in *{TAG}) exit 1;; esac\n')
    refuse.chmod(0o755)
    ran = release(repo, "--push")
    assert (ran.code, "1 other tag was pushed; it is safe to run again" in one_line(ran.err)) == (2, True)
    assert tags_at_remote(repo) == ["other-v1.0.0"]
    refuse.unlink()
    ran = release(repo, "--push")
    assert ran.out.splitlines()[-1] == "1 tag pushed to origin, one by one: it can't take all or none"
    assert tags_at_remote(repo) == [TAG, "other-v1.0.0"]


def test_two_releases_at_once_both_succeed_and_each_tag_is_made_once(repo: Repo, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_case(repo.root, path=ECHO.replace("echo", name))
    repo.commit()
    repo.git("push", "--quiet")
    clones = [tmp_path / f"clone{number}" for number in range(3)]
    for clone in clones:
        repo.git("clone", "--quiet", str(tmp_path / "remote"), str(clone))
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda clone: release(Repo(clone), "--push"), clones))
    assert [ran.code for ran in runs] == [0, 0, 0], [ran.err for ran in runs]
    assert tags_at_remote(repo) == ["a-v1.0.0", "b-v1.0.0", "c-v1.0.0", TAG]


def test_a_tag_that_appears_between_looking_and_pushing_is_as_good_as_our_own(repo: Repo, tmp_path: Path) -> None:
    add_version(repo, ECHO.replace("echo", "other"))
    real = shutil.which("git")
    once = f"[ -e {tmp_path}/done ] || {{ : > {tmp_path}/done; {real} push -q origin HEAD:refs/tags/{TAG}; }}"
    race = f'case "$*" in *" push "*) {once};; esac'
    put(tmp_path / "bin/git", f'#!/bin/sh\n{race}\nexec {real} "$@"\n')
    (tmp_path / "bin/git").chmod(0o755)
    ran = release(repo, "--push", PATH=f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 tag pushed to origin")
    assert tags_at_remote(repo) == [TAG, "other-v1.0.0"]


def test_a_remote_that_is_missing_or_gone_is_one_line(repo: Repo, tmp_path: Path) -> None:
    ran = release(repo, "--push", "--remote", "upstream")
    assert (ran.code, 'there is no remote "upstream"' in one_line(ran.err)) == (2, True)
    shutil.rmtree(tmp_path / "remote")
    ran = release(repo, "--push")
    assert (ran.code, "git ls-remote failed" in one_line(ran.err)) == (2, True)
    assert repo.git("tag") == ""


@pytest.mark.parametrize("push", [[], ["--push"]])
def test_a_remote_without_a_name_is_one_line(repo: Repo, push: list[str]) -> None:
    ran = release(repo, "--remote", "", *push)
    assert (ran.code, "--remote is empty; name a remote" in one_line(ran.err)) == (2, True)


def test_nobody_to_make_the_tags_is_one_line(repo: Repo) -> None:
    repo.git("config", "user.useConfigOnly", "true")
    env = dict.fromkeys(("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"), "")
    ran = release(repo, "--push", **env)
    assert (ran.code, "git does not know who makes the tags" in one_line(ran.err)) == (2, True)


def test_a_shallow_checkout_of_main_can_be_released(repo: Repo, tmp_path: Path) -> None:
    release(repo, "--push")
    add_version(repo, ECHO.replace("echo", "other"))
    url = (tmp_path / "remote").resolve().as_uri()
    repo.git("clone", "--quiet", "--depth", "1", "--no-tags", url, str(tmp_path / "shallow"))
    ran = release(Repo(tmp_path / "shallow"), "--push")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 tag pushed to origin"), ran.err
    assert tags_at_remote(repo) == [TAG, "other-v1.0.0"]


def test_the_entry_of_a_changelog_is_the_section_that_names_the_version() -> None:
    text = "# Changes\n\n## 1.1.0 - 2026-01-02\n\nLarger.\n\n### Details\n\nMuch.\n\n## 1.0.0\n\nFirst.\n"
    assert entry_for(text, "v1.1.0") == "Larger.\n\n### Details\n\nMuch."
    assert entry_for(text, "v1.0.0") == "First."
    assert entry_for(text, "v1.1.1") == text.strip()
    assert entry_for("## v11.1.0\nNo.\n## [v1.1.0]\nYes.\n", "v1.1.0") == "Yes."
    assert entry_for("Only prose.\n", "v1.0.0") == "Only prose."
