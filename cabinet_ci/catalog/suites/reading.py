"""Reading suites and suite trees from disk."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from cabinet_ci.catalog.decode import Fault, known_keys
from cabinet_ci.catalog.document import Document, decoded, read_document
from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.definition import (
    ASSET_TYPES,
    OPEN_TYPES,
    DefinitionFile,
    struct_of,
)
from cabinet_ci.catalog.suites.discovery import DRAFTS, SUITE_NAME, VERSIONS, TreePlace, tree_holding
from cabinet_ci.catalog.suites.files import (
    ASSET_NAME,
    DEBUG_API_NAME,
    DEMO_NAME,
    DRAFT_NAME,
    SHOWCASE_NAME,
    SPECIFICATION_NAME,
    VERSION_NAME,
    AssetFile,
    DebugApiFile,
    DemoFile,
    DraftFile,
    ShowcaseFile,
    SpecificationFile,
    SuiteFile,
    VersionFile,
)
from cabinet_ci.catalog.suites.suite import Asset, Definition, Demo, Specification, Suite, SuiteTree
from cabinet_ci.catalog.tree import Tree, list_top, list_tree
from cabinet_ci.failure import CannotRun

T = TypeVar("T")


def read_suite(root: Path, path: str) -> Suite:
    """Read the suite's folder at `path`, relative to `root`, without its versions and drafts."""
    folder = os.path.join(root, path)
    if os.path.islink(folder):
        _, file = decoded(Document(SUITE_NAME, b"", {}, ()), SuiteFile)
        return Suite(root, path, None, file, Tree(folder, {}, {}), is_link=True)
    tree = list_top(folder, (VERSIONS, DRAFTS))
    document, file = decoded(read_document(tree.folder, SUITE_NAME), SuiteFile)
    is_there = tree.entries.get(SUITE_NAME) not in (None, "outside", "broken")
    return Suite(root, path, document if is_there else None, file, tree)


def read_suite_tree(root: Path, place: TreePlace) -> SuiteTree:
    """Read an exported version or a draft; raises `TooManyEntries` for a folder without an end."""
    return _Reader(root, place).read()


def open_definition(root: Path, path: Path, suites: str = "test-suites") -> tuple[SuiteTree, Definition]:
    """The suite tree and the definition whose file is at `path`.

    Raises `CannotRun`, with one clear line, for a path that does not exist or is no definition of a suite tree. Whether
    the tree is sound is for the rules to say.
    """
    absolute = path if path.is_absolute() else root / path
    if not os.path.lexists(absolute):
        raise CannotRun(f"{path} does not exist", "name the file of a test case definition")
    absolute = absolute.parent.resolve() / absolute.name
    place = tree_holding(root, absolute, suites)
    if place is not None:
        tree = read_suite_tree(root, place)
        name = absolute.relative_to(os.path.normpath(root / place.path)).as_posix()
        found = next((one for one in tree.definitions if one.document.path == name), None)
        if found is not None:
            return tree, found
    raise CannotRun(f"{path} is no definition of a suite", "definitions are the TOML files in a tree's test-cases/")


