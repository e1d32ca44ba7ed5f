"""Files that can't be read at all: no UTF-8, no TOML, too large, no regular file."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator

from cabinet_ci.catalog.files import Unreadable
from cabinet_ci.catalog.toml import TomlError, decode_utf8
from cabinet_ci.rules.folder import Finding, Folder
from cabinet_ci.rules.registry import folder_rule
from cabinet_ci.rules.syntax_hints import toml_hint


@folder_rule("CAB001")
def unreadable_file(subject: Folder) -> Iterator[Finding]:
    """A file or folder of the version can't be read: missing rights, too large, or neither file nor folder.

    Why: what can't be read can't be checked or seeded.

    Failing:
        --- folder test-case.toml
    Fixed:
        --- test-case.toml
        name = "Adder"
    """
    tree = subject.tree
    for folder, reason in sorted(tree.unlisted.items()):
        hint = "give yourself the right to read it" if "denied" in reason else None
        yield Finding(subject.path(folder), None, f"the folder can't be read: {reason}", hint)
    if subject.is_closed:
        return
    read = {document.path: document.error for document in subject.documents}
    for path in subject.texts:
        source = subject.read(path)
        read[path] = source if isinstance(source, Unreadable) else None
    for path, error in read.items():
        # A link that leads out is told as such.
        if isinstance(error, Unreadable) and tree.kind(path) not in ("outside", "broken"):
            yield Finding(subject.path(path), None, f"the file {error.reason}", None)
    named = {posixpath.normpath(declared.target) for declared in subject.declared}
    for name, kind in sorted(tree.entries.items()):
        # What the manifest names is judged where it names it.
        if kind == "special" and name not in named and name not in read:
            yield Finding(subject.path(name), None, "is neither a file nor a folder, and can't be seeded", "remove it")
        elif kind == "file" and name not in read and not os.access(os.path.join(tree.folder, name), os.R_OK):
            read |= dict.fromkeys(subject.json_files)
            hint = "give yourself the right to read it"
            if name not in read:
                yield Finding(subject.path(name), None, "the file can't be read: permission denied", hint)


@folder_rule("CAB002")
def not_toml(subject: Folder) -> Iterator[Finding]:
    """A manifest, variant or reference file, or a file of a suite, is not TOML.

    Why: nothing else in the file can be checked until it can be parsed.

    Failing:
        --- variants/base.toml
        slug = base
    Fixed:
        --- variants/base.toml
        slug = "base"
    """
    for document in subject.documents:
        if isinstance(document.error, TomlError):
            error = document.error
            hint = toml_hint(error, document.source)
            yield Finding(subject.path(document.path), (error.line, error.column), f"not TOML: {error.message}", hint)


@folder_rule("CAB003")
def not_utf8(subject: Folder) -> Iterator[Finding]:
    r"""A Markdown file or template is not UTF-8.

    Why: all text files of the format are UTF-8; anything else reaches a run, or the site, as garbage.

    Failing:
        --- bytes changelog.md
        First version, na\xefve.
    Fixed:
        --- changelog.md
        First version, naïve.
    """
    for path in subject.texts:
        source = subject.read(path)
        if isinstance(source, bytes):
            try:
                decode_utf8(source, TomlError)
            except TomlError as fault:
                yield Finding(subject.path(path), (fault.line, fault.column), fault.message, "save the file as UTF-8")


@folder_rule("CAB004")
def empty_changelog(subject: Folder) -> Iterator[Finding]:
    """The changelog holds nothing but white space.

    Why: it becomes the message of the release tag, and tells readers what a version changed.
    Source: section 1 of the format, "must hold something".

    Failing:
        --- changelog.md

    Fixed:
        --- changelog.md
        First version.
    """
    path = subject.changelog
    if path is not None and subject.is_file(path):
        text = subject.text(path)
        if text is not None and not text.strip():
            yield Finding(subject.path(path), (1, 1), "the changelog holds nothing", "say what this version changed")
