"""The next version folder: a copy of one there is, or what was edited in a frozen one, which is put back.

Nothing is lost whenever this is interrupted: the copy gets its name in one step, before anything else is touched; the
index is written in one step; and running it again finishes what was left.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from cabinet_ci.catalog.identity import version_key
from cabinet_ci.failure import CannotRun
from cabinet_ci.history.changes import Change, compare
from cabinet_ci.history.frozen import Frozen
from cabinet_ci.history.git import Repository
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.layout import VERSION_NAME, Place
from cabinet_ci.history.order import Number, next_numbers, written
from cabinet_ci.history.quoting import pasted, shown
from cabinet_ci.history.snapshot import GITLINK, file_on_disk, read_folders

Part = Literal["major", "minor", "patch"]

TEMPORARY = ".cabinet-ci-bump-"
"""How the name of an unfinished copy begins; no version is called so."""


class Bumped(msgspec.Struct, frozen=True):
    """The new version's folder, and the one that was put back to what is published; null where only a copy was made."""

    new: Place
    restored: Place | None = None


def copy_version(root: Path, place: Place, taken: Iterable[Number], part: Part, files: Iterable[str]) -> Place:
    """Copy the `files` of a version (paths from the root) to the next one's folder; returns it.

    `taken` are the versions that exist anywhere beside it. Raises `CannotRun` where the copy can't be made.
    """
    new = next_place(place, taken, part)
    try:
        _copy(root, place, new, files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotRun(f"{shown(place.path)} can't be copied to {shown(new.path)}", reason) from None
    return new


def move_changes(ground: Ground, place: Place, part: Part) -> Bumped:
    """Move what was edited in a frozen version to the next one, and put the frozen one back.

    What was staged is staged in the new version. Raises `CannotRun` where the version is not frozen, has no edits, or
    holds a conflict.
    """
    repository = ground.repository
    staged = _index_of(repository, place.path)
    edits = _edited(ground, place)
    new = _holding(ground, edits)
    if new is None:
        new = copy_version(repository.root, place, taken_numbers(ground, place), part, edits.present)
    _write_index(repository, new, edits.frozen, staged, mirror=not _index_of(repository, new.path))
    _restore_files(repository, edits.frozen, edits.present)
    return Bumped(new, place)


def next_place(place: Place, taken: Iterable[Number], part: Part) -> Place:
    """The next version beside one: the next free patch of its line, or the next minor or major of them all."""
    own = version_key(place.version)
    assert own is not None  # noqa: S101
    numbers = {*taken, own}
    following = next_numbers(numbers)
    if part == "patch":
        chosen = next(number for number in following if number[:2] == own[:2])
    else:
        major, minor, _ = max(numbers)
        chosen = (major, minor + 1, 0) if part == "minor" else (major + 1, 0, 0)
    version = written(chosen)
    return Place(f"{place.siblings}/{version}", place.kind, version)


def numbers_on_disk(root: Path, place: Place) -> set[Number]:
    """Versions whose folder, or anything of that name, lies beside a version."""
    names = os.listdir(root / place.siblings)
    return {number for name in names if (number := version_key(name)) is not None}


def taken_numbers(ground: Ground, place: Place) -> set[Number]:
    """Versions beside one: on disk, at the merge base, and on the base as it is today."""
    numbers = numbers_on_disk(ground.repository.root, place)
    commits = {ground.anchor, ground.base.commit if ground.base is not None else None} - {None}
    for commit in commits:
        for folder in read_folders(ground.repository, commit or "", ground.layout).values():
            number = version_key(folder.place.version)
            if folder.place.siblings == place.siblings and number is not None:
                numbers.add(number)
    return numbers


def files_of(repository: Repository, place: Place) -> list[str]:
    """Files of a version on disk that git tracks or would track: build output that is ignored is no part of it."""
    listed = repository.run("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", place.path)
    names = dict.fromkeys(listed.decode("utf-8", "surrogateescape").split("\0")[:-1])
    return [name for name in names if not name.endswith("/") and _is_file(repository, name)]


def _is_file(repository: Repository, name: str) -> bool:
    found = file_on_disk(repository, name)
    return found is not None and found.mode != GITLINK


class _Edits(msgspec.Struct, frozen=True):
    """A frozen version, its files on disk, how they differ from what is published, and all published folders."""

    frozen: Frozen
    present: list[str]
    changes: tuple[Change, ...]
    published: frozenset[str]


def _edited(ground: Ground, place: Place) -> _Edits:
    on_disk, in_index = compare(ground, staged=False), compare(ground, staged=True)
    found = {frozen.place.path: frozen for frozen, _ in (*in_index.changed, *on_disk.changed)}.get(place.path)
    published = frozenset({*on_disk.published.folders, *on_disk.published.tagged})
    if found is None:
        why = "has no edits that must move" if place.path in published else "is not published"
        raise CannotRun(f"{shown(place.path)} {why}", "leave out --move-changes to copy it as it is")
    present = files_of(ground.repository, place)
    if not present:
        raise CannotRun(
            f"nothing is left of {shown(place.path)}",
            f"put it back: git restore --source={found.source[:12]} --staged --worktree -- {pasted(place.path)}",
        )
    if any(file.mode == GITLINK for file in found.files.values()):
        raise CannotRun(f"{shown(place.path)} holds a submodule, which can't be moved", "move the edits by hand")
    changes = next((changes for frozen, changes in on_disk.changed if frozen.place.path == place.path), ())
    return _Edits(found, present, changes, published)


def _copy(root: Path, place: Place, new: Place, files: Iterable[str]) -> None:
    unfinished = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=root / place.siblings))
    try:
        unfinished.chmod((root / place.path).stat().st_mode & 0o7777)
        for name in files:
            target = unfinished / name[len(place.path) + 1 :]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target, follow_symlinks=False)
        if place.kind == "suite":
            _set_number(unfinished / VERSION_NAME, new.version)
        unfinished.rename(root / new.path)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _set_number(manifest: Path, version: str) -> None:
    if manifest.is_file() and not manifest.is_symlink():
        text = manifest.read_bytes()
        number = b'"' + version.removeprefix("v").encode() + b'"'
        manifest.write_bytes(re.sub(rb"(?m)^(\s*version\s*=\s*)[\"'][^\"'\n]*[\"']", rb"\g<1>" + number, text, count=1))


