"""Writing a new case from the files of the scaffold."""

from __future__ import annotations

import os
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from cabinet_ci.catalog.identity import DIFFICULTIES, TYPES
from cabinet_ci.catalog.manifest import KEBAB
from cabinet_ci.catalog.version import PERFORMANCE
from cabinet_ci.failure import CannotRun
from cabinet_ci.work_folder import work_folder

FIRST_VERSION = "v1.0.0"

FILLED_IN = ".mustache"
"""Ending of the files with values to fill in; all others, templates of a run above all, are copied as they are."""

RENAMED = {"gitignore": ".gitignore"}
"""Files that would have an effect on this repository under the name they are given."""


def write_case(root: Path, catalog: str, kind: str, difficulty: str, slug: str) -> str:
    """Write the first version of a new case and return its path, relative to `root`.

    It appears whole or not at all. Raises `CannotRun` for a type, difficulty or slug that does not fit, and where the
    case exists.
    """
    _check(kind, difficulty, slug)
    if ".git" in catalog.lower().split("/"):
        raise CannotRun(f"{catalog} is in git's own folder", "name another folder with --catalog")
    case = root / catalog / kind / difficulty / slug
    if os.path.lexists(case):
        raise CannotRun(f"{case.relative_to(root).as_posix()} exists", "choose another slug, or `cabinet-ci bump` it")
    values = {"slug": slug, "name": slug.replace("-", " ").title(), "difficulty": difficulty}
    try:
        case.parent.mkdir(parents=True, exist_ok=True)
        with work_folder(root, root / ".git", case) as unfinished:
            _copy(resources.files("cabinet_ci.scaffold") / kind, unfinished / FIRST_VERSION, values)
            unfinished.chmod(0o755)
    except OSError as error:
        raise CannotRun(f"{case} can't be written", (error.strerror or str(error)).lower()) from None
    return (case / FIRST_VERSION).relative_to(root).as_posix()


def _check(kind: str, difficulty: str, slug: str) -> None:
    if kind not in TYPES:
        raise CannotRun(f"there is no type {kind}", f"types are {', '.join(TYPES)}")
    if kind != PERFORMANCE:
        raise CannotRun(f"a new {kind} case can't be written yet", "copy a version of one, or make a performance case")
    if difficulty not in DIFFICULTIES:
        raise CannotRun(f"there is no difficulty {difficulty}", f"difficulties are {', '.join(DIFFICULTIES)}")
    if re.search(KEBAB, slug) is None:
        raise CannotRun(f'"{slug}" is no slug', "a slug is kebab-case, as in route-finder")


def _copy(source: Traversable, target: Path, values: dict[str, str]) -> None:
    target.mkdir()
    for entry in source.iterdir():
        if entry.name == "__pycache__":
            continue
        place = target / RENAMED.get(entry.name, entry.name.removesuffix(FILLED_IN))
        if entry.is_dir():
            _copy(entry, place, values)
        elif entry.name.endswith(FILLED_IN):
            import chevron

            place.write_text(chevron.render(entry.read_text(encoding="utf-8"), values), encoding="utf-8")
        else:
            place.write_bytes(entry.read_bytes())
