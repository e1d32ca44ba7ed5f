"""The runs that there are: of a variant of a catalog version, and of a suite's definition with an engine.

Both answer the same questions: which prompt, which files, and what each holds.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import leads_outside, version_holding
from cabinet_ci.catalog.files import JSON_LIMIT, TEXT_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.suites.discovery import tree_holding
from cabinet_ci.catalog.suites.reading import open_definition
from cabinet_ci.catalog.suites.suite import Definition, SuiteTree
from cabinet_ci.catalog.tree import ENTRY_LIMIT, TooManyEntries, Tree
from cabinet_ci.catalog.version import Variant, Version, open_any_version
from cabinet_ci.config import Config
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.documents import render_prompt, render_spec
from cabinet_ci.seeding.engines import WITHOUT_ENGINE, Engine, find_engine
from cabinet_ci.seeding.plan import SeedEntry, SeedPlan, is_file, plan_seeding
from cabinet_ci.seeding.soundness import require_inside, require_readable, require_whole
from cabinet_ci.seeding.suites import (
    SPECS,
    WITH_ASSETS,
    plan_definition,
    prompt_of_definition,
    refuse_held_out,
    specification_document,
)
from cabinet_ci.seeding.templates import has_engine


class CatalogRun(msgspec.Struct, frozen=True):
    """A run of a variant of a catalog version; `engine` means something only to the types that have engines."""

    version: Version
    variant: Variant
    engine: Engine = WITHOUT_ENGINE

    @property
    def place(self) -> str:
        """The version folder, relative to the repository root."""
        return self.version.path

    @property
    def has_engine(self) -> bool:
        """Whether its type has engines."""
        return has_engine(self.version.type)

    @property
    def folder(self) -> Path:
        """The version folder, absolute."""
        return self.version.folder

    def prompt(self, workspace: str) -> bytes:
        """The prompt, with the workspace at this absolute path. Raises `CannotRun`, `UnsoundTemplate` among them."""
        for spec in (*self.version.manifest.spec, *self.variant.file.spec):
            require_inside(self.place, spec.source, spec.destination)
        template = _read_prompt(self.folder, self.place, self.version.tree, self.version.manifest.prompt)
        return render_prompt(self.version, self.variant, self.engine, workspace, template)

    def plan(self) -> SeedPlan:
        """What it receives, whole. Raises `CannotRun` where something is not there, or two files clash."""
        plan = plan_seeding(self.version, self.variant)
        require_whole(self.place, {found.path: found for found in self.version.documents}, plan)
        return plan

    def content(self, entry: SeedEntry) -> bytes:
        """The bytes of a planned file. Raises `CannotRun`."""
        content = _read(self.folder, self.place, entry.source, JSON_LIMIT)
        if entry.rendered:
            return render_spec(self.version, self.variant, entry.source, content, self.engine)
        return content


class SuiteRun(msgspec.Struct, frozen=True):
    """A run of a suite's definition with an engine."""

    tree: SuiteTree
    definition: Definition
    engine: Engine = WITHOUT_ENGINE

    @property
    def place(self) -> str:
        """The suite tree's folder, relative to the repository root."""
        return self.tree.path

    @property
    def has_engine(self) -> bool:
        """True: the prompt of every definition knows an engine, if only the built-in one."""
        return True

    @property
    def folder(self) -> Path:
        """The suite tree's folder, absolute."""
        return self.tree.folder

    def prompt(self, workspace: str) -> bytes:
        """The prompt, with the workspace at this absolute path. Raises `CannotRun`, `UnsoundTemplate` among them."""
        for found in self.tree.covered(self.definition):
            require_inside(self.place, found.prose, posixpath.join(SPECS, found.file.path))
        template = _read_prompt(self.folder, self.place, self.tree.tree, self.definition.file.prompt)
        return prompt_of_definition(self.tree, self.definition, self.engine, workspace, template)

    def plan(self) -> SeedPlan:
        """What it receives, whole. Raises `CannotRun` where something is not there, held out, or two files clash."""
        plan = plan_definition(self.tree, self.definition, self.engine)
        require_whole(self.place, {found.path: found for found in self.tree.documents}, plan)
        refuse_held_out(self.tree, plan)
        return plan

    def content(self, entry: SeedEntry) -> bytes:
        """The bytes of a planned file. Raises `CannotRun`."""
        content = _read(self.folder, self.place, entry.source, JSON_LIMIT)
        if entry.rendered:
            specification = self.tree.at_prose(entry.source)
            return specification_document(self.tree, specification, content)
        return content


