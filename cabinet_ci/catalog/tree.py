"""All names below a version folder, listed once; every question about a path is answered from the list."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec

EntryKind = Literal["file", "folder", "special", "outside", "broken"]
"""`special` is a FIFO, socket or device; `outside` a link that leads out of the folder; `broken` one to nothing."""

ENTRY_LIMIT = 200_000
"""Names listed below one version folder; more than that is no test case but an accident."""


LONGEST_PATH = 4096
"""Characters of a path that a file system can hold."""


class TooManyEntries(Exception):
    """A folder that holds more than `ENTRY_LIMIT` names."""


class Tree(msgspec.Struct, frozen=True, dict=True):
    """Names below `folder` (absolute, real), relative and with `/`.

    `entries` maps each name to its kind; links inside the folder appear as what they lead to, and linked folders are
    in `links`, name -> the name they lead to. What lies below a linked folder is listed once, at its real place.
    """

    folder: str
    entries: dict[str, EntryKind]
    links: dict[str, str]
    aliases: dict[str, str] = {}
    """Linked files, name -> the name they lead to."""
    unlisted: dict[str, str] = {}
    """Folders whose names can't be had, each with why; the version folder itself is ""."""

    def kind(self, path: str) -> EntryKind | None:
        """Kind of the entry at exactly this path, letter case included; None where there is none.

        A `/` at the end asks for a folder.
        """
        found = self.entries.get(path)
        if found is not None:
            return found
        named_as_folder = path.endswith("/")
        path = posixpath.normpath(path)
        found = self.entries.get(path)
        if found is None and self.links:
            real = self.real(path)
            found = None if real is None else self.entries.get(real)
        return found if found == "folder" or not named_as_folder else None

    def real(self, path: str) -> str | None:
        """The path with linked folders followed, or None where that does not end."""
        for _ in range(40):
            if path in self.entries and path not in self.links:
                return path
            # Nothing is listed below a linked folder: no more than one part of the path can be one.
            prefix = next((above for above in _upwards(path) if above in self.links), None)
            if prefix is None:
                return path
            target = self.links[prefix]
            rest = path[len(prefix) + 1 :]
            path = f"{target}/{rest}" if target and rest else target or rest
        return None

    def below(self, folder: str) -> list[str]:
        """Files at or below a folder, sorted; linked folders inside it are followed once each, never in a circle."""
        return sorted(name for name, kind in self.walk(folder) if kind == "file")

    def walk(self, folder: str) -> Iterator[tuple[str, EntryKind]]:
        """What is at or below a folder and is none itself; linked folders inside it are followed as `below` does."""
        count = 0
        pending: list[tuple[str, str, frozenset[str]]] = [(folder, self.real(folder) or folder, frozenset())]
        while pending:
            name, real, passed = pending.pop()
            if real in passed:
                continue
            start, shown = (len(real) + 1 if real else 0), (f"{name}/" if name else "")
            for entry in self._inside(real):
                if entry in self.links:
                    pending.append((shown + entry[start:], self.links[entry], passed | {real}))
                elif self.entries[entry] != "folder":
                    count += 1
                    yield shown + entry[start:], self.entries[entry]
            if count > ENTRY_LIMIT:
                raise TooManyEntries

    @cached_property
    def children(self) -> Mapping[str, Sequence[str]]:
        """The names directly in each folder; those in the version folder itself are in ""."""
        children: dict[str, list[str]] = defaultdict(list)
        for name in self.entries:
            children[name.rpartition("/")[0]].append(name)
        return dict(children)

    def _inside(self, folder: str) -> Iterator[str]:
        """All names below a folder, without following links."""
        pending = [folder]
        while pending:
            for name in self.children.get(pending.pop(), ()):
                yield name
                if self.entries[name] == "folder" and name not in self.links:
                    pending.append(name)


def _upwards(path: str) -> Iterator[str]:
    """A path and the folders above it; none of one that is too long for any file system."""
    while path and len(path) <= LONGEST_PATH:
        yield path
        path = path.rpartition("/")[0]


def list_tree(folder: str) -> Tree:
    """List a version folder. Never descends through links. Raises `TooManyEntries`."""
    return _list(folder, [("", folder)], deep=True)


def list_top(folder: str, inner: Iterable[str]) -> Tree:
    """List a folder and those of these folders in it that are there, and nothing below them."""
    named = [(f"{name}/", os.path.join(folder, name)) for name in inner]
    return _list(folder, [("", folder), *(found for found in named if os.path.isdir(found[1]))], deep=False)


def _list(folder: str, pending: list[tuple[str, str]], *, deep: bool) -> Tree:
    entries: dict[str, EntryKind] = {}
    links: dict[str, str] = {}
    aliases: dict[str, str] = {}
    unlisted: dict[str, str] = {}
    while pending:
        prefix, at = pending.pop()
        try:
            found = list(os.scandir(at))
        except OSError as error:
            unlisted[prefix.rstrip("/")] = (error.strerror or str(error)).lower()
            continue
        for entry in found:
            name = prefix + entry.name
            if entry.is_symlink():
                entries[name] = _follow(folder, entry.path, name, links, aliases)
            elif entry.is_dir(follow_symlinks=False):
                entries[name] = "folder"
                if deep:
                    pending.append((name + "/", entry.path))
            else:
                entries[name] = "file" if entry.is_file(follow_symlinks=False) else "special"
        if len(entries) > ENTRY_LIMIT:
            raise TooManyEntries
    return Tree(folder, entries, links, aliases, unlisted)


def _follow(folder: str, path: str, name: str, links: dict[str, str], aliases: dict[str, str]) -> EntryKind:
    target = os.path.realpath(path)
    root = os.path.realpath(folder)
    if target != root and not target.startswith(root + os.sep):
        return "outside"
    if os.path.isdir(target):
        links[name] = os.path.relpath(target, root).replace(os.sep, "/") if target != root else ""
        return "folder"
    if os.path.isfile(target):
        aliases[name] = os.path.relpath(target, root).replace(os.sep, "/")
        return "file"
    return "special" if os.path.exists(target) else "broken"
