"""A folder under judgement, of either format, and the words to report a finding in it."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec

from cabinet_ci.catalog.decode import Fault
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.files import JSON_LIMIT, TEXT_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.positions import KeyPath, Position
from cabinet_ci.catalog.toml import TomlError, decode_utf8
from cabinet_ci.catalog.tree import Tree
from cabinet_ci.config import Config
from cabinet_ci.rules.hints import stands_for

if TYPE_CHECKING:
    from cabinet_ci.seeding.templates import Scope


class Finding(msgspec.Struct, frozen=True):
    """What a rule found: a path relative to the repository root, a position in it, a message and a remedy."""

    path: str
    position: Position | None
    message: str
    hint: str | None = None


Wanted = Literal["file", "folder", "either"]


class DeclaredPath(msgspec.Struct, frozen=True):
    """A path that a document names, the key path of its value, and what it has to lead to.

    `base` is the folder that it is relative to, with a `/` at its end; nothing where that is the version folder itself.
    """

    document: Document
    key: KeyPath
    path: str
    wanted: Wanted
    base: str = ""

    @property
    def target(self) -> str:
        """What it leads to, from the version folder."""
        return self.base + self.path


class Prompt(msgspec.Struct, frozen=True):
    """A prompt's template, and the scopes it is used with: each with words that tell which one it is."""

    path: str
    scopes: tuple[tuple[Scope, str], ...]


class Folder:
    """A folder under judgement: a version of the catalog, or of a suite. Files are read when first asked for.

    `place` is its path from the repository root. What a format has in it is for its class to say: `documents` are its
    TOML files, `declared` the paths that they name and that have to lead somewhere, `destinations` those at which a run
    finds something, `texts` the text files that are there and declared, `changelog` the one that tells what changed,
    `json_files` what is declared and read as JSON.
    """

    documents: Sequence[Document] = ()
    declared: Sequence[DeclaredPath] = ()
    destinations: Sequence[DeclaredPath] = ()
    texts: Sequence[str] = ()
    changelog: str | None = None
    json_files: Sequence[str] = ()

    def __init__(self, place: str, tree: Tree, config: Config) -> None:
        self.place = place
        self.tree = tree
        self.config = config

    def root_keys(self, document: Document) -> Sequence[str]:  # noqa: ARG002
        """Keys that belong above the first table header of a document, where they are often misplaced."""
        return ()

    def owner(self, document: Document, fault: Fault) -> str | None:  # noqa: ARG002
        """Whose an unknown key is and what this is instead, in words; None where it is nobody's."""
        return None

    def prompts(self) -> Iterator[Prompt]:
        """The templates of prompts."""
        return iter(())

    @property
    def is_closed(self) -> bool:
        """Whether the folder itself can't be listed, so that nothing in it can be judged."""
        return "" in self.tree.unlisted

    def is_hidden(self, path: str) -> bool:
        """Whether a declared path lies in a folder that can't be listed, so that nobody can tell what is there."""
        unlisted = self.tree.unlisted
        path = posixpath.normpath(path)
        return bool(unlisted) and any(path == folder or path.startswith(folder + "/") for folder in unlisted)

    @cached_property
    def misspelt(self) -> Mapping[str, frozenset[KeyPath]]:
        """For each document, the key paths that its unknown keys were meant to be, where that can be told."""
        found: dict[str, frozenset[KeyPath]] = {}
        for document in self.documents:
            unknown = [fault for fault in document.faults if fault.kind == "unknown"]
            meant = [stands_for(document, fault, self.root_keys(document)) for fault in unknown]
            found[document.path] = frozenset(path for path in meant if path is not None)
        return found

    @cached_property
    def by_folded_name(self) -> dict[str, str]:
        """The names in the folder by their spelling without letter case."""
        return {name.casefold(): name for name in reversed(self.tree.entries)}

    def text(self, path: str) -> str | None:
        """The text of a file of the folder; None where it is none, or no UTF-8 (a rule of its own says so)."""
        source = self.read(path)
        if isinstance(source, Unreadable):
            return None
        try:
            return decode_utf8(source, TomlError)
        except TomlError:
            return None

    def read(self, path: str, limit: int = TEXT_LIMIT) -> bytes | Unreadable:
        """The bytes of a file of the folder, or why they can't be had."""
        try:
            return read_bounded(os.path.join(self.tree.folder, path), limit)
        except Unreadable as fault:
            return fault

    def size(self, path: str) -> int | None:
        """Bytes of a file of the folder; None where it can't be told."""
        try:
            return os.stat(os.path.join(self.tree.folder, path)).st_size
        except (OSError, ValueError):
            return None

    def same_content(self, path: str, other: str) -> bool:
        """Whether two files of the folder hold the same bytes; to be asked of files of one size."""
        source = self.read(path, JSON_LIMIT)
        return isinstance(source, bytes) and source == self.read(other, JSON_LIMIT)

    def is_file(self, path: str) -> bool:
        """Whether a declared path is a file inside the folder."""
        return is_inside(path) and self.tree.kind(path) == "file"

    def at_value(self, document: Document, path: KeyPath, message: str, hint: str | None = None) -> Iterator[Finding]:
        """A finding at the value of a key, unless that key is known to be broken."""
        if not is_broken(document, path):
            yield Finding(self.path(document.path), document.value_at(path), message, hint)

    def at_key(self, document: Document, path: KeyPath, message: str, hint: str | None = None) -> Iterator[Finding]:
        """A finding at a key, unless that key is known to be broken."""
        if not is_broken(document, path):
            yield Finding(self.path(document.path), document.key_at(path), message, hint)

    def path(self, name: str = "") -> str:
        """A file of the folder by its path from the repository root."""
        if not name:
            return self.place
        return f"{self.place}/{name}" if self.place != "." else name


def is_inside(path: str) -> bool:
    """Whether a declared path is relative and stays inside by its spelling."""
    return bool(path) and path[0] != "/" and "\\" not in path and "\0" not in path and ".." not in path.split("/")


def is_doubtful(document: Document, path: KeyPath) -> bool:
    """Whether anything at, above or below this key path is known to be broken: its value is not the author's then."""
    length = len(path)
    return any(broken[:length] == path or path[: len(broken)] == broken for broken in document.broken)


def is_broken(document: Document, path: KeyPath) -> bool:
    """Whether a finding at this key path would only repeat a known fault of the document."""
    if not document.faults:
        return False
    broken = document.broken
    return any(path[:length] in broken for length in range(len(path) + 1))
