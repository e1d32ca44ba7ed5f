"""What comes with end-to-end and full-stack definitions: the debug API and the reference implementations."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.files import DEBUG_API_NAME
from cabinet_ci.rules.folder import Finding, is_broken, is_doubtful, is_inside
from cabinet_ci.rules.registry import suite_tree_rule
from cabinet_ci.rules.suites.subject import SuiteSubject


@suite_tree_rule("CAB670")
def debug_api_missing(subject: SuiteSubject) -> Iterator[Finding]:
    """There is an end-to-end or full-stack definition, and no debug API.

    Why: validators look into a running solution through it.
    Source: section 3 of the format, "present exactly when an end-to-end or full-stack definition exists".

    Failing:
        --- without debug-api.toml
        --- without debug-api/clock.ts
    Fixed:
        --- debug-api.toml
        handle = "__pong"
    """
    if subject.built and subject.suite.debug_api is None and subject.tree.kind(DEBUG_API_NAME) is None:
        first = subject.built[0]
        message = f"a suite with {first.file.type} definitions has a {DEBUG_API_NAME}, and there is none"
        other = subject.by_folded_name.get(DEBUG_API_NAME)
        hint = f"rename {other} to {DEBUG_API_NAME}" if other else "add it, with a `handle`"
        yield from subject.at_value(first.document, ("type",), message, hint)


@suite_tree_rule("CAB671")
def debug_api_without_definition(subject: SuiteSubject) -> Iterator[Finding]:
    """There is a debug API, and no end-to-end or full-stack definition.

    Why: nothing that runs could offer it.
    Source: section 3 of the format, "present exactly when an end-to-end or full-stack definition exists".

    Failing:
        --- without test-cases/end-to-end.toml
        --- without reference-implementations/none/index.ts
    Fixed:
        --- without test-cases/end-to-end.toml
        --- without workspaces/none/index.ts
        --- without reference-implementations/none/index.ts
        --- without debug-api.toml
        --- without debug-api/clock.ts
    """
    if subject.built or subject.has_unknown_types:
        return
    there = [name for name in (DEBUG_API_NAME, model.DEBUG_API) if subject.tree.kind(name) is not None]
    if there:
        message = "a debug API belongs to end-to-end and full-stack definitions, and there is none"
        hint = "remove it, with the folder debug-api" if len(there) > 1 else "remove it"
        yield Finding(subject.path(there[0]), None, message, hint)


@suite_tree_rule("CAB672")
def debug_file_in_no_module(subject: SuiteSubject) -> Iterator[Finding]:
    """No module of the debug API references a file below `debug-api/`.

    Why: nobody would know what the file is for.
    Source: section 3 of the format, "each file referenced exactly once".

    Failing:
        --- debug-api/score.ts
        export const score = () => 0;
    Fixed:
        --- debug-api.toml
        [[module]]
        name = "clock"
        path = "clock.ts"

        [[module]]
        name = "score"
        path = "score.ts"
        --- debug-api/score.ts
        export const score = () => 0;
    """
    document = subject.suite.debug_api
    if document is None or is_doubtful(document, ("module",)) or ("module",) in subject.misspelt[document.path]:
        return
    referenced = {subject.spelt(name) for _, name in _modules(subject)}
    # A module that leads nowhere, or out, is told as such; it may be meant for any file.
    is_lost = any(subject.tree.kind(name) is None for name in referenced)
    if is_lost or not all(is_inside(module.path) for module in subject.suite.debug_api_file.module):
        return
    for name in subject.suite.debug_files:
        if name not in referenced:
            hint = f"add a `[[module]]` to {DEBUG_API_NAME}, or remove the file"
            yield Finding(subject.path(name), None, "no module references this file", hint)


@suite_tree_rule("CAB673")
def debug_file_in_two_modules(subject: SuiteSubject) -> Iterator[Finding]:
    """Two modules of the debug API reference one file.

    Why: one of the two is a mistake.
    Source: section 3 of the format, "each file referenced exactly once".

    Failing:
        --- debug-api.toml
        [[module]]
        name = "clock"
        path = "clock.ts"

        [[module]]
        name = "score"
        path = "clock.ts"
    Fixed:
        --- debug-api.toml
        [[module]]
        name = "clock"
        path = "clock.ts"
    """
    document = subject.suite.debug_api
    if document is None:
        return
    taken: set[str] = set()
    for index, name in _modules(subject):
        if name in taken:
            message = f'"{name[:80]}" is referenced twice'
            yield from subject.at_value(document, ("module", index, "path"), message, "reference each file once")
        taken.add(name)


@suite_tree_rule("CAB674")
def reference_of_undeclared_engine(subject: SuiteSubject) -> Iterator[Finding]:
    """A reference implementation is named for an engine that no definition declares.

    Why: it would be a solution of nothing that can be run.
    Source: section 3 of the format, "each named for an engine that some definition declares".

    Failing:
        --- reference-implementations/simple-2d/index.ts
        export {};
    Fixed:
        --- reference-implementations/none/index.ts
        export {};
    """
    if subject.engines is None:
        return
    for path in subject.suite.references:
        name = path.rpartition("/")[2]
        if name not in subject.engines:
            known = ", ".join(sorted(subject.engines))
            hint = f"declared are {known}" if known else "no definition declares one: remove the folder"
            yield Finding(subject.path(path), None, f'no definition declares the engine "{name}"', hint)


@suite_tree_rule("CAB675")
def reference_missing(subject: SuiteSubject) -> Iterator[Finding]:
    """There is an end-to-end or full-stack definition, and no reference implementation.

    Why: a reference shows that what is asked for can be done, and that the validators let it pass.
    Source: section 3 of the format, "at least one where an end-to-end or full-stack definition exists".

    Failing:
        --- without reference-implementations/none/index.ts
    Fixed:
        --- reference-implementations/none/index.ts
        export {};
    """
    if subject.built and not subject.suite.references and not subject.is_hidden(model.REFERENCES):
        first = subject.built[0]
        message = f"a suite with {first.file.type} definitions has a reference implementation, and there is none"
        hint = f"add one in {model.REFERENCES}/<engine>/"
        yield from subject.at_value(first.document, ("type",), message, hint)


def _modules(subject: SuiteSubject) -> Iterator[tuple[int, str]]:
    """Index and file of each module whose path can be told."""
    document = subject.suite.debug_api
    for index, module in enumerate(subject.suite.debug_api_file.module):
        if document is None or is_broken(document, ("module", index, "path")) or not is_inside(module.path):
            continue
        path = posixpath.normpath(module.path)
        yield index, path if path.startswith(f"{model.DEBUG_API}/") else f"{model.DEBUG_API}/{path}"
