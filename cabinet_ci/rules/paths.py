"""Declared paths: inside the version, existing, of the right kind, in the right letter case (section 1)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cabinet_ci.rules.folder import DeclaredPath, Finding, Folder, is_broken, is_inside
from cabinet_ci.rules.hints import Guesses
from cabinet_ci.rules.registry import folder_rule, version_rule
from cabinet_ci.rules.subject import Subject
from cabinet_ci.seeding.clashes import parents_of


@folder_rule("CAB201")
def path_leads_outside(subject: Folder) -> Iterator[Finding]:
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
    sources = ((declared, False) for declared in _readable(subject))
    for declared, is_destination in (*sources, *((declared, True) for declared in subject.destinations)):
        path = declared.path
        if is_inside(path):
            continue
        if "\\" in path:
            message, hint = "is written with backslashes", f'write it with `/`: "{path.replace(chr(92), "/")}"'
        elif "\0" in path:
            message, hint = "holds a NUL character", "remove it"
        elif path.startswith("/"):
            start = "the run root" if is_destination else "the version folder"
            message, hint = "is absolute", f"write it relative to {declared.base or start}"
        else:
            message, hint = "climbs out with `..`", "a version holds all that it needs: copy the file into its folder"
            if declared.base or is_destination:
                hint = f"write it relative to {declared.base or 'the run root'}"
        yield from subject.at_value(declared.document, declared.key, f'the path "{_shown(path)}" {message}', hint)


@folder_rule("CAB202")
def path_does_not_exist(subject: Folder) -> Iterator[Finding]:
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
    guesses = Guesses()
    for declared in _readable(subject):
        path = declared.path
        if not is_inside(path) or _kind(subject, declared.target) is not None:
            continue
        if _other_case(subject, declared) is None and not _is_behind_a_fault(subject, declared.target):
            near = guesses.nearest(path, _alike(subject, declared))
            hint = f'did you mean "{near}"?' if near else "add it, or correct the path"
            if path.endswith("/") and subject.is_file(declared.target.rstrip("/")):
                hint = f'a file has no "/" at its end: write "{path.rstrip("/")}"'
            message = f'"{_shown(path)}" does not exist{_where(declared)}'
            yield from subject.at_value(declared.document, declared.key, message, hint)


@folder_rule("CAB203")
def path_of_wrong_kind(subject: Folder) -> Iterator[Finding]:
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
    for declared in subject.destinations:
        if is_inside(declared.path) and (declared.path.endswith("/") or posixpath.normpath(declared.path) == "."):
            hint = "write the name of the file that a run finds, such as `specs/problem.md`"
            message = f'the destination "{_shown(declared.path)}" is a folder'
            yield from subject.at_value(declared.document, declared.key, message, hint)
    for declared in _readable(subject):
        if declared.key == ("reference_implementation",) and posixpath.normpath(declared.path) == ".":
            message, hint = "the version folder can't be its own reference implementation", "name a folder in it"
            yield from subject.at_value(declared.document, declared.key, message, hint)
        found = _kind(subject, declared.target) if is_inside(declared.path) else None
        if found in (None, "outside", "broken") or (declared.wanted == "either" and found != "special"):
            continue
        if found != declared.wanted:
            is_what = "neither a file nor a folder" if found == "special" else f"a {found}"
            due = "a file or folder" if declared.wanted == "either" else f"a {declared.wanted}"
            message = f'"{_shown(declared.path)}" is {is_what}, and {due} is due'
            yield from subject.at_value(declared.document, declared.key, message, None)


@folder_rule("CAB204")
def path_in_other_letter_case(subject: Folder) -> Iterator[Finding]:
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
        if is_inside(declared.path) and _kind(subject, declared.target) is None:
            other = _other_case(subject, declared)
            if other is not None:
                message = f'"{_shown(declared.path)}" is spelt "{other}" on disk'
                yield from subject.at_value(declared.document, declared.key, message, f'write "{other}"')


@folder_rule("CAB205")
def link_leads_outside(subject: Folder) -> Iterator[Finding]:
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
    for name, kind in sorted(subject.tree.entries.items()):
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
            ("build", "module"),
            "`module` leads out of the run root",
            "write it relative to the run root, with `/` and without `..`",
        )


def _readable(subject: Folder) -> list[DeclaredPath]:
    return [
        declared
        for declared in subject.declared
        if not is_broken(declared.document, declared.key) and not subject.is_hidden(declared.target)
    ]


def _kind(subject: Folder, path: str) -> str | None:
    return "folder" if path == "." else subject.tree.kind(path)


def _is_behind_a_fault(subject: Folder, path: str) -> bool:
    """Whether a path leads through a link that leads out or nowhere, which is told at the link."""
    return any(subject.tree.entries.get(parent) in ("outside", "broken") for parent in parents_of(path))


def _other_case(subject: Folder, declared: DeclaredPath) -> str | None:
    """The name on disk that differs from a declared path in letter case alone, as it has to be written."""
    found = subject.by_folded_name.get(declared.target.casefold())
    return None if found is None or not found.startswith(declared.base) else found[len(declared.base) :]


def _alike(subject: Folder, declared: DeclaredPath) -> Iterator[str]:
    """Names of the same suffix, one of which may have been meant."""
    suffix, base = posixpath.splitext(declared.path)[1], declared.base
    for name in subject.tree.entries:
        if name.startswith(base) and posixpath.splitext(name)[1] == suffix:
            yield name[len(base) :]


def _where(declared: DeclaredPath) -> str:
    return f" in {declared.base}" if declared.base else ""


def _shown(path: str) -> str:
    text = path.replace("\0", "\\0")
    return text if len(text) <= 80 else text[:77] + "..."
