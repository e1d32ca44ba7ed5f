"""What a rule has to say: a code, a place, a message and a remedy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

Severity = Literal["error", "warning"]


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding.

    `path` is relative to the repository root, with `/`. `line` and `column` count from 1, columns in characters; both
    are null where the finding is about a whole folder or file. `hint` says how to mend it.
    """

    code: str
    severity: Severity
    path: str
    line: int | None = None
    column: int | None = None
    message: str
    hint: str | None = None


class Summary(msgspec.Struct, frozen=True):
    """How many errors and warnings were found in how many checked things (versions, as a rule)."""

    errors: int
    warnings: int
    checked: int


class Report(msgspec.Struct, frozen=True):
    """All findings of a run, in the order they are shown, and their count: the JSON that `--format json` prints."""

    diagnostics: tuple[Diagnostic, ...]
    summary: Summary

    def fails(self, fail_on: Severity) -> bool:
        """Whether the run ends with exit code 1: an error, or with `fail_on` "warning" any finding."""
        return self.summary.errors > 0 or (fail_on == "warning" and self.summary.warnings > 0)


def make_report(diagnostics: Iterable[Diagnostic], checked: int) -> Report:
    """Sort findings by path, line, code and column, drop exact repetitions, and count them."""
    ordered = tuple(sorted(set(diagnostics), key=_order))
    errors = sum(1 for found in ordered if found.severity == "error")
    return Report(ordered, Summary(errors, len(ordered) - errors, checked))


def _order(found: Diagnostic) -> tuple[str, int, str, int, str]:
    return (found.path, found.line or 0, found.code, found.column or 0, found.message)
