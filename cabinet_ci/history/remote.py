"""The remote's tags: listed, fetched, pushed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import GitFailed, Repository
from cabinet_ci.history.refs import ReleaseTag, release_tag


class Rejected(msgspec.Struct, frozen=True):
    """A tag that the remote did not take, and why, in its words."""

    tag: str
    reason: str


def require_remote(repository: Repository, remote: str) -> None:
    """Raise `CannotRun` where the repository has no remote of this name."""
    names = repository.run("remote").decode("utf-8", "surrogateescape").splitlines()
    if remote not in names:
        raise CannotRun(f'there is no remote "{remote}"', "add it with `git remote add`, or name another with --remote")


def remote_tags(repository: Repository, remote: str, wanted: Iterable[str]) -> dict[str, ReleaseTag]:
    """Those of the `wanted` release tags that the remote has, by name; what they are on is fetched, but no ref is made.

    Raises `CannotRun` where the remote can't be reached.
    """
    names = set(wanted)
    listed = repository.run("ls-remote", "--tags", "--quiet", remote).decode("utf-8", "surrogateescape")
    found: dict[str, str] = {}
    for line in listed.splitlines():
        oid, _, ref = line.partition("\t")
        name = ref.removeprefix("refs/tags/").removesuffix("^{}")
        if name in names:
            found[name] = oid  # the peeled one comes last
    _fetch(repository, remote, found)
    tags: dict[str, ReleaseTag] = {}
    for name, oid in found.items():
        commit = repository.objects.get(f"{oid}^{{commit}}")
        tag = release_tag(name, None if commit is None else commit.oid)
        if tag is not None:
            tags[name] = tag
    return tags


def push_tags(repository: Repository, remote: str, refspecs: Sequence[str]) -> tuple[list[Rejected], bool]:
    """Push tags, all or none where the remote can do it; returns what was refused, and whether it was all or none.

    Raises `CannotRun` where nothing could be tried: no connection, no permission.
    """
    try:
        return _push(repository, remote, ("--atomic", *refspecs)), True
    except GitFailed as failure:
        if "does not support --atomic" not in failure.said:
            raise _explained(failure, remote) from None
    try:
        return _push(repository, remote, refspecs), False
    except GitFailed as failure:
        raise _explained(failure, remote) from None


def _fetch(repository: Repository, remote: str, found: dict[str, str]) -> None:
    # A name, not an id, is asked for: not every server hands out objects by id.
    known = repository.objects.get_many(list(found.values()))
    missing = [f"refs/tags/{name}" for name, here in zip(found, known, strict=True) if here is None]
    if missing:
        depth = ("--depth=1",) if repository.shallow else ()
        repository.run("fetch", "--quiet", "--no-tags", *depth, remote, *missing)


def _push(repository: Repository, remote: str, arguments: Sequence[str]) -> list[Rejected]:
    options = ("--porcelain", "--no-follow-tags", "--no-force-with-lease")
    code, said = repository.attempt("push", *options, *_ordered(arguments, remote), ok=(0, 1))
    refused: list[Rejected] = []
    for line in said.decode("utf-8", "replace").splitlines():
        flag, _, rest = line.partition("\t")
        if flag == "!":
            refs, _, reason = rest.partition("\t")
            refused.append(Rejected(refs.partition(":")[2].removeprefix("refs/tags/"), reason))
    if code and not refused:
        raise GitFailed("push", code, said.decode("utf-8", "replace"))
    return refused


def _ordered(arguments: Sequence[str], remote: str) -> list[str]:
    options = [each for each in arguments if each.startswith("--")]
    return [*options, remote, *(each for each in arguments if not each.startswith("--"))]


def _explained(failure: GitFailed, remote: str) -> CannotRun:
    return CannotRun(
        f"the tags can't be pushed to {remote}: {failure.reason}", "nothing was tagged here; it is safe to run again"
    )
