"""Keys and types: what a table may hold and what its values are (section 1 of the format)."""

from __future__ import annotations

from collections.abc import Iterator

from cabinet_ci.catalog.decode import FAULT_LIMIT, Fault, toml_kind
from cabinet_ci.catalog.document import Document
from cabinet_ci.rules.folder import Finding, Folder
from cabinet_ci.rules.hints import missing_key as remedy_of_missing
from cabinet_ci.rules.hints import unknown_key, wrong_value
from cabinet_ci.rules.registry import folder_rule


@folder_rule("CAB101")
def unknown_key_in_table(subject: Folder) -> Iterator[Finding]:
    """A table holds a key that the format does not know.

    Why: a key that nobody reads is a setting that silently has no effect, most often a misspelt one.
    Source: section 1 of the format, "Any other key is an error"; section 3, "In every file of a suite".

    Failing:
        --- test-case.toml
        sumary = "Shortest routes on a map."
    Fixed:
        --- test-case.toml
        summary = "Shortest routes on a map."
    """
    for document, fault in _faults(subject, "unknown"):
        if subject.owner(document, fault) is None:
            yield Finding(
                subject.path(document.path),
                document.key_at(fault.path),
                f"unknown key `{fault.path[-1]}`{_in_table(fault)}",
                unknown_key(document, fault, subject.root_keys(document)),
            )


@folder_rule("CAB102")
def missing_key(subject: Folder) -> Iterator[Finding]:
    """A table lacks a key that it has to have.

    Why: a version is read by machines for years; what it does not say they would have to guess.
    Source: section 1 of the format, the keys marked required.

    Failing:
        --- test-case.toml
        [sandbox]
        fuel_limit = 1_000_000
    Fixed:
        --- test-case.toml
        [sandbox]
        fuel_limit = 1_000_000
        max_memory_bytes = 16_777_216
    """
    for document, fault in _faults(subject, "missing"):
        if fault.path in subject.misspelt[document.path]:
            continue
        key = str(fault.path[-1])
        is_table = fault.expected in ("a table", "an array of tables")
        hint = f"`{key}` is {fault.expected}"
        if is_table:
            hint = f"add a table `[{key}]`" if fault.expected == "a table" else f"add a table `[[{key}]]`"
        what = "table" if is_table else "key"
        yield Finding(
            subject.path(document.path),
            document.key_at(fault.path[:-1]),
            f"missing {what} `{key}`{_in_table(fault)}",
            remedy_of_missing(document, fault) or hint,
        )


@folder_rule("CAB103")
def wrong_type(subject: Folder) -> Iterator[Finding]:
    """A value is of another type than its key asks for.

    Why: the value would be refused, or taken for something else, when the case is run. Integers are accepted where a
    float is meant; booleans are never numbers.
    Source: section 1 of the format.

    Failing:
        --- test-case.toml
        [sandbox]
        fuel_limit = "5_000_000_000"
        max_memory_bytes = 16_777_216
    Fixed:
        --- test-case.toml
        [sandbox]
        fuel_limit = 5_000_000_000
        max_memory_bytes = 16_777_216
    """
    for document, fault in _faults(subject, "type"):
        yield Finding(
            subject.path(document.path),
            document.value_at(fault.path),
            f"`{_name(fault)}` has to be {fault.expected}, not {toml_kind(fault.found)}",
            wrong_value(fault),
        )


@folder_rule("CAB104")
def wrong_value_of_key(subject: Folder) -> Iterator[Finding]:
    """A value is of the right type, but not one that its key allows.

    Why: a blank command, a negative limit or an unknown kind has no meaning for a run.
    Source: section 1 of the format.

    Failing:
        --- test-case.toml
        difficulty = "Easy"
    Fixed:
        --- test-case.toml
        difficulty = "easy"
    """
    for document, fault in _faults(subject, "value"):
        if document.error is not None:
            continue
        if not fault.path:
            message = f"the file has more than {FAULT_LIMIT:,} faults; the rest of it is not judged"
            yield Finding(subject.path(document.path), (1, 1), message, "mend the others first")
            continue
        hint = wrong_value(fault)
        if isinstance(fault.found, list):
            message = f"`{_name(fault)}` has to hold {fault.expected}"
        else:
            message = f"`{_name(fault)}` has to be {fault.expected}, not {_shown(fault.found)}"
            if isinstance(fault.found, str) and not fault.found.strip():
                message = f"`{_name(fault)}` is blank"
                hint = hint or f"it has to be {fault.expected}; an optional key may be left out"
        yield Finding(subject.path(document.path), document.value_at(fault.path), message, hint)


@folder_rule("CAB105")
def table_of_another_type(subject: Folder) -> Iterator[Finding]:
    """A performance case, or a definition of a suite, holds a table or key that belongs to another type of case.

    Why: it would have no effect here; either it or the type is a mistake.
    Source: section 1 of the format, "Tables of other types are errors that name the type they belong to"; section 3,
    "the one table of its name and no other".

    Failing:
        --- test-case.toml
        [toolchain]
        typecheck = "npm run typecheck"
    Fixed:
        --- test-case.toml
        [build]
        install = "true"
        build = "cp solution.wat solution.wasm"
        module = "solution.wasm"
    """
    for document, fault in _faults(subject, "unknown"):
        owner = subject.owner(document, fault)
        if owner is not None:
            yield Finding(
                subject.path(document.path),
                document.key_at(fault.path),
                f"`{fault.path[-1]}` belongs to {owner}",
                "remove it, or give the case the type that it belongs to",
            )


def _faults(subject: Folder, kind: str) -> Iterator[tuple[Document, Fault]]:
    for document in subject.documents:
        for fault in document.faults:
            if fault.kind == kind:
                yield document, fault


def _in_table(fault: Fault) -> str:
    above = [str(part) for part in fault.path[:-1] if isinstance(part, str)]
    if not above:
        return ""
    index = next((part + 1 for part in reversed(fault.path[:-1]) if isinstance(part, int)), None)
    return f" in [{'.'.join(above)}]" if index is None else f" in [[{'.'.join(above)}]] number {index}"


def _name(fault: Fault) -> str:
    text = ""
    for part in fault.path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _shown(found: object) -> str:
    if isinstance(found, str):
        text = found if len(found) <= 40 else found[:37] + "..."
        return f'"{text}"'
    text = str(found)
    return text if len(text) <= 40 else text[:37] + "..."
