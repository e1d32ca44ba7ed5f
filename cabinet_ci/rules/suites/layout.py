"""Suites, their versions and drafts: where they lie, and what their own files say (section 3 of the format)."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.identity import version_key
from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.discovery import DRAFTS, SUITE_NAME, VERSIONS
from cabinet_ci.catalog.suites.files import (
    ASSET_NAME,
    DEMO_NAME,
    DRAFT_NAME,
    PROSE_NAME,
    SHOWCASE_NAME,
    SHOWCASE_PROSE_NAME,
    SPECIFICATION_NAME,
    VERSION_NAME,
)
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import across_rule, suite_rule, suite_tree_rule
from cabinet_ci.rules.suites.subject import AcrossSubject, SuiteFolder, SuiteSubject


@suite_rule("CAB610")
def suite_without_file(subject: SuiteFolder) -> Iterator[Finding]:
    """A folder of suites holds versions or drafts and has no `suite.toml`.

    Why: the file makes the folder a suite and says what it is called.
    Source: section 3 of the format, "A suite is a folder holding `suite.toml`".

    Failing:
        --- without ../../suite.toml
    Fixed:
        --- ../../suite.toml
        slug = "pong"
        name = "Pong"
    """
    if SUITE_NAME not in subject.tree.entries and not subject.suite.is_link:
        other = subject.by_folded_name.get(SUITE_NAME)
        hint = f"rename {other} to {SUITE_NAME}" if other else "add the file, with `slug` and `name`"
        yield Finding(subject.path(), None, f"the suite has no {SUITE_NAME}", hint)


@suite_rule("CAB611")
def suite_slug_differs_from_folder(subject: SuiteFolder) -> Iterator[Finding]:
    """A suite's slug is not the name of its folder.

    Why: the slug is the suite's identity, which results and release tags are named by.
    Source: section 3 of the format, "`slug`, kebab-case, equal to the folder's name".

    Failing:
        --- ../../suite.toml
        slug = "rally"
    Fixed:
        --- ../../suite.toml
        slug = "pong"
    """
    suite = subject.suite
    if suite.document is not None and suite.file.slug != suite.name:
        message = f'the slug is "{suite.file.slug}", and the folder is named "{suite.name}"'
        yield from subject.at_value(suite.document, ("slug",), message, f'write "{suite.name}", or rename the folder')


@suite_tree_rule("CAB612")
def version_folder_name(subject: SuiteSubject) -> Iterator[Finding]:
    """A folder of exported versions is not named like a version.

    Why: the version is read from the path; under any other name nothing would be frozen or tagged.
    Source: section 3 of the format, "Exported versions lie at `<slug>/versions/vX.Y.Z/`".

    Failing:
        --- at versions/1.0.0
    Fixed:
        --- at versions/v1.0.0
    """
    suite = subject.suite
    if not suite.is_draft and version_key(suite.name) is None:
        hint = "name it vX.Y.Z, without leading zeros, such as v1.0.0; what is not exported belongs in drafts/"
        yield Finding(subject.path(), None, f'the folder "{suite.name}" is no version', hint)


@suite_tree_rule("CAB613")
def version_disagrees_with_folder(subject: SuiteSubject) -> Iterator[Finding]:
    """`version` is not the folder's; is missing in an exported version; or is there in a draft.

    Why: an exported version says by itself which one it is. What a draft will be exported as is not known yet.
    Source: section 3 of the format, "exported: required and equal to the folder's; draft: absent".

    Failing:
        --- version.toml
        version = "1.1.0"
    Fixed:
        --- version.toml
        version = "1.0.0"
    """
    suite = subject.suite
    if suite.version is None:
        return
    declared, due = suite.file.version, suite.name.removeprefix("v")
    if suite.is_draft:
        if declared is not None:
            message = "`version` belongs to exported versions, and this is a draft"
            yield from subject.at_key(suite.version, ("version",), message, "remove it")
    elif version_key(suite.name) is not None and declared != due:
        message = f'`version` is "{declared}", and the folder says "{due}"'
        if declared is None:
            message = "an exported version has to state its `version`"
        yield from subject.at_value(suite.version, ("version",), message, f'write `version = "{due}"`')


@suite_tree_rule("CAB614", "warning")
def draft_base_unknown(subject: SuiteSubject) -> Iterator[Finding]:
    """A draft's `base` is no exported version of its suite.

    Why: a draft is compared with what it started from.
    Source: section 3 of the format, `draft.toml`.

    Failing:
        --- at drafts/next
        --- also versions/v1.0.0
        --- draft.toml
        base = "2.0.0"
    Fixed:
        --- at drafts/next
        --- also versions/v1.0.0
        --- draft.toml
        base = "1.0.0"
    """
    suite = subject.suite
    base = suite.draft_file.base
    if suite.draft is None or base is None:
        return
    versions = os.path.join(suite.root, suite.suite, VERSIONS)
    if not os.path.isdir(os.path.join(versions, f"v{base}")):
        known = sorted(name.removeprefix("v") for name in _names(versions) if version_key(name) is not None)
        hint = f"exported are {', '.join(known)}" if known else "no version is exported: remove it"
        yield from subject.at_value(suite.draft, ("base",), f'"{base}" is no exported version', hint)


@suite_tree_rule("CAB615")
def missing_file(subject: SuiteSubject) -> Iterator[Finding]:
    """A file that belongs to every version, specification, asset, demonstration or showcase is not there.

    Why: without it nothing knows what the others are.
    Source: section 3 of the format, the tree of an exported version.

    Failing:
        --- without specifications/ball/specification.md
    Fixed:
        --- specifications/ball/specification.md
        The ball moves in a straight line.
    """
    for where, name in _missing(subject):
        beside = posixpath.dirname(where) if where and subject.tree.kind(where) == "file" else where
        wanted = f"{beside}/{name}" if beside else name
        if subject.tree.kind(wanted) is not None or subject.is_hidden(wanted):
            continue
        other = subject.by_folded_name.get(wanted.casefold())
        hint = f"rename {posixpath.basename(other)} to {name}" if other else "add it"
        place = (1, 1) if where != beside else None
        yield Finding(subject.path(where), place, f"there is no {name} here", hint)


@suite_rule("CAB617")
def version_is_a_link(subject: SuiteFolder) -> Iterator[Finding]:
    """A suite is a symbolic link, or an exported version or a draft is one to another folder of the suite.

    Why: links are not followed, so that nothing would be checked, and what it leads to may change under its name.
    Source: section 3 of the format, "An exported version is complete and immutable".

    Failing:
        --- link ../v1.1.0 -> v1.0.0
    Fixed:
        --- also versions/v1.1.0
    """
    names = [name for name in sorted(subject.tree.links) if name.startswith((f"{VERSIONS}/", f"{DRAFTS}/"))]
    for name in [""] if subject.suite.is_link else names:
        message = "the folder is a link, and links are not followed"
        yield Finding(subject.path(name), None, message, "copy what it leads to in its place")


@across_rule("CAB616")
def suite_slug_of_a_case(subject: AcrossSubject) -> Iterator[Finding]:
    """A suite has the slug of a case in the catalog.

    Why: results and release tags name both by their slug; two would get one tag.
    Source: the format, `<slug>-vX.Y.Z`.

    Failing:
        --- case performance/easy/other/v1.0.0
        slug = "pong"
    Fixed:
        --- case performance/easy/other/v1.0.0
        slug = "other"
    """
    for one in subject.suites:
        folder = subject.cases.get(one.suite.file.slug)
        if folder is not None and one.suite.document is not None:
            message = f'the slug "{one.suite.file.slug}" is taken by {folder}'
            yield from one.at_value(one.suite.document, ("slug",), message, "give one of the two another slug")


def _missing(subject: SuiteSubject) -> Iterator[tuple[str, str]]:
    """What needs a file beside it or in it, and the name of that file."""
    suite, entries = subject.suite, subject.tree.entries
    yield "", VERSION_NAME
    if suite.is_draft:
        yield "", DRAFT_NAME
    for specification in suite.specifications:
        yield specification.document.path, PROSE_NAME
    for name in entries:
        if name.startswith(f"{model.SPECIFICATIONS}/") and name.endswith(f"/{PROSE_NAME}"):
            yield name, SPECIFICATION_NAME
    for name, kind in entries.items():
        folder = name.rpartition("/")[0]
        if kind == "folder" and folder in (model.ASSETS, model.DEMOS):
            yield name, ASSET_NAME if folder == model.ASSETS else DEMO_NAME
    if entries.get(model.SHOWCASE) == "folder":
        yield model.SHOWCASE, SHOWCASE_NAME
        if suite.showcase is not None:
            yield suite.showcase.path, SHOWCASE_PROSE_NAME


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
