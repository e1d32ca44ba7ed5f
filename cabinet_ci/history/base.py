"""What a branch is compared with: the base, and the merge base of it and HEAD."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import GitFailed, Repository
from cabinet_ci.history.refs import Refs

DEEPEN = "deepen it with `git fetch --unshallow` (in GitHub Actions: actions/checkout with `fetch-depth: 0`)"


class Base(msgspec.Struct, frozen=True):
    """The base: its name, who named it ("--base"), its commit, and the merge base of it and HEAD."""

    name: str
    origin: str
    commit: str
    merge_base: str

    @property
    def line(self) -> str:
        """Which base it is, as the commands tell it."""
        return f"base: {self.name} ({self.origin}), merge base {self.merge_base[:12]}"


class Candidate(msgspec.Struct, frozen=True):
    """A revision that may be the base. One that was named must exist; one that was guessed need not."""

    revisions: tuple[str, ...]
    origin: str
    named: bool


def find_base(
    repository: Repository,
    refs: Refs,
    head: str | None,
    asked: str | None,
    configured: str,
    environment: Mapping[str, str],
) -> Base | None:
    """The base by the first that names it: the flag, the environment, the configuration, GitHub, the remote, main.

    None where there is none, also where one was named but nothing is committed yet. Raises `CannotRun` where a named
    one does not exist, or no merge base is to be found.
    """
    for candidate in _candidates(refs, asked, configured, environment):
        found = _resolve(repository, candidate, must_exist=candidate.named and head is not None)
        if found is not None:
            name, commit = found
            return Base(name, candidate.origin, commit, _merge_base(repository, name, commit, head))
    return None


def _candidates(refs: Refs, asked: str | None, configured: str, environment: Mapping[str, str]) -> Iterator[Candidate]:
    named = (
        (asked, "--base"),
        (environment.get("CABINET_CI_BASE"), "CABINET_CI_BASE"),
        (configured, "the configuration"),
    )
    for revision, origin in named:
        if revision:
            yield Candidate((revision, f"refs/remotes/origin/{revision}"), origin, named=True)
            return
    target = environment.get("GITHUB_BASE_REF")
    if target:
        both = (f"refs/remotes/origin/{target}", f"refs/heads/{target}")
        yield Candidate(both, "the pull request's base, GITHUB_BASE_REF", named=True)
        return
    remotes = ["origin"] if "origin" in refs.remote_heads else list(refs.remote_heads)
    if len(remotes) == 1:
        yield Candidate((refs.remote_heads[remotes[0]],), f"the default branch of {remotes[0]}", named=False)
    for name in ("main", "master"):
        for branch in (f"refs/heads/{name}", f"refs/remotes/origin/{name}"):
            if branch in refs.branches:
                yield Candidate((branch,), f"no other was named, and there is a {name}", named=False)


def _resolve(repository: Repository, candidate: Candidate, *, must_exist: bool) -> tuple[str, str] | None:
    revisions = [revision for revision in candidate.revisions if not revision.startswith("-")]
    for revision in revisions:
        found = repository.objects.get(revision + "^{commit}")
        if found is not None:
            return revision.removeprefix("refs/heads/").removeprefix("refs/remotes/"), found.oid
    if not must_exist:
        return None
    name = candidate.revisions[0].removeprefix("refs/remotes/")
    clone = "shallow clone" if repository.shallow else "repository"
    raise CannotRun(
        f'the base "{name}" ({candidate.origin}) is no commit of this {clone}',
        DEEPEN if repository.shallow else "fetch it, or name another with --base",
    )


def _merge_base(repository: Repository, name: str, commit: str, head: str | None) -> str:
    if head is None:
        raise CannotRun(f"HEAD has no commit yet, so it shares none with {name}", f"start the branch from {name}")
    if head == commit:
        return commit
    try:
        code, said = repository.attempt("merge-base", commit, head, ok=(0, 1))
    except GitFailed as failure:
        if repository.shallow:
            raise CannotRun(f"the shallow clone lacks history: {failure.reason}", DEEPEN) from None
        raise failure.explain() from None
    if code == 0:
        return os.fsdecode(said.split()[0])
    if repository.shallow:
        raise CannotRun(f"this clone is shallow and holds no commit that HEAD and {name} share", DEEPEN)
    raise CannotRun(f"HEAD and {name} have no commit in common", "name the branch it was started from with --base")
