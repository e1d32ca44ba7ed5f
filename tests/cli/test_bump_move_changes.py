"""`cabinet-ci bump --move-changes`: edits leave a frozen version for a new one, and nothing is lost."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.bumping import NEXT, bump, held
from tests.history.judging import changed_paths, changes
from tests.history.repositories import CASE, FIRST, SUITE, Repo, new_repo, published
from tests.support.cases import put
from tests.support.command import cabinet, one_line


def edited(root: Path) -> Repo:
    """A published version with an edit, an added file and a deleted one."""
    repo = published(root)
    repo.put(f"{FIRST}/prompt.hbs", "Find a better way.\n")
    repo.put(f"{FIRST}/notes/new.md", "New.\n")
    (root / FIRST / "run.sh").unlink()
    return repo


def test_edits_move_to_the_new_version_and_the_frozen_one_is_as_it_was(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    edits = held(tmp_path / FIRST)
    ran = bump(repo, FIRST, "--move-changes")
    assert ran.code == 0, ran.err
    assert held(tmp_path / NEXT) == edits
    assert changes(repo) == ()
    assert not (tmp_path / FIRST / "notes").exists()
    assert repo.git("status", "--porcelain", "--", FIRST) == ""


def test_edits_that_were_not_staged_are_not_staged_afterwards(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert repo.git("status", "--porcelain") == f"?? {NEXT}/"


def test_edits_that_were_staged_are_staged_in_the_new_version(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    repo.git("add", ".")
    repo.put(f"{FIRST}/prompt.hbs", "And then some.\n")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert changes(repo, staged=True) == ()
    assert repo.git("show", f":{NEXT}/prompt.hbs") == "Find a better way."
    assert (tmp_path / NEXT / "prompt.hbs").read_text() == "And then some.\n"
    assert repo.git("diff", "--name-only") == f"{NEXT}/prompt.hbs"


def test_edits_that_were_committed_on_the_branch_move_too(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    repo.commit("Too early")
    assert bump(repo, FIRST, "--move-changes").code == 0
    repo.commit("As a new version")
    assert changes(repo) == ()
    assert repo.git("diff", "--name-only", "main", "--", FIRST) == ""
    assert repo.git("ls-tree", "--name-only", f"HEAD:{NEXT}").split() == [
        "changelog.md",
        "notes",
        "prompt.hbs",
        "test-case.toml",
    ]


def test_other_staged_work_is_left_as_it_is(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    repo.put("README.md", "x")
    repo.git("add", "README.md")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert repo.git("diff", "--cached", "--name-only") == "README.md"


def test_a_file_that_became_a_folder_is_put_back(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "run.sh").unlink()
    repo.put(f"{FIRST}/run.sh/inner", "x")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert changes(repo) == ()
    assert (tmp_path / NEXT / "run.sh/inner").is_file()


def test_a_version_frozen_by_a_tag_is_put_back_to_the_tag(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version(experimental=True)
    repo.commit()
    repo.git("tag", "route-finder-v1.0.0")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.commit()
    assert changed_paths(repo) == [FIRST]
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert changes(repo) == ()
    assert (tmp_path / NEXT / "prompt.hbs").read_text() == "x"


@pytest.mark.parametrize("stop", ["update-index", "checkout-index"])
def test_interrupted_halfway_it_is_finished_by_running_it_again(tmp_path: Path, stop: str) -> None:
    repo = edited(tmp_path / "repo")
    repo.git("add", ".")
    edits = held(repo.root / FIRST)
    script = f'case "$*" in *{stop}*) kill -9 $PPID;; *) exec "$REAL_GIT" "$@";; esac'
    put(tmp_path / "bin/git", f"#!/bin/sh\n{script}\n")
    (tmp_path / "bin/git").chmod(0o755)
    real = next(
        f"{folder}/git" for folder in os.environ["PATH"].split(os.pathsep) if os.access(f"{folder}/git", os.X_OK)
    )
    env = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "REAL_GIT": real}
    assert cabinet("bump", FIRST, "--move-changes", cwd=repo.root, env=env).code < 0
    assert held(repo.root / NEXT) == edits
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert held(repo.root / NEXT) == edits
    assert not (repo.root / CASE / "v1.0.2").exists()
    assert changes(repo) == changes(repo, staged=True) == ()
    assert repo.git("show", f":{NEXT}/prompt.hbs") == "Find a better way."


def test_an_index_that_is_locked_leaves_the_edits_where_they_are(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    repo.git("add", ".")
    edits = held(tmp_path / FIRST)
    repo.put(".git/index.lock", "")
    ran = bump(repo, FIRST, "--move-changes")
    assert ran.code == 2
    assert "index.lock" in one_line(ran.err)
    assert held(tmp_path / FIRST) == edits == held(tmp_path / NEXT)


def test_edits_of_a_published_file_that_git_ignores_by_now_move_too(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "*.hbs\n")
    repo.git("rm", "--cached", "--quiet", f"{FIRST}/prompt.hbs")
    repo.put(f"{FIRST}/prompt.hbs", "Precious.\n")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert (tmp_path / NEXT / "prompt.hbs").read_text() == "Precious.\n"
    assert (tmp_path / FIRST / "prompt.hbs").read_text() == "Find the way.\n"


def test_ignored_files_where_a_published_file_has_to_be_move_too(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "*.log\n")
    (tmp_path / FIRST / "run.sh").unlink()
    repo.put(f"{FIRST}/run.sh/deep/inner.log", "Precious.\n")
    (tmp_path / FIRST / "run.sh/deep/link.log").symlink_to("/")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert (tmp_path / NEXT / "run.sh/deep/inner.log").read_text() == "Precious.\n"
    assert (tmp_path / NEXT / "run.sh/deep/link.log").is_symlink()
    assert (tmp_path / FIRST / "run.sh").read_text() == "exit\n"


def test_an_ignored_file_where_a_published_folder_has_to_be_moves_too(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.version()
    repo.put(f"{FIRST}/cases/deep/one.json", "1\n")
    repo.commit()
    repo.branch("work")
    shutil.rmtree(tmp_path / FIRST / "cases")
    repo.put(".git/info/exclude", "cases\n")
    repo.put(f"{FIRST}/cases", "Precious.\n")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert (tmp_path / NEXT / "cases").read_text() == "Precious.\n"
    assert (tmp_path / FIRST / "cases/deep/one.json").read_text() == "1\n"


def test_ignored_files_and_folders_that_are_in_nobodys_way_stay(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    repo.put(".gitignore", "target/\n")
    repo.put(f"{FIRST}/notes/target/out", "Built.\n")
    (tmp_path / FIRST / "target/empty").mkdir(parents=True)
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert (tmp_path / FIRST / "notes/target/out").read_text() == "Built.\n"
    assert (tmp_path / FIRST / "target/empty").is_dir()
    assert not (tmp_path / NEXT / "target").exists()


def test_a_repository_inside_the_version_is_refused_and_left_whole(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    inner = new_repo(tmp_path / FIRST / "nested")
    inner.put("README.md", "x")
    inner.commit()
    for arguments in ([FIRST], [FIRST, "--move-changes"]):
        ran = bump(repo, *arguments)
        assert ran.code == 2
        assert f"{FIRST}/nested is a repository of its own, which can't go along" in one_line(ran.err)
    assert inner.git("status", "--porcelain") == ""
    repo.put(".git/info/exclude", "nested\n")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert inner.git("status", "--porcelain") == ""


def test_a_repository_that_git_ignores_where_a_published_file_has_to_be_is_refused(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    inner = new_repo(tmp_path / FIRST / "run.sh/nested")
    inner.commit()
    repo.put(".git/info/exclude", "nested\n")
    ran = bump(repo, FIRST, "--move-changes")
    assert (ran.code, "run.sh/nested is a repository of its own" in one_line(ran.err)) == (2, True)
    assert inner.git("status", "--porcelain") == ""


def test_edits_that_the_next_version_has_already_are_put_back_and_nothing_is_said_to_be_made(tmp_path: Path) -> None:
    repo = edited(tmp_path)
    assert bump(repo, FIRST).code == 0
    ran = bump(repo, FIRST, "--move-changes")
    assert ran.out.splitlines()[1] == f"{NEXT} has them already"
    assert sorted(os.listdir(tmp_path / CASE)) == ["v1.0.0", "v1.0.1"]
    assert changes(repo) == ()


def test_an_edit_of_the_mode_alone_is_not_lost_to_a_next_version_without_it(tmp_path: Path) -> None:
    repo = published(tmp_path)
    assert bump(repo, FIRST).code == 0
    (tmp_path / FIRST / "run.sh").chmod(0o755)
    ran = bump(repo, FIRST, "--move-changes")
    assert "made test-cases/performance/hard/route-finder/v1.0.2" in ran.out
    assert os.access(tmp_path / CASE / "v1.0.2/run.sh", os.X_OK)
    assert changes(repo) == ()


def test_what_is_staged_is_not_lost_to_a_next_version_that_has_what_is_on_disk(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "On disk.\n")
    assert bump(repo, FIRST).code == 0
    repo.git("add", NEXT)
    repo.put(f"{FIRST}/prompt.hbs", "Staged.\n")
    repo.git("add", FIRST)
    repo.put(f"{FIRST}/prompt.hbs", "On disk.\n")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert repo.git("show", f":{CASE}/v1.0.2/prompt.hbs") == "Staged."
    assert repo.git("show", f":{NEXT}/prompt.hbs") == "On disk."
    assert (tmp_path / CASE / "v1.0.2/prompt.hbs").read_text() == "On disk.\n"


def test_an_edit_that_is_staged_and_taken_back_on_disk_moves_in_the_index(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Staged.\n")
    repo.git("add", FIRST)
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert bump(repo, FIRST).code == 0  # a copy of what is on disk, without the edit in the index
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert repo.git("show", f":{NEXT}/prompt.hbs") == "Staged."
    assert changes(repo, staged=True) == ()


def test_the_number_in_a_suites_manifest_hides_no_edit_of_it(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.suite()
    repo.commit()
    repo.branch("work")
    assert bump(repo, SUITE).code == 0
    manifest = 'version = "1.0.0"\nchangelog = "changelog.md"\ntags = ["{}"]\n'
    repo.put(f"{SUITE}/version.toml", manifest.format("staged"))
    repo.git("add", SUITE)
    repo.put(f"{SUITE}/version.toml", manifest.format("on disk"))
    assert bump(repo, SUITE, "--move-changes").code == 0
    new = SUITE.replace("v1.0.0", "v1.0.2")
    assert (tmp_path / new / "version.toml").read_text() == manifest.format("on disk").replace("1.0.0", "1.0.2")
    assert repo.git("show", f":{new}/version.toml") + "\n" == manifest.format("staged").replace("1.0.0", "1.0.2")


def test_a_file_that_is_only_meant_to_be_added_is_meant_to_be_added_in_the_new_version(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/new.md", "Not staged yet.\n")
    repo.put(f"{FIRST}/empty.md", "")
    repo.git("add", f"{FIRST}/empty.md")
    repo.git("add", "--intent-to-add", f"{FIRST}/new.md")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert f"{NEXT}/new.md" not in repo.git("diff", "--cached", "--name-only").split()
    assert f"{NEXT}/empty.md" in repo.git("diff", "--cached", "--name-only").split()
    assert f" A {NEXT}/new.md" in repo.git("status", "--porcelain", "--no-renames").splitlines()
    assert repo.git("ls-files", "--", FIRST).split() == repo.git("ls-tree", "-r", "--name-only", "main").split()


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_an_edit_that_the_index_hides_moves_like_any_other(tmp_path: Path, flag: str) -> None:
    repo = published(tmp_path)
    repo.git("update-index", flag, f"{FIRST}/prompt.hbs", f"{FIRST}/run.sh")
    repo.put(f"{FIRST}/prompt.hbs", "Hidden.\n")
    (tmp_path / FIRST / "run.sh").unlink()
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert (tmp_path / NEXT / "prompt.hbs").read_text() == "Hidden.\n"
    assert not (tmp_path / NEXT / "run.sh").exists()
    assert changes(repo) == ()
    assert (tmp_path / FIRST / "run.sh").read_text() == "exit\n"


def test_a_version_without_edits_or_that_is_not_published_has_nothing_to_move(tmp_path: Path) -> None:
    repo = published(tmp_path)
    ran = bump(repo, FIRST, "--move-changes")
    assert (ran.code, "has no edits that must move" in one_line(ran.err)) == (2, True)
    repo.version(NEXT)
    ran = bump(repo, NEXT, "--move-changes")
    assert (ran.code, "is not published" in one_line(ran.err)) == (2, True)


def test_a_version_of_which_nothing_is_left_is_to_be_put_back(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.version(NEXT)
    repo.git("rm", "-r", "--quiet", FIRST)
    (tmp_path / FIRST).mkdir()
    ran = bump(repo, FIRST, "--move-changes")
    assert ran.code == 2
    assert "git restore --source=" in one_line(ran.err)


def test_a_conflict_has_to_be_resolved_first(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "Ours.\n")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.put(f"{FIRST}/prompt.hbs", "Theirs.\n")
    repo.commit()
    repo.git("switch", "--quiet", "work")
    repo.git("merge", "main", check=False)
    ran = bump(repo, FIRST, "--move-changes")
    assert (ran.code, "is in conflict; resolve the conflict first" in one_line(ran.err)) == (2, True)


def test_nothing_outside_the_version_is_touched_through_a_link(tmp_path: Path) -> None:
    repo = published(tmp_path / "repo")
    repo.put(f"{FIRST}/sub/a", "inside\n")
    repo.git("add", ".")
    (repo.root / FIRST / "sub/a").unlink()
    (repo.root / FIRST / "sub").rmdir()
    put(tmp_path / "outside/a", "precious\n")
    (repo.root / FIRST / "sub").symlink_to(tmp_path / "outside")
    assert bump(repo, FIRST, "--move-changes").code == 0
    assert (tmp_path / "outside/a").read_text() == "precious\n"
    assert changes(repo) == ()
    assert (repo.root / NEXT / "sub").is_symlink()
