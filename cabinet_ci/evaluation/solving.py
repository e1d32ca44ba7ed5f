"""Expected answers from a reference: what it answers to each case, and how that is written, all of it or nothing."""

from __future__ import annotations

import contextlib
import os
import posixpath
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from cabinet_ci.catalog.files import JSON_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.manifest import MANIFEST_NAME, Case
from cabinet_ci.catalog.strict_json import JsonError, parse_json
from cabinet_ci.catalog.version import REFERENCES, Reference, Version
from cabinet_ci.evaluation.classify import budget_of
from cabinet_ci.evaluation.grading import NotJson, first_difference, parse_exact
from cabinet_ci.evaluation.references import build_reference, read_declared
from cabinet_ci.evaluation.runner import Observer, Progress
from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.pool import Pool, Ready
from cabinet_ci.failure import CannotRun
from cabinet_ci.rules.schemas import SchemaVerdict, judge_schema, violations

AMPLE = 20
"""How many times its budget a case may burn here: whether an answer is right has nothing to do with the ceiling."""


TEMPORARY = ".cabinet-ci-solve-"
"""How the name of a file begins that is not in its place yet."""


class Answer(msgspec.Struct, frozen=True):
    """What a reference answers to a case: `source` is strict JSON that keeps to the output schema.

    Null where there is no such answer; then `fault` says why.
    """

    input: str
    expected: str
    source: bytes | None
    fault: str = ""


class Solved(msgspec.Struct, frozen=True):
    """An answer beside the file at `expected`; `difference` is null where that holds the same value."""

    answer: Answer
    difference: str | None


def solve(version: Version, reference: Reference, jobs: int, observe: Observer) -> tuple[Solved, ...]:
    """Build a reference, ask it every case with `jobs` side by side, and compare with the files that there are.

    Raises `CannotRun` where it does not build, can't be called, or a compiler is missing.
    """
    manifest = version.performance
    assert manifest is not None  # noqa: S101 - open_version lets only performance cases through
    observe(Progress(version.path, reference.name, "building"))
    built = build_reference(version, reference)
    named = f"the reference `{reference.name}`"
    if built.module is None:
        see = f"see `cabinet-ci evaluate {version.path} --reference {reference.name}`"
        raise CannotRun(f"{named} does not build: {built.reason}", see)
    source = read_declared(version, manifest.contract.output)
    verdict = judge_schema(source, parse_json(source))
    with Pool(jobs) as pool:
        try:
            ready = pool.prepare(built.module, manifest.contract.entry)
        except ModuleRefused as refused:
            raise CannotRun(f"{named} can't be called: {refused.reason}") from None
        done: list[str] = []

        def ask(case: Case) -> Solved:
            answer = _answer(version, pool, ready, case, verdict)
            done.append(case.input)
            observe(Progress(version.path, reference.name, "solving", len(done), len(manifest.case)))
            return Solved(answer, _difference(version, answer))

        return tuple(pool.side_by_side(ask, manifest.case))


def write_expected(version: Version, solved: Sequence[Solved]) -> list[str]:
    """Write the answers that differ from what is there, all or none; returns the paths written.

    An answer is written as the reference gave it, with a line break at its end. Raises `CannotRun` where a case has no
    answer, two cases that share a file have different ones, the file is something else too, or can't be written.
    """
    for one in solved:
        if one.answer.source is None:
            raise CannotRun(f"{one.answer.input} has no answer: {one.answer.fault}", "nothing was written")
    wanted = _by_file(version, solved)
    _write_all({path: content for path, (content, differs) in wanted.items() if differs}, version)
    root = os.path.realpath(version.folder)
    return [os.path.relpath(path, root).replace(os.sep, "/") for path, (_, differs) in wanted.items() if differs]


def _answer(version: Version, pool: Pool, ready: Ready, case: Case, verdict: SchemaVerdict) -> Answer:
    manifest = version.performance
    assert manifest is not None  # noqa: S101
    sandbox = manifest.sandbox
    limits = Limits(
        min(AMPLE * sandbox.fuel_limit, FUEL_MAX),
        min(AMPLE * budget_of(sandbox, case), FUEL_MAX),
        sandbox.max_memory_bytes,
    )
    called = pool.call(ready, read_declared(version, case.input), limits)
    fault = _fault(called, verdict, manifest.contract.output)
    return Answer(case.input, case.expected, None if fault else called.answer, fault)


def _fault(called: Called, verdict: SchemaVerdict, schema: str) -> str:
    if called.answer is None:
        stopped = f"stopped after {called.fuel:,} fuel, {AMPLE} times its budget" if called.fuel is not None else ""
        detail = called.detail or (stopped if called.ending == "out-of-fuel" else "")
        return f"{called.ending}: {detail}" if detail else called.ending
    try:
        parse_exact(called.answer)
        value = parse_json(called.answer)
    except (NotJson, JsonError) as error:
        return f"invalid-output: {error}"
    broken = next(violations(verdict, value), None)
    if broken is None:
        return ""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in broken.path)
    return f"the answer breaks {schema} at ${place}: {broken.message}"


