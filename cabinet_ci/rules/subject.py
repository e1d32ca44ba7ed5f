"""What a rule looks at: a version with its files read once, and the words to report a finding in it."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from typing import Any

import msgspec

from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.files import JSON_LIMIT, TEXT_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.positions import KeyPath, Position, json_positions
from cabinet_ci.catalog.strict_json import JsonError, parse_json
from cabinet_ci.catalog.toml import TomlError, decode_utf8
from cabinet_ci.catalog.version import Variant, Version
from cabinet_ci.config import Config
from cabinet_ci.seeding.plan import SeedPlan, plan_seeding


class Finding(msgspec.Struct, frozen=True):
    """What a rule found: a path relative to the repository root, a position in it, a message and a remedy."""

    path: str
    position: Position | None
    message: str
    hint: str | None = None


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


class Subject:
    """One version under judgement. Files are read when first asked for, and once."""

    def __init__(self, version: Version, config: Config) -> None:
        self.version = version
        self.config = config
        self._json: dict[str, JsonFile] = {}
        self._plans: dict[str, SeedPlan] = {}

    @property
    def is_closed(self) -> bool:
        """Whether the version folder itself can't be listed, so that nothing in it can be judged."""
        return "" in self.version.tree.unlisted

    def is_hidden(self, path: str) -> bool:
        """Whether a declared path lies in a folder that can't be listed, so that nobody can tell what is there."""
        unlisted = self.version.tree.unlisted
        path = posixpath.normpath(path)
        return bool(unlisted) and any(path == folder or path.startswith(folder + "/") for folder in unlisted)

    def json(self, path: str) -> JsonFile | None:
        """The JSON file at a declared path, or None where the path is not a file of the version."""
        if not self.is_file(path):
            return None
        found = self._json.get(path)
        if found is None:
            found = self._json[path] = self._read_json(path)
        return found

    def text(self, path: str) -> str | None:
        """The text of a file of the version; None where it is none, or no UTF-8 (a rule of its own says so)."""
        source = self.read(path)
        if isinstance(source, Unreadable):
            return None
        try:
            return decode_utf8(source, TomlError)
        except TomlError:
            return None

    def read(self, path: str, limit: int = TEXT_LIMIT) -> bytes | Unreadable:
        """The bytes of a file of the version, or why they can't be had."""
        try:
            return read_bounded(os.path.join(self.version.root, self.version.path, path), limit)
        except Unreadable as fault:
            return fault

    def size(self, path: str) -> int | None:
        """Bytes of a file of the version; None where it can't be told."""
        try:
            return os.stat(os.path.join(self.version.root, self.version.path, path)).st_size
        except (OSError, ValueError):
            return None

    def same_content(self, path: str, other: str) -> bool:
        """Whether two files of the version hold the same bytes; to be asked of files of one size."""
        source = self.read(path, JSON_LIMIT)
        return isinstance(source, bytes) and source == self.read(other, JSON_LIMIT)

    def is_file(self, path: str) -> bool:
        """Whether a declared path is a file inside the version."""
        return is_inside(path) and self.version.tree.kind(path) == "file"

    def plan(self, variant: Variant) -> SeedPlan:
        """The seed plan of a variant."""
        key = variant.path
        if key not in self._plans:
            self._plans[key] = plan_seeding(self.version, variant)
        return self._plans[key]

    def at_value(self, document: Document, path: KeyPath, message: str, hint: str | None = None) -> Iterator[Finding]:
        """A finding at the value of a key, unless that key is known to be broken."""
        if not is_broken(document, path):
            yield Finding(self.path(document.path), document.value_at(path), message, hint)

    def at_key(self, document: Document, path: KeyPath, message: str, hint: str | None = None) -> Iterator[Finding]:
        """A finding at a key, unless that key is known to be broken."""
        if not is_broken(document, path):
            yield Finding(self.path(document.path), document.key_at(path), message, hint)

    def in_manifest(self, path: KeyPath, message: str, hint: str | None = None) -> Iterator[Finding]:
        """A finding at a value of the manifest."""
        yield from self.at_value(self.version.document, path, message, hint)

    def path(self, name: str = MANIFEST_NAME) -> str:
        """A file of the version by its path from the repository root."""
        if not name:
            return self.version.path
        return f"{self.version.path}/{name}" if self.version.path != "." else name

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


def is_inside(path: str) -> bool:
    """Whether a declared path is relative and stays inside by its spelling."""
    return bool(path) and path[0] != "/" and "\\" not in path and "\0" not in path and ".." not in path.split("/")


def is_broken(document: Document, path: KeyPath) -> bool:
    """Whether a finding at this key path would only repeat a known fault of the document."""
    if not document.faults:
        return False
    broken = document.broken
    return any(path[:length] in broken for length in range(len(path) + 1))
