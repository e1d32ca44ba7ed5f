"""What a branch is compared with: the base, and the merge base of it and HEAD."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

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
    """A revision that may be the base. One that was named must exist; one that was guessed need not.

    `asked` says whether it was named for this very run, so that it must exist even before the first commit.
    """

    revisions: tuple[str, ...]
    origin: str
    named: bool
    asked: bool = False


CONFIGURATION = "the configuration"
PULL_REQUEST = "the pull request's base, GITHUB_BASE_REF"


def find_base(
    repository: Repository,
    refs: Refs,
    head: str | None,
    asked: str | None,
    configured: str,
    environment: Mapping[str, str],
    published_base: Callable[[str], str | None],
) -> Base | None:
    """The base by the first that names it: the flag, the environment, the configuration, GitHub, the remote, main.

    In a pull request the branch's own configuration has no say in what the branch is compared with: the key `base` is
    read at the merge base with the pull request's base. Where nothing is configured there, `configured`, the working
    tree's, counts as long as it comes to the same merge base, and the pull request's base wins where it does not.
    `published_base` tells the configured base at a commit, null where there is no configuration.

    None where there is none; before the first commit also where a configured one does not exist yet. Raises
    `CannotRun` where a named one does not exist, or no merge base is to be found.
    """
    named = _named(asked, environment.get("CABINET_CI_BASE"))
    github = _of_pull_request(environment)
    if named is None and github is not None:
        judge = _found(repository, github, head)
        if judge is not None:
            return _configured_for(repository, judge, head, configured, published_base(judge.merge_base))
    if named is None and configured:
        named = _of_configuration(configured)
    for candidate in [named or github] if named or github else _guesses(refs):
        base = None if candidate is None else _found(repository, candidate, head)
        if base is not None:
            return base
    return None


def _configured_for(
    repository: Repository, judge: Base, head: str | None, configured: str, published: str | None
) -> Base:
    """The configured base of a pull request as far as it may be trusted, else `judge`, the pull request's own."""
    if published is not None:
        base = _found(repository, _of_configuration(published), head) if published else None
        return base or judge
    base = _found(repository, _of_configuration(configured), head) if configured else None
    if base is None:
        return judge
    if base.merge_base == judge.merge_base:
        return base
    return msgspec.structs.replace(judge, origin=f"{judge.origin}; the branch's own configuration can't replace it")


def _named(asked: str | None, variable: str | None) -> Candidate | None:
    for revision, origin in ((asked, "--base"), (variable, "CABINET_CI_BASE")):
        if revision:
            return Candidate((revision, f"refs/remotes/origin/{revision}"), origin, named=True, asked=True)
    return None


def _of_configuration(revision: str) -> Candidate:
    return Candidate((revision, f"refs/remotes/origin/{revision}"), CONFIGURATION, named=True)


def _of_pull_request(environment: Mapping[str, str]) -> Candidate | None:
    target = environment.get("GITHUB_BASE_REF")
    if not target:
        return None
    return Candidate((f"refs/remotes/origin/{target}", f"refs/heads/{target}"), PULL_REQUEST, named=True)


def _guesses(refs: Refs) -> Iterator[Candidate]:
    remotes = ["origin"] if "origin" in refs.remote_heads else list(refs.remote_heads)
    if len(remotes) == 1:
        yield Candidate((refs.remote_heads[remotes[0]],), f"the default branch of {remotes[0]}", named=False)
    for name in ("main", "master"):
        for branch in (f"refs/heads/{name}", f"refs/remotes/origin/{name}"):
            if branch in refs.branches:
                yield Candidate((branch,), f"no other was named, and there is a {name}", named=False)


def _found(repository: Repository, candidate: Candidate, head: str | None) -> Base | None:
    resolved = _resolve(repository, candidate, head)
    if resolved is None:
        return None
    name, commit = resolved
    return Base(name, candidate.origin, commit, _merge_base(repository, name, commit, head))


def _resolve(repository: Repository, candidate: Candidate, head: str | None) -> tuple[str, str] | None:
    revisions = [revision for revision in candidate.revisions if not revision.startswith("-")]
    for revision in revisions:
        found = repository.objects.get(revision + "^{commit}")
        if found is not None:
            return revision.removeprefix("refs/heads/").removeprefix("refs/remotes/"), found.oid
    if not candidate.named or (head is None and (not candidate.asked or _is_unborn(repository, candidate))):
        return None
    name = candidate.revisions[0].removeprefix("refs/remotes/")
    clone = "shallow clone" if repository.shallow else "repository"
    raise CannotRun(
        f'the base "{name}" ({candidate.origin}) is no commit of this {clone}',
        DEEPEN if repository.shallow else "fetch it, or name another with --base",
    )


def _is_unborn(repository: Repository, candidate: Candidate) -> bool:
    """Whether the base is the branch itself, which gets its first commit."""
    _, branch = repository.answer("symbolic-ref", "--quiet", "HEAD", ok=(0, 1))
    return os.fsdecode(branch).strip().removeprefix("refs/heads/") in candidate.revisions


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
