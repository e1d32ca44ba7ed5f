"""The entry of a changelog that is about one version."""

from __future__ import annotations

import re

_HEADING = re.compile(r"(#{1,6})\s+(.*)")


def entry_for(text: str, version: str) -> str:
    """What the changelog says of `version` (`vX.Y.Z`): the section under the heading that names it, else all of it."""
    number = re.escape(version.removeprefix("v"))
    names_it = re.compile(rf"(?<![\w.])v?{number}(?![\w.]*\d)")
    entry: list[str] = []
    level = 0
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is not None and not level and names_it.search(heading[2]):
            level = len(heading[1])
        elif heading is not None and level and len(heading[1]) <= level:
            break
        elif level:
            entry.append(line)
    found = "\n".join(entry).strip()
    return found or text.strip()
