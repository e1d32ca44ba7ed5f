"""Which versions have to be evaluated, why, and how the work is shared out."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from cabinet_ci.catalog.discovery import find_versions
from cabinet_ci.catalog.files import Unreadable, read_bounded
from cabinet_ci.catalog.identity import identity_of, version_key
from cabinet_ci.catalog.tree import TooManyEntries
from cabinet_ci.catalog.version import PERFORMANCE, Version, read_version
from cabinet_ci.config import Config
from cabinet_ci.evaluation.reading import decode_document
from cabinet_ci.evaluation.result import SCHEMA, Engine, Name, ResultDocument, Tool, VersionResult
from cabinet_ci.failure import CannotRun

BUILD_FUEL = 30_000_000_000
"""What a build takes, in fuel: three seconds, at the ten thousand million units a second that modules run at."""

PLAN_LIMIT = 16 * 1024 * 1024
"""Bytes of a plan that are read."""

MATRIX_LIMIT = 256
"""Jobs that GitHub starts of one matrix."""


class Planned(msgspec.Struct, frozen=True):
    """A version to evaluate, the reasons, and the work that it is: fuel of its runs, as known or estimated."""

    path: Name
    reasons: tuple[str, ...]
    fuel: Annotated[int, Meta(ge=0)]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to evaluate.

    `standing` counts the performance versions whose results stand; `faulty` are those that would be evaluated if
    `validate` found no errors in them; `head` and `base` are commits, null where unknown.
    """

    schema: int
    head: str | None
    base: str | None
    versions: Annotated[tuple[Planned, ...], Meta(max_length=100_000)]
    faulty: tuple[Name, ...]
    standing: int


