"""Findings as SARIF 2.1.0, which code-scanning services read."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from cabinet_ci import __version__
from cabinet_ci.diagnostics import Diagnostic, Report
from cabinet_ci.rules.pages import as_section, as_text, explain
from cabinet_ci.rules.registry import Rule, explained_rules

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(report: Report) -> str:
    """The report as one SARIF run, with the rules that were broken."""
    broken = {found.code for found in report.diagnostics}
    rules = [rule for rule in explained_rules() if rule.code in broken]
    places = {rule.code: index for index, rule in enumerate(rules)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "cabinet-ci",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(found, places) for found in report.diagnostics],
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    explained = explain(rule)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": explained.prose},
        "help": {"text": as_text(rule), "markdown": as_section(rule)},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(found: Diagnostic, places: dict[str, int]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(found.path)}}
    if found.line is not None:
        location["region"] = {"startLine": found.line, "startColumn": found.column or 1}
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": found.severity,
        "message": {"text": found.message if not found.hint else f"{found.message}\n{found.hint}"},
        "locations": [{"physicalLocation": location}],
    }
    if found.code in places:
        result["ruleIndex"] = places[found.code]
    return result
