"""Which version folders there are, and which one holds a given path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from cabinet_ci.catalog.identity import version_key
from cabinet_ci.catalog.manifest import MANIFEST_NAME

DEPTH_LIMIT = 16
"""How deep below the catalog a manifest is looked for; the layouts need four folders."""


def find_root(start: Path) -> Path | None:
    """The repository that holds `start`: the nearest folder upwards with a `.git`, or None."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder
    return None


def leads_outside(root: Path, folder: str) -> bool:
    """Whether a folder of the repository is, by a link, a folder somewhere else."""
    return not Path(os.path.realpath(root / folder)).is_relative_to(os.path.realpath(root))


def find_versions(root: Path, below: str, suites: str | None = None) -> Iterator[str]:
    """Paths, relative to `root`, of the folders at or below `below` that hold a manifest, sorted.

    The folder `suites` is passed over: what looks like a manifest in it is part of a suite. A folder within a version
    is part of that version; links are not followed. A folder that can't be listed may hold anything and is among them,
    so that it is told and not passed over.
    """
    start = os.path.join(root, below)
    prefix = "" if below in ("", ".") else below.rstrip("/")
    yield from _walk(start, prefix, 0, suites)


def find_strays(root: Path, catalog: str) -> Iterator[str]:
    """Folders of the catalog that are named like a version, hold something, and have no manifest, sorted."""
    for folder, folders, files in os.walk(os.path.join(root, catalog)):
        if MANIFEST_NAME in files or MANIFEST_NAME in folders:
            folders.clear()
            continue
        folders.sort()
        if version_key(os.path.basename(folder)) is not None:
            if folders or files:
                yield os.path.relpath(folder, root).replace(os.sep, "/")
            folders.clear()


def version_holding(root: Path, path: Path, catalog: str) -> str | None:
    """The version folder, relative to `root`, that holds `path` or is it; None where there is none.

    `path` need not exist: a deleted file belongs to the version whose folder it was in.
    """
    absolute = Path(os.path.normpath(root / path))
    if not absolute.is_relative_to(root):
        return None
    top = root / catalog
    found: Path | None = None
    for folder in (absolute, *absolute.parents):
        if folder == root:
            break
        # The outermost manifest is the version's; one inside, a reference's say, is its content.
        if os.path.lexists(folder / MANIFEST_NAME) and (folder.is_relative_to(top) or found is None):
            found = folder
    return None if found is None else found.relative_to(root).as_posix()


def _walk(folder: str, name: str, depth: int, suites: str | None) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except PermissionError:
        yield name or "."
        return
    except OSError:
        return
    if any(entry.name == MANIFEST_NAME for entry in entries):
        yield name or "."
        return
    if depth >= DEPTH_LIMIT:
        return
    for entry in entries:
        inner = f"{name}/{entry.name}" if name else entry.name
        if entry.is_dir(follow_symlinks=False) and entry.name != ".git" and inner != suites:
            yield from _walk(entry.path, inner, depth + 1, suites)
