"""What there is, in both formats: cases and suites, with their versions, drafts and definitions; nothing is judged."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from cabinet_ci.catalog.document import Document, decoded, read_document
from cabinet_ci.catalog.files import Unreadable
from cabinet_ci.catalog.identity import identity_of, version_key
from cabinet_ci.catalog.manifest import MANIFEST_NAME, SharedManifest
from cabinet_ci.catalog.suites.discovery import SUITE_NAME, TreePlace
from cabinet_ci.catalog.suites.files import VERSION_NAME, SuiteFile
from cabinet_ci.catalog.suites.suite import DEFINITIONS
from cabinet_ci.catalog.version import type_of


class ListedDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A definition of a suite; what its file does not tell is null."""

    slug: str
    type: str | None
    difficulty: str | None
    experimental: bool
    path: str


class ListedVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version, or with `draft` a draft. `tagged` and `frozen` are null where git can't tell."""

    version: str
    path: str
    draft: bool = False
    experimental: bool
    tagged: bool | None = None
    frozen: bool | None = None
    definitions: tuple[ListedDefinition, ...] = ()


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A case of the catalog, or a suite: its folder and slug, and its versions, the oldest first, drafts last.

    Type and difficulty are those of a case; a suite's type is "suite", and its definitions have a difficulty. The slug
    is the folder's name where no file tells it.
    """

    slug: str
    type: str
    difficulty: str | None
    path: str
    versions: tuple[ListedVersion, ...]


class Listing(msgspec.Struct, frozen=True):
    """Everything that was found, sorted by path."""

    cases: tuple[Listed, ...]
    suites: tuple[Listed, ...]


SUITE = "suite"


def with_standing(listing: Listing, tags: Collection[str], frozen: Collection[str]) -> Listing:
    """The listing with what git tells: the names of all release tags, and the paths of what is frozen."""

    def told(found: Listed) -> Listed:
        versions = (
            version
            if version.draft
            else msgspec.structs.replace(
                version, tagged=f"{found.slug}-{version.version}" in tags, frozen=version.path in frozen
            )
            for version in found.versions
        )
        return msgspec.structs.replace(found, versions=tuple(versions))

    return Listing(tuple(map(told, listing.cases)), tuple(map(told, listing.suites)))


def list_found(root: Path, catalog: str, versions: Iterable[str], trees: Iterable[TreePlace]) -> Listing:
    """List version folders of the catalog and suite trees, given by their paths relative to `root`."""
    cases: dict[str, list[tuple[str, Document]]] = {}
    for path in versions:
        above, _, _ = path.rpartition("/")
        cases.setdefault(above, []).append((path, _read(os.path.join(root, path), MANIFEST_NAME)))
    suites: dict[str, list[TreePlace]] = {}
    for tree in trees:
        suites.setdefault(tree.suite, []).append(tree)
    return Listing(
        tuple(_case(catalog, path, held) for path, held in sorted(cases.items())),
        tuple(_suite(root, path, held) for path, held in sorted(suites.items())),
    )


def _case(catalog: str, path: str, held: list[tuple[str, Document]]) -> Listed:
    held = sorted(held, key=lambda each: _order(each[0].rpartition("/")[2]))
    last_path, last = held[-1]
    below = last_path[len(catalog) + 1 :] if last_path.startswith(catalog + "/") else last_path
    identity = identity_of(below)
    _, manifest = decoded(last, SharedManifest)
    return Listed(
        slug=manifest.slug or path.rpartition("/")[2],
        type=type_of(below, identity, last.data),
        difficulty=identity.difficulty if identity is not None and identity.difficulty else _text(last, "difficulty"),
        path=path,
        versions=tuple(
            ListedVersion(
                version=version.rpartition("/")[2],
                path=version,
                experimental=document.data.get("experimental") is True,
            )
            for version, document in held
        ),
    )


def _suite(root: Path, path: str, held: list[TreePlace]) -> Listed:
    _, file = decoded(_read(os.path.join(root, path), SUITE_NAME), SuiteFile)
    held = sorted(held, key=lambda tree: (tree.kind == "draft", _order(tree.name)))
    versions = []
    for tree in held:
        document = _read(os.path.join(root, tree.path), VERSION_NAME)
        versions.append(
            ListedVersion(
                version=tree.name,
                path=tree.path,
                draft=tree.kind == "draft",
                experimental=document.data.get("experimental") is True,
                frozen=False if tree.kind == "draft" else None,
                tagged=False if tree.kind == "draft" else None,
                definitions=tuple(_definitions(root, tree)),
            )
        )
    slug = file.slug or path.rpartition("/")[2]
    return Listed(slug=slug, type=SUITE, difficulty=None, path=path, versions=tuple(versions))


def _definitions(root: Path, tree: TreePlace) -> list[ListedDefinition]:
    folder = os.path.join(root, tree.path)
    try:
        names = sorted(os.listdir(os.path.join(folder, DEFINITIONS)))
    except OSError:
        return []
    found = []
    for name in names:
        if name.endswith(".toml"):
            document = _read(folder, f"{DEFINITIONS}/{name}")
            found.append(
                ListedDefinition(
                    slug=name.removesuffix(".toml"),
                    type=_text(document, "type"),
                    difficulty=_text(document, "difficulty"),
                    experimental=document.data.get("experimental") is True,
                    path=f"{tree.path}/{document.path}",
                )
            )
    return found


def _read(folder: str, name: str) -> Document:
    """A file that tells what there is; one that a link leads to, out of the folder, tells nothing."""
    if not Path(os.path.realpath(os.path.join(folder, name))).is_relative_to(os.path.realpath(folder)):
        return Document(name, b"", {}, (), Unreadable("is a link that leads out of the folder"))
    return read_document(folder, name)


def _text(document: Document, key: str) -> str | None:
    found = document.data.get(key)
    return found if isinstance(found, str) else None


def _order(name: str) -> tuple[tuple[int, int, int], str]:
    return version_key(name) or (0, 0, 0), name
