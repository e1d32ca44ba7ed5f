"""Which suites and suite trees there are, and which one holds a given path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

Kind = Literal["version", "draft"]
SUITE_NAME = "suite.toml"
VERSIONS = "versions"
DRAFTS = "drafts"
_KINDS: dict[str, Kind] = {VERSIONS: "version", DRAFTS: "draft"}


class TreePlace(msgspec.Struct, frozen=True):
    """Where a suite tree lies: its suite's folder and its own, both relative to the repository root, with `/`."""

    suite: str
    path: str
    kind: Kind

    @property
    def name(self) -> str:
        """`vX.Y.Z`, or the draft's name."""
        return self.path.rpartition("/")[2]


def find_suites(root: Path, suites: str) -> Iterator[str]:
    """Folders below `suites` that hold a suite or are meant to: with a suite file, versions or drafts. Sorted.

    A folder that can't be listed may hold anything and is among them; so is a link to a suite, which is for a rule to
    tell.
    """
    for name in _folders(os.path.join(root, suites), linked=True):
        path = _join(suites, name)
        try:
            held = set(os.listdir(os.path.join(root, path)))
        except PermissionError:
            yield path
            continue
        except OSError:
            continue
        if held & {SUITE_NAME, *_KINDS}:
            yield path


def find_trees(root: Path, suite: str) -> Iterator[TreePlace]:
    """The trees of the suite at `suite`: exported versions, then drafts, each sorted by name. None of a link."""
    if os.path.islink(os.path.join(root, suite)):
        return
    for parent, kind in _KINDS.items():
        for name in _folders(os.path.join(root, suite, parent)):
            yield TreePlace(suite, f"{suite}/{parent}/{name}", kind)


def suite_holding(root: Path, path: Path, suites: str) -> str | None:
    """The suite's folder, relative to `root`, that holds `path` or is it; None where there is none.

    `path` need not exist: a deleted file belongs to the suite whose folder it was in.
    """
    parts = _below(root, path, suites)
    if not parts:
        return None
    suite = _join(suites, parts[0])
    return suite if suite in find_suites(root, suites) else None


def tree_holding(root: Path, path: Path, suites: str) -> TreePlace | None:
    """The suite tree that holds `path` or is it; None where there is none."""
    parts = _below(root, path, suites)
    if len(parts) < 3 or parts[1] not in _KINDS:
        return None
    suite = _join(suites, parts[0])
    found = f"{suite}/{parts[1]}/{parts[2]}"
    return TreePlace(suite, found, _KINDS[parts[1]]) if os.path.isdir(os.path.join(root, found)) else None


def _below(root: Path, path: Path, suites: str) -> tuple[str, ...]:
    absolute = Path(os.path.normpath(root / path))
    top = Path(os.path.normpath(root / suites))
    return absolute.relative_to(top).parts if absolute.is_relative_to(top) else ()


def _folders(folder: str, *, linked: bool = False) -> list[str]:
    """Names of the folders in a folder, sorted, with `linked` links to folders too; hidden ones are passed over."""
    try:
        found = [entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=linked)]
    except OSError:
        return []
    return sorted(name for name in found if not name.startswith("."))


def _join(folder: str, name: str) -> str:
    return name if folder in ("", ".") else f"{folder.rstrip('/')}/{name}"
