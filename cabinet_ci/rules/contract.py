"""The contract: schemas are JSON Schemas, and every case keeps to them (section 1 of the format)."""

from __future__ import annotations

from collections.abc import Iterator

from cabinet_ci.catalog.files import Unreadable
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.schemas import SchemaVerdict, judge_schema, violations
from cabinet_ci.rules.subject import JsonFile, Subject
from cabinet_ci.rules.syntax_hints import json_hint


@version_rule("CAB501")
def not_strict_json(subject: Subject) -> Iterator[Finding]:
    """An input, an expected answer or a schema is not strict JSON.

    Why: a key given twice or a NaN is read differently by every parser, so that no answer to it is right.
    Source: section 1 of the format, "JSON files are strict".

    Failing:
        --- cases/small.json
        [1, NaN]
    Fixed:
        --- cases/small.json
        [1, 2]
    """
    for path in subject.json_files:
        file = subject.json(path)
        if file is not None and file.error is not None:
            if isinstance(file.error, Unreadable):
                yield Finding(subject.path(path), None, f"the file {file.error.reason}", None)
            else:
                position = (file.error.line, file.error.column)
                message = f"not strict JSON: {file.error.message.removesuffix(' at')}"
                yield Finding(subject.path(path), position, message, json_hint(file.error, file.source))


@version_rule("CAB502")
def not_a_json_schema(subject: Subject) -> Iterator[Finding]:
    """A contract schema is not a valid JSON Schema of the draft that it declares.

    Why: a schema that can't be applied promises nothing to the model that reads it. References to other documents are
    refused: nothing is ever fetched.
    Source: section 1 of the format, "both schemas are themselves valid JSON Schemas".

    Failing:
        --- schemas/input.json
        {"type": "numbers"}
    Fixed:
        --- schemas/input.json
        {"type": "array"}
    """
    for _, path in _schemas(subject):
        file = subject.json(path)
        verdict = _verdict(file)
        if file is not None and verdict is not None:
            for fault in verdict.faults:
                yield Finding(subject.path(path), file.position(fault.path), fault.message, fault.hint)


@version_rule("CAB503")
def input_breaks_schema(subject: Subject) -> Iterator[Finding]:
    """A case's input does not satisfy `[contract].input`.

    Why: a solution may rely on the contract; an input outside it fails honest solutions.
    Source: section 1 of the format.

    Failing:
        --- cases/small.json
        {"numbers": [1, 2]}
    Fixed:
        --- cases/small.json
        [1, 2]
    """
    yield from _breaches(subject, "input")


@version_rule("CAB504")
def expected_breaks_schema(subject: Subject) -> Iterator[Finding]:
    """A case's expected answer does not satisfy `[contract].output`.

    Why: the right answer would break the contract that solutions are told to keep.
    Source: section 1 of the format.

    Failing:
        --- cases/small.out
        "seven"
    Fixed:
        --- cases/small.out
        7
    """
    yield from _breaches(subject, "expected")


def _breaches(subject: Subject, key: str) -> Iterator[Finding]:
    manifest = subject.version.performance
    if manifest is None:
        return
    schema_path = manifest.contract.input if key == "input" else manifest.contract.output
    schema = subject.json(schema_path)
    verdict = _verdict(schema)
    if verdict is None or verdict.faults:
        return
    for path in dict.fromkeys(getattr(case, key) for case in manifest.case):
        file = subject.json(path)
        if file is None or file.error is not None:
            continue
        for fault in violations(verdict, file.value):
            yield Finding(subject.path(path), file.position(fault.path), fault.message, f"the schema is {schema_path}")


def _verdict(file: JsonFile | None) -> SchemaVerdict | None:
    return None if file is None or file.error is not None else judge_schema(file.source, file.value)


def _schemas(subject: Subject) -> list[tuple[str, str]]:
    manifest = subject.version.performance
    if manifest is None:
        return []
    named = [("input", manifest.contract.input), ("output", manifest.contract.output)]
    return named if manifest.contract.input != manifest.contract.output else named[:1]
