"""Did anything change that is published? (CAB801, CAB802)"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.history.frozen import Frozen, Published, frozen_of, read_published
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.quoting import pasted, shown
from cabinet_ci.history.snapshot import GITLINK, LINK, Difference, File, differences, hash_files, with_hashes

SHOWN_CHANGES = 200
"""Files that one finding names; a folder of thousands that is gone is gone without them."""

MOVED_LIMIT = 2000
"""Untracked files that are hashed to find where a missing one went."""


class Change(msgspec.Struct, frozen=True):
    """What happened to one file: its path from the repository's root, and the words for it ("added")."""

    path: str
    what: str


class Comparison(msgspec.Struct, frozen=True):
    """What became of everything published: the frozen versions that differ, with their changes.

    `checked` counts the versions that are compared, `differing` are all paths that are not as at the anchor.
    `decided_by_tag` are the versions that are not as at the merge base but are as their release tag has them.
    """

    published: Published
    changed: tuple[tuple[Frozen, tuple[Change, ...]], ...]
    differing: tuple[Difference, ...]
    checked: int
    decided_by_tag: tuple[Frozen, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines for standard error: which versions a tag decided on where the merge base has another content."""
        return tuple(
            f"{shown(each.place.path)} is not as at the merge base, but as the tag {each.tag.name} has it, which"
            " decides"
            for each in self.decided_by_tag
            if each.tag is not None
        )


def compare(ground: Ground, *, staged: bool) -> Comparison:
    """Compare what is published with the working tree, or with the index (`staged`)."""
    if ground.anchor is None:
        return Comparison(read_published(ground), (), (), 0)
    # Git compares the files while what is published is read.
    with ThreadPoolExecutor(1) as beside:
        comparing = beside.submit(differences, ground.repository, ground.anchor, ground.layout, staged=staged)
        published = read_published(ground)
        found = comparing.result()
    touched = set(ground.layout.versions_of(each.path for each in found))
    touched |= {path for path, each in published.tagged.items() if _differs_at_anchor(published, path, each)}
    frozen = frozen_of(ground, published, touched)
    by_path = _hashed(ground, frozen, found, staged=staged)
    present = _present(ground, published, by_path)
    moved = _Moves(by_path)
    changed = []
    for each in sorted(frozen, key=lambda one: one.place.path):
        changes = tuple(_changes(each.files, present.get(each.place.path, {}), moved))
        if changes:
            changed.append((each, changes))
    merged = published.folders if ground.base is not None and ground.config.freeze == "merged" else {}
    checked = len({*merged, *published.tagged})
    decided = _decided_by_tag(published, present, touched - {each.place.path for each, _ in changed})
    return Comparison(published, tuple(changed), tuple(by_path.values()), checked, decided if merged else ())


def frozen_version_changed(ground: Ground, comparison: Comparison) -> Iterator[Diagnostic]:
    """A published version was changed.

    Why: results are comparable only while what they were measured on never changes. A version that is on the base and
    is not experimental there, an exported suite version, and whatever a release tag names stay as they are: content,
    mode and type of every file, none added, none deleted, none moved in or out (section 1 of the format).

    Fails: a frozen version's prompt is edited.

        --- test-cases/performance/hard/route-finder/v1.0.0/prompt.hbs
        Find the shortest route, quickly.

    Passes: the edit is made in a version of its own.

        --- test-cases/performance/hard/route-finder/v1.0.1/prompt.hbs
        Find the shortest route, quickly.
    """
    for frozen, changes in comparison.changed:
        place = frozen.place
        by = f"published by the tag {frozen.tag.name}" if frozen.tag is not None else "published"
        listed = ", ".join(f"{_name(change.path, place.path)} ({change.what})" for change in changes[:SHOWN_CHANGES])
        if len(changes) > SHOWN_CHANGES:
            listed += f" and {len(changes) - SHOWN_CHANGES:,} more"
        yield Diagnostic(
            code="CAB801",
            severity="error",
            path=shown(place.path),
            message=f"this version is {by} and must not change: {listed}",
            hint=_remedy(ground, frozen, changes),
        )


def release_tag_without_version(ground: Ground, comparison: Comparison) -> Iterator[Diagnostic]:
    """A release tag freezes nothing: it is on no commit, or its commit has no such version.

    Why: a tag `<slug>-vX.Y.Z` promises that the version is published as the tag's commit has it. One that names
    nothing protects nothing, and nobody would notice.

    Fails: the tag was put on a commit from before the version was added.

        git tag route-finder-v1.1.0 HEAD~5

    Passes: it is on a commit that has the version.

        git tag route-finder-v1.1.0
    """
    for tag in comparison.published.loose:
        yield _tag_warning(ground, f"the tag {tag.name} is on no commit, so it freezes nothing", tag.name)
    for tag in comparison.published.lacking:
        message = f"the tag {tag.name} freezes nothing: its commit has no version {tag.version} of {tag.slug}"
        yield _tag_warning(ground, message, tag.name)


def find_changes(ground: Ground, comparison: Comparison) -> list[Diagnostic]:
    """All findings about what is published."""
    return [*frozen_version_changed(ground, comparison), *release_tag_without_version(ground, comparison)]


def _tag_warning(ground: Ground, message: str, name: str) -> Diagnostic:
    return Diagnostic(
        code="CAB802",
        severity="warning",
        path=ground.config.catalog,
        message=message,
        hint=f"delete it, `git tag -d {name}`, or put it on the commit that published the version",
    )


def _differs_at_anchor(published: Published, path: str, frozen: Frozen) -> bool:
    folder = published.folders.get(path)
    return folder is None or folder.files is not frozen.files


def _decided_by_tag(
    published: Published, present: dict[str, dict[str, File]], unchanged: Iterable[str]
) -> tuple[Frozen, ...]:
    """Those of the versions at `unchanged`, which are as published, that the merge base alone would call changed."""
    return tuple(
        published.tagged[path]
        for path in sorted(unchanged)
        if path in published.tagged and path in published.folders and present[path] != published.folders[path].files
    )


def _present(ground: Ground, published: Published, found: dict[str, Difference]) -> dict[str, dict[str, File]]:
    """The files of every version folder that is touched or tagged, as they are now."""
    present = {path: folder.files for path, folder in published.folders.items()}
    copied: set[str] = set()
    for path, difference in found.items():
        place = ground.layout.place_of(path)
        if place is None:
            continue
        if place.path not in copied:
            copied.add(place.path)
            present[place.path] = dict(present.get(place.path, {}))
        if difference.after is None:
            present[place.path].pop(path, None)
        else:
            present[place.path][path] = difference.after
    return present


def _hashed(
    ground: Ground, frozen: Sequence[Frozen], found: Sequence[Difference], *, staged: bool
) -> dict[str, Difference]:
    """Differences by path, with the object ids that the comparison needs: one call of git for all of them."""
    if staged:
        return with_hashes(found, {})
    expected = {path for each in frozen for path in each.files}
    unknown = {each.path: each.after for each in found if each.after is not None and each.after.oid is None}
    wanted = {path: file for path, file in unknown.items() if path in expected}
    gone = any(each.after is None and each.path in expected for each in found)
    elsewhere = [path for path in unknown if path not in expected]
    if gone and len(elsewhere) <= MOVED_LIMIT:
        wanted |= {path: unknown[path] for path in elsewhere}
    return with_hashes(found, hash_files(ground.repository, wanted, len(ground.anchor or "")))


def _changes(expected: dict[str, File], present: dict[str, File], moved: _Moves) -> Iterator[Change]:
    if expected is present:
        return
    for path in sorted({*expected, *present}):
        before, after = expected.get(path), present.get(path)
        if before is None:
            yield Change(path, "added")
        elif after is None:
            target = moved.target(path, before)
            yield Change(path, f"renamed to {shown(target)}" if target is not None else "deleted")
        elif before != after:
            yield Change(path, _what(before, after))


def _what(before: File, after: File) -> str:
    if _type(before.mode) != _type(after.mode):
        return f"type: was a {_type(before.mode)}, is a {_type(after.mode)}"
    words = ["changed"] if before.oid != after.oid else []
    if before.mode != after.mode:
        words.append(f"mode {before.mode} to {after.mode}")
    return ", ".join(words)


def _type(mode: str) -> str:
    return {LINK: "link", GITLINK: "submodule"}.get(mode, "file")


class _Moves:
    """Where files went: an added path of the same content, each told once, one of the same name first."""

    def __init__(self, found: dict[str, Difference]) -> None:
        self._added: dict[tuple[str, str], list[str]] = {}
        for each in found.values():
            if each.before is None and each.after is not None and each.after.oid is not None:
                self._added.setdefault((_type(each.after.mode), each.after.oid), []).append(each.path)

    def target(self, path: str, file: File) -> str | None:
        candidates = self._added.get((_type(file.mode), file.oid or ""), [])
        if not candidates:
            return None
        name = posixpath.basename(path)
        chosen = next((each for each in candidates if posixpath.basename(each) == name), candidates[0])
        candidates.remove(chosen)
        return chosen


def _name(path: str, folder: str) -> str:
    return shown(path.removeprefix(folder + "/"))


def _remedy(ground: Ground, frozen: Frozen, changes: Sequence[Change]) -> str:
    path, source = frozen.place.path, frozen.source[:12]
    gone = sum(change.what == "deleted" or change.what.startswith("renamed to") for change in changes)
    back = f"put it back: git restore --source={source} --staged --worktree -- {pasted(path)}"
    if frozen.origin != path:
        back = f"put it back as {source} has it at {shown(frozen.origin)}"
    if gone == len(frozen.files):
        return back
    keep = f"keep the edits as a new version: cabinet-ci bump {pasted(path)} --move-changes"
    # What a tag froze may have been broken long before this branch: then there is no edit to keep.
    return keep if frozen.tag is None or frozen.source == ground.anchor else f"{keep}; or {back}"
