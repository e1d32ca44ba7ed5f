"""The files of version folders: as a commit has them, and as they are now, in the working tree or the index."""

from __future__ import annotations

import hashlib
import os
import posixpath
import stat
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from cabinet_ci.history.git import Repository
from cabinet_ci.history.layout import Layout, Place
from cabinet_ci.history.objects import canonical_mode, tree_entries
from cabinet_ci.history.quoting import quoted

LINK, GITLINK, FOLDER = "120000", "160000", "040000"
ABSENT = "000000"
_USUAL = ("100644", "100755", LINK, GITLINK)


class File(NamedTuple):
    """A file's mode, in git's notation, and its content's object id; null where that was not computed."""

    mode: str
    oid: str | None


class Folder(msgspec.Struct, frozen=True):
    """A version folder at a commit: the id of its tree, and its files by their path from the repository's root."""

    place: Place
    tree: str
    files: dict[str, File]


class Difference(msgspec.Struct, frozen=True):
    """One path that is not as the commit has it: what was there and what is there now; null for nothing.

    A file of the working tree that git does not track yet is a difference too (`tracked` is false).
    """

    path: str
    before: File | None
    after: File | None
    tracked: bool = True


def read_folders(repository: Repository, commit: str, layout: Layout) -> dict[str, Folder]:
    """Every version folder that holds a file at a commit, by its path."""
    listed = repository.run("ls-tree", "-r", "-t", "-z", "--full-tree", commit, "--", *layout.roots)
    trees: dict[str, str] = {}
    folders: dict[str, Folder] = {}
    for line in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        fields, _, path = line.partition("\t")
        mode, kind, oid = fields.split(" ")
        if kind == "tree":
            trees[path] = oid
            continue
        place = layout.place_of(path)
        if place is None:
            continue
        folder = folders.get(place.path)
        if folder is None:
            folder = folders[place.path] = Folder(place, trees[place.path], {})
        folder.files[path] = File(mode if mode in _USUAL else canonical_mode(mode), oid)
    return folders


def read_tree(repository: Repository, tree: str, path: str) -> dict[str, File]:
    """Files below one tree, by their path from the repository's root; `path` is the tree's own."""
    files: dict[str, File] = {}
    pending = [(path, tree)]
    while pending:
        found = repository.objects.get_many([oid for _, oid in pending])
        below: list[tuple[str, str]] = []
        for (above, _), node in zip(pending, found, strict=True):
            for entry in tree_entries(node) if node is not None else ():
                name = f"{above}/{entry.name}" if above else entry.name
                if entry.mode == FOLDER:
                    below.append((name, entry.oid))
                else:
                    files[name] = File(entry.mode, entry.oid)
        pending = below
    return files


def differences(repository: Repository, commit: str, layout: Layout, *, staged: bool) -> list[Difference]:
    """Paths that are not as a commit has them, in the working tree (ignored files apart) or in the index.

    Tracked files are told for the whole repository, so that a file moved out of the catalog is found again; others
    only in the folders that hold versions.
    """
    options = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-color", "--ignore-submodules=none")
    where = ("--cached",) if staged else ()
    listed = repository.run("diff", *options, *where, commit, "--").decode("utf-8", "surrogateescape").split("\0")
    found: dict[str, Difference] = {}
    conflicts: set[str] = set()
    for header, path in zip(listed[0:-1:2], listed[1::2], strict=False):
        old_mode, new_mode, old_oid, new_oid, status = header[1:].split(" ")
        before = None if old_mode == ABSENT else File(canonical_mode(old_mode), old_oid)
        after = None if new_mode == ABSENT else File(canonical_mode(new_mode), new_oid if new_oid.strip("0") else None)
        if status[0] == "U":
            # A conflict: the index holds several contents, none of them the one to be.
            conflicts.add(path)
            before, after = found[path].before if path in found else before, File("100644", None)
        found[path] = Difference(path, before, after)
    if not staged:
        _look_on_disk(repository, layout, found, conflicts)
    return list(found.values())


def _look_on_disk(
    repository: Repository, layout: Layout, found: dict[str, Difference], conflicts: Collection[str]
) -> None:
    """Add untracked files, and correct what the index can't say or hides.

    It can't tell a file that left it but not the disk, or a conflict. It hides files that git was told to take for
    unchanged (--assume-unchanged), or to do without (--skip-worktree), whatever lies there.
    """
    for path, difference in list(found.items()):
        if (difference.after is None or path in conflicts) and layout.place_of(path) is not None:
            on_disk = file_on_disk(repository, path)
            found[path] = Difference(path, difference.before, on_disk, tracked=path in conflicts)
    options = ("-v", "-z", "--stage", "--cached", "--others", "--exclude-standard")
    listed = repository.run("ls-files", *options, "--", *layout.roots).decode("utf-8", "surrogateescape")
    lines = listed.split("\0")[:-1]
    for line in lines:
        if line[0] == "?":
            path = line[2:].rstrip("/")  # a repository of its own is listed with a slash
            on_disk = file_on_disk(repository, path)
            if path not in found and on_disk is not None:
                found[path] = Difference(path, None, on_disk, tracked=False)
    for hidden in hidden_files(repository, lines):
        before = found.pop(hidden.path).before if hidden.path in found else hidden.entry
        after = hidden.entry if hidden.left_out else hidden.on_disk
        if before != after:
            found[hidden.path] = Difference(hidden.path, before, after)


