"""Findings as workflow commands, which GitHub shows as annotations on the lines."""

from __future__ import annotations

from collections.abc import Mapping

from cabinet_ci.diagnostics import Diagnostic, Report


def as_annotations(report: Report) -> str:
    """One `::error ...::message` or `::warning ...` per finding."""
    return "".join(f"{_annotation(found)}\n" for found in report.diagnostics)


def _annotation(found: Diagnostic) -> str:
    properties = {"file": found.path, "line": found.line, "col": found.column, "title": found.code}
    message = found.message if not found.hint else f"{found.message}\n{found.hint}"
    return as_command(found.severity, properties, message)


def as_command(name: str, properties: Mapping[str, object], message: str) -> str:
    """A workflow command with its properties, those that are null left out."""
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
