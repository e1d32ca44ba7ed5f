"""What a version folder's path says about it (section 1 of the format)."""

from __future__ import annotations

import re
from typing import get_args

import msgspec

from cabinet_ci.catalog.manifest import CatalogType, Difficulty

TYPES: tuple[str, ...] = get_args(CatalogType)
DIFFICULTIES: tuple[str, ...] = get_args(Difficulty)

_VERSION = re.compile(r"v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\Z")


class Identity(msgspec.Struct, frozen=True):
    """Type, difficulty, case folder and version, as the path tells them.

    `type` and `difficulty` are null in the older layout, `<folder>/<version>/`.
    """

    type: str | None
    difficulty: str | None
    folder: str
    version: str


def identity_of(below_catalog: str) -> Identity | None:
    """Identity of a version folder by its path below the catalog, or None where the path is of neither layout."""
    parts = below_catalog.split("/")
    if len(parts) == 4 and parts[0] in TYPES and parts[1] in DIFFICULTIES and version_key(parts[3]) is not None:
        return Identity(parts[0], parts[1], parts[2], parts[3])
    if len(parts) == 2 and version_key(parts[1]) is not None:
        return Identity(None, None, parts[0], parts[1])
    return None


def version_key(name: str) -> tuple[int, int, int] | None:
    """`v1.10.0` as (1, 10, 0), so that versions sort; None where the name is no version."""
    found = _VERSION.match(name)
    if found is None or len(name) > 64:
        return None
    return int(found[1]), int(found[2]), int(found[3])
