"""Real repositories for the tests of history, small enough to read in a test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.support.cases import put

CASE = "test-cases/performance/hard/route-finder"
FIRST = f"{CASE}/v1.0.0"
SUITE = "test-suites/carom/versions/v1.0.0"

_IDENTITY = {
    f"GIT_{who}_{what}": f"{value}"
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Tester"), ("EMAIL", "tester@example.org"), ("DATE", "2024-05-01T12:00:00+0000"))
}


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without anything of git's or ours, but with an identity and no configuration of the user's."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "CABINET_CI_"))
    }
    return {**kept, **_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **(extra or {})}


class Repo:
    """A repository in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def git(self, *arguments: str, env: Mapping[str, str] | None = None, check: bool = True) -> str:
        """Run git in it."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment(env), capture_output=True, check=False
        )
        assert not check or done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def put(self, path: str, content: str | bytes) -> Path:
        """Write a file."""
        put(self.root / path, content)
        return self.root / path

    def commit(self, message: str = "Work") -> str:
        """Commit everything there is; returns the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str) -> None:
        """Start a branch and switch to it."""
        self.git("switch", "--quiet", "--create", name)

    def version(
        self, path: str = FIRST, *, slug: str = "route-finder", experimental: bool = False, log: str = ""
    ) -> None:
        """Write a version folder that holds what history looks at."""
        flag = "experimental = true\n" if experimental else ""
        self.put(f"{path}/test-case.toml", f'slug = "{slug}"\nname = "Case"\nchangelog = "changelog.md"\n{flag}')
        self.put(f"{path}/changelog.md", log or f"What is new in {path.replace('.', '-')}.\n")
        self.put(f"{path}/prompt.hbs", "Find the way.\n")
        self.put(f"{path}/run.sh", "exit\n")

    def suite(self, path: str = SUITE, *, experimental: bool = False, log: str = "The first.\n") -> None:
        """Write a suite and one exported version."""
        folder = path.split("/versions/")[0]
        self.put(f"{folder}/suite.toml", f'slug = "{folder.rpartition("/")[2]}"\nname = "Suite"\n')
        number = path.rpartition("/v")[2]
        flag = "experimental = true\n" if experimental else ""
        self.put(f"{path}/version.toml", f'version = "{number}"\nchangelog = "changelog.md"\n{flag}')
        self.put(f"{path}/changelog.md", log)


def new_repo(root: Path, branch: str = "main") -> Repo:
    """An empty repository whose unborn branch has this name."""
    root.mkdir(parents=True, exist_ok=True)
    repo = Repo(root)
    repo.git("init", "--quiet", "--initial-branch", branch)
    return repo


def published(root: Path) -> Repo:
    """A repository with one version on `main`, on a branch `work` that has just left it."""
    repo = new_repo(root)
    repo.version()
    repo.commit("Publish")
    repo.branch("work")
    return repo
