"""Reference solutions: what they expect is about things that exist."""

from __future__ import annotations

from collections.abc import Iterator

from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Finding, Subject


@version_rule("CAB451")
def reference_of_unknown_variant(subject: Subject) -> Iterator[Finding]:
    """A reference names a variant that the version does not have.

    Why: it could never be built.

    Failing:
        --- references/efficient/reference.toml
        variant = "bse"
    Fixed:
        --- references/efficient/reference.toml
        variant = "base"
    """
    slugs = [variant.slug for variant in subject.version.variants]
    for reference in subject.version.references:
        if reference.document is not None and "variant" in reference.document.data and reference.variant not in slugs:
            message = f'there is no variant "{reference.variant}"'
            yield from subject.at_value(reference.document, ("variant",), message, f"variants are {', '.join(slugs)}")


@version_rule("CAB452")
def outcome_of_unknown_case(subject: Subject) -> Iterator[Finding]:
    """A reference expects an outcome of an input that no case has.

    Why: the expectation would never be looked at.

    Failing:
        --- references/efficient/reference.toml
        [cases]
        "cases/smal.json" = "pass"
    Fixed:
        --- references/efficient/reference.toml
        [cases]
        "cases/small.json" = "pass"
    """
    manifest = subject.version.performance
    inputs = {case.input for case in manifest.case} if manifest is not None else set()
    for reference in subject.version.references:
        if reference.document is None:
            continue
        for name in reference.cases:
            if name not in inputs:
                message = f'no case has the input "{name}"'
                yield from subject.at_key(reference.document, ("cases", name), message, "write the path of an input")
