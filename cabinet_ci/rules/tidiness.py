"""Warnings that help: what is there for nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.version import REFERENCES
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import sound_version_rule
from cabinet_ci.rules.seeding import reviewer_material
from cabinet_ci.rules.subject import Subject

USED_BY_PEOPLE = ("README.md", "LICENSE", "LICENSE.md", "NOTICE", ".gitignore", ".gitattributes")
"""Files that nothing names and that have a use all the same."""


@sound_version_rule("CAB901", "warning")
def unused_file(subject: Subject) -> Iterator[Finding]:
    """A file lies in the version folder, and nothing names it.

    Why: it is left over, or was meant to be named. A version is immutable once published, the file with it.

    Failing:
        --- cases/forgotten.json
        [1, 2, 3]
    Fixed:
        --- README.md
        How this case came about.
    """
    version = subject.version
    if version.performance is None:
        return
    named = {posixpath.normpath(declared.path) for declared in subject.declared}
    real = {version.tree.real(path) for path in named}
    used = named | {path for path in real if path is not None} | {MANIFEST_NAME, REFERENCES}
    used |= set(reviewer_material(version))
    used |= {real for link, real in version.tree.aliases.items() if _is_used(link, used)}
    for name, kind in sorted(version.tree.entries.items()):
        if kind != "file" or name.rpartition("/")[2] in USED_BY_PEOPLE:
            continue
        if not _is_used(name, used):
            yield Finding(subject.path(name), None, "nothing names this file", "name it in the manifest, or remove it")


@sound_version_rule("CAB902", "warning")
def variant_adds_nothing(subject: Subject) -> Iterator[Finding]:
    """A variant other than the first adds and replaces nothing.

    Why: a run of it is a run of the default under another name.

    Failing:
        --- test-case.toml
        variants = ["variants/base.toml", "variants/other.toml"]
        --- variants/other.toml
        slug = "other"
    Fixed:
        --- test-case.toml
        variants = ["variants/base.toml", "variants/other.toml"]
        --- variants/other.toml
        slug = "other"
        description = "The same, said otherwise."
    """
    for variant in subject.version.variants[1:]:
        # What belongs to a type of its own adds something too.
        rest = [value for key, value in variant.document.data.items() if key not in ("slug", "name", "description")]
        if not variant.file.description.strip() and not any(rest):
            message = "the variant adds nothing to the default"
            yield from subject.at_key(
                variant.document, ("slug",), message, "give it a spec, a workspace or a description, or remove it"
            )


def _is_used(name: str, used: set[str]) -> bool:
    return name in used or any(parent in used for parent in _parents(name))


def _parents(name: str) -> Iterator[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name
