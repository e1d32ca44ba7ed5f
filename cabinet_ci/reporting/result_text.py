"""A whole result as text: findings, runs, what was lost, and the verdict."""

from __future__ import annotations

from cabinet_ci.evaluation.result import ResultDocument
from cabinet_ci.reporting import evaluation_text, findings
from cabinet_ci.reporting.comment import verdict_of
from cabinet_ci.reporting.findings import visible


def as_text(document: ResultDocument, *, colour: bool = False) -> str:
    """What `check` prints of it."""
    parts = []
    if document.findings is not None:
        parts.append(findings.as_text(document.findings, colour=colour))
    if document.versions:
        parts.append(evaluation_text.as_text(document, colour=colour))
    parts += [f"{visible(path)}: no result came back\n" for path in document.lost]
    return "\n".join([*parts, f"cabinet-ci {verdict_of(document)}\n"])