class _Staged(msgspec.Struct, frozen=True):
    mode: str
    oid: str


def _index_of(repository: Repository, folder: str) -> dict[str, _Staged]:
    listed = repository.run("ls-files", "-z", "--stage", "--", folder).decode("utf-8", "surrogateescape")
    entries: dict[str, _Staged] = {}
    for line in listed.split("\0")[:-1]:
        fields, _, path = line.partition("\t")
        mode, oid, stage = fields.split(" ")
        if stage != "0":
            raise CannotRun(f"{shown(path)} is in conflict", "resolve the conflict first")
        entries[path] = _Staged(mode, oid)
    return entries


def _write_index(
    repository: Repository, new: Place, frozen: Frozen, staged: dict[str, _Staged], *, mirror: bool
) -> None:
    """Give the index the published files at the old place and, where edits were staged, those at the new one."""
    published = {path: _Staged(file.mode, file.oid or "") for path, file in frozen.files.items()}
    if staged == published:
        return
    place = frozen.place
    absent = "0" * len(next(iter(published.values())).oid)
    lines = [f"0 {absent}\t{path}" for path in staged if path not in published]
    lines += [f"{entry.mode} {entry.oid} 0\t{path}" for path, entry in published.items()]
    if mirror:
        moved = {new.path + path[len(place.path) :]: entry for path, entry in staged.items()}
        lines += [f"{entry.mode} {entry.oid} 0\t{path}" for path, entry in moved.items()]
    entries = "".join(line + "\0" for line in lines).encode("utf-8", "surrogateescape")
    repository.run("update-index", "-z", "--index-info", stdin=entries)
    if mirror and new.kind == "suite":
        repository.run("add", "--", f"{new.path}/{VERSION_NAME}")


def _restore_files(repository: Repository, frozen: Frozen, present: Iterable[str]) -> None:
    top = repository.root / frozen.place.path
    for name in present:
        if name not in frozen.files:
            (repository.root / name).unlink(missing_ok=True)
    for above, _, _ in sorted(os.walk(top), reverse=True):
        if above != str(top) and not os.listdir(above):
            os.rmdir(above)
    names = "".join(path + "\0" for path in frozen.files).encode("utf-8", "surrogateescape")
    repository.run("checkout-index", "--force", "-u", "-z", "--stdin", stdin=names)


def _holding(ground: Ground, edits: _Edits) -> Place | None:
    """An unpublished version beside the frozen one that has all its edits already: an earlier run was interrupted."""
    root, place = ground.repository.root, edits.frozen.place
    if not edits.changes:
        return None
    for number in sorted(numbers_on_disk(root, place)):
        other = Place(f"{place.siblings}/{written(number)}", place.kind, written(number))
        if other.path not in edits.published and all(_same(root, place, other, each.path) for each in edits.changes):
            return other
    return None


def _same(root: Path, place: Place, other: Place, path: str) -> bool:
    here, there = root / path, root / (other.path + path[len(place.path) :])
    if here.is_symlink() or there.is_symlink():
        return here.is_symlink() and there.is_symlink() and here.readlink() == there.readlink()
    if not here.is_file() or not there.is_file():
        return not os.path.lexists(here) and not os.path.lexists(there)
    if place.kind == "suite" and path == f"{place.path}/{VERSION_NAME}":
        return True  # the copy carries another number
    return filecmp.cmp(here, there, shallow=False)
