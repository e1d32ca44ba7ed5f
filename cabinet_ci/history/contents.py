"""What a version folder holds: on disk, as far as it is part of the version, and in the index."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Collection, Iterator

import msgspec

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import Repository
from cabinet_ci.history.layout import Place
from cabinet_ci.history.quoting import pasted, shown
from cabinet_ci.history.snapshot import GITLINK, File, Hidden, file_on_disk, hidden_files, object_id


class Index(msgspec.Struct, frozen=True):
    """The index below one folder, by path from the root.

    `intended` are files that are only to be added some time (`git add --intent-to-add`); they are not among `entries`.
    `hidden` are those that git was told not to look at, `conflict` is one that is in conflict, if any is.
    """

    entries: dict[str, File]
    intended: frozenset[str]
    hidden: tuple[Hidden, ...]
    conflict: str | None


def read_index(repository: Repository, folder: str) -> Index:
    """The index below `folder`."""
    listed = repository.run("ls-files", "-v", "-z", "--stage", "--", folder).decode("utf-8", "surrogateescape")
    lines = listed.split("\0")[:-1]
    entries: dict[str, File] = {}
    conflict = None
    for line in lines:
        fields, _, path = line[2:].partition("\t")
        mode, oid, stage = fields.split(" ")
        if stage == "0":
            entries[path] = File(mode, oid)
        else:
            conflict = conflict or path
    intended = frozenset() if conflict else _intended(repository, folder, entries)
    for path in intended:
        del entries[path]
    return Index(entries, intended, tuple(hidden_files(repository, lines)), conflict)


def files_of(repository: Repository, place: Place, index: Index, published: Collection[str]) -> list[str]:
    """Files and links of a version on disk, by path from the root.

    Those are what git tracks or would track, `published` ones even if git ignores them by now, and whatever lies where
    a published file has to be. Other ignored files, build output above all, are no part of a version.

    Raises `CannotRun` where that is not all of it: for a submodule or a repository of its own, and for files that a
    sparse checkout leaves out.
    """
    require_checkout(place, index)
    for path, entry in index.entries.items():
        if entry.mode == GITLINK:
            raise _not_a_file(path, "a submodule")
    listed = repository.run("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", place.path)
    names = dict.fromkeys(listed.decode("utf-8", "surrogateescape").split("\0")[:-1])
    for path in published:
        names |= dict.fromkeys(_lying_at(repository, place, path))
    found = []
    for name in sorted(names):
        file = file_on_disk(repository, name.rstrip("/"))
        if file is not None and file.mode == GITLINK:
            raise _not_a_file(name.rstrip("/"), "a repository of its own")
        if file is not None:
            found.append(name)
    return found


def require_checkout(place: Place, index: Index) -> None:
    """Raise `CannotRun` where a sparse checkout leaves out any of the version's files."""
    if any(each.left_out for each in index.hidden):
        raise CannotRun(
            f"{shown(place.path)} is not all checked out (sparse checkout)",
            f"run `git sparse-checkout add {pasted(place.path)}`",
        )


def _not_a_file(path: str, what: str) -> CannotRun:
    return CannotRun(f"{shown(path)} is {what}, which can't go along", "take it out first, or copy the version by hand")


def _intended(repository: Repository, folder: str, entries: dict[str, File]) -> frozenset[str]:
    """Entries without content: git lists them as empty files, but does not compare them so."""
    width = len(next(iter(entries.values())).oid or "") if entries else 0
    empty = {path for path, entry in entries.items() if entry.oid == object_id("blob", b"", width)}
    if not empty:
        return frozenset()
    options = ("--cached", "--ita-invisible-in-index", "--raw", "-z", "--no-renames", "--no-abbrev")
    listed = repository.run("diff-index", *options, object_id("tree", b"", width), "--", folder)
    return frozenset(empty - set(listed.decode("utf-8", "surrogateescape").split("\0")[1::2]))


def _lying_at(repository: Repository, place: Place, path: str) -> Iterator[str]:
    """Files at a path or below it; and one at a folder above it, which keeps it from being there."""
    above = posixpath.dirname(path)
    while len(above) > len(place.path):
        if _is_file(repository, above):
            yield above
            return
        above = posixpath.dirname(above)
    if file_on_disk(repository, path) is not None:
        yield path
    elif os.path.isdir(os.path.join(repository.root, path)):
        for folder, folders, names in os.walk(os.path.join(repository.root, path)):
            below = os.path.relpath(folder, repository.root)
            if ".git" in (*folders, *names):
                raise _not_a_file(below, "a repository of its own")
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            yield from (f"{below}/{name}" for name in (*names, *links))


def _is_file(repository: Repository, path: str) -> bool:
    try:
        mode = os.lstat(os.path.join(repository.root, path)).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)
