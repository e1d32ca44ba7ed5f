"""What the rules of the catalog look at: a version with its JSON files read once, and all versions together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cabinet_ci.catalog.decode import Fault
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.files import JSON_LIMIT, Unreadable
from cabinet_ci.catalog.manifest import SharedManifest, VariantFile
from cabinet_ci.catalog.positions import KeyPath, Position, json_positions
from cabinet_ci.catalog.strict_json import JsonError, parse_json
from cabinet_ci.catalog.version import Variant, Version
from cabinet_ci.config import Config
from cabinet_ci.rules.folder import DeclaredPath, Finding, Folder, Prompt, is_broken, is_inside
from cabinet_ci.rules.hints import FOREIGN_TABLES
from cabinet_ci.seeding.plan import TEMPLATE_SUFFIX, SeedPlan, plan_seeding


class JsonFile(msgspec.Struct, frozen=True):
    """A JSON file that was read: its value, or why there is none."""

    path: str
    source: bytes
    value: Any = None
    error: JsonError | Unreadable | None = None

    def position(self, path: KeyPath) -> Position:
        """Position of the value at a path inside it."""
        positions = json_positions(self.source)
        return positions.of_value(path) or positions.nearest(path)


class Subject(Folder):
    """One version of the catalog under judgement."""

    def __init__(self, version: Version, config: Config) -> None:
        super().__init__(version.path, version.tree, config)
        self.version = version
        self.documents = version.documents
        self.declared = tuple(_declared_paths(version))
        self.destinations = tuple(_destinations(version))
        self.changelog = version.manifest.changelog
        self.texts = tuple(filter(self.is_file, dict.fromkeys(_texts(version))))
        self.json_files = tuple(filter(is_inside, dict.fromkeys(_json_files(version))))
        self._json: dict[str, JsonFile] = {}
        self._plans: dict[str, SeedPlan] = {}

    def root_keys(self, document: Document) -> Sequence[str]:
        """Those of the manifest, of a variant."""
        if document is self.version.document:
            return SharedManifest.__struct_fields__
        return VariantFile.__struct_fields__ if self._is_of_variant(document) else ()

    def prompts(self) -> Iterator[Prompt]:
        """The prompt."""
        from cabinet_ci.seeding.templates import catalog_prompt_scope

        yield Prompt(self.version.manifest.prompt, ((catalog_prompt_scope(self.version.type), ""),))

    def owner(self, document: Document, fault: Fault) -> str | None:
        """The type of case that a table of the manifest, or of a variant, belongs to."""
        if len(fault.path) != 1 or fault.path[0] not in FOREIGN_TABLES:
            return None
        if document is not self.version.document and not self._is_of_variant(document):
            return None
        return f"{FOREIGN_TABLES[str(fault.path[0])]} cases, and this is a {self.version.type} case"

    def json(self, path: str) -> JsonFile | None:
        """The JSON file at a declared path, or None where the path is not a file of the version."""
        if not self.is_file(path):
            return None
        found = self._json.get(path)
        if found is None:
            found = self._json[path] = self._read_json(path)
        return found

    def plan(self, variant: Variant) -> SeedPlan:
        """The seed plan of a variant."""
        key = variant.path
        if key not in self._plans:
            self._plans[key] = plan_seeding(self.version, variant)
        return self._plans[key]

    def in_manifest(self, path: KeyPath, message: str, hint: str | None = None) -> Iterator[Finding]:
        """A finding at a value of the manifest."""
        yield from self.at_value(self.version.document, path, message, hint)

    def _is_of_variant(self, document: Document) -> bool:
        return any(document is variant.document for variant in self.version.variants)

    def _read_json(self, path: str) -> JsonFile:
        source = self.read(path, JSON_LIMIT)
        if isinstance(source, Unreadable):
            return JsonFile(path, b"", error=source)
        try:
            return JsonFile(path, source, parse_json(source))
        except JsonError as fault:
            return JsonFile(path, source, error=fault)


class CatalogSubject(msgspec.Struct, frozen=True):
    """All versions of the catalog, for the rules across folders.

    `strays` are folders that are named like a version and have no manifest.
    """

    catalog: str
    entries: tuple[CatalogEntry, ...]
    strays: tuple[str, ...] = ()


class CatalogEntry(msgspec.Struct, frozen=True):
    """What the rules across folders need of one version; positions are looked up only for a finding."""

    path: str
    case_folder: str
    slug: str
    document: Document


def _declared_paths(version: Version) -> Iterator[DeclaredPath]:
    manifest = version.manifest
    document = version.document
    for key in ("description", "changelog", "prompt"):
        path = getattr(manifest, key)
        if path is not None:
            yield DeclaredPath(document, (key,), path, "file")
    if manifest.workspace is not None:
        yield DeclaredPath(document, ("workspace",), manifest.workspace.rstrip("/"), "folder")
    for index, path in enumerate(manifest.variants):
        yield DeclaredPath(document, ("variants", index), path, "file")
    for index, path in enumerate(manifest.assets):
        yield DeclaredPath(document, ("assets", index), path.rstrip("/"), "either")
    for index, spec in enumerate(manifest.spec):
        yield DeclaredPath(document, ("spec", index, "source"), spec.source, "file")
    if version.performance is not None:
        yield DeclaredPath(document, ("contract", "input"), version.performance.contract.input, "file")
        yield DeclaredPath(document, ("contract", "output"), version.performance.contract.output, "file")
        for index, case in enumerate(version.performance.case):
            yield DeclaredPath(document, ("case", index, "input"), case.input, "file")
            yield DeclaredPath(document, ("case", index, "expected"), case.expected, "file")
    for variant in version.variants:
        file = variant.file
        for index, spec in enumerate(file.spec):
            yield DeclaredPath(variant.document, ("spec", index, "source"), spec.source, "file")
        for key in ("workspace", "reference_implementation"):
            path = getattr(file, key)
            if path is not None:
                yield DeclaredPath(variant.document, (key,), path.rstrip("/"), "folder")


def _destinations(version: Version) -> Iterator[DeclaredPath]:
    documents = [(version.document, version.manifest.spec)]
    documents += [(variant.document, variant.file.spec) for variant in version.variants]
    for document, specs in documents:
        for index, spec in enumerate(specs):
            if spec.dest is not None and not is_broken(document, ("spec", index, "dest")):
                yield DeclaredPath(document, ("spec", index, "dest"), spec.dest, "file")
            elif spec.dest is None and spec.source.rpartition("/")[2] == TEMPLATE_SUFFIX:
                # What is left of the name is a folder, or nothing.
                yield DeclaredPath(document, ("spec", index, "source"), spec.destination or ".", "file")


def _texts(version: Version) -> Iterator[str]:
    manifest = version.manifest
    yield from (manifest.changelog, manifest.prompt, manifest.description or "")
    specs = [*manifest.spec, *(spec for variant in version.variants for spec in variant.file.spec)]
    yield from (spec.source for spec in specs if spec.source.endswith((".md", ".hbs")))


def _json_files(version: Version) -> Iterator[str]:
    """The schemas, then inputs and expected answers."""
    manifest = version.performance
    if manifest is not None:
        yield from (manifest.contract.input, manifest.contract.output)
        for case in manifest.case:
            yield from (case.input, case.expected)
