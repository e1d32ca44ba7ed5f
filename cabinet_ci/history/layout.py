"""Which version folder a path of the repository lies in: cases of the catalog, exported versions of suites."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Literal

import msgspec

from cabinet_ci.catalog.identity import identity_of, version_key
from cabinet_ci.config import Config

Kind = Literal["case", "suite"]
SUITE_VERSIONS = "versions"
SUITE_NAME = "suite.toml"
VERSION_NAME = "version.toml"


class Place(msgspec.Struct, frozen=True):
    """A version folder: `path` from the repository's root, the folder that holds all its versions, and `vX.Y.Z`."""

    path: str
    kind: Kind
    version: str

    @property
    def siblings(self) -> str:
        """The folder in which the versions of this case or suite lie side by side."""
        return posixpath.dirname(self.path)

    @property
    def name(self) -> str:
        """The name of the case's or the suite's folder."""
        above = self.siblings if self.kind == "case" else posixpath.dirname(self.siblings)
        return posixpath.basename(above)


class Layout:
    """Where versions lie: in any of the catalogs, or of the suites' folders. Answers are remembered per folder."""

    def __init__(self, *configs: Config) -> None:
        self.catalogs = tuple(dict.fromkeys(_folder(config.catalog) for config in configs))
        self.suites = tuple(dict.fromkeys(_folder(config.suites) for config in configs))
        self._known: dict[str, Place | None] = {}

    @property
    def tops(self) -> tuple[str, ...]:
        """All the folders that hold versions; "" is the repository's root."""
        return tuple(dict.fromkeys((*self.catalogs, *self.suites)))

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders to look in, as path arguments for git; none where that is everything."""
        return () if "" in self.tops else self.tops

    def place_of(self, path: str) -> Place | None:
        """The version folder that holds the file at `path`."""
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            self._known[folder] = self._find(folder)
        return self._known[folder]

    def versions_of(self, paths: Iterable[str]) -> frozenset[str]:
        """Paths of the version folders that hold any of the files at `paths`."""
        places = (self.place_of(path) for path in paths)
        return frozenset(place.path for place in places if place is not None)

    def place_at(self, folder: str) -> Place | None:
        """The version folder at exactly this path."""
        found = self.place_of(folder + "/x")
        return found if found is not None and found.path == folder else None

    def _find(self, folder: str) -> Place | None:
        for suites in self.suites:
            parts = _below(folder, suites)
            if len(parts) >= 3 and parts[1] == SUITE_VERSIONS and version_key(parts[2]) is not None:
                return Place(_join(suites, parts[:3]), "suite", parts[2])
        for catalog in self.catalogs:
            parts = _below(folder, catalog)
            for length in (2, 4):
                if len(parts) >= length and identity_of("/".join(parts[:length])) is not None:
                    return Place(_join(catalog, parts[:length]), "case", parts[length - 1])
        return None


def _folder(configured: str) -> str:
    normal = posixpath.normpath(configured)
    return "" if normal == "." else normal


def _below(folder: str, top: str) -> list[str]:
    if not top:
        return folder.split("/")
    return folder[len(top) + 1 :].split("/") if folder.startswith(top + "/") else []


def _join(top: str, parts: list[str]) -> str:
    return "/".join([top, *parts] if top else parts)
