"""What other commands ask of history: which versions differ from the base, and the git tree of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cabinet_ci.catalog.discovery import find_root
from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import open_repository
from cabinet_ci.history.ground import open_ground
from cabinet_ci.history.snapshot import differences


def changed_versions(
    root: Path, flags: Mapping[str, str | None], environment: Mapping[str, str] = os.environ
) -> tuple[str, ...] | None:
    """Version folders that differ from the merge base, untracked files included, sorted; those that are gone left out.

    Cases and exported suite versions, relative to `root`. None where there is no repository or no base, so that
    everything counts as changed. Raises `CannotRun` where a base was named and can't be used.
    """
    if _outside(root, environment):
        return None
    with open_ground(root, flags, environment=environment) as ground:
        if ground.base is None:
            return None
        found = differences(ground.repository, ground.base.merge_base, ground.layout, staged=False)
        places = {place.path for each in found if (place := ground.layout.place_of(each.path)) is not None}
        return tuple(sorted(path for path in places if (ground.repository.root / path).is_dir()))


def trees_of(root: Path, paths: Iterable[str], environment: Mapping[str, str] = os.environ) -> dict[str, str | None]:
    """The git tree of each folder, where it is committed at HEAD as it stands in the working tree; null elsewhere.

    `paths` are relative to `root`. Never raises: a result without a repository has no trees.
    """
    wanted = list(dict.fromkeys(paths))
    if not wanted:
        return {}
    try:
        with open_repository(root, environment=environment) as repository:
            prefix = os.path.relpath(os.path.realpath(root), os.path.realpath(repository.root))
            if prefix != ".":
                return dict.fromkeys(wanted)
            found = repository.objects.get_many([f"HEAD:{path.rstrip('/')}" for path in wanted])
            changed = repository.run(
                "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none",
                "--", *wanted,
            )  # fmt: skip
    except CannotRun:
        return dict.fromkeys(wanted)
    touched = [line[3:] for line in changed.decode("utf-8", "surrogateescape").split("\0")]
    return {
        path: None
        if tree is None or tree.type != "tree" or any(name.startswith(path.rstrip("/") + "/") for name in touched)
        else tree.oid
        for path, tree in zip(wanted, found, strict=True)
    }


def tree_of(root: Path, path: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The git tree of one folder: see `trees_of`."""
    return trees_of(root, [path], environment)[path]


def _outside(root: Path, environment: Mapping[str, str]) -> bool:
    return not environment.get("GIT_DIR") and find_root(root) is None
