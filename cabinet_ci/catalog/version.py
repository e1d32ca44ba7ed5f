"""One version of a case, read whole: its manifest, variants and references, each with what was wrong in it.

Reading never fails on what an author wrote: faults are kept beside the parsed values for the rules to report.
`open_version` is the strict way in, for commands that work on a sound version.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from cabinet_ci.catalog.discovery import version_holding
from cabinet_ci.catalog.document import Document, decoded, read_document
from cabinet_ci.catalog.files import Unreadable
from cabinet_ci.catalog.identity import TYPES, Identity, identity_of
from cabinet_ci.catalog.manifest import (
    MANIFEST_NAME,
    Manifest,
    Outcome,
    ReferenceFile,
    SharedManifest,
    SharedVariantFile,
    Status,
    VariantFile,
)
from cabinet_ci.catalog.tree import Tree, list_tree
from cabinet_ci.failure import CannotRun

PERFORMANCE = "performance"
REFERENCES = "references"
REFERENCE_NAME = "reference.toml"


class Variant(msgspec.Struct, frozen=True):
    """A variant: `index` is its place in the manifest's list, `file` its parsed content."""

    index: int
    document: Document
    file: VariantFile

    @property
    def path(self) -> str:
        """Its file, relative to the version folder."""
        return self.document.path

    @property
    def slug(self) -> str:
        """Its slug."""
        return self.file.slug


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """A reference solution.

    `path` is its folder, relative to the version folder. `complete` tells a variant's `reference_implementation`, a
    build that stands by itself, from a folder below `references/`, which is laid over the seeded tree. `cases` maps
    inputs to the outcomes they must get. `document` is null where there is no `reference.toml`.
    """

    name: str
    path: str
    variant: str
    expect: Status
    description: str
    cases: dict[str, Outcome]
    complete: bool
    document: Document | None = None


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version folder: `path` is relative to the repository's `root`, with `/`.

    `identity` is null where the path is of no known layout. `manifest` is a `Manifest` for performance cases and a
    `SharedManifest` for the other types.
    """

    root: Path
    path: str
    identity: Identity | None
    tree: Tree
    document: Document
    manifest: SharedManifest
    type: str
    variants: tuple[Variant, ...]
    references: tuple[Reference, ...]

    @property
    def folder(self) -> Path:
        """The version folder, absolute."""
        return self.root / self.path

    @property
    def version(self) -> str:
        """`vX.Y.Z`: the name of its folder."""
        return self.path.rpartition("/")[2]

    @property
    def performance(self) -> Manifest | None:
        """The manifest of a performance case, None for another type."""
        return self.manifest if isinstance(self.manifest, Manifest) else None

    @property
    def documents(self) -> tuple[Document, ...]:
        """Every TOML file that was read: manifest, variants, references."""
        named = [variant.document for variant in self.variants]
        named += [reference.document for reference in self.references if reference.document is not None]
        return (self.document, *named)

    def variant(self, slug: str | None) -> Variant | None:
        """The variant with this slug, the first for None; None where there is no such variant."""
        if slug is None:
            return self.variants[0] if self.variants else None
        return next((variant for variant in self.variants if variant.slug == slug), None)


def read_version(root: Path, path: str, catalog: str) -> Version:
    """Read the version folder at `path` (relative to `root`); raises `TooManyEntries` for a folder without an end."""
    folder = os.path.join(root, path)
    tree = list_tree(folder)
    below = path[len(catalog) + 1 :] if path.startswith(catalog + "/") else path
    identity = identity_of(below)
    if tree.kind(MANIFEST_NAME) in ("outside", "broken"):
        document = Document(MANIFEST_NAME, b"", {}, (), Unreadable("is a link that leads out of the version folder"))
    else:
        document = read_document(folder, MANIFEST_NAME)
    kind = type_of(below, identity, document.data)
    manifest: SharedManifest
    document, manifest = decoded(document, Manifest if kind == PERFORMANCE else SharedManifest)
    variants = tuple(
        _read_variant(folder, index, name, VariantFile if kind == PERFORMANCE else SharedVariantFile)
        for index, name in enumerate(manifest.variants)
        if tree.kind(name) == "file" and ".." not in name.split("/")
    )
    return Version(
        root=root,
        path=path,
        identity=identity,
        tree=tree,
        document=document,
        manifest=manifest,
        type=kind,
        variants=variants,
        references=_read_references(folder, tree, variants) if kind == PERFORMANCE else (),
    )


def open_version(root: Path, path: Path, catalog: str = "test-cases") -> Version:
    """Read the performance version that holds `path`.

    Raises `CannotRun` as `open_any_version` does, and for a case of another type. Whether the version is sound is for
    the rules to say.
    """
    version = open_any_version(root, path, catalog)
    if version.performance is None:
        raise CannotRun(f"{version.path} is a {version.type} case", "only performance cases are evaluated")
    return version


def open_any_version(root: Path, path: Path, catalog: str) -> Version:
    """Read the version of any type that holds `path`.

    Raises `CannotRun`, with one clear line, for a path that does not exist or lies in no version folder.
    """
    absolute = path if path.is_absolute() else root / path
    if not os.path.lexists(absolute):
        raise CannotRun(f"{path} does not exist", "name a version folder, as `cabinet-ci list` shows them")
    found = version_holding(root, absolute.parent.resolve() / absolute.name, catalog)
    if found is None:
        raise CannotRun(
            f"{path} is not in a version folder", f"a version folder holds a {MANIFEST_NAME} and is named vX.Y.Z"
        )
    return read_version(root, found, catalog)


def type_of(below_catalog: str, identity: Identity | None, data: dict[str, Any]) -> str:
    """The type whose rules hold: the path's, else the declared one, else end-to-end (section 1, the older layout)."""
    first, declared = below_catalog.partition("/")[0], data.get("type")
    if first in TYPES and (identity is None or identity.type is not None):
        return first
    if isinstance(declared, str):
        return declared
    # Where the folder is of neither layout, the tables tell what was meant.
    return PERFORMANCE if identity is None and ("contract" in data or "sandbox" in data) else "end-to-end"