class _Reader:
    def __init__(self, root: Path, place: TreePlace) -> None:
        self.root = root
        self.place = place
        self.folder = os.path.join(root, place.path)
        self.tree = list_tree(self.folder)

    def read(self) -> SuiteTree:
        version, version_file = self.optional(VERSION_NAME, VersionFile)
        draft, draft_file = self.optional(DRAFT_NAME, DraftFile)
        showcase, showcase_file = self.optional(f"{model.SHOWCASE}/{SHOWCASE_NAME}", ShowcaseFile)
        debug_api, debug_api_file = self.optional(DEBUG_API_NAME, DebugApiFile)
        validators = [name for name in self.below(model.VALIDATORS) if is_validator(name)]
        return SuiteTree(
            root=self.root,
            suite=self.place.suite,
            path=self.place.path,
            kind=self.place.kind,
            tree=self.tree,
            version=version,
            file=version_file,
            draft=draft,
            draft_file=draft_file,
            specifications=tuple(self.specifications()),
            definitions=tuple(self.definition(name) for name in self.files(model.DEFINITIONS, ".toml")),
            assets=tuple(
                Asset(posixpath.dirname(name), *self.decode(name, AssetFile))
                for name in self.inner(model.ASSETS, ASSET_NAME)
            ),
            demos=tuple(
                Demo(posixpath.dirname(name), *self.decode(name, DemoFile))
                for name in self.inner(model.DEMOS, DEMO_NAME)
            ),
            showcase=showcase,
            showcase_file=showcase_file,
            debug_api=debug_api,
            debug_api_file=debug_api_file,
            prompts=tuple(self.files(model.PROMPTS, ".hbs")),
            workspaces=tuple(self.folders(model.WORKSPACES)),
            validators=tuple(validators),
            references=tuple(self.folders(model.REFERENCES)),
            debug_files=tuple(self.below(model.DEBUG_API)),
        )

    def decode(self, name: str, struct: type[T]) -> tuple[Document, T]:
        return decoded(read_document(self.folder, name), struct)

    def optional(self, name: str, struct: type[T]) -> tuple[Document | None, T]:
        """A file that may not be there; a neutral value then."""
        if self.tree.kind(name) not in (None, "outside", "broken"):
            return self.decode(name, struct)
        return None, decoded(Document(name, b"", {}, ()), struct)[1]

    def specifications(self) -> Iterator[Specification]:
        found = [name.rpartition("/") for name in self.below(model.SPECIFICATIONS)]
        # By the parts of the path, so that a specification comes before those nested in its folder.
        for folder in sorted((folder for folder, _, last in found if last == SPECIFICATION_NAME), key=_parts):
            yield Specification(folder, *self.decode(f"{folder}/{SPECIFICATION_NAME}", SpecificationFile))

    def definition(self, name: str) -> Definition:
        document = read_document(self.folder, name)
        document, file = decoded(document, struct_of(document.data))
        # What is left open may hold anything but what is known to belong to another type.
        if document.data.get("type") in OPEN_TYPES:
            strange = [key for key in document.data if key in (*ASSET_TYPES, "engines")]
            known = known_keys(DefinitionFile)
            faults = [
                Fault(kind="unknown", path=(key,), table="DefinitionFile", found=document.data[key], known=known)
                for key in strange
            ]
            document = msgspec.structs.replace(document, faults=(*document.faults, *faults))
        return Definition(document, file)

    def files(self, folder: str, suffix: str) -> list[str]:
        """Files directly in a folder whose names end so."""
        return [name for name in self.direct(folder, "file") if name.endswith(suffix)]

    def folders(self, folder: str) -> list[str]:
        """Folders directly in a folder."""
        return self.direct(folder, "folder")

    def direct(self, folder: str, kind: str) -> list[str]:
        real = self.tree.real(folder) or folder
        found = [name for name in self.tree.children.get(real, ()) if self.tree.entries[name] == kind]
        return sorted(f"{folder}/{name.rpartition('/')[2]}" for name in found)

    def inner(self, folder: str, name: str) -> list[str]:
        """Files of this name in the folders of a folder."""
        found = [f"{below}/{name}" for below in self.folders(folder)]
        return [path for path in found if self.tree.kind(path) == "file"]

    def below(self, folder: str) -> list[str]:
        """Files at any depth below a folder, sorted. Linked folders are followed, each real folder once."""
        found: list[str] = []
        seen: set[str] = set()
        pending = [(folder, self.tree.real(folder) or folder)]
        linked: list[tuple[str, str]] = []
        while pending or linked:
            # What can be reached without a link is called by its own name.
            shown, real = pending.pop() if pending else linked.pop()
            if real in seen:
                continue
            seen.add(real)
            for name in self.tree.children.get(real, ()):
                kind, last = self.tree.entries[name], name.rpartition("/")[2]
                if name in self.tree.links:
                    linked.append((f"{shown}/{last}", self.tree.links[name]))
                elif kind == "folder":
                    pending.append((f"{shown}/{last}", name))
                elif kind == "file":
                    found.append(f"{shown}/{last}")
        return sorted(found)


def is_validator(name: str) -> bool:
    """Whether a file below validators/ is one that a requirement has to claim."""
    last = posixpath.basename(name)
    return last.endswith(".ts") and not last.endswith(".test.ts") and last not in model.UNCLAIMED


def _parts(path: str) -> list[str]:
    return path.split("/")
