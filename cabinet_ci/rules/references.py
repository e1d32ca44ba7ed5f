"""Reference solutions: what they expect is about things that exist."""

from __future__ import annotations

from collections.abc import Iterator

from cabinet_ci.catalog.version import REFERENCE_NAME, REFERENCES
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.hints import nearest
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Subject


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


@version_rule("CAB453", "warning")
def misnamed_reference_file(subject: Subject) -> Iterator[Finding]:
    """A file looks like the `reference.toml` of a reference that has none.

    Why: a reference without one is expected to pass, whatever the other file says.

    Failing:
        --- references/efficient/refrence.toml
        expect = "over-ceiling"
    Fixed:
        --- references/efficient/reference.toml
        expect = "over-ceiling"
    """
    tree = subject.version.tree
    for reference in subject.version.references:
        if reference.complete or reference.document is not None:
            continue
        prefix = f"{tree.real(reference.path) or reference.path}/"
        beside = [name[len(prefix) :] for name in tree.entries if name.startswith(prefix)]
        meant = nearest(REFERENCE_NAME, [name for name in beside if "/" not in name and _may_be_meant(name)])
        if meant is not None:
            hint = f"rename it to {REFERENCE_NAME}"
            yield Finding(subject.path(prefix + meant), None, f"is this meant to be {REFERENCE_NAME}?", hint)
    if tree.kind(f"{REFERENCES}/{REFERENCE_NAME}") == "file":
        message, hint = "the file belongs to no reference", "move it into the folder of one, references/<name>/"
        yield Finding(subject.path(f"{REFERENCES}/{REFERENCE_NAME}"), None, message, hint)


def _may_be_meant(name: str) -> bool:
    return name.endswith(".toml") and name != REFERENCE_NAME


@version_rule("CAB454")
def reference_without_a_name(subject: Subject) -> Iterator[Finding]:
    """`references` is no folder, or the name of a reference in it is not UTF-8.

    Why: results name a reference by its folder, in JSON.

    Failing:
        --- references
        A file.
    Fixed:
        --- references/efficient/reference.toml
        expect = "pass"
    """
    kind = subject.version.tree.kind(REFERENCES)
    if kind in ("file", "special"):
        yield Finding(subject.path(REFERENCES), None, "is no folder", "each reference is a folder, references/<name>/")
    for reference in subject.version.references:
        if any("\ud800" <= char <= "\udfff" for char in reference.name):
            yield Finding(subject.path(reference.path), None, "the name is not UTF-8", "rename the folder")
