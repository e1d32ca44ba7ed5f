"""What an evaluation leaves open, measured: the fuel of setting up, and how calls go on that were stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cabinet_ci.catalog.manifest import Case, Manifest, Sandbox
from cabinet_ci.catalog.version import Reference, Version
from cabinet_ci.evaluation.cache.store import Store
from cabinet_ci.evaluation.classify import classify
from cabinet_ci.evaluation.knowledge import Known, Measured, known_of
from cabinet_ci.evaluation.references import read_declared
from cabinet_ci.evaluation.requests import Request
from cabinet_ci.evaluation.result import CaseResult, ResultDocument, Run
from cabinet_ci.evaluation.runner import Observer, Progress, Session, build_once
from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.pool import Pool, Ready

FURTHER = 20
"""How many times its budget a call that was stopped may burn to be seen to its end."""


def measure(
    requests: Sequence[Request], document: ResultDocument, jobs: int, observe: Observer, store: Store | None = None
) -> Mapping[str, Measured]:
    """Measure the references of an evaluation once more, with `jobs` cases side by side; by the version's path.

    A case that came to its end is not run again: setting up is all that is asked of it. One that was stopped may burn
    `FURTHER` times its budget. What `store` holds is not built again. Raises `CannotRun` as the evaluation does.
    """
    results = {version.path: version for version in document.versions}
    found: dict[str, dict[tuple[str, str, str], Known]] = {}
    store = store or Store(None)
    with Pool(jobs, store=store) as pool:
        for request in requests:
            for reference, run in zip(request.references, results[request.version.path].runs, strict=True):
                if run.module is not None:
                    measured = found.setdefault(request.version.path, {})
                    for name, known in _measure(request.version, reference, run, Session(pool, store, observe)):
                        measured[reference.name, reference.variant, name] = known
    return found


def _measure(version: Version, reference: Reference, run: Run, session: Session) -> Iterator[tuple[str, Known]]:
    manifest = version.performance
    assert manifest is not None  # noqa: S101 - open_version lets only performance cases through
    pool = session.pool
    built = build_once(version, reference, session.store, session.observe)
    session.observe(Progress(version.path, reference.name, "measuring"))
    if built.module is None:
        return
    try:
        ready = pool.prepare(built.module, manifest.contract.entry)
    except ModuleRefused:
        return
    pairs = list(zip(manifest.case, run.cases, strict=True))
    # Behind a smoke case with a wrong answer no stress case ever runs.
    if any(found.kind == "smoke" and not known_of(found).is_right for found in run.cases):
        pairs = [pair for pair in pairs if pair[0].kind == "smoke"]
    known = pool.side_by_side(lambda pair: _known(version, manifest, pool, ready, *pair), pairs)
    for (case, _), one in zip(pairs, known, strict=True):
        yield case.input, one


def _known(version: Version, manifest: Manifest, pool: Pool, ready: Ready, case: Case, found: CaseResult) -> Known:
    sandbox, seen = manifest.sandbox, known_of(found)
    setup = min(FURTHER * sandbox.fuel_limit, FUEL_MAX)
    budget = 1 if seen.is_exact else min(FURTHER * found.fuel_budget, FUEL_MAX)
    limits = Limits(setup, budget, sandbox.max_memory_bytes)
    called = pool.call(ready, read_declared(version, case.input), limits)
    if seen.is_exact:
        return Known(outcome=seen.outcome, fuel=seen.fuel, setup=called.setup_fuel or 0)
    return _further(version, case, called, limits)


def _further(version: Version, case: Case, called: Called, limits: Limits) -> Known:
    if called.ending == "out-of-fuel" and called.fuel is None:
        return Known(outcome=None, fuel=0, setup=limits.setup_fuel + 1)
    setup = called.setup_fuel or 0
    if called.ending == "out-of-fuel":
        return Known(outcome=None, fuel=limits.budget + 1, setup=setup)
    unlimited = Sandbox(fuel_limit=limits.budget, max_memory_bytes=limits.memory_bytes)
    outcome, _ = classify(case, unlimited, called, read_declared(version, case.expected))
    return Known(outcome=outcome, fuel=called.fuel or 0, setup=setup)
