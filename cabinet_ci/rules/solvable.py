"""What is wrong with the expected answers of a version alone: that is mended by writing them anew."""

from __future__ import annotations

from collections.abc import Callable

from cabinet_ci.catalog.version import Version
from cabinet_ci.diagnostics import Diagnostic

MISSING = "CAB202"
"""A declared file that does not exist."""

UNFIT = ("CAB501", "CAB504")
"""A file that is not strict JSON or can't be read; an expected answer that breaks its schema."""


def about_expected(version: Version) -> Callable[[Diagnostic], bool]:
    """Whether a finding is about an expected answer: that there is none yet, or what it holds."""
    manifest = version.performance
    cases = manifest.case if manifest is not None else []
    places = {version.document.value_at(("case", index, "expected")) for index in range(len(cases))}
    contract = {manifest.contract.input, manifest.contract.output} if manifest is not None else set()
    others = contract | {case.input for case in cases}
    answers = {f"{version.path}/{case.expected}" for case in cases if case.expected not in others}
    declaring = f"{version.path}/{version.document.path}"

    def tells_of_one(found: Diagnostic) -> bool:
        if found.code == MISSING:
            return found.path == declaring and (found.line, found.column) in places
        return found.code in UNFIT and found.path in answers

    return tells_of_one
