"""Edits of a frozen version, moved to the next one; the frozen one is put back.

Nothing is lost whenever this is interrupted: the copy gets its name in one step, before anything else is touched; the
index is written in one step; and running it again finishes what was left.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.bump import Part, copy_version, numbers_on_disk, taken_numbers, with_number
from cabinet_ci.history.changes import compare
from cabinet_ci.history.contents import Index, files_of, read_index
from cabinet_ci.history.frozen import Frozen
from cabinet_ci.history.git import Repository
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.layout import VERSION_NAME, Place
from cabinet_ci.history.order import written
from cabinet_ci.history.quoting import pasted, shown
from cabinet_ci.history.snapshot import GITLINK, File


class Moved(msgspec.Struct, frozen=True):
    """The version that has the edits, and whether it was made; it was not where an interrupted run had made it."""

    new: Place
    made: bool


class _Edits(msgspec.Struct, frozen=True):
    """A frozen version, its index, its files on disk, and which of all its paths there are not as published.

    `published` are the paths of all versions that are.
    """

    frozen: Frozen
    index: Index
    files: list[str]
    edited: frozenset[str]
    published: frozenset[str]


def move_changes(ground: Ground, place: Place, part: Part) -> Moved:
    """Move what was edited in a frozen version to the next one, and put the frozen one back.

    What was staged is staged in the new version. Raises `CannotRun` where the version is not frozen, has no edits,
    holds a conflict, or holds what can't be moved.
    """
    repository = ground.repository
    edits = _edits_of(ground, place)
    new = _holding(ground, edits)
    made = new is None
    if new is None:
        new = copy_version(repository.root, repository.git_dir, place, taken_numbers(ground, place), part, edits.files)
    _write_index(repository, new, edits)
    _restore_files(repository, edits)
    return Moved(new, made)


def _edits_of(ground: Ground, place: Place) -> _Edits:
    on_disk, in_index = compare(ground, staged=False), compare(ground, staged=True)
    found = {frozen.place.path: frozen for frozen, _ in (*in_index.changed, *on_disk.changed)}.get(place.path)
    published = frozenset({*on_disk.published.folders, *on_disk.published.tagged})
    index = read_index(ground.repository, place.path)
    if index.conflict is not None:
        raise CannotRun(f"{shown(index.conflict)} is in conflict", "resolve the conflict first")
    if found is None:
        why = "has no edits that must move" if place.path in published else "is not published"
        raise CannotRun(f"{shown(place.path)} {why}", "leave out --move-changes to copy it as it is")
    if any(file.mode == GITLINK for file in found.files.values()):
        raise CannotRun(f"{shown(place.path)} holds a submodule, which can't be moved", "move the edits by hand")
    files = files_of(ground.repository, place, index, found.files)
    if not files:
        raise CannotRun(
            f"nothing is left of {shown(place.path)}",
            f"put it back: git restore --source={found.source[:12]} --staged --worktree -- {pasted(place.path)}",
        )
    changes = next((changes for frozen, changes in on_disk.changed if frozen.place.path == place.path), ())
    edited = frozenset({*(change.path for change in changes), *(name for name in files if name not in found.files)})
    return _Edits(found, index, files, edited, published)


def _holding(ground: Ground, edits: _Edits) -> Place | None:
    """An unpublished version beside the frozen one that has all its edits already: an earlier run was interrupted."""
    repository, place = ground.repository, edits.frozen.place
    for number in sorted(numbers_on_disk(repository.root, place)):
        other = Place(f"{place.siblings}/{written(number)}", place.kind, written(number))
        if other.path not in edits.published and _holds(repository, edits, other):
            return other
    return None


def _holds(repository: Repository, edits: _Edits, other: Place) -> bool:
    place, published, staged = edits.frozen.place, edits.frozen.files, edits.index.entries
    # Edits that are in the index alone leave nothing on disk to tell a copy by: then it has to be one in full.
    of_interest = edits.edited or {*edits.files, *published}
    if not all(_same(repository.root, place, other, path) for path in of_interest):
        return False
    there = read_index(repository, other.path).entries
    return not there or all(
        there.get(_moved(path, place, other)) == _entry_for(repository, other, place, path, staged.get(path))
        for path in {*staged, *published}
        if staged.get(path) != published.get(path)
    )


def _same(root: Path, place: Place, other: Place, path: str) -> bool:
    here, there = root / path, root / _moved(path, place, other)
    try:
        modes = [stat.S_IFMT(mode) | mode & stat.S_IXUSR for mode in (here.lstat().st_mode, there.lstat().st_mode)]
    except OSError:
        return not os.path.lexists(here) and not os.path.lexists(there)
    if stat.S_ISLNK(modes[0]):
        return stat.S_ISLNK(modes[1]) and here.readlink() == there.readlink()
    if stat.S_ISDIR(modes[0]):
        return stat.S_ISDIR(modes[1])  # what it holds are paths of their own
    if modes[0] != modes[1] or not stat.S_ISREG(modes[0]):
        return False
    content = here.read_bytes()
    return (with_number(content, other.version) if _is_numbered(path, place) else content) == there.read_bytes()


def _is_numbered(path: str, place: Place) -> bool:
    return place.kind == "suite" and path == f"{place.path}/{VERSION_NAME}"


def _moved(path: str, place: Place, new: Place) -> str:
    return new.path + path[len(place.path) :]


def _entry_for(repository: Repository, new: Place, place: Place, path: str, entry: File | None) -> File | None:
    """An entry of the index as it is in the new version: the manifest of a suite's version carries its number."""
    if entry is None or not _is_numbered(path, place):
        return entry
    found = repository.objects.get(entry.oid or "")
    if found is None or found.content is None:
        return entry
    numbered = with_number(found.content, new.version)
    return File(entry.mode, repository.run("hash-object", "-w", "--stdin", stdin=numbered).decode().strip())


