"""The rules by their codes.

A rule is a generator function from what was parsed to findings, registered with a code and a severity. Its docstring is
what `cabinet-ci explain` prints: what it checks, why, a failing and a fixed example, and the section of the format.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from cabinet_ci.diagnostics import Diagnostic, Severity
from cabinet_ci.rules.folder import Finding, Folder
from cabinet_ci.rules.subject import CatalogSubject, Subject

FolderCheck = Callable[[Folder], Iterator[Finding]]
VersionCheck = Callable[[Subject], Iterator[Finding]]
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


class Rule(msgspec.Struct, frozen=True):
    """A rule: its code, its name (words with hyphens), how bad a finding is, and the function that looks for it.

    `scope` says what the function is given: any `folder`, one `version` of the catalog, a `sound version` (one in which
    no error was found), or the whole `catalog`. Those of scope `history`
    compare with git and are run where git is asked.
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
        """Findings of this rule as diagnostics."""
        for found in findings:
            line, column = found.position or (None, None)
            yield Diagnostic(
                code=self.code,
                severity=self.severity,
                path=_printable(found.path),
                line=line,
                column=column,
                message=_printable(found.message),
                hint=None if found.hint is None else _printable(found.hint),
            )


def _printable(text: str) -> str:
    """Text with the bytes of a name that is not UTF-8 written as git does, in octal, without any half character."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    octal = "".join(f"\\{ord(char) - 0xDC00:o}" if "\udc80" <= char <= "\udcff" else char for char in text)
    return octal.encode("utf-8", "backslashreplace").decode()


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


def catalog_rule(code: str, severity: Severity = "error") -> Callable[[CatalogCheck], CatalogCheck]:
    """Register a rule across the version folders of the catalog."""
    return _register(code, severity, "catalog")


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
def all_rules() -> Sequence[Rule]:
    """Every rule that `validate` runs, by code."""
    for family in FAMILIES:
        importlib.import_module(f"cabinet_ci.rules.{family}")
    return tuple(_RULES[code] for code in sorted(_RULES) if _RULES[code].scope != "history")


@cache
def explained_rules() -> Sequence[Rule]:
    """Every rule there is, those about history too, by code."""
    all_rules()
    importlib.import_module("cabinet_ci.rules.history")
    return tuple(_RULES[code] for code in sorted(_RULES))
