"""Which compilers the builds of versions need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cabinet_ci.catalog.files import TEXT_LIMIT, Unreadable, read_bounded
from cabinet_ci.failure import CannotRun

_WORD = re.compile(r"[A-Za-z0-9_.+-]+")


def programs_of(root: Path, paths: Sequence[str]) -> set[str]:
    """Every word of the build commands of versions and of the scripts that lie in them; of paths each part is one.

    More than they run, but never less of what they name: a compiler too many costs seconds, one too few the job.
    """
    found: set[str] = set()
    from cabinet_ci.catalog.version import open_version
    from cabinet_ci.config import load_config

    catalog = load_config(root, {}).catalog
    for path in paths:
        try:
            version = open_version(root, root / path, catalog)
        except CannotRun:
            continue
        manifest = version.performance
        if manifest is not None:
            found |= _words(f"{manifest.build.install}\n{manifest.build.build}")
            for name in version.tree.entries:
                if name.endswith((".sh", "Makefile", "makefile")):
                    found |= _words(_text(version.folder / name))
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _text(path: Path) -> str:
    try:
        return read_bounded(path, TEXT_LIMIT).decode("utf-8", "replace")
    except Unreadable:
        return ""