def _difference(version: Version, answer: Answer) -> str | None:
    if answer.source is None:
        return f"no answer: {answer.fault}"
    try:
        there: Any = parse_exact(read_bounded(version.folder / answer.expected, JSON_LIMIT))
    except Unreadable as fault:
        return f"the file {fault.reason}"
    except NotJson as error:
        return f"the file is {error}"
    return first_difference(there, parse_exact(answer.source))


def _by_file(version: Version, solved: Sequence[Solved]) -> dict[str, tuple[bytes, bool]]:
    """Content for each file, by its real path, and whether it differs from what is there."""
    root, taken = os.path.realpath(version.folder), list(_taken(version))
    wanted: dict[str, tuple[bytes, bool]] = {}
    first: dict[str, Answer] = {}
    for one in solved:
        answer = one.answer
        assert answer.source is not None  # noqa: S101
        path = os.path.realpath(os.path.join(root, answer.expected))
        name = os.path.relpath(path, root).replace(os.sep, "/")
        if answer.expected.endswith("/") or name == ".." or name.startswith("../") or path == root:
            raise CannotRun(f"{answer.expected} is no file of {version.path}", "name a file in test-case.toml")
        clash = next((other for other in taken if name == other or name.startswith(other + "/")), None)
        if clash is not None:
            raise CannotRun(f"the expected answer {answer.expected} is or lies in {clash}", "name a file of its own")
        other = first.setdefault(path, answer)
        if other.source is not None and first_difference(parse_exact(other.source), parse_exact(answer.source)):
            why = f"{other.input} and {answer.input} share {answer.expected}, and have different answers"
            raise CannotRun(why, "give each a file of its own")
        wanted.setdefault(path, (_ended(answer.source), one.difference is not None))
    return wanted


def _ended(source: bytes) -> bytes:
    """With a line break at the end, as editors and git want it, unless no file may be as long as that."""
    return source if source.endswith(b"\n") or len(source) >= JSON_LIMIT else source + b"\n"


def _taken(version: Version) -> Iterator[str]:
    """Real paths, from the version folder, of all that is declared and not an expected answer."""
    from cabinet_ci.config import Config
    from cabinet_ci.rules.subject import Subject

    root = os.path.realpath(version.folder)
    declared = [one.path for one in Subject(version, Config()).declared if one.key[-1] != "expected"]
    for path in [MANIFEST_NAME, REFERENCES, *declared]:
        real = os.path.realpath(os.path.join(root, path))
        name = posixpath.normpath(os.path.relpath(real, root).replace(os.sep, "/"))
        if name != ".":
            yield name


def _write_all(contents: dict[str, bytes], version: Version) -> None:
    """Write every file beside its place first, then put them all in place; what was done is undone where one fails."""
    made: list[str] = []
    ready: list[tuple[str, str]] = []
    kept: list[tuple[str, str | None]] = []
    try:
        for path, content in contents.items():
            _make_folders(os.path.dirname(path), made)
            ready.append((_written_beside(path, content), path))
        for temporary, path in ready:
            kept.append((path, _set_aside(path)))
            os.replace(temporary, path)
    except BaseException as error:
        _undo(kept, [temporary for temporary, _ in ready], made)
        if isinstance(error, OSError):
            name = os.path.relpath(path, os.path.realpath(version.folder))
            reason = (error.strerror or str(error)).lower()
            raise CannotRun(f"{version.path}/{name} can't be written: {reason}", "nothing was written") from None
        raise
    for _, old in kept:
        if old is not None:
            os.unlink(old)


def _make_folders(folder: str, made: list[str]) -> None:
    missing: list[str] = []
    while not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for each in reversed(missing):
        os.mkdir(each)
        made.append(each)


def _written_beside(path: str, content: bytes) -> str:
    descriptor, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode_of(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _mode_of(path: str) -> int:
    """The mode that the file has, or that a new one gets."""
    with contextlib.suppress(OSError):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _set_aside(path: str) -> str | None:
    """A copy of the file that is to be replaced; None where there is none."""
    if not os.path.lexists(path):
        return None
    descriptor, second = tempfile.mkstemp(prefix=TEMPORARY, dir=os.path.dirname(path))
    os.close(descriptor)
    try:
        shutil.copy2(path, second)
    except BaseException:
        os.unlink(second)
        raise
    return second


def _undo(kept: Iterable[tuple[str, str | None]], temporaries: Iterable[str], made: Sequence[str]) -> None:
    for path, old in kept:
        with contextlib.suppress(OSError):
            if old is None:
                os.unlink(path)
            else:
                os.replace(old, path)
    for temporary in temporaries:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
