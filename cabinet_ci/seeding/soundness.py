"""What has to hold before a run is looked at: files that can be read, and a plan that can be carried out."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping

from cabinet_ci.catalog.decode import Fault
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.files import Unreadable
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.clashes import LONGEST_PATH, find_clashes
from cabinet_ci.seeding.plan import SeedPlan

LONGEST_NAME = 255
"""Bytes of a name that a file system can hold."""

SHOWN = 200
"""Characters of a destination that a message shows."""


def require_readable(place: str, documents: Iterable[Document]) -> None:
    """Raise `CannotRun` at the first value that is not the author's, in documents of the folder at `place`.

    Keys that nobody knows change nothing of what a run receives: they are for `validate` to tell.
    """
    remedy = f"run `cabinet-ci validate {place}`"
    for document in documents:
        path = f"{place}/{document.path}"
        if isinstance(document.error, Unreadable):
            raise CannotRun(f"{path} {document.error.reason}", remedy)
        if document.error is not None:
            raise CannotRun(f"{path}:{document.error.line}:{document.error.column}: {document.error.message}", remedy)
        for fault in document.faults:
            if fault.kind != "unknown":
                line, column = document.value_at(fault.path)
                raise CannotRun(f"{path}:{line}:{column}: {_sentence(fault)}", remedy)


def require_whole(place: str, documents: Mapping[str, Document], plan: SeedPlan) -> None:
    """Raise `CannotRun` where the plan can't be written: something is not there, lands outside, or two files clash.

    `documents` are those of the folder at `place`, by path.
    """
    for each in plan.nowhere:
        line, column = documents[each.file].value_at(each.declared)
        raise CannotRun(
            f"{place}/{each.file}:{line}:{column}: {each.path} {each.reason}", f"run `cabinet-ci validate {place}`"
        )
    for entry in plan.entries:
        require_inside(place, entry.source, entry.destination)
    for clash in find_clashes(plan.entries):
        entry, other = clash.entry, clash.other
        raise CannotRun(
            f"{place}: {entry.source} ({entry.origin}) lands on {clash.destination}, and so does {other.source} "
            f"({other.origin})"
            if posixpath.normpath(entry.destination) == posixpath.normpath(other.destination)
            else f"{place}: {entry.source} ({entry.origin}) lands on {entry.destination}, and {other.source} "
            f"({other.origin}) on {other.destination}: one place can't be a file and a folder",
            "give one of them another place",
        )


def require_inside(place: str, source: str, destination: str) -> None:
    """Raise `CannotRun` for a file that would land outside of the run root, or where no file system has a place."""
    normal = posixpath.normpath(destination)
    shown = destination if len(destination) <= SHOWN else destination[:SHOWN] + "..."
    if normal.startswith(("/", "../")) or normal in (".", "..") or "\0" in normal or "\\" in normal:
        problem = "outside of the run root"
    elif len(normal) > LONGEST_PATH or any(len(os.fsencode(part)) > LONGEST_NAME for part in normal.split("/")):
        problem = "and no file system holds a name as long as that"
    else:
        return
    raise CannotRun(f"{place}: {source} would land on {shown}, {problem}", f"run `cabinet-ci validate {place}`")


def _sentence(fault: Fault) -> str:
    key = ".".join(map(str, fault.path)) or "the file"
    return f"`{key}` is missing" if fault.kind == "missing" else f"`{key}` has to be {fault.expected}"
