"""Evaluation: seed, build, run smoke then stress, grade, score (section 2 of the format)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from cabinet_ci.catalog.files import JSON_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.manifest import Case, Manifest, Outcome, Sandbox, Status
from cabinet_ci.catalog.version import REFERENCE_NAME, Reference, Version
from cabinet_ci.evaluation.build import Built
from cabinet_ci.evaluation.classify import budget_of, classify, status_of, stress_fuel_of
from cabinet_ci.evaluation.grading import NotJson, is_far_longer
from cabinet_ci.evaluation.maker import this_engine, this_tool
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
    """Something that happened: what is worked on, and the case that ended, if one did. `done` counts to `total`."""

    version: str
    subject: str
    stage: str
    done: int = 0
    total: int = 0
    case: CaseResult | None = None


Observer = Callable[[Progress], None]


def evaluate(
    requests: Sequence[Request],
    jobs: int,
    observe: Observer,
    tree_of: Callable[[Version], str | None] = lambda _: None,
) -> ResultDocument:
    """Evaluate every request with `jobs` cases side by side.

    Raises `CannotRun` for an unknown reference or variant, an unreadable module or a missing compiler.
    """
    with Pool(jobs) as pool:
        versions = tuple(_evaluate_version(request, pool, observe, tree_of) for request in requests)
    return ResultDocument(schema=SCHEMA, tool=this_tool(), engine=this_engine(), versions=versions)


def _evaluate_version(
    request: Request, pool: Pool, observe: Observer, tree_of: Callable[[Version], str | None]
) -> VersionResult:
    version = request.version
    manifest = version.performance
    assert manifest is not None  # noqa: S101 - open_version lets only performance cases through
    if request.module is not None:
        runs: tuple[Run, ...] = (_run_module(request, manifest, pool, observe),)
    else:
        runs = tuple(_run_reference(version, manifest, found, pool, observe) for found in request.references)
    return VersionResult(
        path=version.path, slug=manifest.slug, version=version.version, tree=tree_of(version), runs=runs
    )


def _run_module(request: Request, manifest: Manifest, pool: Pool, observe: Observer) -> Run:
    assert request.module is not None  # noqa: S101
    try:
        source = read_bounded(request.module, MODULE_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{request.module} {fault.reason}", "name a wasm module") from None
    cases = _run_cases(request.version, manifest, source, request.module.name, pool, observe)
    return _judge(None, request.variant, "pass", Built(None, source), cases, {})


def _run_reference(version: Version, manifest: Manifest, reference: Reference, pool: Pool, observe: Observer) -> Run:
    variant = version.variant(reference.variant)
    assert variant is not None  # noqa: S101 - a request names only variants that exist
    inputs = {case.input for case in manifest.case}
    for listed in reference.cases:
        if listed not in inputs:
            raise CannotRun(
                f"{version.path}/{reference.path}/{REFERENCE_NAME} expects an outcome of `{listed}`",
                "which is no input of a case",
            )
    observe(Progress(version.path, reference.name, "building"))
    built = build_reference(version, reference)
    if built.module is None:
        cases = tuple(
            _result(case, manifest.sandbox, "not-run", detail=f"the build failed: {built.reason}")
            for case in manifest.case
        )
    else:
        cases = _run_cases(version, manifest, built.module, reference.name, pool, observe)
    ran = sum(case.outcome != "not-run" for case in cases)
    observe(Progress(version.path, reference.name, "done", ran, len(cases)))
    return _judge(reference.name, variant.slug, reference.expect, built, cases, reference.cases)


def _run_cases(
    version: Version, manifest: Manifest, source: bytes, subject: str, pool: Pool, observe: Observer
) -> tuple[CaseResult, ...]:
    """Run smoke cases, then, if they all passed, stress cases; results in the order of the manifest."""
    smoke = [case for case in manifest.case if case.kind == "smoke"]
    stress = [case for case in manifest.case if case.kind == "stress"]
    results: dict[str, CaseResult] = {}
    try:
        ready = pool.prepare(source, manifest.contract.entry)
    except ModuleRefused as refused:
        # The first cases to run tell what is wrong; the rest never ran.
        for case in manifest.case:
            outcome: Outcome = "abi-error" if case.kind == "smoke" or not smoke else "not-run"
            results[case.input] = _result(case, manifest.sandbox, outcome, detail=refused.reason)
        return tuple(results[case.input] for case in manifest.case)

    def run_one(case: Case) -> CaseResult:
        found = _run_case(version, manifest, pool, ready, case)
        results[case.input] = found
        observe(Progress(version.path, subject, case.kind, len(results), len(manifest.case), found))
        return found

    if all(found.outcome == "pass" for found in pool.side_by_side(run_one, smoke)):
        pool.side_by_side(run_one, stress)
    for case in stress:
        if case.input not in results:
            results[case.input] = _result(case, manifest.sandbox, "not-run", detail="a smoke case failed")
    return tuple(results[case.input] for case in manifest.case)


def _run_case(version: Version, manifest: Manifest, pool: Pool, ready: Ready, case: Case) -> CaseResult:
    sandbox = manifest.sandbox
    limits = Limits(sandbox.fuel_limit, budget_of(sandbox, case), sandbox.max_memory_bytes)
    called = pool.call(ready, read_declared(version, case.input), limits)
    expected = read_declared(version, case.expected)
    try:
        outcome, detail = classify(case, sandbox, called, expected)
    except NotJson as error:
        raise CannotRun(
            f"{version.path}/{case.expected} is {error}", f"run `cabinet-ci validate {version.path}`"
        ) from None
    if outcome == "wrong-answer" and called.answer is not None and not is_far_longer(called.answer, expected):
        detail += _breach(version, manifest.contract.output, called.answer)
    return _result(case, sandbox, outcome, called, detail)


def _breach(version: Version, path: str, answer: bytes) -> str:
    """Where a wrong answer also breaks the output schema; empty where it doesn't, or the schema can't tell."""
    from cabinet_ci.catalog.strict_json import JsonError, parse_json
    from cabinet_ci.rules.schemas import judge_schema, violations

    try:
        schema = read_bounded(version.folder / path, JSON_LIMIT)
        verdict = judge_schema(schema, parse_json(schema))
        found = None if verdict.faults else next(violations(verdict, parse_json(answer)), None)
    except (JsonError, Unreadable):
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
