"""Declared paths: inside the version, existing, of the right kind, in the right letter case (section 1)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Literal

import msgspec

from cabinet_ci.catalog.document import Document
from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.rules.hints import nearest
from cabinet_ci.rules.registry import version_rule
from cabinet_ci.rules.subject import Finding, Subject, is_broken, is_inside

Wanted = Literal["file", "folder", "either"]


class DeclaredPath(msgspec.Struct, frozen=True):
    """A path that a document names, the key path of its value, and what it has to lead to."""

    document: Document
    key: KeyPath
    path: str
    wanted: Wanted


@version_rule("CAB201")
def path_leads_outside(subject: Subject) -> Iterator[Finding]:
    """A path is absolute, climbs with `..`, or is written with backslashes or a NUL.

    Why: a version is self-contained; a path out of it would mean another file on every machine.
    Source: the format, "Every path that a manifest names is relative to its version folder".

    Failing:
        --- test-case.toml
        description = "../description.md"
    Fixed:
        --- test-case.toml
        description = "description.md"
        --- description.md
        What the case is about.
    """
    for declared in [*_readable(subject), *_destinations(subject)]:
        path = declared.path
        if is_inside(path):
            continue
        if "\\" in path:
            message, hint = "is written with backslashes", f'write it with `/`: "{path.replace(chr(92), "/")}"'
        elif "\0" in path:
            message, hint = "holds a NUL character", "remove it"
        elif path.startswith("/"):
            message, hint = "is absolute", "write it relative to the version folder"
        else:
            message, hint = "climbs out with `..`", "a version holds all that it needs: copy the file into its folder"
        yield from subject.at_value(declared.document, declared.key, f'the path "{_shown(path)}" {message}', hint)


@version_rule("CAB202")
def path_does_not_exist(subject: Subject) -> Iterator[Finding]:
    """A declared file or folder does not exist.

    Why: the run would miss it.
    Source: the format, "A declared path must exist".

    Failing:
        --- test-case.toml
        description = "about.md"
    Fixed:
        --- test-case.toml
        description = "about.md"
        --- about.md
        What the case is about.
    """
    for declared in _readable(subject):
        if is_inside(declared.path) and _kind(subject, declared.path) is None:
            other = _other_case(subject, declared.path)
            if other is None:
                suffix = posixpath.splitext(declared.path)[1]
                names = [name for name in subject.version.tree.entries if posixpath.splitext(name)[1] == suffix]
                near = nearest(declared.path, names) if len(names) <= 2000 else None
                hint = f'did you mean "{near}"?' if near else "add it, or correct the path"
                if declared.path.endswith("/") and subject.is_file(declared.path.rstrip("/")):
                    hint = f'a file has no "/" at its end: write "{declared.path.rstrip("/")}"'
                message = f'"{_shown(declared.path)}" does not exist'
                yield from subject.at_value(declared.document, declared.key, message, hint)


@version_rule("CAB203")
def path_of_wrong_kind(subject: Subject) -> Iterator[Finding]:
    """A declared path leads to a folder where a file is due, or the other way round, or to neither.

    Why: what is read as a file can't be a folder; a FIFO or socket can't be read at all.
    Source: the format, "be of the right kind (file or folder)".

    Failing:
        --- test-case.toml
        workspace = "prompt.hbs"
    Fixed:
        --- test-case.toml
        workspace = "workspaces/base"
        --- workspaces/base/solve.txt
        Start here.
    """
    for declared in _destinations(subject):
        if is_inside(declared.path) and (declared.path.endswith("/") or posixpath.normpath(declared.path) == "."):
            hint = "write the name of the file that a run finds, such as `specs/problem.md`"
            message = f'the destination "{_shown(declared.path)}" is a folder'
            yield from subject.at_value(declared.document, declared.key, message, hint)
    for declared in _readable(subject):
        if declared.key == ("reference_implementation",) and posixpath.normpath(declared.path) == ".":
            message, hint = "the version folder can't be its own reference implementation", "name a folder in it"
            yield from subject.at_value(declared.document, declared.key, message, hint)
        found = _kind(subject, declared.path) if is_inside(declared.path) else None
        if found in (None, "outside", "broken") or (declared.wanted == "either" and found != "special"):
            continue
        if found != declared.wanted:
            is_what = "neither a file nor a folder" if found == "special" else f"a {found}"
            due = "a file or folder" if declared.wanted == "either" else f"a {declared.wanted}"
            message = f'"{_shown(declared.path)}" is {is_what}, and {due} is due'
            yield from subject.at_value(declared.document, declared.key, message, None)


@version_rule("CAB204")
def path_in_other_letter_case(subject: Subject) -> Iterator[Finding]:
    """A declared path differs from the file's name in letter case.

    Why: it is found on a disk that ignores case, and missing on every other.
    Source: the format, "match its case exactly, also on a case-insensitive disk".

    Failing:
        --- test-case.toml
        prompt = "Prompt.hbs"
    Fixed:
        --- test-case.toml
        prompt = "prompt.hbs"
    """
    for declared in _readable(subject):
        if is_inside(declared.path) and _kind(subject, declared.path) is None:
            other = _other_case(subject, declared.path)
            if other is not None:
                message = f'"{_shown(declared.path)}" is spelt "{other}" on disk'
                yield from subject.at_value(declared.document, declared.key, message, f'write "{other}"')


@version_rule("CAB205")
def link_leads_outside(subject: Subject) -> Iterator[Finding]:
    """A symbolic link leads out of the version folder, or nowhere.

    Why: what lies outside is not part of the version and may change without it.
    Source: the format, "symbolic links that lead outside are errors".

    Failing:
        --- link description.md -> ../../elsewhere.md
        --- test-case.toml
        description = "description.md"
    Fixed:
        --- description.md
        What the case is about.
        --- test-case.toml
        description = "description.md"
    """
    for name, kind in sorted(subject.version.tree.entries.items()):
        if kind == "outside":
            yield Finding(
                subject.path(name),
                None,
                "the link leads out of the version folder",
                "copy what it leads to in its place",
            )
        elif kind == "broken":
            yield Finding(subject.path(name), None, "the link leads nowhere", "remove it, or add what it leads to")


@version_rule("CAB206")
def module_outside_run_root(subject: Subject) -> Iterator[Finding]:
    """`[build].module` leads out of the run root, or names a folder.

    Why: a build may only be judged by what it writes where the run can see it.
    Source: section 1 of the format, "`module` stays inside the run root".

    Failing:
        --- test-case.toml
        [build]
        install = "true"
        build = "true"
        module = "../solution.wasm"
    Fixed:
        --- test-case.toml
        [build]
        install = "true"
        build = "true"
        module = "solution.wasm"
    """
    manifest = subject.version.performance
    if manifest is None:
        return
    module = manifest.build.module
    if is_inside(module) and (module.endswith("/") or posixpath.normpath(module) == "."):
        message, hint = "`module` is a folder", "write the path of the file that the build makes"
        yield from subject.in_manifest(("build", "module"), message, hint)
    elif not is_inside(module):
        yield from subject.in_manifest(
            ("build", "module"), "`module` leads out of the run root", "write it relative to the run root, with `/`"
        )


def declared_paths(subject: Subject) -> Iterator[DeclaredPath]:
    """Every path that the manifest and the variants name and that has to lead somewhere."""
    version, manifest = subject.version, subject.version.manifest
    document = version.document
    for key in ("description", "changelog", "prompt"):
        path = getattr(manifest, key)
        if path is not None:
            yield DeclaredPath(document, (key,), path, "file")
    if manifest.workspace is not None:
        yield DeclaredPath(document, ("workspace",), manifest.workspace.rstrip("/"), "folder")
    for index, path in enumerate(manifest.variants):
        yield DeclaredPath(document, ("variants", index), path, "file")
    for index, path in enumerate(manifest.assets):
        yield DeclaredPath(document, ("assets", index), path.rstrip("/"), "either")
    for index, spec in enumerate(manifest.spec):
        yield DeclaredPath(document, ("spec", index, "source"), spec.source, "file")
    if version.performance is not None:
        yield DeclaredPath(document, ("contract", "input"), version.performance.contract.input, "file")
        yield DeclaredPath(document, ("contract", "output"), version.performance.contract.output, "file")
        for index, case in enumerate(version.performance.case):
            yield DeclaredPath(document, ("case", index, "input"), case.input, "file")
            yield DeclaredPath(document, ("case", index, "expected"), case.expected, "file")
    for variant in version.variants:
        file = variant.file
        for index, spec in enumerate(file.spec):
            yield DeclaredPath(variant.document, ("spec", index, "source"), spec.source, "file")
        for key in ("workspace", "reference_implementation"):
            path = getattr(file, key)
            if path is not None:
                yield DeclaredPath(variant.document, (key,), path.rstrip("/"), "folder")


def _readable(subject: Subject) -> Iterator[DeclaredPath]:
    return (
        declared
        for declared in declared_paths(subject)
        if not is_broken(declared.document, declared.key) and not subject.is_hidden(declared.path)
    )


def _destinations(subject: Subject) -> Iterator[DeclaredPath]:
    documents = [(subject.version.document, subject.version.manifest.spec)]
    documents += [(variant.document, variant.file.spec) for variant in subject.version.variants]
    for document, specs in documents:
        for index, spec in enumerate(specs):
            if spec.dest is not None and not is_broken(document, ("spec", index, "dest")):
                yield DeclaredPath(document, ("spec", index, "dest"), spec.dest, "file")


def _kind(subject: Subject, path: str) -> str | None:
    return "folder" if path == "." else subject.version.tree.kind(path)


def _other_case(subject: Subject, path: str) -> str | None:
    wanted = path.casefold()
    return next((name for name in subject.version.tree.entries if name.casefold() == wanted), None)


def _shown(path: str) -> str:
    text = path.replace("\0", "\\0")
    return text if len(text) <= 80 else text[:77] + "..."
