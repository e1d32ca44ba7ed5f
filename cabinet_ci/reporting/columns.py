"""Plain columns: as wide as what is in them, never cut, so that paths can be read and copied."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len


def aligned(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Rows as lines with aligned columns, two blanks between them; the columns in `right` end at one place."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            " " * (width - cell_len(cell)) + cell if index in right else cell + " " * (width - cell_len(cell))
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"