Run = CatalogRun | SuiteRun


def open_run(root: Path, config: Config, path: Path, *, variant: str | None, engine: str | None) -> Run:
    """The run of what is at `path`: a version folder of the catalog, or the file of a suite's definition.

    Without a slug it is of the first variant, and with the first engine that is declared. Raises `CannotRun` for a path
    that is neither, a variant or an engine that is not there, and for files that can't be read.
    """
    given = Path(os.path.abspath(path))
    absolute = given.parent.resolve() / given.name
    for folder in (config.catalog, config.suites):
        top = os.path.normpath(root / folder)
        if given.is_relative_to(top) and not absolute.is_relative_to(top):
            raise CannotRun(f"{path} lies behind a link that leads out of {folder}", "name it by its own path")
    in_suites = absolute.is_relative_to(os.path.normpath(root / config.suites))
    try:
        if tree_holding(root, absolute, config.suites) is not None or (
            in_suites and version_holding(root, absolute, config.catalog) is None
        ):
            return _suite_run(root, config, absolute, path, variant, engine)
        return _catalog_run(root, config, absolute, path, variant, engine)
    except TooManyEntries:
        raise CannotRun(f"{path} holds more than {ENTRY_LIMIT:,} files", "remove build output from it") from None


def _catalog_run(
    root: Path, config: Config, absolute: Path, shown: Path, variant: str | None, engine: str | None
) -> CatalogRun:
    if not os.path.lexists(absolute):
        raise CannotRun(f"{shown} does not exist", "name a version folder, as `cabinet-ci list` shows them")
    version = open_any_version(root, absolute, config.catalog)
    _refuse_outside(root, version.path)
    require_readable(version.path, [version.document])
    found = version.variant(variant)
    if found is None:
        known = ", ".join(known.slug for known in version.variants)
        asked = f"no variant `{variant}`" if variant is not None else "no variant"
        raise CannotRun(
            f"{version.path} has {asked}", f"it has {known}" if known else "its variant files are not there"
        )
    require_readable(version.path, [found.document])
    if engine is not None and not has_engine(version.type):
        raise CannotRun(f"{version.path} is a {version.type} case", "cases of this type have no engine")
    return CatalogRun(version, found, WITHOUT_ENGINE if engine is None else find_engine(config, engine))


def _suite_run(
    root: Path, config: Config, absolute: Path, shown: Path, variant: str | None, engine: str | None
) -> SuiteRun:
    if variant is not None:
        raise CannotRun(f"{shown} is in a suite", "definitions of suites have engines, and no variants")
    if not os.path.lexists(absolute):
        raise CannotRun(f"{shown} does not exist", "name the file of a test case definition")
    tree, definition = open_definition(root, absolute, config.suites)
    _refuse_outside(root, tree.path)
    require_readable(tree.path, [definition.document, *(found.document for found in tree.covered(definition))])
    if definition.file.type == WITH_ASSETS:
        require_readable(tree.path, [found.document for found in tree.assets])
    declared = definition.built.engines if definition.built is not None else []
    if engine is not None and engine not in declared:
        if not declared:
            raise CannotRun(f"{definition.slug} is a {definition.file.type} definition", "its type has no engines")
        raise CannotRun(f"{definition.slug} has no engine `{engine}`", f"it has {', '.join(declared)}")
    chosen = engine or (declared[0] if declared else None)
    return SuiteRun(tree, definition, WITHOUT_ENGINE if chosen is None else find_engine(config, chosen))


def _refuse_outside(root: Path, folder: str) -> None:
    if leads_outside(root, folder):
        raise CannotRun(f"{folder} is a link that leads out of the repository", "links are not followed out of it")


def _read_prompt(folder: Path, place: str, tree: Tree, path: str) -> bytes:
    if not is_file(tree, path):
        raise CannotRun(f"{place}: the prompt {path} is not there", f"run `cabinet-ci validate {place}`")
    return _read(folder, place, path, TEXT_LIMIT)


def _read(folder: Path, place: str, source: str, limit: int) -> bytes:
    try:
        return read_bounded(folder / source, limit)
    except Unreadable as fault:
        raise CannotRun(f"{place}/{source} {fault.reason}", f"run `cabinet-ci validate {place}`") from None
