"""Hold one folder to the rules."""

from __future__ import annotations

from collections.abc import Sequence

from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.folder import Folder
from cabinet_ci.rules.registry import Rule

UNREADABLE = "CAB001"
"""The one rule that has something to say of a folder that can't be listed."""


def check_folder(subject: Folder, rules: Sequence[Rule], scope: str) -> list[Diagnostic]:
    """All findings in a folder: of the rules for any and of its scope; where it is sound, of those for sound ones."""
    found: list[Diagnostic] = []
    for rule in rules:
        if rule.scope in ("folder", scope) and (not subject.is_closed or rule.code == UNREADABLE):
            found += rule.diagnose(rule.check(subject))
    if not any(one.severity == "error" for one in found):
        for rule in rules:
            if rule.scope == f"sound {scope}":
                found += rule.diagnose(rule.check(subject))
    return found
