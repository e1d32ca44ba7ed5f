"""A plan as text."""

from __future__ import annotations

from cabinet_ci.evaluation.planning import Plan
from cabinet_ci.reporting.findings import visible


def as_text(plan: Plan) -> str:
    """A line per version with its reasons, and a line that counts."""
    lines = [f"{visible(each.path)}: {visible('; '.join(each.reasons))}" for each in plan.versions]
    count = f"{len(plan.versions):,} {'version' if len(plan.versions) == 1 else 'versions'} to evaluate"
    rest = f"{plan.standing:,} {'stands as it is' if plan.standing == 1 else 'stand as they are'}"
    return "\n".join([*lines, f"{count}, {rest}"]) + "\n"
