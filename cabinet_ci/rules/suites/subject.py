"""What the rules of suites look at: a suite's own folder, one of its trees, and the slugs of both formats."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from cabinet_ci.catalog.decode import Fault, known_keys
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.definition import ASSET_TYPES, BUILT_KEYS, BUILT_TYPES, TYPES, struct_of
from cabinet_ci.catalog.suites.files import (
    SHOWCASE_PROSE_NAME,
    DebugApiFile,
    SpecificationFile,
)
from cabinet_ci.catalog.suites.suite import Definition, Specification, Suite, SuiteTree
from cabinet_ci.config import Config
from cabinet_ci.rules.folder import DeclaredPath, Folder, Prompt, is_broken, is_doubtful, is_inside

if TYPE_CHECKING:
    from cabinet_ci.seeding.templates import Scope


class Claim(msgspec.Struct, frozen=True):
    """A requirement's claim of a validator, by the key path of the value in its specification."""

    specification: Specification
    key: KeyPath
    requirement: str


class SuiteFolder(Folder):
    """A suite's own folder under judgement, without its versions and drafts."""

    def __init__(self, suite: Suite, config: Config) -> None:
        super().__init__(suite.path, suite.tree, config)
        self.suite = suite
        self.documents = () if suite.document is None else (suite.document,)


class SuiteSubject(Folder):
    """An exported version or a draft of a suite under judgement."""

    def __init__(self, suite: SuiteTree, config: Config) -> None:
        super().__init__(suite.path, suite.tree, config)
        self.suite = suite
        self.documents = tuple(suite.documents)
        self.declared = tuple(_declared_paths(suite))
        self.destinations = tuple(_destinations(suite))
        self.texts = tuple(filter(self.is_file, dict.fromkeys(_texts(suite))))
        self.changelog = suite.file.changelog if suite.version is not None else None

    def root_keys(self, document: Document) -> Sequence[str]:
        """Those of specifications, definitions and the debug API, which have tables."""
        if document is self.suite.debug_api:
            return known_keys(DebugApiFile)
        if document.path.startswith(model.SPECIFICATIONS + "/"):
            return known_keys(SpecificationFile)
        return known_keys(struct_of(document.data)) if document.path.startswith(model.DEFINITIONS + "/") else ()

    def owner(self, document: Document, fault: Fault) -> str | None:
        """The types that a key of a definition belongs to."""
        if len(fault.path) != 1 or not document.path.startswith(model.DEFINITIONS + "/"):
            return None
        key, type_ = str(fault.path[0]), document.data.get("type")
        if type_ not in TYPES:
            return None
        if key in BUILT_KEYS:
            return f"{' and '.join(BUILT_TYPES)} definitions, and the type of this one is {type_}"
        return f"{key} definitions, and the type of this one is {type_}" if key in ASSET_TYPES else None

    def prompts(self) -> Iterator[Prompt]:
        """Each template in prompts/ by itself, and with the number of specifications of each definition."""
        from cabinet_ci.seeding.templates import SUITE_PROMPT, suite_prompt_scope

        used: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for definition in self.suite.definitions:
            if not is_broken(definition.document, ("prompt",)):
                covered = len(self.suite.covered(definition))
                used[posixpath.normpath(definition.file.prompt)].append((covered, definition.slug))
        for path in dict.fromkeys((*self.suite.prompts, *used)):
            scopes: list[tuple[Scope, str]] = [(SUITE_PROMPT, "")]
            # Engines differ in what they are called, not in what there is of them. Of definitions, the one with the
            # fewest specifications lacks whatever any lacks, and the one with most costs the most.
            for covered, slug in sorted({min(used[path]), max(used[path])}) if path in used else ():
                scopes.append((suite_prompt_scope(covered), f', for the definition "{slug}"'))
            yield Prompt(path, tuple(scopes))

    @cached_property
    def claims(self) -> Mapping[str, Sequence[Claim]]:
        """The claims of each file below validators/, by its path from the tree, spelt as on disk."""
        found: dict[str, list[Claim]] = defaultdict(list)
        for specification in self.suite.specifications:
            for index, requirement in enumerate(specification.file.requirement):
                for place, path in enumerate(requirement.validators):
                    key = ("requirement", index, "validators", place)
                    if is_inside(path) and not is_broken(specification.document, key):
                        name = posixpath.normpath(f"{model.VALIDATORS}/{path}")
                        found[self.spelt(name)].append(Claim(specification, key, requirement.id))
        return found

    def spelt(self, name: str) -> str:
        """A file's name as on disk, where only its letter case differs."""
        return name if name in self.tree.entries else self.by_folded_name.get(name.casefold(), name)

    def is_partly_hidden(self, folder: str) -> bool:
        """Whether something at or below a folder can't be listed, so that there may be more than is known."""
        return any(name == folder or name.startswith(folder + "/") for name in self.tree.unlisted)

    @cached_property
    def ids(self) -> frozenset[str]:
        """Ids of the specifications."""
        return frozenset(found.file.id for found in self.suite.specifications)

    @cached_property
    def has_unknown_ids(self) -> bool:
        """Whether a specification's id can't be told, so that it may be any that is missing."""
        hidden = self.is_partly_hidden(model.SPECIFICATIONS)
        return hidden or any(is_broken(found.document, ("id",)) for found in self.suite.specifications)

    @cached_property
    def has_unknown_types(self) -> bool:
        """Whether a definition's type can't be told, so that it may be any."""
        hidden = self.is_partly_hidden(model.DEFINITIONS) or any(
            name.startswith(f"{model.DEFINITIONS}/") and name.endswith(".toml") and kind not in ("file", "folder")
            for name, kind in self.tree.entries.items()
        )
        return hidden or any(is_broken(found.document, ("type",)) for found in self.suite.definitions)

    @cached_property
    def built(self) -> tuple[Definition, ...]:
        """The end-to-end and full-stack definitions."""
        return tuple(
            found for found in self.suite.definitions if found.is_built and not is_broken(found.document, ("type",))
        )

    @cached_property
    def engines(self) -> frozenset[str] | None:
        """Engines that some definition declares; None where that can't be told."""
        if self.has_unknown_types or any(is_doubtful(found.document, ("engines",)) for found in self.built):
            return None
        return frozenset(engine for found in self.built if found.built for engine in found.built.engines)


