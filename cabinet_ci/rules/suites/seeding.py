"""What runs of a suite receive: nothing lands on anything else, and nothing held out is within reach (section 5)."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.catalog.suites.definition import BUILT_TYPES
from cabinet_ci.catalog.suites.suite import Definition
from cabinet_ci.rules.folder import Finding
from cabinet_ci.rules.registry import suite_tree_rule
from cabinet_ci.rules.suites.subject import SuiteSubject
from cabinet_ci.seeding.clashes import find_clashes
from cabinet_ci.seeding.engines import Engine
from cabinet_ci.seeding.plan import SeedEntry, SeedPlan
from cabinet_ci.seeding.suites import held_out, plan_definition


@suite_tree_rule("CAB638")
def seeded_over_the_workspace(subject: SuiteSubject) -> Iterator[Finding]:
    """A specification or an asset lands on a file of a workspace, or one needs as a folder what the other is as a file.

    Why: a run would find only one of the two.
    Source: section 5 of the format, "each covered specification at `specs/<path>`".

    Failing:
        --- workspaces/none/specs/ball.md
        Read this first.
    Fixed:
        --- workspaces/none/docs/ball.md
        Read this first.
    """
    told: set[str] = set()
    for workspace, plan in _plans(subject):
        for clash in find_clashes(plan.entries):
            one, other = sorted((clash.entry, clash.other), key=lambda entry: entry.origin == "workspace")
            # Specifications, or assets, on each other are told by what they name.
            if other.origin == "workspace" and one.origin != "workspace" and one.source not in told:
                told.add(one.source)
                document, key = _asked_for(subject, one)
                message = f"{one.destination[:80]} is taken by {other.source} of the workspace {workspace}"
                yield from subject.at_value(document, key, message, "give one of the two another place")


@suite_tree_rule("CAB639")
def held_out_file_within_reach(subject: SuiteSubject) -> Iterator[Finding]:
    """A link in a workspace, or a file of an asset, leads to what is kept from runs: validators, references, ...

    Why: a run that is handed a solution, or what it is checked by, shows nothing.
    Source: section 5 of the format, "the chosen engine's workspace at the run root".

    Failing:
        --- link workspaces/none/checks -> ../../validators
    Fixed:
        --- workspaces/none/checks/README.md
        Checks go here.
    """
    told: set[str] = set()
    for _, plan in _plans(subject):
        for entry, real in held_out(subject.suite, plan):
            link = _link_above(subject, entry.source)
            if link not in told:
                told.add(link)
                message = f"a run would be handed {real}, which is kept from runs"
                yield Finding(subject.path(link), None, message, "copy what a run may see in its place")


def _plans(subject: SuiteSubject) -> Iterator[tuple[str, SeedPlan]]:
    """For each workspace, what all runs that start from it receive, taken together."""
    users: dict[str, list[tuple[Definition, str]]] = defaultdict(list)
    for definition in subject.built:
        for engine, path in definition.built.workspaces.items() if definition.built is not None else ():
            workspace = posixpath.normpath(path)
            # Others are told by their place.
            if workspace.count("/") == 1 and workspace.startswith(f"{model.WORKSPACES}/"):
                users[workspace].append((definition, engine))
    for workspace, found in users.items():
        definition, engine = found[0]
        ids = dict.fromkeys(one.file.id for user, _ in found for one in subject.suite.covered(user))
        # The type whose runs are handed most comes first.
        type_ = min((user.file.type for user, _ in found), key=BUILT_TYPES.index)
        file = msgspec.structs.replace(definition.file, specifications=list(ids), type=type_)
        together = msgspec.structs.replace(definition, file=file)
        yield workspace, plan_definition(subject.suite, together, Engine(engine, engine))


def _asked_for(subject: SuiteSubject, entry: SeedEntry) -> tuple[Document, KeyPath]:
    """Where a specification's or an asset's place is written."""
    if entry.origin == "specification":
        found = next(one for one in subject.suite.specifications if one.prose == entry.source)
        return found.document, ("path",)
    asset = next(one for one in subject.suite.assets if entry.source.startswith(one.folder + "/"))
    return asset.document, entry.declared


def _link_above(subject: SuiteSubject, name: str) -> str:
    """The link by which a file is reached, or the file itself."""
    tree, path = subject.tree, name
    while path:
        if path in tree.links or path in tree.aliases:
            return path
        path = path.rpartition("/")[0]
    return name
