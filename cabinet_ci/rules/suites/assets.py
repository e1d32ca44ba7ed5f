"""Assets, demonstrations and the showcase (section 3 of the format)."""

from __future__ import annotations

from collections.abc import Iterator

from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.suites import suite as model
from cabinet_ci.rules.folder import Finding, is_broken, is_inside
from cabinet_ci.rules.registry import suite_tree_rule
from cabinet_ci.rules.suites.subject import SuiteSubject


@suite_tree_rule("CAB660")
def id_differs_from_folder(subject: SuiteSubject) -> Iterator[Finding]:
    """The id of an asset or a demonstration is not the name of its folder.

    Why: definitions name it by its id, and it is found by its folder.
    Source: section 3 of the format, "id (= folder)".

    Failing:
        --- assets/paddle/asset.toml
        id = "bat"
    Fixed:
        --- assets/paddle/asset.toml
        id = "paddle"
    """
    held: list[tuple[str, Document, str]] = [(one.folder, one.document, one.file.id) for one in subject.suite.assets]
    held += [(one.folder, one.document, one.file.id) for one in subject.suite.demos]
    for folder, document, id_ in held:
        name = folder.rpartition("/")[2]
        if id_ != name:
            message = f'the id is "{id_}", and the folder is named "{name}"'
            yield from subject.at_value(document, ("id",), message, f'write "{name}", or rename the folder')


@suite_tree_rule("CAB661")
def asset_of_functional_specification(subject: SuiteSubject) -> Iterator[Finding]:
    """An asset's specification has a functional requirement.

    Why: no validator can check a picture or a sound: what is asked of an asset is judged by people.
    Source: section 3 of the format, "An asset's specification has non-functional requirements only".

    Failing:
        --- assets/paddle/asset.toml
        specification = "ball"
    Fixed:
        --- assets/paddle/asset.toml
        specification = "paddle"
    """
    for asset in subject.suite.assets:
        specification = subject.suite.specification(asset.file.specification)
        if specification is None:
            continue
        for index, requirement in enumerate(specification.file.requirement):
            kind = ("requirement", index, "kind")
            if requirement.kind == "functional" and not is_broken(specification.document, kind):
                message = f'the specification "{asset.file.specification}" has functional requirements'
                hint = (
                    f'"{requirement.id}" in {specification.document.path} is one: '
                    "give the asset a specification of its own"
                )
                yield from subject.at_value(asset.document, ("specification",), message, hint)
                break


@suite_tree_rule("CAB680")
def media_in_another_folder(subject: SuiteSubject) -> Iterator[Finding]:
    """A medium of the showcase is named by more than a bare file name.

    Why: the showcase is one folder, taken as it is.
    Source: section 3 of the format, "a bare name in showcase/".

    Failing:
        --- showcase/showcase.toml
        media = [{ file = "pictures/serve.png", name = "The serve" }]
        --- showcase/pictures/serve.png
        a picture
    Fixed:
        --- showcase/showcase.toml
        media = [{ file = "serve.png", name = "The serve" }]
    """
    if subject.suite.showcase is None:
        return
    for index, media in enumerate(subject.suite.showcase_file.media):
        if "/" in media.file and is_inside(media.file) and subject.tree.kind(f"{model.SHOWCASE}/{media.file}"):
            message = f'"{media.file[:80]}" is no bare name'
            hint = f"move the file into {model.SHOWCASE}/ and write its name alone"
            yield from subject.at_value(subject.suite.showcase, ("media", index, "file"), message, hint)
