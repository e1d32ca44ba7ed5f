"""The cases of a version, as a set (sections 1 and 2 of the format)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.files import JSON_LIMIT
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.rules.folder import Finding, is_broken
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Subject

INTEGER_MAX = 2**63 - 1
"""Integers of TOML end here, and the engine counts no further."""

MEMORY_LIMIT_MAX = 2**32
"""A 32-bit linear memory ends at 4 GiB."""


@version_rule("CAB401")
def no_stress_case(subject: Subject) -> Iterator[Finding]:
    """A version has no stress case.

    Why: the score is the fuel of the stress cases; without one there is none.
    Source: section 1 of the format, "at least one stress case".

    Failing:
        --- test-case.toml
        [[case]]
        input = "smoke/one.json"
        expected = "smoke/one.out"
        kind = "smoke"
    Fixed:
        --- test-case.toml
        [[case]]
        input = "smoke/one.json"
        expected = "smoke/one.out"
        kind = "smoke"

        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
    """
    manifest = subject.version.performance
    if manifest is None or not manifest.case or any(case.kind == "stress" for case in manifest.case):
        return
    if not any(is_broken(subject.version.document, ("case", index, "kind")) for index in range(len(manifest.case))):
        yield from subject.in_manifest(
            ("case",), "every case is a smoke case", 'add a stress case: a `[[case]]` without `kind = "smoke"`'
        )


@version_rule("CAB402")
def input_declared_twice(subject: Subject) -> Iterator[Finding]:
    """Two cases have one input.

    Why: results name a case by its input.
    Source: section 1 of the format, "no input is declared twice".

    Failing:
        --- test-case.toml
        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"

        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
    Fixed:
        --- test-case.toml
        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
    """
    manifest = subject.version.performance
    seen: dict[str, int] = {}
    for index, case in enumerate(manifest.case if manifest is not None else ()):
        if is_broken(subject.version.document, ("case", index, "input")):
            continue
        first = seen.setdefault(posixpath.normpath(case.input), index)
        if first != index:
            message = f'the input "{case.input}" is declared by case number {first + 1} already'
            yield from subject.in_manifest(("case", index, "input"), message, "remove one of the two")


@version_rule("CAB403", "warning")
def runway_on_smoke_case(subject: Subject) -> Iterator[Finding]:
    """A smoke case sets `fuel_runway`.

    Why: a smoke case is graded on correctness alone and may spend the fuel limit whatever its runway says.
    Source: section 1 of the format, "means nothing on a smoke case".

    Failing:
        --- test-case.toml
        [[case]]
        input = "smoke/one.json"
        expected = "smoke/one.out"
        kind = "smoke"
        fuel_runway = 2.0

        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
    Fixed:
        --- test-case.toml
        [[case]]
        input = "smoke/one.json"
        expected = "smoke/one.out"
        kind = "smoke"

        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
        fuel_runway = 2.0
    """
    declared = subject.version.document.data.get("case")
    manifest = subject.version.performance
    for index, case in enumerate(manifest.case if manifest is not None else ()):
        if case.kind == "smoke" and isinstance(declared, list) and "fuel_runway" in declared[index]:
            path = ("case", index, "fuel_runway")
            if not is_broken(subject.version.document, path):
                position = subject.version.document.key_at(path)
                message = "`fuel_runway` means nothing on a smoke case"
                yield Finding(
                    subject.path(MANIFEST_NAME), position, message, 'remove it, or make the case `kind = "stress"`'
                )


@version_rule("CAB404", "warning")
def no_smoke_case(subject: Subject) -> Iterator[Finding]:
    """A version has no smoke case.

    Why: smoke cases tell a wrong solution apart from a slow one, and name the behaviour that is wrong.

    Failing:
        --- test-case.toml
        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
    Fixed:
        --- test-case.toml
        [[case]]
        input = "smoke/one.json"
        expected = "smoke/one.out"
        kind = "smoke"

        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"
    """
    manifest = subject.version.performance
    if manifest is None or not manifest.case or any(case.kind == "smoke" for case in manifest.case):
        return
    if not any(is_broken(subject.version.document, ("case", index, "kind")) for index in range(len(manifest.case))):
        yield from subject.in_manifest(
            ("case",), "there is no smoke case", 'add one small case of one behaviour, with `kind = "smoke"`'
        )


@version_rule("CAB405", "warning")
def stress_answers_alike(subject: Subject) -> Iterator[Finding]:
    """Two stress cases expect the same answer.

    Why: an answer that is right twice may be one that does not look at the input.

    Failing:
        --- test-case.toml
        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"

        [[case]]
        input = "cases/large.json"
        expected = "cases/large.out"
        --- cases/large.json
        [4, 5]
        --- cases/large.out
        7
    Fixed:
        --- test-case.toml
        [[case]]
        input = "cases/small.json"
        expected = "cases/small.out"

        [[case]]
        input = "cases/large.json"
        expected = "cases/large.out"
        --- cases/large.json
        [4, 5]
        --- cases/large.out
        9
    """
    manifest = subject.version.performance
    by_size: dict[int | None, list[int]] = {}
    for index, case in enumerate(manifest.case if manifest is not None else ()):
        if case.kind == "stress" and subject.is_file(case.expected):
            by_size.setdefault(subject.size(case.expected), []).append(index)
    for alike in by_size.values():
        # Only files of one size need be read, and each once.
        first_with: dict[bytes, int] = {}
        for index in alike if len(alike) > 1 else ():
            answer = subject.read(manifest.case[index].expected, JSON_LIMIT) if manifest is not None else b""
            first = first_with.setdefault(answer, index) if isinstance(answer, bytes) else index
            if first != index and not _same_input(subject, first, index):
                message = f"the expected answer is the same as that of case number {first + 1}"
                yield from subject.in_manifest(("case", index, "expected"), message, "use an input with another answer")


@version_rule("CAB406")
def limit_out_of_range(subject: Subject) -> Iterator[Finding]:
    """A limit is larger than an integer of TOML.

    Why: integers of TOML end at 2^63 - 1, and so does the fuel that is counted; other readers refuse a larger one.
    Source: section 1 of the format, "positive integers".

    Failing:
        --- test-case.toml
        [sandbox]
        fuel_limit = 9_223_372_036_854_775_808
        max_memory_bytes = 268_435_456
    Fixed:
        --- test-case.toml
        [sandbox]
        fuel_limit = 5_000_000_000
        max_memory_bytes = 268_435_456
    """
    manifest = subject.version.performance
    for key in ("fuel_limit", "max_memory_bytes"):
        if manifest is not None and getattr(manifest.sandbox, key) > INTEGER_MAX:
            yield from subject.in_manifest(("sandbox", key), f"`{key}` is over 2^63 - 1", "lower it")


@version_rule("CAB407", "warning")
def limit_without_effect(subject: Subject) -> Iterator[Finding]:
    """A memory cap or a runway goes beyond what any module can use.

    Why: a linear memory ends at 4 GiB, and fuel is counted up to 2^63 - 1; a larger limit is no limit.
    Source: sections 1 and 2 of the format, which allow it.

    Failing:
        --- test-case.toml
        [sandbox]
        fuel_limit = 1_000_000
        max_memory_bytes = 8_589_934_592
    Fixed:
        --- test-case.toml
        [sandbox]
        fuel_limit = 1_000_000
        max_memory_bytes = 268_435_456
    """
    manifest = subject.version.performance
    if manifest is None:
        return
    if MEMORY_LIMIT_MAX < manifest.sandbox.max_memory_bytes <= INTEGER_MAX:
        message, hint = "`max_memory_bytes` is over 4 GiB, where a linear memory ends", "lower it"
        yield from subject.in_manifest(("sandbox", "max_memory_bytes"), message, hint)
    # The runway is compared by division: a product of floats would be rounded.
    longest = INTEGER_MAX / manifest.sandbox.fuel_limit
    for index, case in enumerate(manifest.case):
        if case.kind == "stress" and case.fuel_runway > max(longest, 1.0):
            message = "the runway takes the budget over 2^63 - 1 fuel, where counting ends"
            yield from subject.in_manifest(("case", index, "fuel_runway"), message, "lower it")


def _same_input(subject: Subject, one: int, other: int) -> bool:
    """An input that is declared twice is a fault of its own, and its answer is the same of course."""
    cases = subject.version.performance.case if subject.version.performance is not None else []
    return posixpath.normpath(cases[one].input) == posixpath.normpath(cases[other].input)
