"""New versions: whether each follows on those before it (CAB810) and says what it changed (CAB811)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from cabinet_ci.catalog.files import TEXT_LIMIT, Unreadable, read_bounded
from cabinet_ci.catalog.identity import version_key
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.toml import TomlError, parse_toml
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.history.changes import Comparison
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.layout import VERSION_NAME, Place
from cabinet_ci.history.quoting import shown
from cabinet_ci.history.snapshot import File, read_folders

Number = tuple[int, int, int]


class NewVersion(msgspec.Struct, frozen=True):
    """A version folder that is not at the merge base, and every other version beside it, as they are now."""

    place: Place
    others: tuple[Place, ...]


def find_disorder(ground: Ground, comparison: Comparison, *, staged: bool) -> list[Diagnostic]:
    """All findings about new versions; none where there is no base to be new against."""
    if ground.base is None:
        return []
    now = _Now(ground, comparison, staged=staged)
    new = _new_versions(comparison, now)
    if not new:
        return []
    return [*version_out_of_order(new, _numbers_on_base(ground, comparison)), *changelog_says_nothing(new, now)]


def version_out_of_order(new: Iterable[NewVersion], on_base: Mapping[str, frozenset[Number]]) -> Iterator[Diagnostic]:
    """A new version's number does not follow on those before it.

    Why: a gap makes readers look for a version that never was, and a number below what is published reads as if it
    were older. A new version comes next after the greatest one of its folder on the base (patch, minor or major), or
    is the next free patch of an older line.

    Fails: the base has v1.0.0, and this is added.

        --- test-cases/performance/hard/route-finder/v1.2.0/test-case.toml
        slug = "route-finder"

    Passes: the number that comes next.

        --- test-cases/performance/hard/route-finder/v1.1.0/test-case.toml
        slug = "route-finder"
    """
    taken = {folder: set(numbers) for folder, numbers in on_base.items()}
    for each in sorted(new, key=lambda one: (one.place.siblings, _number(one.place))):
        numbers, number = taken.setdefault(each.place.siblings, set()), _number(each.place)
        following = next_numbers(numbers)
        if numbers and number not in numbers and number not in following:
            greater = number > max(numbers)
            what = "leaves a hole after" if greater else "is a step back behind"
            yield Diagnostic(
                code="CAB810",
                severity="warning",
                path=shown(each.place.path),
                message=f"{each.place.version} {what} {written(max(numbers))}",
                hint=f"the next version may be {_listed(following)}",
            )
        numbers.add(number)


def changelog_says_nothing(new: Iterable[NewVersion], now: _Now) -> Iterator[Diagnostic]:
    """A new version's changelog says nothing that no other version's says.

    Why: the changelog is what tells readers why results of two versions differ. A copied one tells them nothing;
    headings, version numbers and dates alone do not count as saying something.

    Fails: the changelog came along with the copied folder.

        --- v1.0.0/changelog.md
        First version.

        --- v1.1.0/changelog.md
        First version.

    Passes: it says what is new.

        --- v1.1.0/changelog.md
        The largest input is twice as large.
    """
    for each in new:
        name = now.changelog(each.place)
        text = None if name is None else now.read(f"{each.place.path}/{name}")
        if text is None or name is None:
            continue
        lines = statements(text)
        for other in each.others:
            other_name = now.changelog(other)
            other_text = None if other_name is None else now.read(f"{other.path}/{other_name}")
            lines -= statements(other_text or "")
        if not lines and each.others and text.strip():
            yield Diagnostic(
                code="CAB811",
                severity="error",
                path=shown(f"{each.place.path}/{name}"),
                line=1,
                column=1,
                message=f"the changelog of {each.place.version} says nothing that no other version's says",
                hint="say what this version changed",
            )


def statements(text: str) -> set[str]:
    """What a changelog says, line by line: without marks, case, spacing, version numbers and dates."""
    found = set()
    for line in text.splitlines():
        bare = re.sub(r"\bv?\d+\.\d+(\.\d+)*\b|\b\d{4}-\d{2}-\d{2}\b", " ", line.lower())
        words = " ".join(re.findall(r"\w+", bare))
        if any(char.isalpha() for char in words):
            found.add(words)
    return found


def next_numbers(taken: Iterable[Number]) -> list[Number]:
    """The numbers a new version may have beside those taken, smallest first; none taken allows any."""
    numbers = set(taken)
    if not numbers:
        return []
    major, minor, _ = max(numbers)
    lines = {(number[0], number[1]) for number in numbers}
    patches = [(*line, 1 + max(number[2] for number in numbers if number[:2] == line)) for line in sorted(lines)]
    return sorted({*patches, (major, minor + 1, 0), (major + 1, 0, 0)})


def written(number: Number) -> str:
    """(1, 2, 0) as `v1.2.0`."""
    return "v" + ".".join(map(str, number))


class _Now:
    """Version folders as they are now, and their text files, from the working tree or the index."""

    def __init__(self, ground: Ground, comparison: Comparison, *, staged: bool) -> None:
        self._ground = ground
        self._staged = staged
        self.files: dict[str, dict[str, File]] = {
            path: dict(folder.files) for path, folder in comparison.published.folders.items()
        }
        self.places = {path: folder.place for path, folder in comparison.published.folders.items()}
        for each in comparison.differing:
            place = ground.layout.place_of(each.path)
            if place is None:
                continue
            files = self.files.setdefault(place.path, {})
            self.places[place.path] = place
            if each.after is None:
                files.pop(each.path, None)
            else:
                files[each.path] = each.after

    def read(self, path: str) -> str | None:
        """The text at a path; None where there is none."""
        place = self._ground.layout.place_of(path)
        file = None if place is None else self.files.get(place.path, {}).get(path)
        if file is None:
            return None
        content = None if self._staged else self._on_disk(path)
        if content is None and file.oid is not None:
            # The index, or what a sparse checkout leaves out of the working tree.
            found = self._ground.repository.objects.get(file.oid)
            content = None if found is None or found.type != "blob" else found.content
        return None if content is None or len(content) > TEXT_LIMIT else content.decode("utf-8", "replace")

    def _on_disk(self, path: str) -> bytes | None:
        try:
            return read_bounded(os.path.join(self._ground.repository.root, path), TEXT_LIMIT)
        except Unreadable:
            return None

    def changelog(self, place: Place) -> str | None:
        """The changelog's path in the version folder, as the manifest declares it."""
        manifest = MANIFEST_NAME if place.kind == "case" else VERSION_NAME
        source = self.read(f"{place.path}/{manifest}")
        try:
            declared = None if source is None else parse_toml(source.encode()).get("changelog")
        except TomlError:
            return None
        return declared if isinstance(declared, str) else None


def _new_versions(comparison: Comparison, now: _Now) -> list[NewVersion]:
    beside: dict[str, list[Place]] = {}
    for path, files in now.files.items():
        if files:
            beside.setdefault(now.places[path].siblings, []).append(now.places[path])
    return [
        NewVersion(place, tuple(other for other in places if other != place))
        for places in beside.values()
        for place in places
        if place.path not in comparison.published.folders
    ]


def _numbers_on_base(ground: Ground, comparison: Comparison) -> dict[str, frozenset[Number]]:
    """Folder -> the versions it has on the base, as it is today and as it was at the merge base."""
    assert ground.base is not None  # noqa: S101
    folders = [comparison.published.folders]
    if ground.base.commit != ground.base.merge_base:
        folders.append(read_folders(ground.repository, ground.base.commit, ground.layout))
    found: dict[str, set[Number]] = {}
    for place in (folder.place for side in folders for folder in side.values()):
        found.setdefault(place.siblings, set()).add(_number(place))
    return {folder: frozenset(numbers) for folder, numbers in found.items()}


def _number(place: Place) -> Number:
    number = version_key(place.version)
    assert number is not None  # noqa: S101
    return number


def _listed(numbers: list[Number]) -> str:
    words = [written(number) for number in numbers]
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
