"""Run the rules over suites: what is an error in an exported version is a warning in a draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from cabinet_ci.catalog.suites.discovery import TreePlace
from cabinet_ci.catalog.suites.reading import read_suite, read_suite_tree
from cabinet_ci.catalog.suites.suite import SuiteTree
from cabinet_ci.catalog.tree import ENTRY_LIMIT, TooManyEntries
from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.judging import UNREADABLE, check_folder
from cabinet_ci.rules.registry import suite_rules
from cabinet_ci.rules.suites.subject import AcrossSubject, SuiteFolder, SuiteSubject
from cabinet_ci.rules.targets import Targets


def check_suites(root: Path, config: Config, targets: Targets, cases: Mapping[str, str]) -> Iterator[Diagnostic]:
    """All findings in suites and their trees; `cases` maps the slugs of the catalog to their folders."""
    folders = [SuiteFolder(read_suite(root, path), config) for path in targets.suites]
    for folder in folders:
        yield from check_folder(folder, suite_rules(), "suite")
    across = AcrossSubject(cases, folders)
    for rule in suite_rules():
        if rule.scope == "across":
            yield from rule.diagnose(rule.check(across))
    for place in targets.trees:
        yield from _check_place(root, config, place)


def check_suite_tree(suite: SuiteTree, config: Config) -> list[Diagnostic]:
    """All findings in an exported version or a draft."""
    return _lenient(check_folder(SuiteSubject(suite, config), suite_rules(), "suite tree"), draft=suite.is_draft)


def _check_place(root: Path, config: Config, place: TreePlace) -> list[Diagnostic]:
    try:
        suite = read_suite_tree(root, place)
    except TooManyEntries:
        message = f"the folder holds more than {ENTRY_LIMIT:,} files"
        hint = "remove build output from it"
        found = Diagnostic(code=UNREADABLE, severity="error", path=place.path, message=message, hint=hint)
        return _lenient([found], draft=place.kind == "draft")
    return check_suite_tree(suite, config)


def _lenient(found: list[Diagnostic], *, draft: bool) -> list[Diagnostic]:
    return [msgspec.structs.replace(one, severity="warning") for one in found] if draft else found
