"""The result document: what an evaluation found, as `evaluate --format json` prints it.

The keys are a contract with everything that reads results. `fuel` is in wasmtime's units, sizes in bytes, times in
seconds.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cabinet_ci.catalog.manifest import CaseKind, Outcome, Status

SCHEMA = 1


class Tool(msgspec.Struct, frozen=True):
    """What made the document."""

    name: str
    version: str


class Engine(msgspec.Struct, frozen=True):
    """The wasm engine: fuel is comparable only where `fuel_schedule` is the same."""

    name: str
    version: str
    fuel_schedule: str


class Module(msgspec.Struct, frozen=True):
    """The module that was run."""

    kind: Literal["core", "component"]
    sha256: str
    bytes: int


class BuildOutcome(msgspec.Struct, frozen=True):
    """How the build of a reference ended; `log_tail` is the end of its output."""

    ok: bool
    seconds: float
    log_tail: str


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one case ended.

    `fuel` is what the entry's call consumed, null where it never ran; `fuel_limit` is the ceiling and `fuel_budget` the
    ceiling times the runway; `memory_bytes` is the memory's size after the call, null where there is none
    or a component keeps it to itself.
    """

    input: str
    expected: str
    kind: CaseKind
    outcome: Outcome
    fuel: int | None
    fuel_limit: int
    fuel_budget: int
    memory_bytes: int | None
    seconds: float
    detail: str


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One reference (or a ready module: then `reference` and `build` are null) run on all cases.

    `score` is null unless `status` is "pass"; `stress_fuel` adds up the correct stress cases, null where there is none.
    """

    reference: str | None
    variant: str
    expect: Status
    status: Status
    as_expected: bool
    score: int | None
    stress_fuel: int | None
    module: Module | None
    build: BuildOutcome | None
    cases: tuple[CaseResult, ...]


class VersionResult(msgspec.Struct, frozen=True, kw_only=True):
    """All runs of one version; `tree` is its git tree, null where it is not committed as it stands."""

    path: str
    slug: str
    version: str
    tree: str | None
    runs: tuple[Run, ...]


class ResultDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A whole evaluation."""

    schema: int
    tool: Tool
    engine: Engine
    versions: tuple[VersionResult, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every reference did what its expectation says."""
        return all(run.as_expected for version in self.versions for run in version.runs)
