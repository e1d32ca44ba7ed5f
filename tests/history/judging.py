"""Asking history what it finds, without the command line."""

from __future__ import annotations

from collections.abc import Mapping

from cabinet_ci.diagnostics import Diagnostic, make_report
from cabinet_ci.history.changes import compare, find_changes
from cabinet_ci.history.ground import open_ground
from cabinet_ci.history.order import find_disorder
from tests.history.repositories import Repo, environment


def changes(
    repo: Repo, *, staged: bool = False, env: Mapping[str, str] | None = None, **flags: str
) -> tuple[Diagnostic, ...]:
    """Findings about what is published."""
    with open_ground(repo.root, flags, environment=environment(env)) as ground:
        return make_report(find_changes(ground, compare(ground, staged=staged)), 0).diagnostics


def disorder(repo: Repo, *, staged: bool = False, **flags: str) -> tuple[Diagnostic, ...]:
    """Findings about new versions."""
    with open_ground(repo.root, flags, environment=environment()) as ground:
        return make_report(find_disorder(ground, compare(ground, staged=staged), staged=staged), 0).diagnostics


def changed_paths(repo: Repo, *, staged: bool = False, **flags: str) -> list[str]:
    """Folders of frozen versions that differ."""
    return [found.path for found in changes(repo, staged=staged, **flags) if found.code == "CAB801"]


def what_happened(repo: Repo, *, staged: bool = False, **flags: str) -> str:
    """The message of the one finding there has to be."""
    (found,) = changes(repo, staged=staged, **flags)
    assert found.code == "CAB801"
    return found.message.partition(": ")[2]
