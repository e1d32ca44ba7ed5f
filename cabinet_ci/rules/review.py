"""Reviewer-side material: domains and review items (section 1 of the format)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.manifest import Domain, ReviewItem
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Subject


@version_rule("CAB107")
def undeclared_domain(subject: Subject) -> Iterator[Finding]:
    """A review item names a domain that is not declared.

    Why: its weight would count for nothing.
    Source: section 1 of the format, "optional domain that must be declared".

    Failing:
        --- test-case.toml
        [[review_item]]
        id = "clear"
        title = "Clear"
        text = "The code is clear."
        weight = 1
        domain = "style"
    Fixed:
        --- test-case.toml
        [[domain]]
        id = "style"
        name = "Style"
        description = "How it reads."

        [[review_item]]
        id = "clear"
        title = "Clear"
        text = "The code is clear."
        weight = 1
        domain = "style"
    """
    common = {domain.id for domain in _common(subject)[0]}
    for document, domains, items in _tables(subject):
        known = common | {domain.id for domain in domains}
        for index, item in enumerate(items):
            if item.domain is not None and item.domain not in known:
                there = f"declared are {', '.join(sorted(known))}" if known else "add a `[[domain]]` with this id"
                message = f'the domain "{item.domain}" is not declared'
                yield from subject.at_value(document, ("review_item", index, "domain"), message, there)


@version_rule("CAB108")
def review_id_repeated(subject: Subject) -> Iterator[Finding]:
    """Two domains, or two review items, have one id.

    Why: a review names them by their id.

    Failing:
        --- test-case.toml
        [[domain]]
        id = "style"
        name = "Style"
        description = "How it reads."

        [[domain]]
        id = "style"
        name = "Manners"
        description = "How it behaves."
    Fixed:
        --- test-case.toml
        [[domain]]
        id = "style"
        name = "Style"
        description = "How it reads."

        [[domain]]
        id = "manners"
        name = "Manners"
        description = "How it behaves."
    """
    common_domains, common_items = _common(subject)
    for document, domains, items in _tables(subject):
        own = document is subject.version.document
        tables: tuple[tuple[str, Sequence[Domain | ReviewItem], Sequence[Domain | ReviewItem]], ...] = (
            ("domain", domains, common_domains),
            ("review_item", items, common_items),
        )
        for key, found, common in tables:
            seen = set[str]() if own else {entry.id for entry in common}
            for index, entry in enumerate(found):
                if entry.id in seen:
                    message = f'the id "{entry.id}" is taken'
                    yield from subject.at_value(document, (key, index, "id"), message, "give it an id of its own")
                seen.add(entry.id)


def _common(subject: Subject) -> tuple[list[Domain], list[ReviewItem]]:
    manifest = subject.version.performance
    return ([], []) if manifest is None else (manifest.domain, manifest.review_item)


def _tables(subject: Subject) -> Iterator[tuple[Document, list[Domain], list[ReviewItem]]]:
    if subject.version.performance is None:
        return
    yield (subject.version.document, *_common(subject))
    for variant in subject.version.variants:
        yield variant.document, variant.file.domain, variant.file.review_item
