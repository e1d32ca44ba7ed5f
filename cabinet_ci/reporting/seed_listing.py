"""What a run receives, as a table and as JSON."""

from __future__ import annotations

import msgspec

from cabinet_ci.reporting.columns import aligned
from cabinet_ci.reporting.findings import visible
from cabinet_ci.seeding.listing import SeedListing


def as_text(listing: SeedListing) -> str:
    """A line per file, and a line that counts."""
    rows = [("bytes", "origin", "", "destination", "source")]
    for file in listing.files:
        made = "rendered" if file.rendered else "verbatim"
        rows.append((f"{file.bytes:,}", file.origin, made, visible(file.destination), visible(file.source)))
    count = "1 file" if len(listing.files) == 1 else f"{len(listing.files):,} files"
    of = ", ".join(
        f"{what} {visible(slug)}" for what, slug in (("variant", listing.variant), ("engine", listing.engine)) if slug
    )
    return aligned(rows, right=(0,)) + f"{count}, {listing.bytes:,} bytes{f'; {of}' if of else ''}\n"


def as_json(listing: SeedListing) -> str:
    """The listing for machines."""
    return msgspec.json.format(msgspec.json.encode(listing), indent=2).decode() + "\n"
