"""The steps of the action: which tools the builds need, the work itself, and the comment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from cabinet_ci.action.job import Job, options
from cabinet_ci.action.toolchains import programs_of
from cabinet_ci.catalog.files import Unreadable, read_bounded
from cabinet_ci.diagnostics import Diagnostic, Report, make_report
from cabinet_ci.evaluation.artifact import PREVIOUS_NAME, RESULT_NAME
from cabinet_ci.evaluation.reading import RESULT_LIMIT, read_result
from cabinet_ci.evaluation.result import SCHEMA, ResultDocument, as_json
from cabinet_ci.failure import CannotRun

RUNS = ("check", "validate", "immutable", "evaluate", "plan", "merge", "comment", "release")
"""What the input `run` may be."""

STATUSES = {0: "passed", 1: "failed"}

_TOOLCHAINS = {
    "rust": {"cargo", "rustc", "rustup"},
    "clang": {"clang", "clang++", "wasm-ld"},
    "wasm-tools": {"wasm-tools"},
}
"""Programs by which it is known that a build needs a toolchain."""

PLAN_NAME = "plan.json"
MATRIX_NAME = "matrix.json"


def prepare(job: Job) -> int:
    """Tell which compilers the builds of this job's versions need, by what their commands start."""
    run = _run_of(job)
    programs: set[str] = set()
    if run in ("check", "evaluate") and not (run == "check" and job.given("evaluate") == "false"):
        programs = programs_of(Path.cwd(), _versions(job, run))
    for name, known in _TOOLCHAINS.items():
        job.tell(name, str(bool(programs & known)).lower())
    return 0


def work(job: Job) -> int:
    """Run what the input `run` asks for, and hand on its result, annotations, summary and outputs."""
    run = _run_of(job)
    result = job.folder / RESULT_NAME
    result.unlink(missing_ok=True)
    code = _WORKS[run](job, result)
    if run in ("plan", "release", "comment"):
        job.tell("status", STATUSES.get(code, "error"))
        return code
    document = read_result(result, _catalog()) if result.exists() else None
    if document is not None:
        _hand_on(job, document, result, compare=run in ("check", "evaluate") and job.given("compare") != "false")
        if code == 0 and not document.passed:
            code = 1
    elif code in STATUSES:
        code = 2
    job.tell("status", STATUSES.get(code, "error"))
    return code


def comment(job: Job) -> int:
    """Comment on the pull request, where there is one and the token may."""
    from cabinet_ci.event import read_event

    event = read_event()
    if event.is_from_fork and event.name == "pull_request":
        job.annotate(
            "notice", "a pull request from a fork is commented on by a workflow on workflow_run: see docs/action.md"
        )
        return 0
    if event.run is not None:
        return job.run(
            "comment", "--artifact", job.given("artifact") or "cabinet-ci", *_comment_options(job), with_token=True
        )
    result, previous = job.folder / RESULT_NAME, job.folder / PREVIOUS_NAME
    if not result.exists():
        raise CannotRun("there is no result to comment with", "run `check`, `evaluate` or `merge` in an earlier step")
    before = ["--previous", str(previous)] if previous.exists() else []
    return job.run("comment", result, *before, *_comment_options(job), with_token=True)


STEPS: dict[str, Callable[[Job], int]] = {"prepare": prepare, "run": work, "comment": comment}


def _run_of(job: Job) -> str:
    run = job.given("run") or "check"
    if run not in RUNS:
        raise CannotRun(f"the input run is {run!r}", f"write one of {', '.join(RUNS)}")
    return run


def _check(job: Job, result: Path) -> int:
    leaving = ["--no-evaluate"] if job.given("evaluate") == "false" else []
    everything = ["--all"] if job.wants("all") else []
    return job.run("check", *leaving, *everything, *options(job, ("base", "jobs", "fail-on")), "--output", result)


