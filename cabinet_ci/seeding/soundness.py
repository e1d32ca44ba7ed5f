"""What has to hold before a run is looked at: files that can be read, and nothing asked for that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cabinet_ci.catalog.decode import Fault
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.files import Unreadable
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.clashes import find_clashes
from cabinet_ci.seeding.plan import SeedPlan


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
    """Raise `CannotRun` where the plan can't be written: something is not there, or two files clash.

    `documents` are those of the folder at `place`, by path.
    """
    for each in plan.nowhere:
        line, column = documents[each.file].value_at(each.declared)
        raise CannotRun(
            f"{place}/{each.file}:{line}:{column}: {each.path} is not there", f"run `cabinet-ci validate {place}`"
        )
    for clash in find_clashes(plan.entries):
        entry, other = clash.entry, clash.other
        raise CannotRun(
            f"{place}: {entry.source} ({entry.origin}) lands on {clash.destination}, and so does {other.source} "
            f"({other.origin})"
            if entry.destination == other.destination
            else f"{place}: {entry.source} ({entry.origin}) lands on {entry.destination}, and {other.source} "
            f"({other.origin}) on {other.destination}: one place can't be a file and a folder",
            "give one of them another place",
        )


def _sentence(fault: Fault) -> str:
    key = ".".join(map(str, fault.path)) or "the file"
    return f"`{key}` is missing" if fault.kind == "missing" else f"`{key}` has to be {fault.expected}"
