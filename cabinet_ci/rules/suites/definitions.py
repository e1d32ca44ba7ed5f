"""Test case definitions: engines, workspaces, specifications, the tables of the types (section 3 of the format)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from cabinet_ci.catalog.decode import known_keys
from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.manifest import KEBAB
from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.definition import OPEN_TYPES, DefinitionFile, selected_kind
from cabinet_ci.config import known_engines
from cabinet_ci.rules.folder import Finding, is_broken, is_doubtful, is_inside
from cabinet_ci.rules.hints import Guesses
from cabinet_ci.rules.registry import suite_tree_rule
from cabinet_ci.rules.suites.subject import SuiteSubject


@suite_tree_rule("CAB630")
def definition_stem_not_kebab(subject: SuiteSubject) -> Iterator[Finding]:
    """The name of a definition's file is not kebab-case.

    Why: the file's stem is the slug of the test case, which results name it by.
    Source: section 3 of the format, "A definition's stem is kebab-case".

    Failing:
        --- test-cases/Whole_Game.toml
        name = "The whole game"
        type = "puzzle"
        difficulty = "easy"
        prompt = "prompts/build.hbs"
    Fixed:
        --- test-cases/whole-game.toml
        name = "The whole game"
        type = "puzzle"
        difficulty = "easy"
        prompt = "prompts/build.hbs"
    """
    for found in subject.suite.definitions:
        if not re.search(KEBAB, found.slug):
            hint = "lower-case letters, digits and single hyphens between them"
            yield Finding(subject.path(found.document.path), None, f'the slug "{found.slug}" is not kebab-case', hint)


@suite_tree_rule("CAB631")
def unknown_engine(subject: SuiteSubject) -> Iterator[Finding]:
    """A definition names an engine that is not configured.

    Why: a run would be made with nothing, and its prompt could not say where the documentation is.
    Source: section 3 of the format, `engines`; they are configured as `[tool.cabinet-ci.engines.<slug>]`.

    Failing:
        --- test-cases/end-to-end.toml
        engines = ["none", "warp-drive"]
        workspaces = { none = "workspaces/none", warp-drive = "workspaces/none" }
    Fixed:
        --- test-cases/end-to-end.toml
        engines = ["none"]
        workspaces = { none = "workspaces/none" }
    """
    known = known_engines(subject.config)
    for found in subject.suite.definitions:
        for index, engine in enumerate(found.built.engines if found.built is not None else ()):
            if engine not in known:
                hint = f"known are {', '.join(known)}; configure it as [engines.{engine}] in cabinet-ci.toml"
                message = f'there is no engine "{engine}"'
                yield from subject.at_value(found.document, ("engines", index), message, hint)


@suite_tree_rule("CAB632")
def specification_not_declared(subject: SuiteSubject) -> Iterator[Finding]:
    """A definition, an asset or a demonstration names a specification that the suite does not have.

    Why: a run would not receive what its test case is about.
    Source: section 3 of the format, "an id".

    Failing:
        --- test-cases/end-to-end.toml
        specifications = ["bal"]
    Fixed:
        --- test-cases/end-to-end.toml
        specifications = ["ball"]
    """
    if subject.has_unknown_ids:
        return
    guesses = Guesses()
    for document, key, id_ in _named_specifications(subject):
        if id_ not in subject.ids:
            near = guesses.nearest(id_, sorted(subject.ids))
            hint = f'did you mean "{near}"?' if near else "name the id of a specification, or add one"
            yield from subject.at_value(document, key, f'there is no specification "{id_}"', hint)


@suite_tree_rule("CAB633")
def workspace_of_each_engine(subject: SuiteSubject) -> Iterator[Finding]:
    """`[workspaces]` lacks a declared engine, or names one that is not declared.

    Why: a run with an engine starts from its workspace.
    Source: section 3 of the format, "one entry per declared engine, no other".

    Failing:
        --- test-cases/end-to-end.toml
        workspaces = { none = "workspaces/none", simple-2d = "workspaces/none" }
    Fixed:
        --- test-cases/end-to-end.toml
        workspaces = { none = "workspaces/none" }
    """
    for found in subject.suite.definitions:
        built, document = found.built, found.document
        if built is None or is_doubtful(document, ("engines",)) or is_broken(document, ("workspaces",)):
            continue
        for engine in dict.fromkeys(built.engines):
            if engine not in built.workspaces:
                hint = f'add `{engine} = "workspaces/{engine}"`'
                message = f'the engine "{engine}" has no workspace'
                yield from subject.at_value(document, ("workspaces",), message, hint)
        declared = set(built.engines)
        for engine in built.workspaces:
            if engine not in declared:
                message = f'the engine "{engine}" is not among `engines`'
                hint = "remove the entry, or declare the engine"
                yield from subject.at_key(document, ("workspaces", engine), message, hint)


@suite_tree_rule("CAB634")
def named_twice(subject: SuiteSubject) -> Iterator[Finding]:
    """A definition names an engine or a specification twice, or an asset one of its files.

    Why: its runs would be made twice, or the file be seeded over itself.
    Source: section 3 of the format, `engines`, `specifications` and `files`.

    Failing:
        --- test-cases/end-to-end.toml
        specifications = ["ball", "ball"]
    Fixed:
        --- test-cases/end-to-end.toml
        specifications = ["ball"]
    """
    for document, key, names in _lists_of_names(subject):
        taken: set[str] = set()
        for index, name in enumerate(names):
            if name in taken:
                message = f'"{name}" is named twice'
                yield from subject.at_value(document, (key, index), message, "name it once")
            if not is_broken(document, (key, index)):
                taken.add(name)


@suite_tree_rule("CAB635")
def asset_of_another_kind(subject: SuiteSubject) -> Iterator[Finding]:
    """A definition asks for an asset that is not there, or that is of another kind than its table selects.

    Why: a run would be held to an asset of a kind that it was not asked for.
    Source: section 3 of the format, "the asset's kind must be the one the table selects".

    Failing:
        --- test-cases/paddle-sprite.toml
        sprite = { id = "paddle", sheet = true }
    Fixed:
        --- test-cases/paddle-sprite.toml
        sprite = { id = "paddle" }
    """
    suite, guesses = subject.suite, Guesses()
    for found in suite.definitions:
        table = found.file.asset
        if table is None or is_doubtful(found.document, (found.file.type,)):
            continue
        asset, key = suite.asset(table.id), (found.file.type, "id")
        due = selected_kind(table, found.file.type)
        if asset is None:
            folder = f"{model.ASSETS}/{table.id}"
            if subject.tree.kind(folder) is None and not subject.is_hidden(folder):
                near = guesses.nearest(table.id, (one.folder.rpartition("/")[2] for one in suite.assets))
                hint = f'did you mean "{near}"?' if near else f"add it in {model.ASSETS}/{table.id}/"
                yield from subject.at_value(found.document, key, f'there is no asset "{table.id}"', hint)
        elif not is_doubtful(asset.document, ("kind",)) and asset.file.kind != due:
            message = f'the asset "{table.id}" is of kind {asset.file.kind}, and one of kind {due} is asked for'
            hint = "name another asset, or correct the `kind` of this one"
            if {asset.file.kind, due} == {"sprite", "sprite-sheet"}:
                hint = f"write `sheet = {str(due == 'sprite').lower()}`, or name another asset"
            yield from subject.at_value(found.document, key, message, hint)


@suite_tree_rule("CAB636", "warning")
def key_left_open(subject: SuiteSubject) -> Iterator[Finding]:
    """A performance, adversarial or puzzle definition has keys of its own.

    Why: the format does not say yet which keys these types have; nothing reads them, or checks them.
    Source: section 3 of the format, "any other key a warning".

    Failing:
        --- test-cases/whole-game.toml
        name = "The whole game"
        type = "puzzle"
        difficulty = "easy"
        prompt = "prompts/build.hbs"
        pieces = 12
    Fixed:
        --- test-cases/whole-game.toml
        name = "The whole game"
        type = "puzzle"
        difficulty = "easy"
        prompt = "prompts/build.hbs"
    """
    known, guesses = known_keys(DefinitionFile), Guesses()
    for found in subject.suite.definitions:
        if found.document.data.get("type") not in OPEN_TYPES:
            continue
        told = {fault.path[0] for fault in found.document.faults if fault.kind == "unknown"}
        for key in found.document.data:
            if key not in known and key not in told:
                near = guesses.nearest(key, known)
                hint = f"did you mean `{near}`?" if near else f"known keys here: {', '.join(known)}"
                message = f"the format leaves open whether a {found.file.type} definition has a key `{key}`"
                yield from subject.at_key(found.document, (key,), message, hint)


@suite_tree_rule("CAB637")
def prompt_or_workspace_elsewhere(subject: SuiteSubject) -> Iterator[Finding]:
    """A definition's prompt is not in `prompts/`, or a workspace not a folder of `workspaces/`.

    Why: anywhere else, what reviewers and validators hold would be within reach of a run.
    Source: section 3 of the format, `prompts/<name>.hbs` and `workspaces/<slug>/`.

    Failing:
        --- test-cases/end-to-end.toml
        workspaces = { none = "reference-implementations/none" }
    Fixed:
        --- test-cases/end-to-end.toml
        workspaces = { none = "workspaces/none" }
    """
    for found in subject.suite.definitions:
        prompt = found.file.prompt
        is_template = re.fullmatch(rf"{model.PROMPTS}/[^/]+\.hbs", posixpath.normpath(prompt)) is not None
        if _leads_to(subject, prompt, "file") and not is_template:
            message = f'the prompt "{prompt[:80]}" is no template in {model.PROMPTS}/'
            yield from subject.at_value(found.document, ("prompt",), message, f"move it to {model.PROMPTS}/<name>.hbs")
        for engine, path in found.built.workspaces.items() if found.built is not None else ():
            is_workspace = re.fullmatch(rf"{model.WORKSPACES}/[^/]+", posixpath.normpath(path)) is not None
            if _leads_to(subject, path.rstrip("/"), "folder") and not is_workspace:
                message = f'the workspace "{path[:80]}" is no folder of {model.WORKSPACES}/'
                hint = f"move it to {model.WORKSPACES}/<slug>"
                yield from subject.at_value(found.document, ("workspaces", engine), message, hint)


def _lists_of_names(subject: SuiteSubject) -> Iterator[tuple[Document, str, list[str]]]:
    for definition in subject.suite.definitions:
        if definition.built is not None:
            yield definition.document, "engines", definition.built.engines
        yield definition.document, "specifications", definition.file.specifications or []
    for asset in subject.suite.assets:
        yield asset.document, "files", [posixpath.normpath(path) for path in asset.file.files]


def _named_specifications(subject: SuiteSubject) -> Iterator[tuple[Document, KeyPath, str]]:
    suite = subject.suite
    for definition in suite.definitions:
        for index, id_ in enumerate(definition.file.specifications or ()):
            yield definition.document, ("specifications", index), id_
    for held in (suite.assets, suite.demos):
        for one in held:
            yield one.document, ("specification",), one.file.specification


def _leads_to(subject: SuiteSubject, path: str, kind: str) -> bool:
    """Whether a path leads to what is due, so that nothing else was said about it."""
    found = "folder" if path == "." else subject.tree.kind(path)
    return is_inside(path) and found == kind
