"""The rules by their codes.

A rule is a generator function from what was parsed to findings, registered with a code and a severity. Its docstring is
what `cabinet-ci explain` prints: what it checks, why, a failing and a fixed example, and the section of the format.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from cabinet_ci.catalog.names import printable
from cabinet_ci.diagnostics import Diagnostic, Severity
from cabinet_ci.rules.folder import Finding, Folder
from cabinet_ci.rules.subject import CatalogSubject, Subject

if TYPE_CHECKING:
    from cabinet_ci.rules.suites.subject import AcrossSubject, SuiteFolder, SuiteSubject

FolderCheck = Callable[[Folder], Iterator[Finding]]
VersionCheck = Callable[[Subject], Iterator[Finding]]
SuiteCheck = Callable[["SuiteFolder"], Iterator[Finding]]
SuiteTreeCheck = Callable[["SuiteSubject"], Iterator[Finding]]
AcrossCheck = Callable[["AcrossSubject"], Iterator[Finding]]
CatalogCheck = Callable[[CatalogSubject], Iterator[Finding]]
HistoryCheck = Callable[..., Iterator[Diagnostic]]

FAMILIES = (
    "documents",
    "keys",
    "paths",
    "identity",
    "cases",
    "contract",
    "seeding",
    "templates",
    "references",
    "review",
    "tidiness",
)
"""The modules of this package that hold rules, in the order in which they run."""

SUITE_FAMILIES = (
    "layout",
    "specifications",
    "definitions",
    "seeding",
    "validators",
    "assets",
    "debug_api",
    "tidiness",
)
"""Those of `suites`, below it; `SHARED_FAMILIES` judge suites too."""

SHARED_FAMILIES = ("documents", "keys", "paths", "templates")


FINDING_LIMIT = 10_000
"""Findings of one rule in one folder that are shown."""

TEXT_SHOWN = 5000
"""Characters of a message, a hint or a path that are shown: more than any path that a file system can hold."""


class Rule(msgspec.Struct, frozen=True):
    """A rule: its code, its name (words with hyphens), how bad a finding is, and the function that looks for it.

    `scope` says what the function is given: any `folder`, one `version` of the catalog, a `sound version` (one in which
    no error was found), a `suite`, a `suite tree`, a `sound suite tree`, the whole `catalog`, or what lies
    `across` both formats. Those of scope `history` compare with git and are run where git is asked.
    """

    code: str
    name: str
    severity: Severity
    scope: str
    check: Callable[..., Iterator[Any]]

    @property
    def explanation(self) -> str:
        """The docstring, without its indentation."""
        return inspect.getdoc(self.check) or ""

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return self.explanation.partition("\n")[0]

    def diagnose(self, findings: Iterable[Finding]) -> Iterator[Diagnostic]:
        """Findings of this rule as diagnostics; of very many the first alone."""
        for number, found in enumerate(findings):
            if number == FINDING_LIMIT:
                more = f"{self.code} has found more than {FINDING_LIMIT:,} faults; the rest is not shown"
                yield self._as_diagnostic(Finding(found.path, None, more, "mend these first"))
                break
            yield self._as_diagnostic(found)

    def _as_diagnostic(self, found: Finding) -> Diagnostic:
        line, column = found.position or (None, None)
        return Diagnostic(
            code=self.code,
            severity=self.severity,
            path=_printable(found.path),
            line=line,
            column=column,
            message=_printable(found.message),
            hint=None if found.hint is None else _printable(found.hint),
        )


def _printable(text: str) -> str:
    """Text that can be printed; one beyond every measure is cut."""
    return printable(text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 3] + "...")


_RULES: dict[str, Rule] = {}


def folder_rule(code: str, severity: Severity = "error") -> Callable[[FolderCheck], FolderCheck]:
    """Register a rule about any folder under judgement, of either format."""
    return _register(code, severity, "folder")


def version_rule(code: str, severity: Severity = "error") -> Callable[[VersionCheck], VersionCheck]:
    """Register a rule about one version."""
    return _register(code, severity, "version")


def sound_version_rule(code: str, severity: Severity = "error") -> Callable[[VersionCheck], VersionCheck]:
    """Register a rule about a version without errors: what it would say of a broken one follows from the break."""
    return _register(code, severity, "sound version")


def suite_rule(code: str, severity: Severity = "error") -> Callable[[SuiteCheck], SuiteCheck]:
    """Register a rule about a suite's own folder."""
    return _register(code, severity, "suite")


def suite_tree_rule(code: str, severity: Severity = "error") -> Callable[[SuiteTreeCheck], SuiteTreeCheck]:
    """Register a rule about an exported version or a draft of a suite; what it finds in a draft is a warning."""
    return _register(code, severity, "suite tree")


def sound_suite_tree_rule(code: str, severity: Severity = "error") -> Callable[[SuiteTreeCheck], SuiteTreeCheck]:
    """Register a rule about a suite tree without errors."""
    return _register(code, severity, "sound suite tree")


def catalog_rule(code: str, severity: Severity = "error") -> Callable[[CatalogCheck], CatalogCheck]:
    """Register a rule across the version folders of the catalog."""
    return _register(code, severity, "catalog")


def across_rule(code: str, severity: Severity = "error") -> Callable[[AcrossCheck], AcrossCheck]:
    """Register a rule across both formats."""
    return _register(code, severity, "across")


def history_rule(code: str, severity: Severity = "error") -> Callable[[HistoryCheck], HistoryCheck]:
    """Make a rule that compares with git known to `explain`; the commands that ask git run it themselves."""
    return _register(code, severity, "history")


def _register(code: str, severity: Severity, scope: str) -> Callable[..., Any]:
    def add(check: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        assert code not in _RULES, code  # noqa: S101
        _RULES[code] = Rule(code, check.__name__.replace("_", "-"), severity, scope, check)
        return check

    return add


@cache
def catalog_rules() -> Sequence[Rule]:
    """The rules that versions of the catalog are held to, by code."""
    _load(f"cabinet_ci.rules.{family}" for family in FAMILIES)
    return _of_scope("folder", "version", "sound version", "catalog")


@cache
def suite_rules() -> Sequence[Rule]:
    """The rules that suites are held to, by code."""
    _load(f"cabinet_ci.rules.{family}" for family in SHARED_FAMILIES)
    _load(f"cabinet_ci.rules.suites.{family}" for family in SUITE_FAMILIES)
    return _of_scope("folder", "suite", "suite tree", "sound suite tree", "across")


@cache
def all_rules() -> Sequence[Rule]:
    """Every rule that `validate` runs, by code."""
    return tuple(sorted({*catalog_rules(), *suite_rules()}, key=lambda rule: rule.code))


def _load(modules: Iterable[str]) -> None:
    for module in modules:
        importlib.import_module(module)


def _of_scope(*scopes: str) -> tuple[Rule, ...]:
    return tuple(_RULES[code] for code in sorted(_RULES) if _RULES[code].scope in scopes)


@cache
def explained_rules() -> Sequence[Rule]:
    """Every rule there is, those about history too, by code."""
    all_rules()
    importlib.import_module("cabinet_ci.rules.history")
    return tuple(_RULES[code] for code in sorted(_RULES))


def is_prefix_of_a_rule(prefix: str) -> bool:
    """Whether there is a rule whose code starts so."""
    # Most choices are of rules that a validation loads in any case.
    loaded = (rule.code for rule in catalog_rules())
    return any(code.startswith(prefix) for code in loaded) or any(
        rule.code.startswith(prefix) for rule in explained_rules()
    )
