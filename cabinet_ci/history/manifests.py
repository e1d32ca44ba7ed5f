"""What the manifests of a commit say of a version: its slug, and whether it is experimental."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from cabinet_ci.catalog.files import MANIFEST_LIMIT
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.toml import TomlError, parse_toml
from cabinet_ci.history.git import Repository
from cabinet_ci.history.layout import SUITE_NAME, Place
from cabinet_ci.history.objects import GitObject


class Said(msgspec.Struct, frozen=True):
    """What a version declares; nothing (null, false) where its manifest is missing or can't be read."""

    slug: str | None = None
    experimental: bool = False


def read_manifests(repository: Repository, commit: str, trees: Iterable[tuple[Place, str]]) -> dict[str, Said]:
    """What each version declares at a commit, by the version's path; `trees` are the folders and their trees there.

    A suite's slug is declared beside its versions.
    """
    listed = list(trees)
    found = repository.objects.get_many([_manifest(commit, place, tree) for place, tree in listed])
    return {place.path: _read(place, manifest) for (place, _), manifest in zip(listed, found, strict=True)}


def _manifest(commit: str, place: Place, tree: str) -> str:
    if place.kind == "suite":
        return f"{commit}:{posixpath.dirname(place.siblings)}/{SUITE_NAME}"
    return f"{tree}:{MANIFEST_NAME}"


def slug_of(data: dict[str, Any]) -> str | None:
    """The slug that a manifest declares, if it is a string."""
    slug = data.get("slug")
    return slug if isinstance(slug, str) else None


def by_slug(places: Iterable[Place], said: Mapping[str, Said]) -> dict[str, dict[str, Place]]:
    """Slug -> folder that holds the versions -> one version that declares the slug there."""
    found: dict[str, dict[str, Place]] = {}
    for place in places:
        slug = said[place.path].slug
        if slug is not None:
            found.setdefault(slug, {}).setdefault(place.siblings, place)
    return found


def _read(place: Place, manifest: GitObject | None) -> Said:
    nameless = place.name if place.kind == "suite" else None
    if (
        manifest is None
        or manifest.type != "blob"
        or manifest.content is None
        or len(manifest.content) > MANIFEST_LIMIT
    ):
        return Said(nameless)
    data = _root_keys(manifest.content)
    return Said(slug_of(data) or nameless, place.kind == "case" and data.get("experimental") is True)


def _root_keys(source: bytes) -> dict[str, Any]:
    """The keys above the first table, which are all the root keys there can be; none where the document is no TOML.

    What lies above the first line that starts with a bracket is parsed by itself: where that succeeds the bracket opens
    a table, and what follows is needed only to tell whether the document as a whole can be read.
    """
    table = source.find(b"\n[")
    try:
        head = parse_toml(source[: table + 1]) if table >= 0 else {}
    except TomlError:
        head = {}
    if head and head.get("experimental") is not True:
        return head
    try:
        return parse_toml(source)
    except TomlError:
        return {}