class Hidden(msgspec.Struct, frozen=True):
    """A file that git was told not to look at: its entry in the index, and what lies on disk, hashed; null for nothing.

    `left_out`: it is not there because the working tree is a sparse checkout.
    """

    path: str
    entry: File
    on_disk: File | None
    left_out: bool


def hidden_files(repository: Repository, listed: Iterable[str]) -> list[Hidden]:
    """Files that were taken for unchanged (--assume-unchanged) or done without (--skip-worktree).

    `listed` are lines of `git ls-files -v --stage`.
    """
    entries: dict[str, tuple[str, File]] = {}
    for line in listed:
        kind = line[0]
        if kind == "S" or kind.islower():
            fields, _, path = line[2:].partition("\t")
            mode, oid, _ = fields.split(" ")
            entries[path] = (kind, File(canonical_mode(mode), oid))
    if not entries:
        return []
    on_disk = {path: file for path in entries if (file := file_on_disk(repository, path)) is not None}
    hashed = hash_files(repository, on_disk, len(next(iter(entries.values()))[1].oid or ""))
    may_lack = {path for path, (kind, _) in entries.items() if kind in "Ss" and path not in on_disk}
    sparse = bool(may_lack) and _is_sparse(repository)
    return [
        Hidden(
            path,
            entry,
            File(on_disk[path].mode, hashed.get(path)) if path in on_disk else None,
            sparse and path in may_lack,
        )
        for path, (_, entry) in entries.items()
    ]


def _is_sparse(repository: Repository) -> bool:
    """Whether the working tree is a sparse checkout, which leaves files out on purpose."""
    _, said = repository.answer("config", "--type=bool", "core.sparseCheckout", ok=(0, 1))
    return said.strip() == b"true"


def file_on_disk(repository: Repository, path: str) -> File | None:
    """What lies at a path: a file, a link, or (a repository of its own) a gitlink; None for nothing or a folder."""
    full = os.path.join(repository.root, path)
    try:
        found = os.lstat(full)
        real = os.path.normpath(os.path.join(os.path.realpath(repository.root), posixpath.dirname(path)))
        if os.path.realpath(os.path.dirname(full)) != real:
            return None  # reached only through a link: git does not look there
    except OSError:
        return None
    if stat.S_ISLNK(found.st_mode):
        return File(LINK, None)
    if stat.S_ISREG(found.st_mode):
        return File("100755" if found.st_mode & stat.S_IXUSR else "100644", None)
    if stat.S_ISDIR(found.st_mode):
        return File(GITLINK, None) if os.path.lexists(os.path.join(full, ".git")) else None
    return None


def hash_files(repository: Repository, files: Mapping[str, File], width: int) -> dict[str, str]:
    """Object ids of files on disk as git would store them, filters included; what can't be hashed is left out.

    `width` is the length of the repository's object ids in hexadecimal digits.
    """
    hashed: dict[str, str] = {}
    plain: list[str] = []
    for path, file in files.items():
        full = os.path.join(repository.root, path)
        if file.mode == LINK:
            if os.path.islink(full):
                hashed[path] = object_id("blob", os.fsencode(os.readlink(full)), width)
        elif file.mode != GITLINK and os.path.isfile(full) and not os.path.islink(full):
            plain.append(path)
    if plain:
        lines = "\n".join(quoted(path) for path in plain) + "\n"
        said = repository.run("hash-object", "--stdin-paths", stdin=lines.encode())
        hashed |= dict(zip(plain, said.decode().split(), strict=True))
    return hashed


def with_hashes(found: Iterable[Difference], hashed: Mapping[str, str]) -> dict[str, Difference]:
    """Differences by path, object ids filled in where they were computed."""
    return {
        each.path: each
        if each.after is None or each.after.oid is not None or each.path not in hashed
        else msgspec.structs.replace(each, after=File(each.after.mode, hashed[each.path]))
        for each in found
    }


def object_id(kind: str, content: bytes, width: int) -> str:
    """The id of an object with this content; `width` is the length of the repository's ids in hexadecimal digits."""
    header = b"%s %d\0" % (kind.encode(), len(content))
    digest = hashlib.sha256 if width == 64 else hashlib.sha1
    return digest(header + content, usedforsecurity=False).hexdigest()
