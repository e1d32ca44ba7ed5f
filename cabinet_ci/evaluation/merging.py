"""Joining what shards bring back into one result document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from cabinet_ci.catalog.identity import version_key
from cabinet_ci.diagnostics import Diagnostic, Report, make_report
from cabinet_ci.evaluation.result import SCHEMA, Engine, ResultDocument, Tool, VersionResult
from cabinet_ci.failure import CannotRun
from cabinet_ci.origin import NAMES, Origin

Value = TypeVar("Value")


class Part(msgspec.Struct, frozen=True):
    """One document to join, and the file that it came from."""

    name: str
    document: ResultDocument


def merge(parts: Sequence[Part], expected: Iterable[str], own: tuple[Tool, Engine]) -> ResultDocument:
    """Join parts into one document; versions that are `expected` and in no part become `lost`.

    `own` is the tool and engine that the document names where there is no part at all. Raises `CannotRun` for parts
    of different tools, engines, fuel schedules, repositories, commits, bases or pull requests, and for a version that
    two of them tell differently about.
    """
    tool, engine = own
    if parts:
        tool = Tool(parts[0].document.tool.name, _agreed("the tool", parts, lambda part: part.document.tool.version))
        engine = Engine(
            _agreed("the engine", parts, lambda part: part.document.engine.name),
            _agreed("the engine", parts, lambda part: part.document.engine.version),
            _agreed("the fuel schedule", parts, lambda part: part.document.engine.fuel_schedule),
        )
    versions = _versions(parts)
    named = [*expected, *(path for part in parts for path in part.document.lost)]
    lost = sorted({path for path in named if path not in versions}, key=_place)
    return ResultDocument(
        schema=SCHEMA,
        tool=tool,
        engine=engine,
        versions=tuple(sorted(versions.values(), key=lambda version: _place(version.path))),
        origin=_origin(parts),
        findings=_findings([part.document.findings for part in parts if part.document.findings is not None]),
        lost=tuple(lost),
    )


def _versions(parts: Sequence[Part]) -> dict[str, VersionResult]:
    found: dict[str, tuple[str, VersionResult]] = {}
    for part in parts:
        for version in part.document.versions:
            first, earlier = found.setdefault(version.path, (part.name, version))
            if _timeless(earlier) != _timeless(version):
                raise CannotRun(
                    f"{first} and {part.name} tell differently about {version.path}",
                    "leave out the one that is not meant",
                )
    return {path: version for path, (_, version) in found.items()}


def _timeless(version: VersionResult) -> VersionResult:
    """A result without what differs from one evaluation to the next: times, and what a build printed."""
    replace = msgspec.structs.replace
    return replace(
        version,
        runs=tuple(
            replace(
                run,
                build=None if run.build is None else replace(run.build, seconds=0.0, log_tail=""),
                cases=tuple(replace(case, seconds=0.0) for case in run.cases),
            )
            for run in version.runs
        ),
    )


def _origin(parts: Sequence[Part]) -> Origin | None:
    """What the parts say of their origin; one that does not say it is taken to be of the same."""
    known = {}
    for key, called in NAMES.items():
        telling = [part for part in parts if getattr(part.document.origin, key, None) is not None]
        if telling:
            known[key] = _agreed(f"the {called}", telling, partial(_of_origin, key))
    return Origin(**known) if known else None


def _of_origin(key: str, part: Part) -> Any:
    return getattr(part.document.origin, key)


def _findings(reports: Sequence[Report]) -> Report | None:
    if not reports:
        return None
    found: list[Diagnostic] = [one for report in reports for one in report.diagnostics]
    return make_report(found, max(report.summary.checked for report in reports))


def _agreed(called: str, parts: Sequence[Part], value: Callable[[Part], Value]) -> Value:
    first = parts[0]
    for part in parts[1:]:
        if value(part) != value(first):
            raise CannotRun(
                f"{called} of {first.name} is {value(first)}, and of {part.name} {value(part)}",
                "join only results of one evaluation",
            )
    return value(first)


def _place(path: str) -> tuple[str, tuple[int, int, int]]:
    folder, _, version = path.rpartition("/")
    return folder, version_key(version) or (0, 0, 0)
