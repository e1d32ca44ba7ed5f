"""Seeding: nothing lands on anything else, and nothing held out reaches a run (section 5 of the format)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.files import JSON_LIMIT
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.version import REFERENCES, Variant, Version
from cabinet_ci.config import Config
from cabinet_ci.failure import CannotRun
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Subject
from cabinet_ci.seeding.clashes import find_clashes, parents_of
from cabinet_ci.seeding.documents import render_spec
from cabinet_ci.seeding.plan import SeedEntry

JSON_STARTS = '{["-0123456789tfn'
"""What a JSON value starts with; nothing is among them, as every string holds it."""


@version_rule("CAB601")
def destination_taken(subject: Subject) -> Iterator[Finding]:
    """Two seeded files land on one destination, or one lands where another needs a folder, for some variant.

    Why: one of the two would silently replace the other.
    Source: section 1 of the format, "no two seeded files land on one destination for any variant".

    Failing:
        --- specs/problem.md
        Add the numbers.
        --- specs/other.md
        Add them all.
        --- test-case.toml
        [[spec]]
        source = "specs/problem.md"

        [[spec]]
        source = "specs/other.md"
        dest = "specs/problem.md"
    Fixed:
        --- specs/problem.md
        Add the numbers.
        --- specs/other.md
        Add them all.
        --- test-case.toml
        [[spec]]
        source = "specs/problem.md"

        [[spec]]
        source = "specs/other.md"
        dest = "specs/more.md"
    """
    reported: set[tuple[bool, object, str]] = set()
    for variant in subject.version.variants:
        for clash in find_clashes(subject.plan(variant).entries):
            entry, other, destination = clash.entry, clash.other, clash.destination
            key = (entry.in_variant, entry.declared if not entry.in_variant else variant.path, destination)
            if key not in reported:
                reported.add(key)
                message = f'"{entry.source}" lands on {destination}, and so does "{other.source}" ({other.origin})'
                if entry.source == other.source:
                    message = f'"{entry.source}" is a spec already'
                yield from _at(subject, variant, entry, message, "give one of them another destination", key="dest")


@version_rule("CAB602")
def held_out_file_seeded(subject: Subject) -> Iterator[Finding]:
    """A file that is held out from runs would be seeded: an expected answer, an input, a reference, the manifest, ...

    Why: a run that is handed the answers shows nothing.
    Source: section 5 of the format, "Never seeded".

    Failing:
        --- test-case.toml
        assets = ["cases"]
    Fixed:
        --- test-case.toml
        assets = ["data"]
        --- data/primes.txt
        2 3 5 7
    """
    held = held_out(subject)
    reported: set[tuple[bool, object]] = set()
    for variant in subject.version.variants:
        for entry in subject.plan(variant).entries:
            what = _held_as(subject, entry, held)
            key = (entry.in_variant, (variant.path if entry.in_variant else "", entry.declared))
            if what is not None and key not in reported:
                reported.add(key)
                message = f'"{entry.source}" would be seeded, and it is {what}'
                yield from _at(subject, variant, entry, message, "keep it out of what a run receives")


@version_rule("CAB603")
def held_out_content_seeded(subject: Subject) -> Iterator[Finding]:
    """A seeded file, as a run receives it, has the same content as a case's expected answer.

    Why: a copy gives the answer away as well as the file itself.
    Source: section 5 of the format.

    Failing:
        --- workspaces/base/notes.txt
        3
        --- cases/small.json
        [1, 2]
        --- cases/small.out
        3
        --- test-case.toml
        workspace = "workspaces/base"
    Fixed:
        --- workspaces/base/notes.txt
        Notes.
        --- test-case.toml
        workspace = "workspaces/base"
    """
    manifest = subject.version.performance
    if manifest is None:
        return
    answers: dict[int, list[str]] = {}
    for path in dict.fromkeys(case.expected for case in manifest.case):
        size = subject.size(path)
        if size is not None and size > 0:
            answers.setdefault(size, []).append(path)
    if not answers:
        return
    held = held_out(subject)
    reported: set[str] = set()
    for variant in subject.version.variants:
        for entry in subject.plan(variant).entries:
            # Most files differ in size from every answer, and need not be read.
            if entry.source in reported or _held_as(subject, entry, held) is not None:
                continue
            if entry.rendered:
                same = _rendered_answer(subject, variant, entry, [path for paths in answers.values() for path in paths])
            else:
                alike = answers.get(subject.size(entry.source) or 0, ())
                same = next((path for path in alike if subject.same_content(path, entry.source)), None)
            if same is not None:
                reported.add(entry.source)
                message = f'"{entry.source}" is seeded, and holds what "{same}" expects'
                yield from _at(subject, variant, entry, message, "keep the answer out of what a run receives")


def _rendered_answer(subject: Subject, variant: Variant, entry: SeedEntry, answers: list[str]) -> str | None:
    """The expected answer that a template is once it is rendered, if it is one."""
    template = subject.text(entry.source)
    if template is None:
        return None
    # Rendering costs; what stands before the first tag and after the last is in the result as it is.
    start = template.partition("{{")[0].strip(" \t\r\n\\")
    end = template.rpartition("}}")[2].strip()
    if start[:1] not in JSON_STARTS:
        return None
    contents = {path: subject.read(path, JSON_LIMIT) for path in answers}
    likely = {
        path: content
        for path, content in contents.items()
        if isinstance(content, bytes)
        and content.lstrip().startswith(start.encode())
        and content.rstrip().endswith(end.encode())
    }
    if not likely:
        return None
    try:
        rendered = render_spec(subject.version, variant, entry.source, template.encode())
    except CannotRun:
        return None
    return next((path for path, content in likely.items() if content == rendered), None)


def refuse_held_out(version: Version, config: Config) -> None:
    """Raise `CannotRun`, with the first finding, where a run of the version would be handed what is held out."""
    subject = Subject(version, config)
    for finding in (*held_out_file_seeded(subject), *held_out_content_seeded(subject)):
        line, column = finding.position or (1, 1)
        raise CannotRun(f"{finding.path}:{line}:{column}: {finding.message}", finding.hint or "")


def held_out(subject: Subject) -> dict[str, str]:
    """Files and folders that no run may receive, by path, and what each is."""
    version, manifest = subject.version, subject.version.manifest
    held = {MANIFEST_NAME: "the manifest", REFERENCES: "a reference solution"}
    held |= dict.fromkeys(manifest.variants, "a variant file")
    held[manifest.changelog] = "the changelog"
    held[manifest.prompt] = "the prompt's template"
    if manifest.description is not None:
        held[manifest.description] = "the description"
    for variant in version.variants:
        if variant.file.reference_implementation is not None:
            held[variant.file.reference_implementation] = "a reference implementation"
    if version.performance is not None:
        # A reviewer may well look at a schema, which every run has.
        contract = (version.performance.contract.input, version.performance.contract.output)
        material = (path for path in reviewer_material(version) if path not in contract)
        held = dict.fromkeys(material, "reviewer-side material") | held
        for case in version.performance.case:
            held[case.input] = "the input of a case"
            held[case.expected] = "the expected answer of a case"
    return {posixpath.normpath(path): what for path, what in held.items() if path}


def reviewer_material(version: Version) -> list[str]:
    """What review items name as reference or proof; where it is a path, the file is for reviewers alone."""
    items = list(version.performance.review_item) if version.performance is not None else []
    items += [item for variant in version.variants for item in variant.file.review_item]
    named = [material for item in items for material in (item.reference, item.proof) if material is not None]
    return [name for material in named for name in ([material] if isinstance(material, str) else material)]


def _held_as(subject: Subject, entry: SeedEntry, held: dict[str, str]) -> str | None:
    """What an entry's source is, if it is held out, by itself or with its folder."""
    tree = subject.version.tree
    real = tree.real(posixpath.normpath(entry.source)) or entry.source
    real = tree.aliases.get(real, real)
    return next((held[path] for path in (real, *parents_of(real)) if path in held), None)


def _at(
    subject: Subject, variant: Variant, entry: SeedEntry, message: str, hint: str, key: str = "source"
) -> Iterator[Finding]:
    """A finding at what asks for an entry; at this key of a spec, or at its source where it has no such key."""
    document = variant.document if entry.in_variant else subject.version.document
    declared = entry.declared
    if declared[0] == "spec":
        declared = (*declared, key if key in _table(document.data, declared) else "source")
    yield from subject.at_value(document, declared, message, hint)


def _table(data: dict[str, object], key: tuple[str | int, ...]) -> dict[str, object]:
    specs = data.get("spec")
    found = specs[key[1]] if isinstance(specs, list) and isinstance(key[1], int) else {}
    return found if isinstance(found, dict) else {}
