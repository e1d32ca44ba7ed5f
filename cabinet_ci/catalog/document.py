"""A TOML file that was read: its values, and what was wrong with it."""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from cabinet_ci.catalog.decode import Fault, decode
from cabinet_ci.catalog.files import MANIFEST_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.positions import KeyPath, Position, toml_positions
from cabinet_ci.catalog.toml import TomlError, parse_toml

T = TypeVar("T")


class Document(msgspec.Struct, frozen=True, dict=True):
    """A TOML file of a version: `path` is relative to the version folder.

    `data` is empty and `error` says why where it could not be read or parsed. `faults` are the keys and values that do
    not fit; `broken` holds their key paths, so that what follows from a known fault is not reported again.
    """

    path: str
    source: bytes
    data: dict[str, Any]
    faults: tuple[Fault, ...]
    error: TomlError | Unreadable | None = None

    @cached_property
    def broken(self) -> frozenset[KeyPath]:
        """Key paths that were replaced by neutral values."""
        return frozenset(fault.path for fault in self.faults if fault.kind != "unknown")

    def value_at(self, path: KeyPath) -> Position:
        """Position of the value at a key path, or of the nearest thing above it."""
        positions = toml_positions(self.source)
        return positions.of_value(path) or positions.nearest(path)

    def key_at(self, path: KeyPath) -> Position:
        """Position of the key at a key path, or of the nearest thing above it."""
        return toml_positions(self.source).nearest(path)


def read_document(folder: str, name: str) -> Document:
    """The TOML file `name` of `folder`, parsed; its faults are for `decoded` to find."""
    try:
        source = read_bounded(os.path.join(folder, name), MANIFEST_LIMIT)
    except Unreadable as fault:
        return Document(name, b"", {}, (), fault)
    try:
        return Document(name, source, parse_toml(source), ())
    except TomlError as fault:
        return Document(name, source, {}, (), fault)


def decoded(document: Document, struct: type[T]) -> tuple[Document, T]:
    """What a document holds as `struct`, and the document with its faults."""
    value, faults = decode(struct, document.data)
    if document.error is not None:
        # A file that can't be parsed is one fault; every key of it is unknown, not missing.
        faults = (Fault(kind="value", path=(), table=""),)
    return msgspec.structs.replace(document, faults=faults), value
