"""Running `cabinet-ci bump`, and looking at what it left."""

from __future__ import annotations

from pathlib import Path

from tests.history.repositories import CASE, Repo, environment
from tests.support.command import Ran, cabinet

NEXT = f"{CASE}/v1.0.1"


def held(folder: Path) -> dict[str, bytes]:
    """Files of a folder and their content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def bump(repo: Repo, *arguments: str) -> Ran:
    return cabinet("bump", *arguments, cwd=repo.root, env=environment())
