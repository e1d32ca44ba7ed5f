"""`cabinet-ci bump`: the next version folder, and edits moved out of a frozen one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.history.judging import changed_paths, changes
from tests.history.repositories import CASE, FIRST, SUITE, Repo, environment, new_repo, published
from tests.support.cases import put, write_case
from tests.support.command import Ran, cabinet, one_line

NEXT = f"{CASE}/v1.0.1"


def held(folder: Path) -> dict[str, bytes]:
    """Files of a folder and their content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def bump(repo: Repo, *arguments: str) -> Ran:
    return cabinet("bump", *arguments, cwd=repo.root, env=environment())


def test_the_next_patch_is_a_copy(tmp_path: Path) -> None:
    repo = published(tmp_path)
    (tmp_path / FIRST / "run.sh").chmod(0o755)
    (tmp_path / FIRST / "link").symlink_to("prompt.hbs")
    ran = bump(repo, FIRST)
    assert (ran.code, ran.out) == (0, f"made {NEXT}; its changelog has to say what it changes\n")
    assert held(tmp_path / NEXT) == held(tmp_path / FIRST)
    assert os.access(tmp_path / NEXT / "run.sh", os.X_OK)
    assert (tmp_path / NEXT / "link").is_symlink()


@pytest.mark.parametrize(("option", "version"), [("--patch", "v1.0.2"), ("--minor", "v2.1.0"), ("--major", "v3.0.0")])
def test_the_number_follows_on_the_versions_there_are(tmp_path: Path, option: str, version: str) -> None:
    repo = published(tmp_path)
    repo.version(NEXT)
    repo.version(f"{CASE}/v2.0.0")
    assert bump(repo, FIRST, option).code == 0
    assert (tmp_path / CASE / version).is_dir()


def test_a_number_that_is_taken_on_the_base_is_not_used_again(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("switch", "--quiet", "main")
    repo.version(NEXT)
    repo.commit()
    repo.git("switch", "--quiet", "work")
    assert bump(repo, FIRST).code == 0
    assert (tmp_path / CASE / "v1.0.2").is_dir()


def test_build_output_that_git_ignores_is_left_behind(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "target/\n")
    repo.put(f"{FIRST}/target/x", "x")
    repo.put(f"{FIRST}/untracked.md", "x")
    assert bump(repo, FIRST).code == 0
    assert not (tmp_path / NEXT / "target").exists()
    assert (tmp_path / NEXT / "untracked.md").exists()


def test_any_path_inside_the_version_names_it_from_any_folder(tmp_path: Path) -> None:
    published(tmp_path)
    assert cabinet("bump", "prompt.hbs", cwd=tmp_path / FIRST).code == 0
    assert (tmp_path / NEXT).is_dir()


def test_it_works_without_git(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    assert cabinet("bump", folder, cwd=tmp_path).code == 0
    assert held(folder.parent / "v1.0.1") == held(folder)


def test_an_exported_suite_version_gets_its_number_inside_too(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.suite()
    repo.commit()
    assert bump(repo, SUITE, "--minor").code == 0
    manifest = tmp_path / SUITE.replace("v1.0.0", "v1.1.0") / "version.toml"
    assert manifest.read_text().startswith('version = "1.1.0"\nchangelog')


@pytest.mark.parametrize("path", ["no/such/folder", "test-cases", ".."])
def test_what_is_no_version_is_refused_in_one_line(tmp_path: Path, path: str) -> None:
    ran = bump(published(tmp_path), path)
    assert ran.code == 2
    assert "is no version folder" in one_line(ran.err)


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
