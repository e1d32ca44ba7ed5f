"""`cabinet-ci bump`: the next version folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cabinet_ci.cli.options import repository_options, write
from cabinet_ci.failure import CannotRun

if TYPE_CHECKING:
    from cabinet_ci.history.bump import Part
    from cabinet_ci.history.git import Repository
    from cabinet_ci.history.layout import Layout, Place


def _part_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for part, text in (
        ("patch", "The next patch of the same line. [default]"),
        ("minor", "The next minor version."),
        ("major", "The next major version."),
    ):
        function = click.option(f"--{part}", "part", flag_value=part, default=None, help=text)(function)
    return function


@click.command("bump")
@click.argument("version", type=click.Path(path_type=Path))
@_part_options
@click.option("--move-changes", is_flag=True, help="Move the edits made to a frozen version, and put that one back.")
@click.option("--base", metavar="REF", help="What is frozen: the merge base of REF and HEAD. [default: found out]")
@repository_options
def command(
    version: Path, part: Part | None, move_changes: bool, base: str | None, root: Path | None, catalog: str | None
) -> int:
    """Make the version folder that follows VERSION, as a copy of it.

    With --move-changes the edits that were made to a published VERSION go to the new one, and VERSION is put back as
    it was published; what was staged is staged in the new one.
    """
    from cabinet_ci.history.bump import bump
    from cabinet_ci.history.ground import open_ground
    from cabinet_ci.history.moving import move_changes as move
    from cabinet_ci.history.quoting import shown

    flags = {"base": base, "catalog": catalog}
    start, part = root or Path.cwd(), part or "patch"
    if not move_changes and _outside_git(start):
        write(_told(_copy_without_git(start, version, part, flags)), None)
        return 0
    with open_ground(start, flags, explicit=root is not None) as ground:
        place = _place(ground.repository.root, ground.layout, version, ground.repository)
        if not move_changes:
            write(_told(bump(ground, place, part)), None)
            return 0
        moved = move(ground, place, part)
        told = _told(moved.new) if moved.made else f"{shown(moved.new.path)} has them already\n"
        write(f"moved the edits of {shown(place.path)}, which is as it was published\n{told}", None)
    return 0


def _outside_git(start: Path) -> bool:
    import os

    from cabinet_ci.catalog.discovery import find_root

    return find_root(start) is None and not os.environ.get("GIT_DIR")


def _copy_without_git(start: Path, version: Path, part: Part, flags: dict[str, str | None]) -> Place:
    import os

    from cabinet_ci.config import load_config
    from cabinet_ci.history.bump import copy_version, numbers_on_disk
    from cabinet_ci.history.layout import Layout

    root = start.resolve()
    place = _place(root, Layout(load_config(root, flags)), version)
    files = []
    for above, folders, names in os.walk(root / place.path):
        links = [name for name in folders if os.path.islink(os.path.join(above, name))]
        files += [os.path.relpath(os.path.join(above, name), root).replace(os.sep, "/") for name in (*names, *links)]
    return copy_version(root, None, place, numbers_on_disk(root, place), part, files)


def _place(root: Path, layout: Layout, version: Path, repository: Repository | None = None) -> Place:
    import os

    full = Path(os.path.normpath(Path.cwd() / version))
    full = full.parent.resolve() / full.name
    if not full.is_relative_to(root) and not version.is_absolute():
        full = root / version
    place = layout.place_of(full.relative_to(root).as_posix() + "/x") if full.is_relative_to(root) else None
    if place is not None and not (root / place.path).is_dir() and repository is not None:
        from cabinet_ci.history.contents import read_index, require_checkout

        require_checkout(place, read_index(repository, place.path))
    if place is None or not (root / place.path).is_dir():
        if repository is None:
            raise CannotRun(
                f"{version} is no version folder in {root}, which is in no git repository",
                "run it in a clone of the catalog, or name one with --root",
            )
        raise CannotRun(
            f"{version} is no version folder", "name one, such as test-cases/<type>/<difficulty>/<name>/v1.0.0"
        )
    return place


def _told(new: Place) -> str:
    from cabinet_ci.history.quoting import shown

    return f"made {shown(new.path)}; its changelog has to say what it changes\n"