class Earlier(msgspec.Struct, frozen=True):
    """Results of an earlier evaluation: by version path, with the document that each is in."""

    results: Mapping[str, tuple[ResultDocument, VersionResult]]

    @classmethod
    def of(cls, documents: Iterable[ResultDocument]) -> Earlier:
        """Of two documents that tell about one version, the first counts."""
        found: dict[str, tuple[ResultDocument, VersionResult]] = {}
        for document in documents:
            for version in document.versions:
                found.setdefault(version.path, (document, version))
        return cls(found)

    def fuel_of(self, version: Version) -> int | None:
        """Fuel that a version's runs burnt, else those of the nearest version of the same case; None where unknown."""
        found = self.results.get(version.path)
        if found is None:
            folder = version.path.rpartition("/")[0]
            beside = [path for path in self.results if path.rpartition("/")[0] == folder]
            if not beside:
                return None
            own = version_key(version.version) or (0, 0, 0)
            keys = {path: version_key(path.rpartition("/")[2]) or (0, 0, 0) for path in beside}
            lower = [path for path in beside if keys[path] < own]
            nearest = max(lower, key=keys.__getitem__) if lower else min(beside, key=keys.__getitem__)
            found = self.results[nearest]
        return sum(case.fuel or 0 for run in found[1].runs for case in run.cases)


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What decides whether a version is evaluated.

    `differing` are the versions that are not as on the base, null where everything may differ; `renewing` the reasons
    that hold for every version; `earlier` is null where no earlier results were given, else what they are held
    against: `made_by` and the git trees that `trees` finds for paths.
    """

    differing: frozenset[str] | None
    renewing: tuple[str, ...] = ()
    earlier: Earlier | None = None
    made_by: tuple[Tool, Engine] | None = None
    trees: Callable[[Sequence[str]], Mapping[str, str | None]] = lambda _: {}


def plan(root: Path, config: Config, question: Question, commits: tuple[str | None, str | None]) -> Plan:
    """Decide for each performance version of the catalog; `commits` are HEAD and the merge base."""
    paths = [path for path in find_versions(root, config.catalog) if _may_be_performance(root, path, config)]
    reasons = _reasons(paths, question)
    planned, faulty = [], []
    for path in paths:
        if not reasons[path]:
            continue
        version = _read(root, path, config)
        if version is None:
            faulty.append(path)
        elif version.type == PERFORMANCE and version.references:
            fuel = question.earlier.fuel_of(version) if question.earlier is not None else None
            work = _estimate(version) if fuel is None else fuel + BUILD_FUEL * len(version.references)
            planned.append(Planned(path, reasons[path], work))
    return Plan(
        schema=SCHEMA,
        head=commits[0],
        base=commits[1],
        versions=tuple(planned),
        faulty=tuple(faulty),
        standing=sum(not given for given in reasons.values()),
    )


def shards(planned: Sequence[Planned], jobs: int) -> list[list[str]]:
    """Share versions out to at most so many jobs, the heaviest first, each to the job with the least work so far.

    No job is left without work.
    """
    count = min(jobs, len(planned), MATRIX_LIMIT)
    loads = [(0, 0, index) for index in range(count)]
    shares: list[list[str]] = [[] for _ in range(count)]
    for each in sorted(planned, key=lambda each: (-each.fuel, each.path)):
        load, held, index = heapq.heappop(loads)
        shares[index].append(each.path)
        heapq.heappush(loads, (load + each.fuel, held + 1, index))
    return [sorted(share) for share in shares]


class Job(msgspec.Struct, frozen=True):
    """One job of a matrix: its number, and its versions, a line each."""

    shard: int
    versions: str


class Matrix(msgspec.Struct, frozen=True):
    """What GitHub takes for the `matrix` of a job."""

    include: tuple[Job, ...]


def as_matrix(found: Plan, jobs: int) -> str:
    """The plan as GitHub's `matrix`: a job has its number and its versions, a line each.

    Raises `CannotRun` for a version whose path can't be told by a line.
    """
    for each in found.versions:
        if len(each.path.splitlines()) != 1:
            raise CannotRun(f"{each.path!r} has a line break in its name", "give the folder another name")
    shares = shards(found.versions, jobs)
    jobs_of = (Job(number, "\n".join(share)) for number, share in enumerate(shares, 1))
    return msgspec.json.encode(Matrix(tuple(jobs_of))).decode()


def read_planned(path: Path) -> tuple[str, ...]:
    """The versions that a plan names, in its JSON or as a matrix. Raises `CannotRun`."""
    try:
        source = read_bounded(path, PLAN_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{path} {fault.reason}", "name what `plan` wrote") from None
    try:
        matrix = msgspec.json.decode(source, type=Matrix)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        document = decode_document(source, str(path), Plan, "a plan")
        return tuple(each.path for each in document.versions)
    return tuple(line for job in matrix.include for line in job.versions.splitlines())


def _reasons(paths: Sequence[str], question: Question) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {path: list(question.renewing) for path in paths}
    for path in paths:
        if question.differing is None or path in question.differing:
            found[path].insert(0, "there is no base" if question.differing is None else "it differs from the base")
    if question.earlier is not None:
        trees = question.trees(paths)
        for path in paths:
            found[path] += _since(path, question, trees.get(path))
    return {path: tuple(dict.fromkeys(reasons)) for path, reasons in found.items()}


def _since(path: str, question: Question, tree: str | None) -> list[str]:
    assert question.earlier is not None  # noqa: S101
    assert question.made_by is not None  # noqa: S101
    if path not in question.earlier.results:
        return ["it has no earlier result"]
    document, version = question.earlier.results[path]
    tool, engine = question.made_by
    found = []
    if document.tool.version != tool.version:
        found.append(f"its result is by cabinet-ci {document.tool.version}, not {tool.version}")
    if (document.engine.name, document.engine.version) != (engine.name, engine.version):
        found.append(
            f"its result is by {document.engine.name} {document.engine.version}, not {engine.name} {engine.version}"
        )
    elif document.engine.fuel_schedule != engine.fuel_schedule:
        found.append("its result is by another fuel schedule")
    if tree is None or version.tree != tree:
        found.append("its files are not those of its result")
    return found


def _may_be_performance(root: Path, path: str, config: Config) -> bool:
    """Whether a version is of this type, by its path where that tells, so that few manifests are read."""
    below = path.removeprefix(config.catalog.rstrip("/") + "/")
    identity = identity_of(below)
    if identity is not None and identity.type is not None:
        return identity.type == PERFORMANCE
    try:
        return read_version(root, path, config.catalog).type == PERFORMANCE
    except TooManyEntries:
        return False


def _read(root: Path, path: str, config: Config) -> Version | None:
    """The version, or None where it has errors: `evaluate` would refuse it, and with it its whole shard."""
    from cabinet_ci.rules.validation import check_version

    try:
        version = read_version(root, path, config.catalog)
    except TooManyEntries:
        return None
    return None if any(found.severity == "error" for found in check_version(version, config)) else version


def _estimate(version: Version) -> int:
    """The work of a version that was never evaluated: each reference burns the ceiling of each stress case."""
    manifest = version.performance
    assert manifest is not None  # noqa: S101 - a sound performance version has one
    stress = sum(case.kind == "stress" for case in manifest.case)
    return len(version.references) * (stress * manifest.sandbox.fuel_limit + BUILD_FUEL)
