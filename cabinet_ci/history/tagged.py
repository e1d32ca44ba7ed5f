"""Release tags: which version folder each speaks of, and what that folder held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from cabinet_ci.history.git import Repository
from cabinet_ci.history.layout import Layout, Place
from cabinet_ci.history.manifests import Said, by_slug, read_manifests
from cabinet_ci.history.objects import GitObject, tree_entries
from cabinet_ci.history.refs import ReleaseTag
from cabinet_ci.history.snapshot import FOLDER, Folder

DEPTH = 4
"""Folders below the catalog down to a version, at most."""


class Tagged(msgspec.Struct, frozen=True):
    """A version that a tag published: its folder now, its folder at the tag, and the tree that it held there."""

    tag: ReleaseTag
    place: Place
    origin: str
    tree: str


def find_tagged(
    repository: Repository,
    tags: Sequence[ReleaseTag],
    layout: Layout,
    folders: Mapping[str, Folder],
    said: Mapping[str, Said],
) -> tuple[list[Tagged], list[ReleaseTag]]:
    """The versions that `tags` (all on commits) speak of, and the tags whose commit lacks theirs.

    `folders` and `said` are the version folders at the merge base and what they declare: the folder that declares the
    slug there is the one a tag speaks of, and where there is none, the one at the tag.
    """
    declared = by_slug([folder.place for folder in folders.values()], said)
    guesses = [_place_now(tag, declared, layout, folders) for tag in tags]
    names = [f"{tag.commit}:{place.path}" if place else "" for tag, place in zip(tags, guesses, strict=True)]
    trees = repository.objects.get_many([name or "0" * 40 for name in names])
    at_tag = Past(repository, layout)
    found: list[Tagged] = []
    lacking: list[ReleaseTag] = []
    for tag, place, tree in zip(tags, guesses, trees, strict=True):
        unchanged = place is not None and tree is not None and _is_as_at_tag(tag, place, tree.oid, folders, said)
        if place is not None and tree is not None and (unchanged or _declares(repository, tag, place, tree.oid)):
            found.append(Tagged(tag, place, place.path, tree.oid))
            continue
        past = at_tag.find(tag)
        if past is None:
            lacking.append(tag)
        else:
            found.append(Tagged(tag, place or past[0], past[0].path, past[1]))
    return found, lacking


def _place_now(
    tag: ReleaseTag, declared: dict[str, dict[str, Place]], layout: Layout, folders: Mapping[str, Folder]
) -> Place | None:
    """Where the version lies or would lie now; of two folders that declare the slug, the one that has it."""
    places = [layout.place_at(f"{folder}/{tag.version}") for folder in sorted(declared.get(tag.slug, {}))]
    sure = [place for place in places if place is not None]
    return next((place for place in sure if place.path in folders), sure[0] if sure else None)


def _is_as_at_tag(
    tag: ReleaseTag, place: Place, tree: str, folders: Mapping[str, Folder], said: Mapping[str, Said]
) -> bool:
    now = folders.get(place.path)
    return now is not None and now.tree == tree and said[place.path].slug in (tag.slug, None)


def _declares(repository: Repository, tag: ReleaseTag, place: Place, tree: str) -> bool:
    """Whether the folder was that slug's at the tag: it may have held another case then."""
    return read_manifests(repository, tag.commit or "", [(place, tree)])[place.path].slug in (tag.slug, None)


class Past:
    """Looks for a version in the commit of its tag. Trees that several commits share are walked once."""

    def __init__(self, repository: Repository, layout: Layout) -> None:
        self._repository = repository
        self._layout = layout
        self._walked: dict[tuple[str, str, int], tuple[tuple[Place, str], ...]] = {}

    def find(self, tag: ReleaseTag) -> tuple[Place, str] | None:
        """The version folder that a tag names, as its commit has it, with its tree; None where it has none."""
        for top in self._layout.tops:
            tree = self._repository.objects.get(f"{tag.commit}:{top}")
            candidates = [each for each in self._versions(top, tree, 0) if each[0].version == tag.version]
            said = read_manifests(self._repository, tag.commit or "", candidates)
            for place, oid in candidates:
                if said[place.path].slug == tag.slug:
                    return place, oid
        return None

    def _versions(self, path: str, tree: GitObject | None, depth: int) -> tuple[tuple[Place, str], ...]:
        if tree is None or tree.type != "tree":
            return ()
        key = (path, tree.oid, depth)
        if key not in self._walked:
            self._walked[key] = tuple(self._walk(path, tree, depth))
        return self._walked[key]

    def _walk(self, path: str, tree: GitObject, depth: int) -> Iterator[tuple[Place, str]]:
        for entry in tree_entries(tree):
            name = f"{path}/{entry.name}" if path else entry.name
            if entry.mode != FOLDER:
                continue
            place = self._layout.place_at(name)
            if place is not None:
                yield place, entry.oid
            elif depth + 1 < DEPTH:
                yield from self._versions(name, self._repository.objects.get(entry.oid), depth + 1)
