"""What results say of history: the git tree of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import open_repository
from cabinet_ci.history.snapshot import hidden_files


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
            listed = repository.run("ls-files", "-v", "-z", "--stage", "--", *wanted)
            hidden = hidden_files(repository, listed.decode("utf-8", "surrogateescape").split("\0")[:-1])
    except CannotRun:
        return dict.fromkeys(wanted)
    touched = [line[3:] for line in changed.decode("utf-8", "surrogateescape").split("\0")]
    touched += [each.path for each in hidden if each.on_disk != each.entry]
    return {
        path: None
        if tree is None or tree.type != "tree" or any(name.startswith(path.rstrip("/") + "/") for name in touched)
        else tree.oid
        for path, tree in zip(wanted, found, strict=True)
    }


def tree_of(root: Path, path: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The git tree of one folder: see `trees_of`."""
    return trees_of(root, [path], environment)[path]
