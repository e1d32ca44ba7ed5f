"""Run the rules over what was asked for: `validate`'s work, apart from the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from cabinet_ci.catalog.discovery import find_strays
from cabinet_ci.catalog.tree import ENTRY_LIMIT, TooManyEntries
from cabinet_ci.catalog.version import Version, read_version
from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic, Report, Severity, make_report
from cabinet_ci.failure import CannotRun
from cabinet_ci.rules.folder import is_broken
from cabinet_ci.rules.judging import check_folder
from cabinet_ci.rules.registry import catalog_rules, is_prefix_of_a_rule
from cabinet_ci.rules.subject import CatalogEntry, CatalogSubject, Subject
from cabinet_ci.rules.targets import Targets, all_targets, targets_holding, targets_of


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
        """The selection that the configuration asks for.

        Raises `CannotRun` for a code that is no rule's: a choice that is misspelt would silence all others.
        """
        for key, prefixes in (("select", config.select), ("ignore", config.ignore), ("severity", config.severity)):
            for prefix in prefixes:
                if not is_prefix_of_a_rule(prefix):
                    raise CannotRun(
                        f'{key} names "{prefix}", and no rule has a code that starts so',
                        "`cabinet-ci explain` lists them",
                    )
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
    """Check the versions and suites that hold `paths` or lie below them; without a path all, and what spans them.

    Raises `CannotRun` for a path that does not exist or has no version.
    """
    targets = targets_of(root, config, paths) if paths else all_targets(root, config)
    return _check(root, config, targets, selection, across=not paths)


def validate_holding(root: Path, config: Config, paths: Sequence[Path], selection: Selection) -> Report:
    """Check the versions that hold any of `paths`, whether they exist or not; those in no version are passed over."""
    return _check(root, config, targets_holding(root, config, paths), selection)


def _check(root: Path, config: Config, targets: Targets, selection: Selection, *, across: bool = False) -> Report:
    found: list[Diagnostic] = []
    entries: list[CatalogEntry] = []
    for path in targets.versions:
        try:
            version = read_version(root, path, config.catalog)
        except TooManyEntries:
            raise CannotRun(
                f"{path} holds more than {ENTRY_LIMIT:,} files", "remove build output from the version folder"
            ) from None
        found += check_version(version, config)
        if across and "" not in version.tree.unlisted:
            entries.append(_entry(version))
    if across:
        subject = CatalogSubject(config.catalog, tuple(entries), tuple(find_strays(root, config.catalog)))
        for rule in catalog_rules():
            if rule.scope == "catalog":
                found += rule.diagnose(rule.check(subject))
    if targets.suites or targets.trees:
        from cabinet_ci.rules.suites.checking import check_suites

        cases = {one.slug: one.case_folder for one in entries if not is_broken(one.document, ("slug",))}
        found += check_suites(root, config, targets, cases)
    return make_report(selection.apply(found), len(targets.versions) + len(targets.trees))


def check_version(version: Version, config: Config) -> list[Diagnostic]:
    """All findings in one version, from the rules about a single version."""
    return check_folder(Subject(version, config), catalog_rules(), "version")


def refuse_unsound(version: Version, config: Config, tolerated: Callable[[Diagnostic], bool] = lambda _: False) -> None:
    """Raise `CannotRun`, with the first error, for a version that has any: what it scores would mean nothing.

    Errors that are `tolerated` are passed over.
    """
    errors = [
        found
        for found in make_report(check_version(version, config), 1).diagnostics
        if found.severity == "error" and not tolerated(found)
    ]
    if errors:
        first = errors[0]
        place = first.path if first.line is None else f"{first.path}:{first.line}:{first.column}"
        more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
        raise CannotRun(f"{place}: {first.code} {first.message}{more}", f"run `cabinet-ci validate {version.path}`")


def _entry(version: Version) -> CatalogEntry:
    slug = version.manifest.slug
    return CatalogEntry(version.path, version.path.rpartition("/")[0], slug, version.document)


def _longest(prefixes: Iterable[str], code: str) -> str:
    return max((prefix for prefix in prefixes if code.startswith(prefix)), key=len, default="")
