"""Evaluation: seed, build, run smoke then stress, grade, score (section 2 of the format)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from cabinet_ci.catalog.files import Unreadable, read_bounded
from cabinet_ci.catalog.manifest import Case, Manifest, Outcome, Sandbox, Status
from cabinet_ci.catalog.version import REFERENCE_NAME, Reference, Version
from cabinet_ci.evaluation.build import Built
from cabinet_ci.evaluation.cache.builds import keep_build, key_of, recall_build
from cabinet_ci.evaluation.cache.outcomes import Ledger, case_key, keep_fuel, recall_fuel
from cabinet_ci.evaluation.cache.store import Store
from cabinet_ci.evaluation.classify import budget_of, classify, status_of, stress_fuel_of
from cabinet_ci.evaluation.grading import NotJson, is_far_longer
from cabinet_ci.evaluation.maker import conditions, this_engine, this_tool
from cabinet_ci.evaluation.references import build_reference, read_declared
from cabinet_ci.evaluation.requests import Request
from cabinet_ci.evaluation.result import (
    SCHEMA,
    CaseResult,
    Module,
    ResultDocument,
    Run,
    VersionResult,
)
from cabinet_ci.evaluation.sandbox.calls import MODULE_LIMIT, Called, Limits, ModuleRefused, kind_of
from cabinet_ci.evaluation.sandbox.pool import Pool, Ready
from cabinet_ci.failure import CannotRun


class Progress(msgspec.Struct, frozen=True):
    """Something that happened: what is worked on, and the case that ended, if one did.

    `done` counts to `total`; of the cases done, `known` were remembered.
    """

    version: str
    subject: str
    stage: str
    done: int = 0
    total: int = 0
    case: CaseResult | None = None
    known: int = 0


Observer = Callable[[Progress], None]


class Session(msgspec.Struct, frozen=True):
    """What every run of an evaluation uses: the processes, what is remembered, and who is told."""

    pool: Pool
    store: Store
    observe: Observer


def evaluate(
    requests: Sequence[Request],
    jobs: int,
    observe: Observer,
    tree_of: Callable[[Version], str | None] = lambda _: None,
    store: Store | None = None,
) -> ResultDocument:
    """Evaluate every request with `jobs` cases side by side; what `store` holds is not built or run again.

    Raises `CannotRun` for an unknown reference or variant, an unreadable module or a missing compiler.
    """
    store = store or Store(None)
    with Pool(jobs, store=store) as pool:
        session = Session(pool, store, observe)
        versions = tuple(_evaluate_version(request, session, tree_of) for request in requests)
    store.prune()
    return ResultDocument(schema=SCHEMA, tool=this_tool(), engine=this_engine(), versions=versions)


def _evaluate_version(request: Request, session: Session, tree_of: Callable[[Version], str | None]) -> VersionResult:
    version = request.version
    manifest = version.performance
    assert manifest is not None  # noqa: S101 - open_version lets only performance cases through
    if request.module is not None:
        runs: tuple[Run, ...] = (_run_module(request, manifest, session),)
    else:
        runs = tuple(_run_reference(version, manifest, found, session) for found in request.references)
    return VersionResult(
        path=version.path, slug=manifest.slug, version=version.version, tree=tree_of(version), runs=runs
    )


def _run_module(request: Request, manifest: Manifest, session: Session) -> Run:
    assert request.module is not None  # noqa: S101
    try:
        source = read_bounded(request.module, MODULE_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{request.module} {fault.reason}", "name a wasm module") from None
    cases = _Cases(request.version, manifest, source, request.module.name, session).run()
    return _judge(None, request.variant, "pass", Built(None, source), cases, {})


def _run_reference(version: Version, manifest: Manifest, reference: Reference, session: Session) -> Run:
    variant = version.variant(reference.variant)
    assert variant is not None  # noqa: S101 - a request names only variants that exist
    inputs = {case.input for case in manifest.case}
    for listed in reference.cases:
        if listed not in inputs:
            raise CannotRun(
                f"{version.path}/{reference.path}/{REFERENCE_NAME} expects an outcome of `{listed}`",
                "which is no input of a case",
            )
    built = build_once(version, reference, session.store, session.observe)
    if built.module is None:
        cases = tuple(
            _result(case, manifest.sandbox, "not-run", detail=f"the build failed: {built.reason}")
            for case in manifest.case
        )
        session.observe(Progress(version.path, reference.name, "done", 0, len(cases)))
    else:
        cases = _Cases(version, manifest, built.module, reference.name, session).run()
    return _judge(reference.name, variant.slug, reference.expect, built, cases, reference.cases)


def build_once(version: Version, reference: Reference, store: Store, observe: Observer) -> Built:
    """Build a reference, or take the module of the same build before. Raises `CannotRun` for a missing compiler."""
    key = key_of(version, reference)
    built = recall_build(store, key)
    if built is None:
        observe(Progress(version.path, reference.name, "building"))
        built = build_reference(version, reference)
        keep_build(store, key, built)
    return built


class _Cases:
    """The cases of a version, run on one module."""

    def __init__(self, version: Version, manifest: Manifest, source: bytes, subject: str, session: Session) -> None:
        self._version, self._manifest, self._source, self._subject = version, manifest, source, subject
        self._session = session
        self._ledger = Ledger(session.store, hashlib.sha256(source).hexdigest(), conditions())
        self._schema = read_declared(version, manifest.contract.output)
        self._ready: Ready | None = None
        self._results: dict[str, CaseResult] = {}
        self._known = 0

    def run(self) -> tuple[CaseResult, ...]:
        """Run smoke cases, then, if they all passed, stress cases; results in the order of the manifest."""
        smoke = [case for case in self._manifest.case if case.kind == "smoke"]
        stress = [case for case in self._manifest.case if case.kind == "stress"]
        results, sandbox = self._results, self._manifest.sandbox
        try:
            self._run_group(smoke)
            if all(results[case.input].outcome == "pass" for case in smoke):
                self._run_group(stress)
        except ModuleRefused as refused:
            # The first cases to run tell what is wrong; the rest never ran.
            for case in self._manifest.case:
                outcome: Outcome = "abi-error" if case.kind == "smoke" or not smoke else "not-run"
                results.setdefault(case.input, _result(case, sandbox, outcome, detail=refused.reason))
        for case in stress:
            if case.input not in results:
                results[case.input] = _result(case, sandbox, "not-run", detail="a smoke case failed")
        self._ledger.save()
        found = tuple(results[case.input] for case in self._manifest.case)
        keep_fuel(self._session.store, found, self._version.path, self._subject)
        ran = sum(case.outcome != "not-run" for case in found)
        self._session.observe(Progress(self._version.path, self._subject, "done", ran, len(found), known=self._known))
        return found

    def _run_group(self, cases: Sequence[Case]) -> None:
        """Take the results that are known, and run the other cases side by side, those first that take longest."""
        keys = {case.input: self._key(case) for case in cases}
        known = {name: found for name, key in keys.items() if (found := self._ledger.find(key)) is not None}
        self._results.update(known)
        self._known += len(known)
        unknown = [case for case in cases if case.input not in known]
        if not unknown:
            return
        if self._ready is None:
            self._ready = self._session.pool.prepare(self._source, self._manifest.contract.entry)
        ready = self._ready
        fuel = recall_fuel(self._session.store, self._version.path, self._subject)
        unknown.sort(key=lambda case: (fuel.get(case.input, 0), _size(self._version, case)), reverse=True)
        self._session.pool.side_by_side(lambda case: self._run_case(case, ready, keys[case.input]), unknown)

    def _key(self, case: Case) -> str:
        given, expected = read_declared(self._version, case.input), read_declared(self._version, case.expected)
        return case_key(case, self._manifest, given, expected, self._schema)

    def _run_case(self, case: Case, ready: Ready, key: str) -> None:
        version, sandbox = self._version, self._manifest.sandbox
        limits = Limits(sandbox.fuel_limit, budget_of(sandbox, case), sandbox.max_memory_bytes)
        called = self._session.pool.call(ready, read_declared(version, case.input), limits)
        expected = read_declared(version, case.expected)
        try:
            outcome, detail = classify(case, sandbox, called, expected)
        except NotJson as error:
            raise CannotRun(
                f"{version.path}/{case.expected} is {error}", f"run `cabinet-ci validate {version.path}`"
            ) from None
        if outcome == "wrong-answer" and called.answer is not None and not is_far_longer(called.answer, expected):
            detail += _breach(self._manifest.contract.output, self._schema, called.answer)
        found = _result(case, sandbox, outcome, called, detail)
        if called.is_repeatable:
            self._ledger.learn(key, found)
        self._results[case.input] = found
        total = len(self._manifest.case)
        self._session.observe(Progress(version.path, self._subject, case.kind, len(self._results), total, found))


def _size(version: Version, case: Case) -> int:
    try:
        return (version.folder / case.input).stat().st_size
    except OSError:
        return 0


def _breach(path: str, schema: bytes, answer: bytes) -> str:
    """Where a wrong answer also breaks the output schema; empty where it doesn't, or the schema can't tell."""
    from cabinet_ci.catalog.strict_json import JsonError, parse_json
    from cabinet_ci.rules.schemas import judge_schema, violations

    try:
        verdict = judge_schema(schema, parse_json(schema))
        found = None if verdict.faults else next(violations(verdict, parse_json(answer)), None)
    except JsonError:
        return ""
    if found is None:
        return ""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in found.path)
    return f"; it breaks {path} at ${place}: {found.message}"


def _result(
    case: Case, sandbox: Sandbox, outcome: Outcome, called: Called | None = None, detail: str = ""
) -> CaseResult:
    return CaseResult(
        input=case.input,
        expected=case.expected,
        kind=case.kind,
        outcome=outcome,
        fuel=None if called is None else called.fuel,
        fuel_limit=sandbox.fuel_limit,
        fuel_budget=budget_of(sandbox, case),
        memory_bytes=None if called is None else called.memory_bytes,
        seconds=0.0 if called is None else round(called.seconds, 6),
        detail=detail,
    )


def _judge(
    reference: str | None,
    variant: str,
    expect: Status,
    built: Built,
    cases: tuple[CaseResult, ...],
    listed: dict[str, Outcome],
) -> Run:
    status, stress_fuel = status_of(cases), stress_fuel_of(cases)
    outcomes = {case.input: case.outcome for case in cases}
    # A reference that was to fail is not as expected because it does not build: then it shows nothing about the case.
    as_expected = (
        built.module is not None
        and status == expect
        and all(outcomes[name] == outcome for name, outcome in listed.items())
    )
    return Run(
        reference=reference,
        variant=variant,
        expect=expect,
        status=status,
        as_expected=as_expected,
        score=stress_fuel if status == "pass" else None,
        stress_fuel=stress_fuel,
        module=None if built.module is None else _module(built.module),
        build=built.outcome,
        cases=cases,
    )


def _module(source: bytes) -> Module:
    return Module(kind_of(source), hashlib.sha256(source).hexdigest(), len(source))
