"""A suite tree, read whole: an exported version or a draft, each file with what was wrong in it.

Reading never fails on what an author wrote: faults are kept beside the parsed values for the rules to report.
`open_definition` is the strict way in, for commands that work on one definition.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.suites.definition import BUILT_TYPES, BuiltDefinition, DefinitionFile
from cabinet_ci.catalog.suites.discovery import Kind
from cabinet_ci.catalog.suites.files import (
    PROSE_NAME,
    AssetFile,
    DebugApiFile,
    DemoFile,
    DraftFile,
    ShowcaseFile,
    SpecificationFile,
    SuiteFile,
    VersionFile,
)
from cabinet_ci.catalog.tree import Tree

SPECIFICATIONS = "specifications"
DEFINITIONS = "test-cases"
PROMPTS = "prompts"
WORKSPACES = "workspaces"
ASSETS = "assets"
VALIDATORS = "validators"
REFERENCES = "reference-implementations"
DEBUG_API = "debug-api"
DEMOS = "demos"
SHOWCASE = "showcase"

UNCLAIMED = ("vitest.config.ts", "debug-api.ts")
"""Files below validators/ that validate nothing by themselves; so are those that end in `.test.ts`."""


class Suite(msgspec.Struct, frozen=True):
    """A suite's folder: `path` is relative to the repository's `root`.

    `document` is its `suite.toml`, null where there is none; `tree` lists the folder without what is in its versions
    and drafts. Nothing is read of a folder that is a link.
    """

    root: Path
    path: str
    document: Document | None
    file: SuiteFile
    tree: Tree
    is_link: bool = False

    @property
    def name(self) -> str:
        """The name of its folder, which the slug has to equal."""
        return self.path.rpartition("/")[2]


class Specification(msgspec.Struct, frozen=True):
    """A specification: `folder` is relative to the tree, `document` its `specification.toml`."""

    folder: str
    document: Document
    file: SpecificationFile

    @property
    def prose(self) -> str:
        """Its Markdown file, relative to the tree."""
        return f"{self.folder}/{PROSE_NAME}"


class Definition(msgspec.Struct, frozen=True):
    """A test case definition: `file` is of the Struct of its type."""

    document: Document
    file: DefinitionFile

    @property
    def slug(self) -> str:
        """The stem of its file."""
        return posixpath.basename(self.document.path).removesuffix(".toml")

    @property
    def built(self) -> BuiltDefinition | None:
        """The file of an end-to-end or full-stack definition, None for another type."""
        return self.file if isinstance(self.file, BuiltDefinition) else None

    @property
    def is_built(self) -> bool:
        """Whether its type is end-to-end or full-stack."""
        return self.file.type in BUILT_TYPES and isinstance(self.file, BuiltDefinition)


class Asset(msgspec.Struct, frozen=True):
    """An asset: `folder` is `assets/<id>`."""

    folder: str
    document: Document
    file: AssetFile


class Demo(msgspec.Struct, frozen=True):
    """A demonstration: `folder` is `demos/<slug>`."""

    folder: str
    document: Document
    file: DemoFile


class SuiteTree(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An exported version or a draft of a suite; `path` and `suite` are relative to the repository's `root`.

    What there can be one of is null where its file is not there. `prompts`, `workspaces`, `validators`, `references`
    and `debug_files` are the paths of files and folders that are there, relative to the tree and sorted; `validators`
    are those that a requirement has to claim. Specifications are sorted by their folder.
    """

    root: Path
    suite: str
    path: str
    kind: Kind
    tree: Tree
    version: Document | None
    file: VersionFile
    draft: Document | None
    draft_file: DraftFile
    specifications: tuple[Specification, ...]
    definitions: tuple[Definition, ...]
    assets: tuple[Asset, ...]
    demos: tuple[Demo, ...]
    showcase: Document | None
    showcase_file: ShowcaseFile
    debug_api: Document | None
    debug_api_file: DebugApiFile
    prompts: tuple[str, ...]
    workspaces: tuple[str, ...]
    validators: tuple[str, ...]
    references: tuple[str, ...]
    debug_files: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """The tree's folder, absolute."""
        return self.root / self.path

    @property
    def name(self) -> str:
        """`vX.Y.Z`, or the draft's name: the name of its folder."""
        return self.path.rpartition("/")[2]

    @property
    def is_draft(self) -> bool:
        """Whether it may be incomplete."""
        return self.kind == "draft"

    @property
    def documents(self) -> Iterator[Document]:
        """Every TOML file that was read."""
        yield from (found for found in (self.version, self.draft, self.showcase, self.debug_api) if found is not None)
        for held in (self.specifications, self.definitions, self.assets, self.demos):
            yield from (one.document for one in held)

    def definition(self, slug: str) -> Definition | None:
        """The definition with this slug, None where there is none."""
        return next((found for found in self.definitions if found.slug == slug), None)

    def specification(self, id_: str) -> Specification | None:
        """The first specification with this id, None where there is none."""
        return self._by_id.get(id_)

    def at_prose(self, path: str) -> Specification:
        """The specification whose Markdown file this is. Raises `KeyError` where it is none's."""
        return self._by_prose[path]

    def asset(self, id_: str) -> Asset | None:
        """The asset below `assets/<id_>`, None where there is none."""
        return self._by_folder.get(f"{ASSETS}/{id_}")

    def covered(self, definition: Definition) -> tuple[Specification, ...]:
        """The specifications that a definition covers, in its order; all of them where it names none.

        Ids that no specification has are passed over: a rule tells them.
        """
        named = definition.file.specifications
        if named is None:
            return self.specifications
        return tuple(self._by_id[id_] for id_ in dict.fromkeys(named) if id_ in self._by_id)

    @cached_property
    def _by_prose(self) -> dict[str, Specification]:
        return {found.prose: found for found in self.specifications}

    @cached_property
    def _by_folder(self) -> dict[str, Asset]:
        return {found.folder: found for found in self.assets}

    @cached_property
    def _by_id(self) -> dict[str, Specification]:
        return {found.file.id: found for found in reversed(self.specifications)}
