"""All that history has to say about a working tree at once: its findings, and which versions differ from the base."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.history.changes import compare, find_changes
from cabinet_ci.history.ground import open_ground
from cabinet_ci.history.order import find_disorder


class Verdict(msgspec.Struct, frozen=True):
    """`differing` are paths of version folders that are not as at the merge base, null where there is no base.

    `notes` are lines for standard error; the first says what was compared with.
    """

    diagnostics: tuple[Diagnostic, ...]
    differing: frozenset[str] | None
    notes: tuple[str, ...]


def judge_history(root: Path, flags: Mapping[str, str | None]) -> Verdict:
    """Judge the repository at `root`; `flags` maps a configuration key to the flag's value.

    Raises `CannotRun` where a base that was named, or a merge base, can't be found.
    """
    with open_ground(root, flags) as ground:
        comparison = compare(ground, staged=False)
        found = (*find_changes(ground, comparison), *find_disorder(ground, comparison, staged=False))
        if ground.base is None:
            return Verdict(found, None, ground.notes)
        differing = ground.layout.versions_of(each.path for each in comparison.differing)
        return Verdict(found, differing, (ground.base.line, *ground.notes, *comparison.notes))
