"""Identity: what the path, the manifest and the other versions say about a case has to agree (section 1)."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator

from cabinet_ci.catalog.identity import DIFFICULTIES, TYPES, version_key
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.rules.folder import Finding, is_broken
from cabinet_ci.rules.registry import catalog_rule, version_rule
from cabinet_ci.rules.subject import CatalogEntry, CatalogSubject, Subject


@version_rule("CAB301")
def folder_layout(subject: Subject) -> Iterator[Finding]:
    """A version folder lies where neither layout of the catalog has one.

    Why: type, difficulty, case and version are read from the path.
    Source: section 1 of the format: `<type>/<difficulty>/<folder>/vX.Y.Z`, or the older `<folder>/vX.Y.Z`.

    Failing:
        --- at performance/easy/adder/1.0.0
    Fixed:
        --- at performance/easy/adder/v1.0.0
    """
    version, catalog = subject.version, subject.config.catalog
    if version.identity is not None or not version.path.startswith(catalog + "/"):
        return
    parts = version.path[len(catalog) + 1 :].split("/")
    if version_key(parts[-1]) is None:
        message = f'the folder "{parts[-1]}" is no version'
        hint = "a version folder is named vX.Y.Z, without leading zeros, such as v1.0.0"
    elif len(parts) == 4 and parts[0] not in TYPES:
        message, hint = f'"{parts[0]}" is no type', f"types are {', '.join(TYPES)}"
    elif len(parts) == 4 and parts[1] not in DIFFICULTIES:
        message, hint = f'"{parts[1]}" is no difficulty', f"difficulties are {', '.join(DIFFICULTIES)}"
    else:
        message = "the version folder is too deep or not deep enough in the catalog"
        hint = f"move it to {catalog}/<type>/<difficulty>/<folder>/vX.Y.Z"
    yield Finding(subject.path(MANIFEST_NAME), (1, 1), message, hint)


@version_rule("CAB302")
def type_disagrees_with_path(subject: Subject) -> Iterator[Finding]:
    """`type` names another type than the path.

    Why: the two would disagree about which rules hold.
    Source: section 1 of the format.

    Failing:
        --- test-case.toml
        type = "end-to-end"
    Fixed:
        --- test-case.toml
        type = "performance"
    """
    identity, declared = subject.version.identity, subject.version.manifest.type
    if identity is not None and identity.type is not None and declared is not None and declared != identity.type:
        message = f'`type` is "{declared}", and the folder says "{identity.type}"'
        yield from subject.in_manifest(("type",), message, f'write "{identity.type}", or move the folder')


@version_rule("CAB303")
def difficulty_disagrees_with_path(subject: Subject) -> Iterator[Finding]:
    """`difficulty` is another one than the path's.

    Why: the site sorts by one and people look by the other.
    Source: section 1 of the format.

    Failing:
        --- test-case.toml
        difficulty = "hard"
    Fixed:
        --- test-case.toml
        difficulty = "easy"
    """
    identity, declared = subject.version.identity, subject.version.manifest.difficulty
    if identity is not None and identity.difficulty is not None and declared != identity.difficulty:
        message = f'`difficulty` is "{declared}", and the folder says "{identity.difficulty}"'
        yield from subject.in_manifest(("difficulty",), message, f'write "{identity.difficulty}", or move the folder')


@version_rule("CAB304")
def variant_slug_repeated(subject: Subject) -> Iterator[Finding]:
    """Two variants of a version have one slug, or one variant file is listed twice.

    Why: results name a variant by its slug.
    Source: section 1 of the format, "unique in the case".

    Failing:
        --- test-case.toml
        variants = ["variants/base.toml", "variants/other.toml"]
        --- variants/other.toml
        slug = "base"
    Fixed:
        --- test-case.toml
        variants = ["variants/base.toml", "variants/other.toml"]
        --- variants/other.toml
        slug = "other"
        description = "Says more."
    """
    slugs: dict[str, str] = {}
    files: set[str] = set()
    for variant in subject.version.variants:
        if posixpath.normpath(variant.path) in files:
            message = f'the variant file "{variant.path}" is listed twice'
            yield from subject.in_manifest(("variants", variant.index), message, "list it once")
        elif variant.slug in slugs:
            message = f'the slug "{variant.slug}" is taken by {slugs[variant.slug]}'
            yield from subject.at_value(variant.document, ("slug",), message, "give it a slug of its own")
        files.add(posixpath.normpath(variant.path))
        if not is_broken(variant.document, ("slug",)):
            slugs.setdefault(variant.slug, variant.path)


@catalog_rule("CAB305")
def slug_changes_between_versions(subject: CatalogSubject) -> Iterator[Finding]:
    """Two versions in one folder declare different slugs.

    Why: the slug is the case's identity; its versions are one history.
    Source: section 1 of the format, "every version of one folder declares the same slug".

    Failing:
        --- also performance/easy/adder/v1.1.0
        slug = "summer"
    Fixed:
        --- also performance/easy/adder/v1.1.0
        slug = "adder"
    """
    folders: dict[str, list[CatalogEntry]] = defaultdict(list)
    for entry in _named(subject):
        folders[entry.case_folder].append(entry)
    for entries in folders.values():
        first, *later = sorted(entries, key=_by_version)
        for entry in later:
            if entry.slug != first.slug:
                message = f'the slug is "{entry.slug}" here and "{first.slug}" in {first.path}'
                yield _at_slug(entry, message, f'write "{first.slug}", or give the new case a folder of its own')


@catalog_rule("CAB306")
def slug_in_two_folders(subject: CatalogSubject) -> Iterator[Finding]:
    """Two folders of the catalog declare one slug.

    Why: results and release tags name a case by its slug.
    Source: section 1 of the format, "two folders never share one".

    Failing:
        --- also performance/easy/other/v1.0.0
        slug = "adder"
    Fixed:
        --- also performance/easy/other/v1.0.0
        slug = "other"
    """
    owners: dict[str, str] = {}
    for entry in sorted(_named(subject), key=lambda entry: entry.path):
        owner = owners.setdefault(entry.slug, entry.case_folder)
        if owner != entry.case_folder:
            yield _at_slug(entry, f'the slug "{entry.slug}" is taken by {owner}', "give the case a slug of its own")


@catalog_rule("CAB307")
def version_without_manifest(subject: CatalogSubject) -> Iterator[Finding]:
    """A folder is named like a version and has no manifest.

    Why: nothing reads it, so that a whole version would be missing without a word.
    Source: section 1 of the format.

    Failing:
        --- ../v1.1.0/Test-Case.toml
        slug = "adder"
    Fixed:
        --- also performance/easy/adder/v1.1.0
        slug = "adder"
    """
    for path in subject.strays:
        yield Finding(path, None, "the version folder has no test-case.toml", "add the manifest, or remove the folder")


def _named(subject: CatalogSubject) -> list[CatalogEntry]:
    return [entry for entry in subject.entries if not is_broken(entry.document, ("slug",))]


def _at_slug(entry: CatalogEntry, message: str, hint: str) -> Finding:
    return Finding(f"{entry.path}/{entry.document.path}", entry.document.value_at(("slug",)), message, hint)


def _by_version(entry: CatalogEntry) -> tuple[tuple[int, int, int], str]:
    name = entry.path.rpartition("/")[2]
    return version_key(name) or (0, 0, 0), name
