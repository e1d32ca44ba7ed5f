"""Repositories as they come: worktrees, submodules, partial clones, hooks; each is handled or refused in one line."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import clean_environment, open_repository
from tests.history.judging import changed_paths, changes, what_happened
from tests.history.repositories import CASE, FIRST, Repo, environment, new_repo, published
from tests.support.cases import put
from tests.support.command import cabinet


def refusal(start: Path, env: dict[str, str] | None = None) -> str:
    with pytest.raises(CannotRun) as caught:
        open_repository(start, environment=environment(env))
    return str(caught.value)


def fake_git(folder: Path, script: str) -> dict[str, str]:
    put(folder / "git", f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def install_hook(repo: Repo, name: str = "pre-commit", before: str = "") -> None:
    """A hook that runs `immutable --staged` in the environment that git gives it."""
    root = Path(__file__).parents[2]
    hook = repo.root / ".git/hooks" / name
    put(hook, f'#!/bin/sh\n{before}\nPYTHONPATH="{root}" exec "{sys.executable}" -m cabinet_ci immutable --staged\n')
    hook.chmod(0o755)


def commits(repo: Repo) -> int:
    return int(repo.git("rev-list", "--count", "HEAD"))


def try_commit(repo: Repo, *arguments: str) -> bool:
    """Whether a commit passes its hook."""
    before = commits(repo)
    repo.git("commit", "--quiet", "--message", "x", *arguments, check=False)
    return commits(repo) > before


def test_a_folder_outside_any_repository_is_refused(tmp_path: Path) -> None:
    assert "is in no git repository; run it in a clone" in refusal(tmp_path)


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    source.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    assert "is a bare repository" in refusal(tmp_path / "bare")


def test_gits_own_folder_is_refused(tmp_path: Path) -> None:
    published(tmp_path)
    assert refusal(tmp_path / ".git").endswith("is git's own folder; run it in the working tree")


@pytest.mark.parametrize("said", ["git version 2.24.4", "git version 1.9.1", "hello"])
def test_an_old_git_is_refused(tmp_path: Path, said: str) -> None:
    assert refusal(tmp_path, fake_git(tmp_path / "bin", f"echo {said}")).endswith("install git 2.25 or later")


def test_the_oldest_git_that_will_do_is_taken(tmp_path: Path) -> None:
    real = shutil.which("git")
    repo = published(tmp_path / "repo")
    script = f'case "$*" in *version) echo git version 2.25.0;; *) exec {real} "$@";; esac'
    assert changes(repo, env=fake_git(tmp_path / "bin", script)) == ()


def test_a_machine_without_git_is_told_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    ran = cabinet("immutable", cwd=tmp_path, env={"PATH": str(tmp_path / "bin")})
    assert (ran.code, ran.err) == (2, "cabinet-ci: git is not installed; install git 2.25 or later\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_is_refused_with_the_remedy(tmp_path: Path) -> None:
    repo = published(tmp_path)
    for folder in (tmp_path, tmp_path / ".git"):
        os.chown(folder, 12345, 12345)
    assert "git config --global --add safe.directory" in refusal(repo.root)


def test_a_linked_worktree_is_judged_by_its_own_branch_and_files(tmp_path: Path) -> None:
    repo = published(tmp_path / "repo")
    repo.git("worktree", "add", "--quiet", "-b", "second", str(tmp_path / "second"), "main")
    second = Repo(tmp_path / "second")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert (changed_paths(repo), changed_paths(second)) == ([FIRST], [])
    second.put(f"{FIRST}/run.sh", "x")
    assert what_happened(second) == "run.sh (changed)"


def test_a_catalog_that_is_a_submodule_is_judged_by_itself(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    outer = new_repo(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source.root), "inner")
    outer.commit()
    inner = Repo(tmp_path / "outer/inner")
    assert changes(inner, base="origin/main") == ()
    inner.put(f"{FIRST}/prompt.hbs", "x")
    assert changed_paths(inner, base="origin/main") == [FIRST]
    assert changes(outer) == ()


def test_a_submodule_inside_a_version_may_not_move(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    repo = published(tmp_path / "repo")
    repo.git("switch", "--quiet", "main")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source.root), f"{FIRST}/vendored")
    repo.git("config", "--file", ".gitmodules", f"submodule.{FIRST}/vendored.ignore", "all")
    repo.commit()
    repo.git("switch", "--quiet", "--create", "later")
    assert changes(repo) == ()
    Repo(tmp_path / "repo" / FIRST / "vendored").commit("Moved on")
    assert what_happened(repo) == "vendored (changed)"
    repo.git("add", f"{FIRST}/vendored")
    assert what_happened(repo, staged=True) == "vendored (changed)"


def test_a_partial_clone_fetches_what_it_needs(tmp_path: Path) -> None:
    source = new_repo(tmp_path / "source")
    source.version(experimental=True)
    source.version(f"{CASE}/v1.1.0")
    source.commit()
    source.branch("work")
    source.version()
    source.put(f"{CASE}/v1.1.0/prompt.hbs", "x")
    source.commit()
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("clone", "--quiet", "--filter=blob:none", source.root.resolve().as_uri(), str(tmp_path / "clone"))
    assert changed_paths(Repo(tmp_path / "clone"), base="origin/main") == [f"{CASE}/v1.1.0"]


def test_a_partial_clone_whose_remote_is_gone_says_so(tmp_path: Path) -> None:
    source = published(tmp_path / "source")
    source.version(experimental=True)
    source.commit()
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("clone", "--quiet", "--filter=blob:none", source.root.resolve().as_uri(), str(tmp_path / "clone"))
    shutil.rmtree(source.root)
    with pytest.raises(CannotRun, match="git can't read an object"):
        changes(Repo(tmp_path / "clone"), base="origin/main")


def test_a_repository_of_sha_256_is_read_as_any_other(tmp_path: Path) -> None:
    tmp_path.joinpath("repo").mkdir()
    repo = Repo(tmp_path / "repo")
    repo.git("init", "--quiet", "--initial-branch", "main", "--object-format", "sha256")
    repo.version()
    (tmp_path / "repo" / FIRST / "link").symlink_to("prompt.hbs")
    repo.commit()
    repo.git("tag", "route-finder-v1.0.0")
    repo.git("rm", "--cached", "--quiet", f"{FIRST}/link")
    assert changes(repo) == ()
    (tmp_path / "repo" / FIRST / "link").rename(tmp_path / "repo" / FIRST / "other")
    assert what_happened(repo) == f"link (renamed to {FIRST}/other), other (added)"


def test_replaced_objects_do_not_hide_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    published_blob = repo.git("rev-parse", f"HEAD:{FIRST}/prompt.hbs")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    commit = repo.commit()
    repo.git("replace", "-f", published_blob, repo.git("rev-parse", f"HEAD:{FIRST}/prompt.hbs"))
    repo.git("replace", "main", commit)
    assert changed_paths(repo) == [FIRST]


def test_configuration_of_the_user_does_not_hide_a_change(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/a", "x")
    repo.git("add", ".")
    repo.git("mv", f"{FIRST}/prompt.hbs", f"{FIRST}/b")
    before = changes(repo)
    hostile = {
        "diff.renames": "copies",
        "diff.external": "true",
        "diff.noprefix": "true",
        "diff.autoRefreshIndex": "false",
        "color.ui": "always",
        "core.quotePath": "false",
        "status.showUntrackedFiles": "no",
    }
    for name, value in hostile.items():
        repo.git("config", name, value)
    os.utime(tmp_path / FIRST / "run.sh", (1, 1))
    assert changes(repo) == before


def test_of_gits_variables_only_those_for_connections_and_identity_reach_git() -> None:
    given = {
        "GIT_DIR": "x",
        "GIT_INDEX_FILE": "x",
        "GIT_SSH_COMMAND": "ssh -v",
        "GIT_AUTHOR_NAME": "A",
        "GIT_CONFIG_PARAMETERS": "x",
        "GIT_LITERAL_PATHSPECS": "0",
        "PATH": "p",
    }
    kept = clean_environment(given)
    assert {"GIT_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_PARAMETERS"}.isdisjoint(kept)
    assert (kept["GIT_SSH_COMMAND"], kept["GIT_AUTHOR_NAME"], kept["PATH"]) == ("ssh -v", "A", "p")
    assert kept["GIT_LITERAL_PATHSPECS"] == "1"


def test_a_hook_judges_what_is_being_committed_not_the_working_tree(tmp_path: Path) -> None:
    repo = published(tmp_path)
    install_hook(repo)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.put("README.md", "x")
    repo.git("add", "README.md")
    assert try_commit(repo)
    repo.git("add", ".")
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert not try_commit(repo)


def test_a_hook_sees_what_commit_a_adds(tmp_path: Path) -> None:
    repo = published(tmp_path)
    install_hook(repo)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert not try_commit(repo, "-a")
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    repo.put("README.md", "x")
    repo.git("add", "README.md")
    repo.put("README.md", "y")
    assert try_commit(repo, "-a")


def test_a_hook_sees_a_partial_commit_as_it_will_be(tmp_path: Path) -> None:
    repo = published(tmp_path)
    install_hook(repo)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.put("README.md", "x")
    repo.git("add", ".")
    assert not try_commit(repo, "--", f"{FIRST}/prompt.hbs")
    assert try_commit(repo, "--", "README.md")


def test_a_hook_started_in_a_subfolder_or_that_changes_folder_sees_the_same_index(tmp_path: Path) -> None:
    repo = published(tmp_path)
    install_hook(repo, before=f"cd {CASE}")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert not try_commit(repo, "-a")
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    repo.put("README.md", "x")
    repo.git("add", "README.md")
    assert try_commit(repo, "-a")


def test_a_hook_of_a_linked_worktree_judges_that_worktree(tmp_path: Path) -> None:
    repo = published(tmp_path / "repo")
    install_hook(repo)
    repo.git("worktree", "add", "--quiet", "-b", "second", str(tmp_path / "second"), "main")
    second = Repo(tmp_path / "second")
    second.put(f"{FIRST}/prompt.hbs", "x")
    assert not try_commit(second, "-a")
    repo.put("README.md", "x")
    repo.git("add", ".")
    assert try_commit(repo)


def test_a_repository_apart_from_its_files_is_followed_as_git_follows_it(tmp_path: Path) -> None:
    repo = published(tmp_path / "repo")
    (tmp_path / "repo/.git").rename(tmp_path / "store")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    env = {"GIT_DIR": "../store", "GIT_WORK_TREE": "."}
    ran = cabinet("immutable", cwd=repo.root, env=env)
    assert (ran.code, ran.out.count("CAB801")) == (1, 1)
    assert cabinet("immutable", cwd=repo.root).code == 2


def test_a_hooks_variables_do_not_reach_a_repository_that_is_named_explicitly(tmp_path: Path) -> None:
    hooked = published(tmp_path / "hooked")
    hooked.put(f"{FIRST}/prompt.hbs", "x")
    hooked.git("add", ".")
    other = published(tmp_path / "other")
    env = {"GIT_DIR": str(hooked.root / ".git"), "GIT_INDEX_FILE": str(hooked.root / ".git/index")}
    assert cabinet("immutable", "--staged", cwd=hooked.root, env=env).code == 1
    assert cabinet("immutable", "--staged", "--root", other.root, cwd=hooked.root, env=env).code == 0


def test_the_index_that_git_names_is_the_one_that_is_judged(tmp_path: Path) -> None:
    repo = published(tmp_path)
    shutil.copy(tmp_path / ".git/index", tmp_path / ".git/next-index-1.lock")
    repo.put(f"{FIRST}/prompt.hbs", "x")
    repo.git("add", ".", env={"GIT_INDEX_FILE": ".git/next-index-1.lock"})
    assert changes(repo, staged=True) == ()
    assert len(changes(repo, staged=True, env={"GIT_INDEX_FILE": ".git/next-index-1.lock"})) == 1