class AcrossSubject(msgspec.Struct, frozen=True):
    """What spans both formats: slugs of the catalog's cases with the folder of each, and the suites."""

    cases: Mapping[str, str]
    suites: Sequence[SuiteFolder]


def requirements_at(specification: Specification) -> Iterator[tuple[int, str]]:
    """Index and id of each requirement whose table is sound enough to have one."""
    for index, requirement in enumerate(specification.file.requirement):
        if not is_broken(specification.document, ("requirement", index, "id")):
            yield index, requirement.id


def _declared_paths(suite: SuiteTree) -> Iterator[DeclaredPath]:
    if suite.version is not None:
        yield DeclaredPath(suite.version, ("description",), suite.file.description, "file")
        yield DeclaredPath(suite.version, ("changelog",), suite.file.changelog, "file")
    for specification in suite.specifications:
        for index, requirement in enumerate(specification.file.requirement):
            for place, path in enumerate(requirement.validators):
                key = ("requirement", index, "validators", place)
                yield DeclaredPath(specification.document, key, path, "file", f"{model.VALIDATORS}/")
    for definition in suite.definitions:
        yield DeclaredPath(definition.document, ("prompt",), definition.file.prompt, "file")
        if definition.built is not None:
            for engine, path in definition.built.workspaces.items():
                yield DeclaredPath(definition.document, ("workspaces", engine), path.rstrip("/"), "folder")
    for asset in suite.assets:
        for index, path in enumerate(asset.file.files):
            yield DeclaredPath(asset.document, ("files", index), path, "file", f"{asset.folder}/")
    if suite.showcase is not None:
        for index, media in enumerate(suite.showcase_file.media):
            yield DeclaredPath(suite.showcase, ("media", index, "file"), media.file, "file", f"{model.SHOWCASE}/")
    if suite.debug_api is not None:
        for index, module in enumerate(suite.debug_api_file.module):
            # The folder's name may be written in front, as anywhere else where a tree's file is named.
            base = "" if module.path.startswith(f"{model.DEBUG_API}/") else f"{model.DEBUG_API}/"
            yield DeclaredPath(suite.debug_api, ("module", index, "path"), module.path, "file", base)


def _destinations(suite: SuiteTree) -> Iterator[DeclaredPath]:
    for specification in suite.specifications:
        if not is_broken(specification.document, ("path",)):
            yield DeclaredPath(specification.document, ("path",), specification.file.path, "file", "specs/")


def _texts(suite: SuiteTree) -> Iterator[str]:
    if suite.version is not None:
        yield from (suite.file.description, suite.file.changelog)
    yield from (specification.prose for specification in suite.specifications)
    yield from suite.prompts
    yield from (definition.file.prompt for definition in suite.definitions)
    yield f"{model.SHOWCASE}/{SHOWCASE_PROSE_NAME}"