def _write_index(repository: Repository, new: Place, edits: _Edits) -> None:
    """Give the index the published files at the old place and, where edits were staged, those at the new one."""
    place, published, index = edits.frozen.place, edits.frozen.files, edits.index
    gone = [path for path in (*index.entries, *index.intended) if path not in published]
    mirror = index.entries != published and not read_index(repository, new.path).entries
    if index.entries != published or gone:
        absent = "0" * len(next(iter(published.values())).oid or "")
        lines = [f"0 {absent}\t{path}" for path in gone]
        lines += [f"{file.mode} {file.oid} 0\t{path}" for path, file in published.items()]
        if mirror:
            for path, entry in index.entries.items():
                moved = _entry_for(repository, new, place, path, entry) or entry
                lines.append(f"{moved.mode} {moved.oid} 0\t{_moved(path, place, new)}")
        repository.run("update-index", "-z", "--index-info", stdin=_listed(lines))
    intended = [_moved(path, place, new) for path in sorted(index.intended)]
    intended = [path for path in intended if os.path.lexists(repository.root / path)]
    if intended:
        repository.run("add", "--intent-to-add", "--force", "--", *intended)


def _restore_files(repository: Repository, edits: _Edits) -> None:
    published, top = edits.frozen.files, edits.frozen.place.path
    for name in edits.files:
        if name not in published:
            (repository.root / name).unlink(missing_ok=True)
            _remove_empty(repository.root, os.path.dirname(name), top)
    for path in published:
        full = repository.root / path
        if full.is_dir() and not full.is_symlink():
            _clear(full, path)
    flagged = _listed(each.path for each in edits.index.hidden)
    if flagged:
        # Git writes no file that it was told not to look at.
        for flag in ("--no-assume-unchanged", "--no-skip-worktree"):
            repository.run("update-index", flag, "-z", "--stdin", stdin=flagged)
    repository.run("checkout-index", "--force", "-u", "-z", "--stdin", stdin=_listed(published))


def _remove_empty(root: Path, folder: str, top: str) -> None:
    """Remove a folder that lost its last file, and those above it up to the version's."""
    with suppress(OSError):
        while len(folder) > len(top):
            (root / folder).rmdir()
            folder = os.path.dirname(folder)


def _clear(folder: Path, path: str) -> None:
    """Remove a folder that lies where a file has to be; all that it may hold by now are empty ones."""
    try:
        for above, _, _ in os.walk(folder, topdown=False):
            os.rmdir(above)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotRun(f"the folder {shown(path)} can't give way to the file it was: {reason}", "remove it") from None


def _listed(lines: Iterable[str]) -> bytes:
    return "".join(line + "\0" for line in lines).encode("utf-8", "surrogateescape")
