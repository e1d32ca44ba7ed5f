"""The result document: what an evaluation found, as `evaluate --format json` prints it.

The keys are a contract with everything that reads results. `fuel` is in wasmtime's units, sizes in bytes, times in
seconds. The bounds in the types hold for what is read back: see `reading`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cabinet_ci.catalog.manifest import CaseKind, Outcome, Status
from cabinet_ci.diagnostics import Report
from cabinet_ci.origin import Origin

SCHEMA = 1

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0)]
Name = Annotated[str, Meta(min_length=1, max_length=4096)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{1,128}(?![\\s\\S])")]


class Tool(msgspec.Struct, frozen=True):
    """What made the document."""

    name: Name
    version: Name


class Engine(msgspec.Struct, frozen=True):
    """The wasm engine: fuel is comparable only where `fuel_schedule` is the same."""

    name: Name
    version: Name
    fuel_schedule: Digest


class Module(msgspec.Struct, frozen=True):
    """The module that was run."""

    kind: Literal["core", "component"]
    sha256: Digest
    bytes: Count


class BuildOutcome(msgspec.Struct, frozen=True):
    """How the build of a reference ended; `log_tail` is the end of its output."""

    ok: bool
    seconds: Seconds
    log_tail: str


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one case ended.

    `fuel` is what the entry's call consumed, null where it never ran; `fuel_limit` is the ceiling and `fuel_budget` the
    ceiling times the runway; `memory_bytes` is the memory's size after the call, null where there is none
    or a component keeps it to itself.
    """

    input: Name
    expected: Name
    kind: CaseKind
    outcome: Outcome
    fuel: Count | None
    fuel_limit: Positive
    fuel_budget: Positive
    memory_bytes: Count | None
    seconds: Seconds
    detail: str


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One reference (or a ready module: then `reference` and `build` are null) run on all cases.

    `score` is null unless `status` is "pass"; `stress_fuel` adds up the correct stress cases, null where there is none.
    """

    reference: Name | None
    variant: Name
    expect: Status
    status: Status
    as_expected: bool
    score: Count | None
    stress_fuel: Count | None
    module: Module | None
    build: BuildOutcome | None
    cases: Annotated[tuple[CaseResult, ...], Meta(max_length=10_000)]


class VersionResult(msgspec.Struct, frozen=True, kw_only=True):
    """All runs of one version; `tree` is its git tree, null where it is not committed as it stands."""

    path: Name
    slug: Name
    version: Name
    tree: Digest | None
    runs: Annotated[tuple[Run, ...], Meta(max_length=1_000)]

    def name_of(self, run: Run) -> str:
        """What a run is called: the reference, or a ready module; with its variant where there are several."""
        name = "module" if run.reference is None else run.reference
        several = len({each.variant for each in self.runs}) > 1
        return f"{name} ({run.variant})" if several else name


class ResultDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole evaluation, and what else belongs to its verdict.

    `origin` says which commit it is about, `findings` what validation and history found (null where neither was
    looked at), `lost` which versions were to be evaluated and have no result. Each is left out where it is empty.
    """

    schema: int
    tool: Tool
    engine: Engine
    versions: Annotated[tuple[VersionResult, ...], Meta(max_length=10_000)]
    origin: Origin | None = None
    findings: Report | None = None
    lost: Annotated[tuple[Name, ...], Meta(max_length=10_000)] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs of all versions."""
        return tuple(run for version in self.versions for run in version.runs)

    @property
    def as_expected(self) -> bool:
        """Whether every reference did what its expectation says."""
        return all(run.as_expected for run in self.runs)

    @property
    def passed(self) -> bool:
        """The verdict: no error found, every reference as expected, and no version lost."""
        return self.as_expected and not self.lost and (self.findings is None or self.findings.summary.errors == 0)


def as_json(document: msgspec.Struct) -> str:
    """A document as it is written to files: indented, ending in a line break."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
