"""Seeded files that land on each other (section 1 of the format: no two on one destination)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

import msgspec

from cabinet_ci.seeding.plan import SeedEntry

LONGEST_PATH = 4096
"""Characters of a destination that a file system can hold; one that is longer has too many folders to look at."""


class Clash(msgspec.Struct, frozen=True):
    """An entry that lands on `other`, which comes before it, or where one of the two needs a folder."""

    entry: SeedEntry
    other: SeedEntry
    destination: str


def find_clashes(entries: Iterable[SeedEntry]) -> Iterator[Clash]:
    """Each entry that can't be written beside those before it, with the first that it clashes with."""
    taken: dict[str, SeedEntry] = {}
    folders: dict[str, SeedEntry] = {}
    for entry in entries:
        destination = posixpath.normpath(entry.destination)
        other = taken.get(destination) or folders.get(destination)
        parents = parents_of(destination)
        other = other or next((taken[parent] for parent in parents if parent in taken), None)
        taken.setdefault(destination, entry)
        for parent in parents:
            folders.setdefault(parent, entry)
        if other is not None:
            yield Clash(entry, other, destination)


def parents_of(path: str) -> list[str]:
    """The folders above a path, the outermost first; none of a path that is too long for any file system."""
    if len(path) > LONGEST_PATH:
        return []
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]
