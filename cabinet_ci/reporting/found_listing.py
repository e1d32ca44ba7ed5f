"""What there is, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from cabinet_ci.catalog.listing import Listed, ListedVersion, Listing
from cabinet_ci.catalog.names import printable
from cabinet_ci.reporting.columns import aligned
from cabinet_ci.reporting.findings import visible

HEADER = ("type", "difficulty", "slug", "version", "experimental", "tagged", "frozen", "path")
UNKNOWN = "?"


def as_text(listing: Listing) -> str:
    """A line per version; below a suite's version a line per definition."""
    rows = [HEADER, *(row for found in (*listing.cases, *listing.suites) for row in _rows(found))]
    versions = sum(len(found.versions) for found in (*listing.cases, *listing.suites))
    counts = (
        _count(len(listing.cases), "case"),
        _count(len(listing.suites), "suite"),
        _count(versions, "version or draft", "versions and drafts"),
    )
    table = aligned([tuple(visible(printable(text)) for text in row) for row in rows]) if versions else ""
    return f"{table}{', '.join(counts)}\n"


def _rows(found: Listed) -> Iterator[tuple[str, ...]]:
    for version in found.versions:
        yield (found.type, found.difficulty or "", found.slug, *_standing(version), version.path)
        for definition in version.definitions:
            experimental = _word(definition.experimental)
            kind = f"  {definition.type or UNKNOWN}"
            name = f"  {definition.slug}"
            yield (kind, definition.difficulty or UNKNOWN, name, "", experimental, "", "", definition.path)


def _standing(version: ListedVersion) -> tuple[str, ...]:
    shown = f"draft {version.version}" if version.draft else version.version
    return (shown, *map(_word, (version.experimental, version.tagged, version.frozen)))


def _word(value: bool | None) -> str:
    return UNKNOWN if value is None else "yes" if value else "no"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def as_json(listing: Listing) -> str:
    """The listing for machines."""
    encoded = msgspec.json.encode(_printable(msgspec.to_builtins(listing)))
    return msgspec.json.format(encoded, indent=2).decode() + "\n"


def _printable(value: Any) -> Any:
    """The same value with every name in it as it can be printed."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {key: _printable(inner) for key, inner in value.items()}
    return [_printable(inner) for inner in value] if isinstance(value, list | tuple) else value
