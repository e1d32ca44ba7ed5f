"""Running `cabinet-ci release` in a clone of a bare remote."""

from __future__ import annotations

from pathlib import Path

from tests.history.repositories import Repo, environment, new_repo
from tests.support.cases import write_case
from tests.support.command import Ran, cabinet

ECHO = "test-cases/performance/easy/echo/v1.0.0"
TAG = "echo-v1.0.0"


def pushed_clone(tmp_path: Path) -> Repo:
    """A clone whose main branch has one complete version, and is pushed to a bare remote."""
    clone = new_repo(tmp_path / "clone")
    write_case(clone.root, path=ECHO)
    clone.commit("Publish")
    clone.git("init", "--quiet", "--bare", "--initial-branch", "main", str(tmp_path / "remote"))
    clone.git("remote", "add", "origin", str(tmp_path / "remote"))
    clone.git("push", "--quiet", "--set-upstream", "origin", "main")
    return clone


def release(repo: Repo, *arguments: str, **env: str) -> Ran:
    return cabinet("release", *arguments, cwd=repo.root, env=environment(env))


def tags_at_remote(repo: Repo) -> list[str]:
    return Repo(repo.root.parent / "remote").git("tag", "--list").split()


def add_version(repo: Repo, path: str) -> None:
    write_case(repo.root, path=path)
    repo.commit()
    repo.git("push", "--quiet", "origin", "HEAD:main")