def _evaluate(job: Job, result: Path) -> int:
    code = job.run("evaluate", *job.lines("paths"), *options(job, ("jobs",)), "--format", "json", "--output", result)
    if result.exists():
        job.run("report", result)
    return code


def _validate(job: Job, result: Path) -> int:
    return _find(job, result, "validate", [*job.lines("paths"), *options(job, ("fail-on",))])


def _immutable(job: Job, result: Path) -> int:
    return _find(job, result, "immutable", options(job, ("base",)))


def _find(job: Job, result: Path, command: str, arguments: list[str]) -> int:
    """Run a command that only finds, and keep what it finds as a result document."""
    from cabinet_ci.evaluation.maker import this_engine, this_tool
    from cabinet_ci.origin import origin_of

    found = job.folder / "findings.json"
    code = job.run(command, *arguments, "--format", "json", "--output", found)
    if code not in STATUSES:
        return code
    report = msgspec.json.decode(_read(found), type=Report)
    origin = origin_of(os.environ.get("GITHUB_SHA"), None)
    document = ResultDocument(
        schema=SCHEMA, tool=this_tool(), engine=this_engine(), versions=(), origin=origin, findings=report
    )
    result.write_text(as_json(document), encoding="utf-8")
    job.run("report", result)
    return code


def _plan(job: Job, _: Path) -> int:
    plan, matrix = job.folder / PLAN_NAME, job.folder / MATRIX_NAME
    chosen = [*options(job, ("base",)), *(["--all"] if job.wants("all") else [])]
    code = job.run("plan", *chosen, "--format", "json", "--output", plan)
    code = code or job.run("plan", *chosen, "--matrix", *options(job, ("shards",)), "--output", matrix)
    if code == 0:
        job.run("plan", *chosen)
        text = _read(matrix).decode().strip()
        job.tell("matrix", text)
        job.tell("plan", str(plan))
        job.tell("changed", msgspec.json.encode(_planned(plan)).decode())
        job.tell("any", str(bool(_planned(plan))).lower())
    return code


def _merge(job: Job, result: Path) -> int:
    folders = [Path(line) for line in job.lines("results")]
    parts = _sound(job, sorted(file for folder in folders for file in folder.rglob(RESULT_NAME)))
    plans = sorted(file for folder in folders for file in folder.rglob(PLAN_NAME))
    expect = [part for plan in plans for part in ("--expect", str(plan))]
    code = job.run("merge-results", *parts, *expect, "--output", result)
    earlier = _sound(job, sorted(file for folder in folders for file in folder.rglob(PREVIOUS_NAME)))
    if earlier:
        job.run("merge-results", *earlier, "--output", job.folder / PREVIOUS_NAME, quiet=True)
    if result.exists():
        job.run("report", result)
    if plans and parts and all(document.findings is None for document in parts.values()):
        # A plan leaves out versions with errors: without what was found it would look as if all were well.
        job.annotate("error", "none of the results tells what validation found: the job that validates was lost")
        return 2
    return code


def _sound(job: Job, files: Sequence[Path]) -> dict[Path, ResultDocument]:
    """The documents that can be read; of each other one it is told why not, and what it held counts as lost."""
    found = {}
    for file in files:
        try:
            found[file] = read_result(file, _catalog())
        except CannotRun as refusal:
            job.annotate("error", str(refusal))
    return found


def _comment(job: Job, _: Path) -> int:
    return comment(job)


def _release(job: Job, _: Path) -> int:
    pushing = [] if job.given("push") == "false" else ["--push"]
    making = ["--github-release"] if job.wants("github-release") else []
    return job.run("release", *pushing, *making, *options(job, ("base",)), with_token=True)


_WORKS: dict[str, Callable[[Job, Path], int]] = {
    "check": _check,
    "validate": _validate,
    "immutable": _immutable,
    "evaluate": _evaluate,
    "plan": _plan,
    "merge": _merge,
    "comment": _comment,
    "release": _release,
}


