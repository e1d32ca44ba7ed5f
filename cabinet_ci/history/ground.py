"""What every comparison stands on: the repository, HEAD, the base, and the configuration that holds at the base."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from cabinet_ci.catalog.toml import TomlError, parse_toml
from cabinet_ci.config import FILE_NAME, PROJECT_FILE, Config, load_config, parse_config
from cabinet_ci.failure import CannotRun
from cabinet_ci.history.base import Base, find_base
from cabinet_ci.history.git import Repository, open_repository
from cabinet_ci.history.layout import Layout
from cabinet_ci.history.refs import Refs, read_refs

FREEZING = ("freeze", "catalog", "suites")
"""Keys that decide what is frozen: they are read at the merge base, so that no branch can free itself."""

_HELD = {"catalog": "cases", "suites": "suites"}


class Ground(msgspec.Struct, frozen=True):
    """`head` is null on a branch without a commit, `base` where none can be found.

    `config` is the configuration at the merge base, flags and environment laid over it. Where the base has none it is
    the working tree's, but that frees nothing which the default configuration freezes: a version is frozen by either,
    and `layout` knows the folders of both. `notes` are lines for standard error.
    """

    repository: Repository
    refs: Refs
    head: str | None
    base: Base | None
    config: Config
    layout: Layout
    notes: tuple[str, ...]

    @property
    def anchor(self) -> str | None:
        """The commit that files are compared with: the merge base, or HEAD where there is no base."""
        return self.base.merge_base if self.base is not None else self.head


@contextmanager
def open_ground(
    start: Path,
    flags: Mapping[str, str | None],
    *,
    explicit: bool = False,
    environment: Mapping[str, str] = os.environ,
) -> Iterator[Ground]:
    """Open the repository that holds `start`; `flags` maps a configuration key to the flag's value.

    Raises `CannotRun` where there is no repository, no base that was named, no merge base, or no valid configuration.
    """
    with open_repository(start, explicit=explicit, environment=environment) as repository:
        if explicit and repository.root != start.resolve():
            raise CannotRun(f"{start} is a folder in the repository {repository.root}", "name that with --root")
        current = load_config(repository.root, flags, environment)
        refs = read_refs(repository)
        commit = repository.objects.get("HEAD^{commit}")
        head = None if commit is None else commit.oid
        configured = "" if environment.get("CABINET_CI_BASE") else current.base
        base = find_base(
            repository, refs, head, flags.get("base"), configured, environment, partial(_published_base, repository)
        )
        config, layout, notes = current, Layout(current), []
        if base is None:
            notes.append("no base is to be found (no default branch of a remote, no main, no master): only tags count")
        else:
            config, layout, complaint = _config_at(repository, base.merge_base, current, flags, environment)
            notes += [complaint] if complaint else []
        ground = Ground(repository, refs, head, base, config, layout, tuple(notes))
        _require_folders(ground, flags, environment)
        yield ground


def _require_folders(ground: Ground, flags: Mapping[str, str | None], environment: Mapping[str, str]) -> None:
    """Raise `CannotRun` for a folder that was asked for and is neither here nor at HEAD nor at the merge base.

    The usual ones and those of the configuration may be yet to come.
    """
    for key, folder in (("catalog", ground.config.catalog), ("suites", ground.config.suites)):
        variable = f"CABINET_CI_{key.upper()}"
        if flags.get(key) is None and not environment.get(variable):
            continue
        names = [f"{commit}:{posixpath.normpath(folder)}" for commit in (ground.head, ground.anchor) if commit]
        there = ground.repository.objects.get_many(names)
        is_there = any(found is not None and found.type == "tree" for found in there)
        if not (is_there or (ground.repository.root / folder).is_dir()):
            origin = f"--{key}" if flags.get(key) is not None else variable
            raise CannotRun(f'there is no folder "{folder}" ({origin})', f"name the one that holds the {_HELD[key]}")


class _Published(msgspec.Struct, frozen=True):
    """The configuration at a commit; null where there is none. `broken` says why nobody can read it."""

    config: Config | None
    broken: str = ""


def _read_published(repository: Repository, commit: str) -> _Published:
    files = repository.objects.get_many([f"{commit}:{PROJECT_FILE}", f"{commit}:{FILE_NAME}"])
    project, own = (found.content if found is not None and found.type == "blob" else None for found in files)
    try:
        return _Published(None if own is None and not _configures(project) else parse_config(project, own))
    except CannotRun as broken:
        return _Published(Config(), broken.why)


def _published_base(repository: Repository, commit: str) -> str | None:
    config = _read_published(repository, commit).config
    return None if config is None else config.base


def _config_at(
    repository: Repository,
    commit: str,
    current: Config,
    flags: Mapping[str, str | None],
    environment: Mapping[str, str],
) -> tuple[Config, Layout, str | None]:
    overridden = {
        key: getattr(current, key)
        for key in FREEZING
        if flags.get(key) is not None or environment.get(f"CABINET_CI_{key.upper()}")
    }
    usual = msgspec.structs.replace(Config(), **overridden)
    published = _read_published(repository, commit)
    if published.config is not None and not published.broken:
        config = _deciding(current, msgspec.structs.replace(published.config, **overridden))
        return config, Layout(config), None
    # A branch that is the first to configure anything, or that mends what nobody can read, must not free anything.
    config = msgspec.structs.replace(current, freeze=usual.freeze)
    complaint = (
        f"the configuration at the merge base can't be read ({published.broken}): every published version is frozen"
        if published.broken
        else None
    )
    return config, Layout(config, usual), complaint


def _deciding(current: Config, published: Config) -> Config:
    """The working tree's configuration, but for the keys that decide what is frozen."""
    return msgspec.structs.replace(current, **{key: getattr(published, key) for key in FREEZING})


def _configures(project: bytes | None) -> bool:
    """Whether a `pyproject.toml` has a table for this tool."""
    if project is None or b"cabinet-ci" not in project:
        return False
    try:
        tool = parse_toml(project).get("tool")
    except TomlError:
        return True
    return isinstance(tool, dict) and "cabinet-ci" in tool
