"""What `list` asks of history: which versions have a release tag, and which are frozen."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import find_root
from cabinet_ci.history.frozen import frozen_of, read_published
from cabinet_ci.history.ground import open_ground


class Standing(msgspec.Struct, frozen=True):
    """What git says of versions: the names of all release tags, and the paths of those that must not change."""

    tags: frozenset[str]
    frozen: frozenset[str]


def standing_of(
    root: Path, paths: Iterable[str], flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ
) -> Standing | None:
    """How the versions at `paths`, relative to `root`, stand; None where `root` is no repository's root.

    Raises `CannotRun` where git can't tell: no merge base with the base, a shallow clone.
    """
    top = find_root(root)
    if not environment.get("GIT_DIR") and (top is None or top != root.resolve()):
        return None
    with open_ground(root, flags, environment=environment) as ground:
        published = read_published(ground)
        frozen = frozen_of(ground, published, paths)
        return Standing(frozenset(tag.name for tag in ground.refs.tags), frozenset(each.place.path for each in frozen))
