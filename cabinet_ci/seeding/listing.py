"""What a run receives, as a list: each file with its size and where it comes from."""

from __future__ import annotations

import msgspec

from cabinet_ci.catalog.names import printable
from cabinet_ci.seeding.plan import Origin, SeedPlan
from cabinet_ci.seeding.runs import CatalogRun, Run
from cabinet_ci.seeding.write import is_script, require_bounded, size_of


class SeededFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its `destination` below the run root, its size in `bytes`, and its `source` below the version folder.

    `rendered` tells what is made from its source, a template or the prose of a specification, from a verbatim copy;
    `script` one that may be run as a program.
    """

    destination: str
    bytes: int
    origin: Origin
    rendered: bool
    script: bool
    source: str


class SeedListing(msgspec.Struct, frozen=True, kw_only=True):
    """The files of a run in the order of their destinations.

    `path` is the version folder, or the file of the definition; `variant` is null for a definition, `engine` for a case
    of a type that has no engines.
    """

    path: str
    variant: str | None
    engine: str | None
    bytes: int
    files: tuple[SeededFile, ...]


def list_seed(run: Run, plan: SeedPlan) -> SeedListing:
    """List a plan, with the sizes that files have once they are rendered. Raises `CannotRun`."""
    files = tuple(
        SeededFile(
            destination=printable(entry.destination),
            bytes=len(run.content(entry)) if entry.rendered else size_of(run, entry),
            origin=entry.origin,
            rendered=entry.rendered,
            script=is_script(run, entry),
            source=printable(entry.source),
        )
        for entry in sorted(plan.entries, key=lambda entry: entry.destination)
    )
    total = sum(file.bytes for file in files)
    require_bounded(run, total)
    path = run.place if isinstance(run, CatalogRun) else f"{run.place}/{run.definition.document.path}"
    return SeedListing(
        path=printable(path),
        variant=run.variant.slug if isinstance(run, CatalogRun) else None,
        engine=run.engine.slug if run.has_engine else None,
        bytes=total,
        files=files,
    )
