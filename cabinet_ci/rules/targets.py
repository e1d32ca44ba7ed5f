"""What is to be judged: the versions and suites that paths stand for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import find_versions, version_holding
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.suites.discovery import (
    SUITE_NAME,
    TreePlace,
    find_suites,
    find_trees,
    suite_holding,
    tree_holding,
)
from cabinet_ci.config import Config
from cabinet_ci.failure import CannotRun


class Targets(msgspec.Struct, frozen=True):
    """Version folders of the catalog, suites (their own files) and suite trees, relative to the root, each once."""

    versions: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    trees: tuple[TreePlace, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to judge."""
        return not (self.versions or self.suites or self.trees)


def all_targets(root: Path, config: Config) -> Targets:
    """Everything. Raises `CannotRun` where there is neither a catalog nor a folder of suites."""
    if not (root / config.catalog).is_dir() and not (root / config.suites).is_dir():
        raise CannotRun(
            f"there is no catalog {config.catalog} in {root}", "name its folder with --catalog, or run `new`"
        )
    return _joined([Targets(versions=tuple(find_versions(root, config.catalog))), _suites_below(root, config, root)])


def targets_of(root: Path, config: Config, paths: Sequence[Path]) -> Targets:
    """What holds each of these paths or lies below it.

    Raises `CannotRun` for a path that does not exist, lies outside, or holds nothing to judge and is in nothing.
    """
    return _joined([_target_of(root, config, path) for path in paths])


def targets_holding(root: Path, config: Config, paths: Sequence[Path]) -> Targets:
    """What holds each of these paths, whether they exist or not; those in nothing are passed over."""
    return _joined([found for path in paths if (found := _holding(root, config, _absolute(path))) is not None])


def _target_of(root: Path, config: Config, path: Path) -> Targets:
    absolute = _absolute(path)
    if not absolute.is_relative_to(root):
        raise CannotRun(f"{path} is outside the repository at {root}", "run the command in its repository")
    holding = _holding(root, config, absolute)
    if holding is not None:
        return holding
    if not os.path.lexists(absolute):
        raise CannotRun(f"{path} does not exist", "name a version folder, a file in one, or a folder above some")
    below = absolute.relative_to(root).as_posix()
    versions = tuple(find_versions(root, below, _nested(config))) if absolute.is_dir() else ()
    found = _joined([Targets(versions=versions), _suites_below(root, config, absolute)])
    is_top = absolute.is_relative_to(root / config.catalog) or absolute == root / config.suites
    if found.is_empty and not is_top:
        raise CannotRun(f"{path} holds no version and is in none", f"a version folder holds a {MANIFEST_NAME}")
    return found


def _holding(root: Path, config: Config, absolute: Path) -> Targets | None:
    """The one thing that holds a path: a suite's tree, a suite by its own file, a version of the catalog."""
    tree = tree_holding(root, absolute, config.suites)
    if tree is not None:
        return Targets(trees=(tree,))
    suite = suite_holding(root, absolute, config.suites)
    if suite is not None and absolute == root / suite / SUITE_NAME:
        return Targets(suites=(suite,))
    if suite is not None:
        return _suites_below(root, config, absolute) if absolute.is_dir() else None
    version = version_holding(root, absolute, config.catalog)
    return None if version is None else Targets(versions=(version,))


def _suites_below(root: Path, config: Config, absolute: Path) -> Targets:
    """Suites and trees at or below a folder."""
    suites = list(find_suites(root, config.suites))
    trees = (tree for suite in suites for tree in find_trees(root, suite))
    return Targets(
        suites=tuple(path for path in suites if (root / path).is_relative_to(absolute)),
        trees=tuple(tree for tree in trees if (root / tree.path).is_relative_to(absolute)),
    )


def _nested(config: Config) -> str | None:
    """The folder of suites, to be passed over; none where it is the whole repository."""
    return None if config.suites.strip("/") in ("", ".") else os.path.normpath(config.suites).replace(os.sep, "/")


def _joined(found: Sequence[Targets]) -> Targets:
    """All of them, sorted, each once."""
    trees = {place.path: place for one in found for place in one.trees}
    return Targets(
        tuple(sorted({path for one in found for path in one.versions})),
        tuple(sorted({path for one in found for path in one.suites})),
        tuple(trees[path] for path in sorted(trees)),
    )


def _absolute(path: Path) -> Path:
    """A path with the links above it followed; the last name is kept, as it may be a link of a version."""
    absolute = Path(os.path.abspath(path))
    return absolute.parent.resolve() / absolute.name
