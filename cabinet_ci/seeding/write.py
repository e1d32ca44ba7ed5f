"""Write a seed plan to disk: exactly what a run receives."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from cabinet_ci.catalog.files import JSON_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.version import Variant, Version
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.plan import SeedEntry, SeedPlan


def write_seed(version: Version, variant: Variant, plan: SeedPlan, directory: Path) -> None:
    """Write every file of the plan below `directory`; scripts keep their mode.

    Raises `CannotRun` for a template that does not render, a file that can't be read or two files on one place.
    """
    for entry, content in seeded_files(version, variant, plan):
        target = directory / entry.destination
        if os.path.lexists(target):
            raise CannotRun(
                f"{version.path}: two seeded files land on {entry.destination}",
                f"run `cabinet-ci validate {version.path}`",
            )
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError as error:
            raise CannotRun(f"{version.path}: {entry.destination} can't be written", str(error.strerror)) from None
        if os.access(version.folder / entry.source, os.X_OK):
            target.chmod(0o755)


def seeded_files(version: Version, variant: Variant, plan: SeedPlan) -> Iterator[tuple[SeedEntry, bytes]]:
    """Each entry of the plan with the bytes a run receives. Raises `CannotRun`."""
    for entry in plan.entries:
        try:
            content = read_bounded(version.folder / entry.source, JSON_LIMIT)
        except Unreadable as fault:
            raise CannotRun(f"{version.path}/{entry.source} {fault.reason}") from None
        if entry.rendered:
            from cabinet_ci.seeding.documents import render_spec

            content = render_spec(version, variant, entry.source, content)
        yield entry, content
