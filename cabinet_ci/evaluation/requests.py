"""From what was asked for on the command line to the versions and references to evaluate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import find_versions, version_holding
from cabinet_ci.catalog.version import PERFORMANCE, Reference, Version, open_version, read_version
from cabinet_ci.config import Config
from cabinet_ci.failure import CannotRun


class Request(msgspec.Struct, frozen=True):
    """What to evaluate: one version, and which of its references or which ready module.

    `references` are run in their order; `module` is graded instead of building, under the name of `variant`.
    """

    version: Version
    references: tuple[Reference, ...] = ()
    module: Path | None = None
    variant: str = ""


def requests_for(
    root: Path,
    config: Config,
    paths: Sequence[Path],
    *,
    references: Sequence[str] = (),
    variant: str | None = None,
    module: Path | None = None,
) -> list[Request]:
    """Requests for the versions that hold `paths`, or for every performance version of the catalog without one.

    Raises `CannotRun` for a path, reference, variant or module that does not exist or can't be used.
    """
    versions = [version for path in paths for version in _opened(root, config, Path.cwd() / path)]
    if not paths:
        versions = [open_version(root, root / path, config.catalog) for path in performance_versions(root, config)]
        if not versions:
            raise CannotRun(f"there is no performance version below {config.catalog}", "name a version folder")
    if module is not None:
        if len(versions) != 1:
            raise CannotRun("--module grades one version", "name the version folder")
        if references:
            raise CannotRun("--module takes the place of references", "leave out --reference")
        if not module.is_file():
            raise CannotRun(f"{module} {'is no file' if module.exists() else 'does not exist'}", "name a wasm module")
        return [Request(versions[0], module=module, variant=_variant_slug(versions[0], variant))]
    unique = list({version.path: version for version in versions}.values())
    return [Request(version, tuple(_chosen(version, references, variant))) for version in unique]


def _opened(root: Path, config: Config, path: Path) -> list[Version]:
    """The version that holds a path, or the performance versions below a folder of the catalog."""
    absolute = path.resolve()
    if absolute.is_dir() and absolute.is_relative_to(root) and version_holding(root, absolute, config.catalog) is None:
        below = absolute.relative_to(root).as_posix()
        found = [
            name for name in find_versions(root, below) if read_version(root, name, config.catalog).type == PERFORMANCE
        ]
        if found:
            return [open_version(root, root / name, config.catalog) for name in found]
    return [open_version(root, path, config.catalog)]


def performance_versions(root: Path, config: Config) -> list[str]:
    """Paths of the performance versions of the catalog, relative to `root`."""
    paths = find_versions(root, config.catalog)
    return [path for path in paths if read_version(root, path, config.catalog).type == PERFORMANCE]


def sound_versions(root: Path, config: Config, faulty: Collection[str]) -> list[Path]:
    """Performance versions that have a reference and hold none of the `faulty` paths."""
    return [
        root / path
        for path in performance_versions(root, config)
        if not any(found == path or found.startswith(path + "/") for found in faulty)
        and read_version(root, path, config.catalog).references
    ]


def _chosen(version: Version, names: Sequence[str], variant: str | None) -> list[Reference]:
    known = {reference.name: reference for reference in version.references}
    if variant is not None:
        _variant_slug(version, variant)
    for name in names:
        if name not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise CannotRun(f"{version.path} has no reference `{name}`", there)
    for reference in version.references:
        if version.variant(reference.variant) is None:
            raise CannotRun(
                f"{version.path}/{reference.path} is for the variant `{reference.variant}`", "there is none"
            )
    chosen = [known[name] for name in dict.fromkeys(names)] if names else list(version.references)
    chosen = [reference for reference in chosen if variant is None or reference.variant == variant]
    if not chosen:
        of_variant = f" of the variant `{variant}`" if variant else ""
        raise CannotRun(
            f"{version.path} has no reference solution{of_variant}", "add one as references/<name>/, or give --module"
        )
    return chosen


def _variant_slug(version: Version, slug: str | None) -> str:
    variant = version.variant(slug)
    if variant is None:
        known = ", ".join(variant.slug for variant in version.variants)
        raise CannotRun(f"{version.path} has no variant `{slug}`", f"it has {known}")
    return variant.slug
