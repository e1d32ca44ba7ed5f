"""The refs that matter here: release tags, and the branches that may be the base."""

from __future__ import annotations

import re

import msgspec

from cabinet_ci.history.git import Repository

_RELEASE = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)-(v(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))\Z")
_FORMAT = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(symref)"
_PATTERNS = (
    "refs/tags",
    "refs/heads/main",
    "refs/heads/master",
    "refs/remotes/*/HEAD",
    "refs/remotes/*/main",
    "refs/remotes/*/master",
)


class ReleaseTag(msgspec.Struct, frozen=True):
    """A tag `<slug>-vX.Y.Z`. `commit` is null where it is on no commit."""

    name: str
    slug: str
    version: str
    commit: str | None


class Refs(msgspec.Struct, frozen=True):
    """`tags`: release tags, sorted by name. `branches`: full name of a local or remote branch -> its commit.

    `remote_heads`: name of a remote -> full name of its default branch, as far as the clone knows it.
    """

    tags: tuple[ReleaseTag, ...]
    branches: dict[str, str]
    remote_heads: dict[str, str]


def release_tag(name: str, commit: str | None) -> ReleaseTag | None:
    """A tag by its name and commit; None where the name is not that of a release."""
    found = _RELEASE.match(name)
    return None if found is None else ReleaseTag(found[0], found[1], found[2], commit)


def read_refs(repository: Repository) -> Refs:
    """List release tags and candidate base branches."""
    tags: list[ReleaseTag] = []
    branches: dict[str, str] = {}
    heads: dict[str, str] = {}
    listed = repository.run("for-each-ref", f"--format={_FORMAT}", *_PATTERNS).decode("utf-8", "surrogateescape")
    for line in listed.splitlines():
        name, kind, oid, peeled_kind, peeled_oid, target = line.split("\0")
        if name.startswith("refs/tags/"):
            if release_tag(name[len("refs/tags/") :], None) is None:
                continue
            commit = oid if kind == "commit" else peeled_oid if peeled_kind == "commit" else None
            if commit is None and peeled_kind == "tag":
                found = repository.objects.get(name + "^{commit}")
                commit = None if found is None else found.oid
            release = release_tag(name[len("refs/tags/") :], commit)
            tags += [release] if release is not None else []
            continue
        branches[name] = oid
        if name.endswith("/HEAD") and target:
            heads[name.split("/")[2]] = target
    return Refs(tuple(tags), branches, heads)


def tags_behind_head(repository: Repository) -> frozenset[str]:
    """Names of all tags whose commit is HEAD or an ancestor of it; there has to be a commit at HEAD."""
    listed = repository.run("for-each-ref", "--merged=HEAD", "--format=%(refname)", "refs/tags")
    return frozenset(name.removeprefix("refs/tags/") for name in listed.decode("utf-8", "surrogateescape").splitlines())
