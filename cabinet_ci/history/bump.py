"""The next version folder: its number, and the copy of a version there is."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from cabinet_ci.catalog.identity import version_key
from cabinet_ci.failure import CannotRun
from cabinet_ci.history.contents import files_of, read_index
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.layout import VERSION_NAME, Place
from cabinet_ci.history.order import Number, next_numbers, written
from cabinet_ci.history.quoting import shown
from cabinet_ci.history.snapshot import read_folders
from cabinet_ci.work_folder import work_folder

Part = Literal["major", "minor", "patch"]


def bump(ground: Ground, place: Place, part: Part) -> Place:
    """Copy a version, as it is in the working tree, to the next one; returns that.

    Raises `CannotRun` where the copy can't be made, or would not be whole.
    """
    repository = ground.repository
    published = read_folders(repository, ground.anchor, ground.layout) if ground.anchor is not None else {}
    here = published.get(place.path)
    files = files_of(repository, place, read_index(repository, place.path), here.files if here is not None else ())
    if not files:
        raise CannotRun(f"{shown(place.path)} holds no file that git would track", "name a version that does")
    return copy_version(repository.root, repository.git_dir, place, taken_numbers(ground, place), part, files)


def copy_version(
    root: Path, git_dir: Path | None, place: Place, taken: Iterable[Number], part: Part, files: Iterable[str]
) -> Place:
    """Copy the `files` of a version (paths from the root) to the next one's folder; returns it.

    `taken` are the versions that exist anywhere beside it. Raises `CannotRun` where the copy can't be made.
    """
    new = next_place(place, taken, part)
    try:
        with work_folder(root, git_dir, root / new.path) as unfinished:
            unfinished.chmod((root / place.path).stat().st_mode & 0o7777)
            for name in files:
                target = unfinished / name[len(place.path) + 1 :]
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, target, follow_symlinks=False)
            if place.kind == "suite":
                manifest = unfinished / VERSION_NAME
                if manifest.is_file() and not manifest.is_symlink():
                    manifest.write_bytes(with_number(manifest.read_bytes(), new.version))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotRun(f"{shown(place.path)} can't be copied to {shown(new.path)}", reason) from None
    return new


def with_number(manifest: bytes, version: str) -> bytes:
    """An exported suite version's manifest with another number in it."""
    number = b'"' + version.removeprefix("v").encode() + b'"'
    return re.sub(rb"(?m)^(\s*version\s*=\s*)[\"'][^\"'\n]*[\"']", rb"\g<1>" + number, manifest, count=1)


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
