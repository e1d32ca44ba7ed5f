"""Warnings that help: what is there for nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.files import (
    ASSET_NAME,
    DEBUG_API_NAME,
    DRAFT_NAME,
    SHOWCASE_NAME,
    SHOWCASE_PROSE_NAME,
    VERSION_NAME,
)
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import sound_suite_tree_rule
from cabinet_ci.rules.suites.subject import SuiteSubject
from cabinet_ci.rules.tidiness import USED_BY_PEOPLE

FILLED = (
    model.SPECIFICATIONS,
    model.VALIDATORS,
    model.WORKSPACES,
    model.DEMOS,
    model.REFERENCES,
    model.DEBUG_API,
)
"""Folders that may hold files of any name, or that other rules look into."""


@sound_suite_tree_rule("CAB690", "warning")
def file_without_a_place(subject: SuiteSubject) -> Iterator[Finding]:
    """A file lies where the format has no place for it, and nothing names it.

    Why: nothing reads it, so it is left over, or misplaced. An exported version is immutable, the file with it.
    Source: section 3 of the format, the tree of an exported version.

    Failing:
        --- prompt/build.hbs
        Work in {{workspace}}.
    Fixed:
        --- prompts/build.hbs
        Work in {{workspace}}.
    """
    suite, tree = subject.suite, subject.tree
    named = {posixpath.normpath(declared.target) for declared in subject.declared}
    named |= {VERSION_NAME, DEBUG_API_NAME, *suite.prompts, *(found.document.path for found in suite.definitions)}
    named |= {f"{model.SHOWCASE}/{SHOWCASE_NAME}", f"{model.SHOWCASE}/{SHOWCASE_PROSE_NAME}"}
    named |= {asset.document.path for asset in suite.assets}
    if suite.is_draft:
        named.add(DRAFT_NAME)
    for name, kind in sorted(tree.entries.items()):
        top, _, below = name.partition("/")
        if kind != "file" or name in named or posixpath.basename(name) in USED_BY_PEOPLE:
            continue
        if not (top in FILLED and below):
            yield Finding(subject.path(name), None, "nothing names this file", _hint(top, name))


@sound_suite_tree_rule("CAB691", "warning")
def prompt_or_workspace_unused(subject: SuiteSubject) -> Iterator[Finding]:
    """No definition uses a prompt's template or a starter workspace.

    Why: it is left over, or a definition was meant to use it.
    Source: section 3 of the format, `prompts/` and `workspaces/`.

    Failing:
        --- prompts/forgotten.hbs
        Work in {{workspace}}.
    Fixed:
        --- prompts/build.hbs
        Work in {{workspace}}.
    """
    suite = subject.suite
    used = {posixpath.normpath(found.file.prompt) for found in suite.definitions}
    used |= {
        posixpath.normpath(path)
        for found in suite.definitions
        if found.built
        for path in found.built.workspaces.values()
    }
    for path in (*suite.prompts, *suite.workspaces):
        if path not in used:
            yield Finding(subject.path(path), None, "no definition uses this", "name it in one, or remove it")


def _hint(top: str, name: str) -> str:
    if name == DRAFT_NAME:
        return "it belongs to drafts: remove it from the exported version"
    if top == model.ASSETS:
        return f"list it in `files` of the {ASSET_NAME} beside it, or remove it"
    return "put it where the format has a place for it, or remove it"
