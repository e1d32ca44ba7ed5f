"""The seed plan: which file of a version lands where in a run (section 5 of the format).

The plan is the one truth about seeding: the rules judge it, `seed` writes it, an evaluation builds in it. Plans of a
suite's definitions are made in `suites`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import msgspec

from cabinet_ci.catalog.manifest import MANIFEST_NAME, Spec
from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.catalog.tree import Tree
from cabinet_ci.catalog.version import Variant, Version

Origin = Literal["workspace", "contract", "asset", "spec", "variant spec", "specification"]

TEMPLATE_SUFFIX = ".hbs"

_UNSEEDABLE: Mapping[str, str] = {
    "outside": "is a link that leads out of the version",
    "broken": "is a link that leads nowhere",
    "special": "is neither a file nor a folder",
    "file": "is a file, and a folder is due",
}


class SeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One seeded file: `source` is relative to the version folder, `destination` to the run root.

    `declared` is the key path that asks for it, in the variant's file where `in_variant` holds, else in the manifest
    (of a suite: the definition; `("files", ...)` in the asset's file). `rendered` tells what is made from its source
    from a file that is copied as it is.
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


class Nowhere(msgspec.Struct, frozen=True):
    """Something to be seeded that can't be: the `path` asked for, and the key path in the `file` that asks.

    `reason` finishes the sentence "the path ...".
    """

    path: str
    file: str
    declared: KeyPath
    reason: str = "is not there"


class SeedPlan(msgspec.Struct, frozen=True):
    """All files that a run receives, in the order of section 5, and what leads nowhere; destinations may collide."""

    entries: tuple[SeedEntry, ...]
    nowhere: tuple[Nowhere, ...] = ()


def plan_seeding(version: Version, variant: Variant) -> SeedPlan:
    """Plan what a run of `variant` receives."""
    manifest, nowhere = version.manifest, list[Nowhere]()
    own_workspace = variant.file.workspace is not None
    workspace = variant.file.workspace if own_workspace else manifest.workspace
    entries: list[SeedEntry] = []
    if workspace is not None:
        entries += workspace_entries(version.tree, workspace, ("workspace",), in_variant=own_workspace)
        file = variant.path if own_workspace else MANIFEST_NAME
        nowhere += unseedable(version.tree, workspace, file, ("workspace",), seeded_name)
    if version.performance is not None:
        contract = version.performance.contract
        for key, path in (("input", contract.input), ("output", contract.output)):
            if is_file(version.tree, path):
                entries.append(SeedEntry(destination=path, source=path, origin="contract", declared=("contract", key)))
            else:
                nowhere.append(Nowhere(path, MANIFEST_NAME, ("contract", key)))
    for index, asset in enumerate(manifest.assets):
        declared: KeyPath = ("assets", index)
        names = [asset] if is_file(version.tree, asset) else _files_below(version.tree, posixpath.normpath(asset))
        entries += [SeedEntry(destination=name, source=name, origin="asset", declared=declared) for name in names]
        if not is_file(version.tree, asset):
            nowhere += unseedable(version.tree, asset, MANIFEST_NAME, declared)
    for file, specs in ((MANIFEST_NAME, manifest.spec), (variant.path, variant.file.spec)):
        for index, spec in enumerate(specs):
            if is_file(version.tree, spec.source):
                entries.append(_spec(spec, index, in_variant=file != MANIFEST_NAME))
            else:
                nowhere.append(Nowhere(spec.source, file, ("spec", index, "source")))
    return SeedPlan(tuple(_once_each(entries)), tuple(nowhere))


def workspace_entries(tree: Tree, workspace: str, declared: KeyPath, *, in_variant: bool = False) -> list[SeedEntry]:
    """The files of a workspace at the run root, but those whose names begin with a dot; none of no folder."""
    folder = posixpath.normpath(workspace)
    below = 0 if folder == "." else len(folder) + 1
    return [
        SeedEntry(destination=name[below:], source=name, origin="workspace", declared=declared, in_variant=in_variant)
        for name in _files_below(tree, folder)
        if seeded_name(name[below:])
    ]


def unseedable(
    tree: Tree, path: str, file: str, declared: KeyPath, seeded: Callable[[str], bool] = lambda _: True
) -> Iterator[Nowhere]:
    """What a folder that is asked for holds and no run can receive, or the folder itself where it is not there.

    `seeded` says of a name below the folder whether it is seeded at all.
    """
    if not is_folder(tree, path):
        kind = tree.kind(path) if _inside(path) else None
        yield Nowhere(path, file, declared, _UNSEEDABLE.get(kind or "", "is not there"))
        return
    folder = posixpath.normpath(path)
    folder = "" if folder == "." else folder
    below = len(folder) + 1 if folder else 0
    for name, kind in sorted((name, kind) for name, kind in tree.walk(folder) if kind != "file"):
        if seeded(name[below:]):
            yield Nowhere(name, file, declared, _UNSEEDABLE[kind])
    real = tree.real(folder) or folder
    for name, reason in sorted(tree.unlisted.items()):
        is_below = name == real or not real or name.startswith(real + "/")
        if is_below and seeded(name[below:] + "/file"):
            yield Nowhere(name or ".", file, declared, f"can't be listed: {reason}")


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


def is_file(tree: Tree, path: str) -> bool:
    """Whether a declared path is a file inside the folder."""
    return _inside(path) and tree.kind(path) == "file"


def is_folder(tree: Tree, path: str) -> bool:
    """Whether a declared path is a folder inside the folder, or the folder itself."""
    return _inside(path) and (posixpath.normpath(path) == "." or tree.kind(path) == "folder")


def _spec(spec: Spec, index: int, *, in_variant: bool) -> SeedEntry:
    return SeedEntry(
        destination=spec.destination,
        source=spec.source,
        origin="variant spec" if in_variant else "spec",
        declared=("spec", index),
        in_variant=in_variant,
        rendered=spec.source.endswith(TEMPLATE_SUFFIX),
    )


def _files_below(tree: Tree, folder: str) -> list[str]:
    return tree.below("" if folder == "." else folder) if is_folder(tree, folder) else []


def _inside(path: str) -> bool:
    return bool(path) and not path.startswith("/") and ".." not in path.split("/")
