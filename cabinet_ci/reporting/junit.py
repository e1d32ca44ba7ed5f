"""Findings as JUnit XML, which build servers read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cabinet_ci.diagnostics import Diagnostic, Report

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 can't hold, not even escaped."""


def as_junit(report: Report) -> str:
    """One test case per file with findings; its errors are failures, its warnings are told in its output."""
    return as_document([findings_suite(report)])


def as_document(suites: Iterable[Element]) -> str:
    """Suites as a whole document."""
    root = Element("testsuites")
    root.extend(suites)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def findings_suite(report: Report) -> Element:
    """The suite of the findings."""
    suite = Element("testsuite", name="cabinet-ci")
    failures = 0
    files = [(path, list(found)) for path, found in groupby(report.diagnostics, lambda one: one.path)]
    for path, found in files:
        case = SubElement(suite, "testcase", classname="cabinet-ci", name=clean(path))
        errors = [one for one in found if one.severity == "error"]
        failures += bool(errors)
        if errors:
            text = "\n".join(map(_line, errors))
            failure = SubElement(case, "failure", type=errors[0].code, message=clean(errors[0].message))
            failure.text = clean(text)
        warnings = [one for one in found if one.severity == "warning"]
        if warnings:
            SubElement(case, "system-out").text = clean("\n".join(map(_line, warnings)))
    if not files:
        SubElement(suite, "testcase", classname="cabinet-ci", name=f"{report.summary.checked} versions")
    suite.set("tests", str(max(1, len(files))))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    return suite


def _line(found: Diagnostic) -> str:
    place = found.path if found.line is None else f"{found.path}:{found.line}:{found.column or 1}"
    return f"{place}: {found.code} {found.message}" + (f"\n    {found.hint}" if found.hint else "")


def clean(text: str) -> str:
    """Text with what XML can't hold replaced."""
    return _NOT_XML.sub("\ufffd", text)
