"""Findings as text and JSON, and the way to the other formats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import msgspec

from cabinet_ci.diagnostics import Diagnostic, Report

Format = Literal["text", "json", "github", "sarif", "junit"]
FORMATS: tuple[str, ...] = get_args(Format)

_CODE_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m"}
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def render_report(report: Report, form: str, *, colour: bool = False) -> str:
    """A report in one of `FORMATS`, ending in a line break."""
    match form:
        case "json":
            return as_json(report)
        case "github":
            from cabinet_ci.reporting.annotations import as_annotations

            return as_annotations(report)
        case "sarif":
            from cabinet_ci.reporting.sarif import as_sarif

            return as_sarif(report)
        case "junit":
            from cabinet_ci.reporting.junit import as_junit

            return as_junit(report)
        case _:
            return as_text(report, colour=colour)


def as_json(report: Report) -> str:
    """The report as the JSON document of the contract."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def as_text(report: Report, *, colour: bool = False) -> str:
    """One line per finding, `path:line:column: CODE message`, its hint indented below, and a line that counts."""
    lines = [line for found in report.diagnostics for line in _lines(found, colour)]
    return "\n".join([*lines, summary_line(report)]) + "\n"


def summary_line(report: Report) -> str:
    """How many versions were checked and what was found."""
    summary = report.summary
    checked = _count(summary.checked, "version")
    if not report.diagnostics:
        return f"{checked} checked, nothing found"
    return f"{checked} checked: {_count(summary.errors, 'error')}, {_count(summary.warnings, 'warning')}"


def _lines(found: Diagnostic, colour: bool) -> Iterator[str]:
    place = visible(found.path)
    if found.line is not None:
        place += f":{found.line}" + (f":{found.column}" if found.column is not None else "")
    message = visible(found.message)
    if found.severity == "warning":
        message = f"warning: {message}"
    if colour:
        yield f"{_BOLD}{place}{_RESET}: {_CODE_COLOURS[found.severity]}{found.code}{_RESET} {message}"
    else:
        yield f"{place}: {found.code} {message}"
    if found.hint:
        hint = visible(found.hint)
        yield f"    {_DIM}{hint}{_RESET}" if colour else f"    {hint}"


def visible(text: str) -> str:
    """Text with control characters escaped, so that no file name can write to the terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