def _read_variant(folder: str, index: int, name: str, struct: type[VariantFile]) -> Variant:
    document, file = decoded(read_document(folder, name), struct)
    return Variant(index, document, file)


def _read_references(folder: str, tree: Tree, variants: tuple[Variant, ...]) -> tuple[Reference, ...]:
    prefix = (tree.real(REFERENCES) or REFERENCES) + "/"
    names = sorted(
        name[len(prefix) :]
        for name, kind in tree.entries.items()
        if kind == "folder" and name.startswith(prefix) and "/" not in name[len(prefix) :]
    )
    default = variants[0].slug if variants else ""
    found = [_read_reference(folder, tree, name, default) for name in names]
    for variant in variants:
        path = variant.file.reference_implementation
        if path is not None:
            found.append(
                Reference(
                    name=path.rstrip("/").rpartition("/")[2],
                    path=path,
                    variant=variant.slug,
                    expect="pass",
                    description="",
                    cases={},
                    complete=True,
                )
            )
    return tuple(found)


def _read_reference(folder: str, tree: Tree, name: str, default: str) -> Reference:
    path = f"{REFERENCES}/{name}"
    file, document = ReferenceFile(), None
    # What lies outside of the version is not read; a rule tells the link.
    if tree.kind(f"{path}/{REFERENCE_NAME}") not in (None, "outside", "broken"):
        document, file = decoded(read_document(folder, f"{path}/{REFERENCE_NAME}"), ReferenceFile)
    return Reference(
        name=name,
        path=path,
        variant=file.variant if file.variant is not None else default,
        expect=file.expect,
        description=file.description,
        cases=dict(file.cases),
        complete=False,
        document=document,
    )
