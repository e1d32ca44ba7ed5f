"""What a commit is about to record."""

from __future__ import annotations

import os
from pathlib import Path

from cabinet_ci.history.git import open_repository


def staged_paths(start: Path) -> list[Path]:
    """Paths, absolute, that the index has otherwise than HEAD: changed, added, deleted, both sides of a rename.

    Raises `CannotRun` where `start` is in no repository.
    """
    repository = open_repository(start)
    listed = repository.run("diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "-z")
    return [repository.root / os.fsdecode(name) for name in listed.split(b"\0") if name]
