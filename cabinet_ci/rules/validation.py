"""Run the rules over what was asked for: `validate`'s work, apart from the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import find_strays, find_versions, version_holding
from cabinet_ci.catalog.manifest import MANIFEST_NAME
from cabinet_ci.catalog.tree import ENTRY_LIMIT, TooManyEntries
from cabinet_ci.catalog.version import Version, read_version
from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic, Report, Severity, make_report
from cabinet_ci.failure import CannotRun
from cabinet_ci.rules.registry import Rule, all_rules
from cabinet_ci.rules.subject import CatalogEntry, CatalogSubject, Subject

UNREADABLE = "CAB001"
"""The one rule that has something to say of a folder that can't be listed."""


class Selection(msgspec.Struct, frozen=True):
    """Which findings are shown, and how bad they are.

    `select` and `ignore` hold codes or prefixes of codes; of two that match the longer one wins, and `ignore` where
    they are as long. `severities` maps a code or prefix to a severity.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = {}

    @classmethod
    def of(cls, config: Config) -> Selection:
        """The selection that the configuration asks for."""
        return cls(tuple(config.select), tuple(config.ignore), config.severity)

    def apply(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """The selected findings with the severities asked for."""
        for diagnostic in found:
            if self.shows(diagnostic.code):
                prefix = _longest(self.severities, diagnostic.code)
                severity = self.severities[prefix] if prefix else diagnostic.severity
                yield msgspec.structs.replace(diagnostic, severity=severity)

    def shows(self, code: str) -> bool:
        """Whether findings of this code are shown."""
        selected, ignored = _longest(self.select, code), _longest(self.ignore, code)
        if self.select and not selected:
            return False
        return not ignored or len(selected) > len(ignored)


def validate(root: Path, config: Config, paths: Sequence[Path], selection: Selection) -> Report:
    """Check the versions that hold `paths` or lie below them; without a path the whole catalog and what spans it.

    Raises `CannotRun` for a path that does not exist or has no version.
    """
    if paths:
        return _check(root, config, _versions_of(root, config, paths), selection)
    if not (root / config.catalog).is_dir():
        raise CannotRun(
            f"there is no catalog {config.catalog} in {root}", "name its folder with --catalog, or run `new`"
        )
    return _check(root, config, list(find_versions(root, config.catalog)), selection, across=True)


def validate_holding(root: Path, config: Config, paths: Sequence[Path], selection: Selection) -> Report:
    """Check the versions that hold any of `paths`, whether they exist or not; those in no version are passed over."""
    held = {version_holding(root, _absolute(path), config.catalog) for path in paths}
    return _check(root, config, sorted(path for path in held if path is not None), selection)


def _check(
    root: Path, config: Config, versions: Sequence[str], selection: Selection, *, across: bool = False
) -> Report:
    rules = all_rules()
    found: list[Diagnostic] = []
    entries: list[CatalogEntry] = []
    for path in versions:
        try:
            version = read_version(root, path, config.catalog)
        except TooManyEntries:
            raise CannotRun(
                f"{path} holds more than {ENTRY_LIMIT:,} files", "remove build output from the version folder"
            ) from None
        found += check_version(version, config, rules)
        if across and "" not in version.tree.unlisted:
            entries.append(_entry(version))
    if across:
        subject = CatalogSubject(config.catalog, tuple(entries), tuple(find_strays(root, config.catalog)))
        for rule in rules:
            if rule.scope == "catalog":
                found += rule.diagnose(rule.check(subject))
    return make_report(selection.apply(found), len(versions))


def check_version(version: Version, config: Config, rules: Sequence[Rule] | None = None) -> list[Diagnostic]:
    """All findings in one version, from the rules about a single version."""
    subject = Subject(version, config)
    found: list[Diagnostic] = []
    rules = all_rules() if rules is None else rules
    for rule in rules:
        if rule.scope in ("folder", "version") and (not subject.is_closed or rule.code == UNREADABLE):
            found += rule.diagnose(rule.check(subject))
    if not any(one.severity == "error" for one in found):
        for rule in rules:
            if rule.scope == "sound version":
                found += rule.diagnose(rule.check(subject))
    return found


def refuse_unsound(version: Version, config: Config) -> None:
    """Raise `CannotRun`, with the first error, for a version that has any: what it scores would mean nothing."""
    errors = [
        found for found in make_report(check_version(version, config), 1).diagnostics if found.severity == "error"
    ]
    if errors:
        first = errors[0]
        place = first.path if first.line is None else f"{first.path}:{first.line}:{first.column}"
        more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
        raise CannotRun(f"{place}: {first.code} {first.message}{more}", f"run `cabinet-ci validate {version.path}`")


def _versions_of(root: Path, config: Config, paths: Sequence[Path]) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        absolute = _absolute(path)
        if not absolute.is_relative_to(root):
            raise CannotRun(f"{path} is outside the repository at {root}", "run the command in its repository")
        holding = version_holding(root, absolute, config.catalog)
        if holding is not None:
            found[holding] = None
            continue
        if not os.path.lexists(absolute):
            raise CannotRun(f"{path} does not exist", "name a version folder, a file in one, or a folder above some")
        below = absolute.relative_to(root).as_posix()
        versions = list(find_versions(root, below)) if absolute.is_dir() else []
        if not versions and not absolute.is_relative_to(root / config.catalog):
            raise CannotRun(f"{path} holds no version and is in none", f"a version folder holds a {MANIFEST_NAME}")
        found |= dict.fromkeys(versions)
    return sorted(found)


def _absolute(path: Path) -> Path:
    """A path with the links above it followed; the last name is kept, as it may be a link of a version."""
    absolute = Path(os.path.abspath(path))
    return absolute.parent.resolve() / absolute.name


def _entry(version: Version) -> CatalogEntry:
    slug = version.manifest.slug
    return CatalogEntry(version.path, version.path.rpartition("/")[0], slug, version.document)


def _longest(prefixes: Iterable[str], code: str) -> str:
    return max((prefix for prefix in prefixes if code.startswith(prefix)), key=len, default="")
