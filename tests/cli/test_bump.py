"""`cabinet-ci bump`: the next version folder, a copy of one there is."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.bumping import NEXT, bump, held
from tests.history.repositories import CASE, FIRST, SUITE, Repo, new_repo, published
from tests.support.cases import put, write_case
from tests.support.command import cabinet, one_line


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


def test_a_published_file_that_git_ignores_by_now_is_copied_too(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(".gitignore", "*.hbs\n")
    repo.git("rm", "--cached", "--quiet", f"{FIRST}/prompt.hbs")
    assert bump(repo, FIRST).code == 0
    assert held(tmp_path / NEXT) == held(tmp_path / FIRST)


def test_links_to_folders_are_copied_without_git_too(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "link").symlink_to("workspace")
    assert cabinet("bump", folder, cwd=tmp_path).code == 0
    assert (folder.parent / "v1.0.1/link").readlink() == Path("workspace")


def submodule(repo: Repo, folder: Path) -> None:
    """A submodule inside the version."""
    source = published(folder)
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source.root), f"{FIRST}/vendored")
    repo.commit()


@pytest.mark.parametrize("checked_out", [True, False])
def test_a_version_with_a_submodule_is_refused(tmp_path: Path, checked_out: bool) -> None:
    repo = published(tmp_path / "repo")
    submodule(repo, tmp_path / "source")
    if not checked_out:
        repo.git("submodule", "--quiet", "deinit", f"{FIRST}/vendored")
    ran = bump(repo, FIRST)
    assert ran.code == 2
    assert f"{FIRST}/vendored is a submodule, which can't go along" in one_line(ran.err)
    assert not (repo.root / NEXT).exists()


@pytest.mark.parametrize("arguments", [[FIRST], [FIRST, "--move-changes"]])
def test_a_version_that_a_sparse_checkout_leaves_out_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    repo = published(tmp_path)
    repo.put(f"{CASE}/notes.md", "Kept.\n")
    repo.commit()
    for kept in ("notes.md", "v1.0.0/run.sh"):
        repo.git("sparse-checkout", "set", "--no-cone", f"{CASE}/{kept}")
        repo.put(f"{CASE}/{kept}", "Edited.\n")
        ran = bump(repo, *arguments)
        assert ran.code == 2
        assert one_line(ran.err) == (
            f"cabinet-ci: {FIRST} is not all checked out (sparse checkout); run `git sparse-checkout add {FIRST}`"
        )


def kill_while_copying(repo: Repo, folder: Path) -> None:
    """End a bump while it copies, as a kill would."""
    put(folder / "sitecustomize.py", "import os, shutil\nshutil.copy2 = lambda *_, **__: os.kill(os.getpid(), 9)\n")
    ran = cabinet("bump", FIRST, cwd=repo.root, env={"PYTHONPATH": f"{folder}{os.pathsep}{Path(__file__).parents[2]}"})
    assert ran.code == -9


def test_a_copy_that_was_killed_is_seen_by_nobody_and_removed_by_the_next(tmp_path: Path) -> None:
    repo = published(tmp_path / "repo")
    kill_while_copying(repo, tmp_path / "site")
    assert len(list((repo.root / ".git/cabinet-ci").iterdir())) == 1
    assert repo.git("status", "--porcelain", "--ignored") == ""
    assert os.listdir(repo.root / CASE) == ["v1.0.0"]
    assert bump(repo, FIRST).code == 0
    assert list((repo.root / ".git/cabinet-ci").iterdir()) == []


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    """A folder on another file system than the temporary one."""
    shared = Path("/dev/shm")  # noqa: S108
    if not os.access(shared, os.W_OK) or shared.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("this machine has no second file system")
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        yield Path(folder)


def test_a_git_folder_on_another_file_system_is_no_obstacle(tmp_path: Path, elsewhere: Path) -> None:
    repo = published(tmp_path / "repo")
    shutil.move(repo.root / ".git", elsewhere / "store")
    repo.git("--git-dir", str(elsewhere / "store"), "config", "core.worktree", str(repo.root))
    repo.put(".git", f"gitdir: {elsewhere / 'store'}\n")
    kill_while_copying(repo, tmp_path / "site")
    assert repo.git("status", "--porcelain") == ""
    assert os.listdir(repo.root / CASE) == ["v1.0.0"]
    assert bump(repo, FIRST).code == 0
    assert held(repo.root / NEXT) == held(repo.root / FIRST)
    assert sorted(os.listdir(repo.root)) == [".git", "test-cases"]


@pytest.mark.parametrize("path", ["no/such/folder", "test-cases", ".."])
def test_what_is_no_version_is_refused_in_one_line(tmp_path: Path, path: str) -> None:
    ran = bump(published(tmp_path), path)
    assert ran.code == 2
    assert "is no version folder" in one_line(ran.err)


def test_outside_a_repository_that_is_said_along_with_what_is_missing(tmp_path: Path) -> None:
    ran = cabinet("bump", FIRST, cwd=tmp_path)
    assert ran.code == 2
    assert f"{FIRST} is no version folder in {tmp_path}, which is in no git repository" in one_line(ran.err)
