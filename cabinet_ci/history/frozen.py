"""What is frozen: the versions that exist at the merge base, and those that a release tag published."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cabinet_ci.history.ground import Ground
from cabinet_ci.history.layout import Place
from cabinet_ci.history.manifests import Said, read_manifests
from cabinet_ci.history.refs import ReleaseTag, tags_behind_head
from cabinet_ci.history.snapshot import File, Folder, read_folders, read_tree
from cabinet_ci.history.tagged import Tagged, find_tagged


class Frozen(msgspec.Struct, frozen=True):
    """A version that must not change: its files as published, and the release tag that says so, if one does.

    `source` is the commit that has them, and `origin` the folder's path there.
    """

    place: Place
    files: dict[str, File]
    tag: ReleaseTag | None
    source: str
    origin: str


class Published(msgspec.Struct, frozen=True):
    """Everything that is frozen, by path; every version folder at the anchor; and tags that freeze nothing.

    `loose` are release tags on no commit, `lacking` those whose commit has no such version.
    """

    tagged: dict[str, Frozen]
    folders: dict[str, Folder]
    loose: tuple[ReleaseTag, ...]
    lacking: tuple[ReleaseTag, ...]


def read_published(ground: Ground) -> Published:
    """What is published, as far as tags and the merge base tell."""
    repository, anchor = ground.repository, ground.anchor
    loose = tuple(tag for tag in ground.refs.tags if tag.commit is None)
    if anchor is None:
        return Published({}, {}, loose, ())
    folders = read_folders(repository, anchor, ground.layout)
    counted = _counted_tags(ground)
    tagged: dict[str, Frozen] = {}
    lacking: list[ReleaseTag] = []
    if counted:
        # Without a merge base nothing tells where a case is now: a tag then speaks of its own folder.
        here = folders if ground.base is not None else {}
        said = read_manifests(repository, anchor, [(folder.place, folder.tree) for folder in here.values()])
        found, lacking = find_tagged(repository, counted, ground.layout, here, said)
        for each in found:
            tagged.setdefault(each.place.path, _frozen_by_tag(ground, each, folders))
    return Published(tagged, folders, loose, tuple(lacking))


def frozen_of(ground: Ground, published: Published, paths: Iterable[str]) -> list[Frozen]:
    """Those of the version folders at `paths` that are frozen. Only their manifests are read."""
    wanted = set(paths)
    frozen = [each for path, each in published.tagged.items() if path in wanted]
    if ground.base is None or ground.config.freeze != "merged":
        return frozen
    folders = [folder for path, folder in published.folders.items() if path in wanted and path not in published.tagged]
    cases = [(folder.place, folder.tree) for folder in folders if folder.place.kind == "case"]
    said = read_manifests(ground.repository, ground.base.merge_base, cases)
    return frozen + [
        Frozen(folder.place, folder.files, None, ground.base.merge_base, folder.place.path)
        for folder in folders
        if not said.get(folder.place.path, Said()).experimental
    ]


def _counted_tags(ground: Ground) -> list[ReleaseTag]:
    """Tags whose commit is HEAD or behind it. The merge base is behind HEAD too, so what is behind it is as well."""
    tags = [tag for tag in ground.refs.tags if tag.commit is not None]
    if not tags or ground.head is None:
        return []
    behind = tags_behind_head(ground.repository)
    return [tag for tag in tags if tag.name in behind]


def _frozen_by_tag(ground: Ground, tagged: Tagged, folders: dict[str, Folder]) -> Frozen:
    path = tagged.place.path
    now = folders.get(path)
    if now is not None and now.tree == tagged.tree:
        files = now.files
    else:
        files = read_tree(ground.repository, tagged.tree, path)
    return Frozen(tagged.place, files, tagged.tag, tagged.tag.commit or "", tagged.origin)
