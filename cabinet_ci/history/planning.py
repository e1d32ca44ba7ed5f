"""What a plan asks of history: which versions differ from the base, and what else may change a result."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import find_root
from cabinet_ci.catalog.files import TEXT_LIMIT, Unreadable, read_bounded
from cabinet_ci.config import load_config
from cabinet_ci.failure import CannotRun
from cabinet_ci.history.git import Repository, open_repository
from cabinet_ci.history.ground import Ground, open_ground
from cabinet_ci.history.snapshot import Difference, differences

_NAMES_TOOLS = re.compile(
    r"(?:^|/)(?:requirements[^/]*\.txt|constraints[^/]*\.txt|[^/]*\.lock|pyproject\.toml|Pipfile|action\.ya?ml"
    r"|\.pre-commit-config\.yaml|[^/]*Dockerfile)\Z|^\.github/workflows/[^/]+\.ya?ml\Z"
)
"""Files that say which tool, engine or compiler is installed, among much else."""

_PINS = re.compile(r"^rust-toolchain(?:\.toml)?\Z")
"""Files that say nothing else."""

_TOOL = re.compile(r"wasmtime|cabinet[-_]ci|\brust", re.IGNORECASE)
_LINES_IN_A_LOCK = 3
"""In a lock file the version stands on a line after the name; elsewhere on the same."""


class Standing(msgspec.Struct, frozen=True):
    """How a working tree stands to its base.

    `head` and `base` (the merge base) are commits, null where there are none. `differing` are the paths of version
    folders that are not as at the merge base, null where there is no base, so that everything may differ. `renewing`
    are clauses, each a reason why the result of every version may change.
    """

    head: str | None = None
    base: str | None = None
    differing: frozenset[str] | None = None
    renewing: tuple[str, ...] = ()


def standing_of(root: Path, flags: Mapping[str, str | None]) -> Standing:
    """How the repository at `root` stands to its base; a root that is no repository's stands alone.

    `flags` maps a configuration key to the flag's value. Raises `CannotRun` where a base that was named can't be used.
    """
    if find_root(root) != root:
        return Standing()
    with open_ground(root, flags) as ground:
        if ground.base is None:
            return Standing(head=ground.head)
        found = differences(ground.repository, ground.base.merge_base, ground.layout, staged=False)
        renewing = [
            f"{each.path} changed"
            for each in found
            if ground.layout.place_of(each.path) is None and _renews(ground.repository, ground.base.merge_base, each)
        ]
        if load_config(root, flags).catalog != ground.config.catalog:
            renewing.append(f"the configuration names another catalog than {ground.config.catalog}")
        return Standing(
            ground.head,
            ground.base.merge_base,
            ground.layout.versions_of(each.path for each in found),
            tuple(renewing),
        )


def head_of(root: Path) -> str | None:
    """The commit that is checked out in the repository at `root`; None where there is none. Never raises."""
    if find_root(root) != root:
        return None
    try:
        with open_repository(root) as repository:
            found = repository.objects.get("HEAD^{commit}")
    except CannotRun:
        return None
    return None if found is None else found.oid


def commits_of(root: Path, flags: Mapping[str, str | None]) -> tuple[str | None, str | None]:
    """The commit that is checked out and its merge base with the base. Raises `CannotRun` as `standing_of` does."""
    with open_ground(root, flags) as ground:
        return ground.head, _merge_base(ground)


def _merge_base(ground: Ground) -> str | None:
    return None if ground.base is None else ground.base.merge_base


def _renews(repository: Repository, base: str, difference: Difference) -> bool:
    """Whether a file that changed may have changed the tool, the engine or the compiler."""
    path = difference.path
    if _PINS.search(path):
        return True
    if not _NAMES_TOOLS.search(path):
        return False
    published = repository.objects.get(f"{base}:{path}")
    before = (published.content if published is not None else None) or b""
    try:
        after = read_bounded(os.path.join(repository.root, path), TEXT_LIMIT)
    except Unreadable:
        after = b""
    length = _LINES_IN_A_LOCK if path.endswith(".lock") else 1
    return _pins(before, length) != _pins(after, length)


def _pins(content: bytes, length: int) -> list[str]:
    lines = content.decode("utf-8", "replace").splitlines()
    return ["\n".join(lines[index : index + length]) for index, line in enumerate(lines) if _TOOL.search(line)]
