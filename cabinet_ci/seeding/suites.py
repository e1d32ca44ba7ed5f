"""What a run of a suite's definition receives (sections 4 and 5 of the format): the plan, its documents, its prompt."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.catalog.suites.definition import BuiltDefinition
from cabinet_ci.catalog.suites.files import Requirement
from cabinet_ci.catalog.suites.suite import ASSETS, WORKSPACES, Definition, Specification, SuiteTree
from cabinet_ci.catalog.toml import TomlError, decode_utf8
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.documents import render_document
from cabinet_ci.seeding.engines import Engine
from cabinet_ci.seeding.plan import (
    Nowhere,
    SeedEntry,
    SeedPlan,
    is_file,
    seeded_name,
    unseedable,
    workspace_entries,
)

SPECS = "specs"
"""The folder of a run that its specifications lie in."""

OFFERED = (WORKSPACES, ASSETS)
"""Folders of a suite whose files a run may be handed as they are."""

WITH_ASSETS = "end-to-end"
"""The type whose runs are handed the assets."""

HEADING = "## Requirements"


def plan_definition(tree: SuiteTree, definition: Definition, engine: Engine) -> SeedPlan:
    """Plan what a run of a definition receives: the engine's workspace, the specifications, perhaps the assets."""
    built = definition.built
    entries: list[SeedEntry] = []
    nowhere: list[Nowhere] = []
    if built is not None:
        entries += _workspace(tree, definition, built, engine, nowhere)
    entries += _specifications(tree, definition, nowhere)
    if definition.file.type == WITH_ASSETS:
        for asset in tree.assets:
            for index, name in enumerate(asset.file.files):
                path, declared = f"{asset.folder}/{name}", ("files", index)
                if is_file(tree.tree, path):
                    entries.append(SeedEntry(destination=path, source=path, origin="asset", declared=declared))
                else:
                    nowhere.append(Nowhere(path, asset.document.path, declared))
    return SeedPlan(tuple(entries), tuple(nowhere))


def _workspace(
    tree: SuiteTree, definition: Definition, built: BuiltDefinition, engine: Engine, nowhere: list[Nowhere]
) -> list[SeedEntry]:
    path, declared = built.workspaces.get(engine.slug), ("workspaces", engine.slug)
    if path is None:
        nowhere.append(Nowhere(f"{WORKSPACES}/{engine.slug}", definition.document.path, declared))
        return []
    nowhere += unseedable(tree.tree, path, definition.document.path, declared, seeded_name)
    return workspace_entries(tree.tree, path, declared)


def _specifications(tree: SuiteTree, definition: Definition, nowhere: list[Nowhere]) -> list[SeedEntry]:
    entries: list[SeedEntry] = []
    for index, id_ in enumerate(definition.file.specifications or ()):
        if tree.specification(id_) is None:
            nowhere.append(Nowhere(f"the specification {id_}", definition.document.path, ("specifications", index)))
    declared: KeyPath = ("specifications",)
    for found in tree.covered(definition):
        if not is_file(tree.tree, found.prose):
            nowhere.append(Nowhere(found.prose, found.document.path, ()))
            continue
        entries.append(
            SeedEntry(
                destination=posixpath.join(SPECS, found.file.path),
                source=found.prose,
                origin="specification",
                declared=declared,
                rendered=True,
            )
        )
    return entries


def held_out(tree: SuiteTree, plan: SeedPlan) -> Iterator[tuple[SeedEntry, str]]:
    """Files of the plan that are kept from runs, by their workspace or a link, each with what it is."""
    for entry in plan.entries:
        real = tree.tree.real(posixpath.normpath(entry.source)) or entry.source
        real = tree.tree.aliases.get(real, real)
        if not entry.rendered and real.partition("/")[0] not in OFFERED:
            yield entry, real


def refuse_held_out(tree: SuiteTree, plan: SeedPlan) -> None:
    """Raise `CannotRun` where a file of the plan is kept from runs."""
    for entry, real in held_out(tree, plan):
        raise CannotRun(
            f"{tree.path}/{entry.source} would be seeded, and it is {real}",
            f"a run receives files of {' and '.join(f'{name}/' for name in OFFERED)} only",
        )


def prompt_of_definition(
    tree: SuiteTree, definition: Definition, engine: Engine, workspace: str, template: bytes
) -> bytes:
    """The prompt that a run of a definition is handed. Raises `UnsoundTemplate`."""
    values = definition_values(tree, definition, engine, workspace)
    return render_document(f"{tree.path}/{definition.file.prompt}", template, values)


def definition_values(tree: SuiteTree, definition: Definition, engine: Engine, workspace: str) -> dict[str, Any]:
    """The variables of a suite's prompt: `workspace`, `engine.*` and `specifications`, in the definition's order."""
    return {
        "workspace": workspace,
        "engine": engine.values,
        "specifications": [
            {
                "id": found.file.id,
                "name": found.file.name,
                "summary": found.file.summary,
                "path": posixpath.join(workspace, SPECS, found.file.path),
            }
            for found in tree.covered(definition)
        ],
    }


def specification_document(tree: SuiteTree, specification: Specification, prose: bytes) -> bytes:
    """A specification as a run receives it: the prose, then its requirements as a list, in order.

    `docs/suites.md` tells the shape. Raises `CannotRun` for prose that is not UTF-8.
    """
    try:
        text = decode_utf8(prose, TomlError).rstrip()
    except TomlError as fault:
        place = f"{tree.path}/{specification.prose}:{fault.line}:{fault.column}"
        raise CannotRun(f"{place}: {fault.message}", "write it in UTF-8") from None
    parts = [text] if text else []
    if specification.file.requirement:
        parts += [HEADING, "\n".join(map(_item, specification.file.requirement))]
    return ("\n\n".join(parts) + "\n").encode()


def _item(requirement: Requirement) -> str:
    """One requirement on one line: nothing in its text can end the list."""
    return f"- **{requirement.id}** ({requirement.kind}): {' '.join(requirement.text.split())}"
