"""The seed plan: which file of a version lands where in a run (section 5 of the format).

The plan is the one truth about seeding: the rules judge it, `seed` writes it, an evaluation builds in it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Literal

import msgspec

from cabinet_ci.catalog.manifest import Spec
from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.catalog.version import Variant, Version

Origin = Literal["workspace", "contract", "asset", "spec", "variant spec"]

TEMPLATE_SUFFIX = ".hbs"


class SeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One seeded file: `source` is relative to the version folder, `destination` to the run root.

    `declared` is the key path that asks for it, in the variant's file where `in_variant` holds, else in the manifest.
    `rendered` tells a template from a file that is copied as it is.
    """

    destination: str
    source: str
    origin: Origin
    declared: KeyPath
    in_variant: bool = False
    rendered: bool = False

    @property
    def is_spec(self) -> bool:
        """Whether a `[[spec]]` asks for it."""
        return self.declared[0] == "spec"


class SeedPlan(msgspec.Struct, frozen=True):
    """All files that a run of one variant receives, in the order of section 5; destinations may collide."""

    variant: str
    entries: tuple[SeedEntry, ...]


def plan_seeding(version: Version, variant: Variant) -> SeedPlan:
    """Plan what a run of `variant` receives. Paths that lead nowhere are left out: a rule reports them."""
    manifest, entries = version.manifest, list[SeedEntry]()
    own_workspace = variant.file.workspace is not None
    workspace = variant.file.workspace if own_workspace else manifest.workspace
    if workspace is not None and _inside(workspace):
        folder = posixpath.normpath(workspace)
        for name in _files_below(version, folder):
            destination = name[len(folder) + 1 :] if folder != "." else name
            if seeded_name(destination):
                entries.append(
                    SeedEntry(
                        destination=destination,
                        source=name,
                        origin="workspace",
                        declared=("workspace",),
                        in_variant=own_workspace,
                    )
                )
    if version.performance is not None:
        contract = version.performance.contract
        for key, path in (("input", contract.input), ("output", contract.output)):
            if _is_file(version, path):
                entries.append(SeedEntry(destination=path, source=path, origin="contract", declared=("contract", key)))
    for index, asset in enumerate(manifest.assets):
        names = [asset] if _is_file(version, asset) else _files_below(version, posixpath.normpath(asset))
        entries += [
            SeedEntry(destination=name, source=name, origin="asset", declared=("assets", index)) for name in names
        ]
    entries += _specs(version, manifest.spec, in_variant=False)
    entries += _specs(version, variant.file.spec, in_variant=True)
    return SeedPlan(variant.slug, tuple(_once_each(entries)))


def _once_each(entries: list[SeedEntry]) -> Iterator[SeedEntry]:
    """Without what asks again for the same file at the same place: a schema that lies in a seeded folder, say.

    A spec that is listed twice stays: a prompt would list it twice.
    """
    seen: dict[tuple[str, str], SeedEntry] = {}
    for entry in entries:
        key = (posixpath.normpath(entry.source), posixpath.normpath(entry.destination))
        first = seen.setdefault(key, entry)
        is_again = first is not entry and not (first.is_spec and entry.is_spec) and first.rendered == entry.rendered
        if not is_again:
            yield entry


def seeded_name(path: str) -> bool:
    """Whether a workspace file is seeded: no part of its path begins with a dot, `.gitignore` and `.cargo/` apart."""
    parts = path.split("/")
    return all(not part.startswith(".") or part == ".cargo" for part in parts[:-1]) and (
        not parts[-1].startswith(".") or parts[-1] == ".gitignore"
    )


def _specs(version: Version, specs: list[Spec], *, in_variant: bool) -> list[SeedEntry]:
    return [
        SeedEntry(
            destination=spec.destination,
            source=spec.source,
            origin="variant spec" if in_variant else "spec",
            declared=("spec", index),
            in_variant=in_variant,
            rendered=spec.source.endswith(TEMPLATE_SUFFIX),
        )
        for index, spec in enumerate(specs)
        if _is_file(version, spec.source)
    ]


def _is_file(version: Version, path: str) -> bool:
    return _inside(path) and version.tree.kind(path) == "file"


def _files_below(version: Version, folder: str) -> list[str]:
    if not _inside(folder) or (folder != "." and version.tree.kind(folder) != "folder"):
        return []
    return version.tree.below("" if folder == "." else folder)


def _inside(path: str) -> bool:
    return bool(path) and not path.startswith("/") and ".." not in path.split("/")