def _hand_on(job: Job, document: ResultDocument, result: Path, *, compare: bool) -> None:
    """Annotations, summary and outputs of a result."""
    from cabinet_ci.reporting.annotations import as_annotations

    found = document.findings.diagnostics if document.findings is not None else ()
    job.say(as_annotations(make_report([*found, *_unexpected(document), *_lost(document)], 0)))
    previous = job.folder / PREVIOUS_NAME
    if compare:
        _evaluate_previous(job, document, previous)
    before = ["--previous", str(previous)] if previous.exists() else []
    summary = job.folder / "summary.md"
    if job.run("report", result, "--format", "summary", *before, "--output", summary) in STATUSES:
        job.summarise(_read(summary).decode())
    job.tell("result", str(result))
    job.tell("findings", str(len(found)))
    if _run_of(job) in ("check", "evaluate", "merge"):
        job.tell("changed", msgspec.json.encode([version.path for version in document.versions]).decode())


def _unexpected(document: ResultDocument) -> Iterator[Diagnostic]:
    """References that did not do as expected, each at its version's manifest."""
    for version in document.versions:
        for run in version.runs:
            if not run.as_expected:
                name = run.reference or "the module"
                yield Diagnostic(
                    code="evaluate",
                    severity="error",
                    path=f"{version.path}/test-case.toml",
                    message=f"{name} was to {run.expect} and did {run.status}",
                )


def _lost(document: ResultDocument) -> Iterator[Diagnostic]:
    for path in document.lost:
        yield Diagnostic(
            code="evaluate",
            severity="error",
            path=f"{path}/test-case.toml",
            message="no result came back: the job that evaluates it was lost",
            hint="run it again",
        )


def _evaluate_previous(job: Job, document: ResultDocument, previous: Path) -> None:
    """Evaluate the version before each one, so that the comment can compare; a failure to is no failure of the job."""
    previous.unlink(missing_ok=True)
    wanted = [path for version in document.versions if (path := _before(Path.cwd(), version.path)) is not None]
    told = {version.path for version in document.versions}
    wanted = [path for path in dict.fromkeys(wanted) if path not in told]
    if wanted:
        job.run("evaluate", *wanted, *options(job, ("jobs",)), "--format", "json", "--output", previous, quiet=True)


def _before(root: Path, path: str) -> str | None:
    """The version of the same case before this one, if the checkout has one."""
    from cabinet_ci.catalog.identity import version_key

    folder = (root / path).parent
    own = version_key(path.rpartition("/")[2])
    if own is None or not folder.is_dir():
        return None
    keys = {key: entry.name for entry in folder.iterdir() if (key := version_key(entry.name)) is not None and key < own}
    return f"{path.rpartition('/')[0]}/{keys[max(keys)]}" if keys else None


def _versions(job: Job, run: str) -> list[str]:
    """Paths of the versions that this job will build, and of those before them that it will compare with."""
    paths = job.lines("paths") if run == "evaluate" else []
    if not paths:
        plan = job.folder / PLAN_NAME
        everything = ["--all"] if run == "evaluate" or job.wants("all") else []
        chosen = [*options(job, ("base",)), *everything]
        planned = job.run("plan", *chosen, "--format", "json", "--output", plan, quiet=True) == 0
        paths = list(_planned(plan)) if planned else []
    if job.given("compare") != "false":
        paths += [before for path in paths if (before := _before(Path.cwd(), path)) is not None]
    return paths


def _read(path: Path) -> bytes:
    try:
        return read_bounded(path, RESULT_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{path} {fault.reason}") from None


def _planned(plan: Path) -> tuple[str, ...]:
    from cabinet_ci.evaluation.planning import read_planned

    return read_planned(plan)


def _catalog() -> str:
    from cabinet_ci.config import load_config

    return load_config(Path.cwd(), {}).catalog


def _comment_options(job: Job) -> list[str]:
    return ["--delete-when-passed"] if job.wants("delete-comment-when-passed") else []
