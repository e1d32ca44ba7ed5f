"""Contract rules: strict JSON, valid schemas, and cases that keep to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cabinet_ci.rules.schemas import judge_schema, violations
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet


def findings(root: Path) -> list[tuple[str, str, int, int]]:
    found: list[dict[str, Any]] = cabinet("validate", "--format", "json", cwd=root).json["diagnostics"]
    return [(one["code"], one["path"].removeprefix(DEFAULT_PATH + "/"), one["line"], one["column"]) for one in found]


def with_schema(root: Path, schema: Any, name: str = "schemas/input.json") -> Path:
    folder = write_case(root)
    put(folder / name, schema if isinstance(schema, str) else json.dumps(schema))
    return folder


def test_an_input_that_breaks_its_schema_is_placed_at_the_value(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, {"items": {"type": "integer"}})
    put(folder / "cases/two.json", '[1,\n "two"]\n')
    assert findings(tmp_path) == [("CAB503", "cases/two.json", 2, 2)]


def test_an_expected_answer_that_breaks_its_schema_is_placed_at_the_value(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, {"properties": {"sum": {"minimum": 0}}}, "schemas/output.json")
    put(folder / "cases/two.out", '{"sum":\n  -1}\n')
    assert findings(tmp_path) == [("CAB504", "cases/two.out", 2, 3)]


def test_a_missing_property_is_placed_at_its_object(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, {"items": {"required": ["a"]}, "type": "array"})
    put(folder / "cases/two.json", '[{"a": 1}, {"b": 2}]')
    put(folder / "cases/one.json", '[{"a": 1}]')
    assert findings(tmp_path) == [("CAB503", "cases/two.json", 1, 12)]


def test_of_a_choice_the_branch_that_came_furthest_is_told(tmp_path: Path) -> None:
    schema = {"items": {"oneOf": [{"type": "null"}, {"type": "array", "items": {"type": "integer"}}]}}
    folder = with_schema(tmp_path, schema)
    put(folder / "cases/one.json", "[null]")
    put(folder / "cases/two.json", '[[1, 2],\n [3, "x"]]')
    assert findings(tmp_path) == [("CAB503", "cases/two.json", 2, 6)]


def test_a_value_that_breaks_a_schema_a_thousand_times_is_told_ten_times_and_counted(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, {"items": {"type": "string"}})
    put(folder / "cases/one.json", "[]")
    put(folder / "cases/two.json", json.dumps(list(range(1000))))
    ran = cabinet("validate", "--format", "json", cwd=tmp_path).json
    assert ran["summary"]["errors"] == 11
    assert any("990 more" in one["message"] for one in ran["diagnostics"])


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ('{\n "type": "numbers"}', 2, 10),
        ('{"properties": {"a": {"minimum": "one"}}}', 1, 34),
        ('{"pattern": "("}', 1, 13),
        ("[]", 1, 1),
        ('"text"', 1, 1),
        ('{"$schema": "https://example.com/mine"}', 1, 13),
        ('{"$ref": "https://example.com/other.json"}', 1, 10),
        ('{"items": {"$ref": "other.json"}}', 1, 20),
        ('{"items": {"$ref": "#/$defs/none"}}', 1, 20),
        ('{"$ref": "#"}', 1, 10),
        ('{"allOf": [{"$ref": "#"}]}', 1, 21),
        ('{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}', 1, 65),
    ],
)  # fmt: skip
def test_what_is_no_json_schema_is_one_finding_at_its_place(
    tmp_path: Path, source: str, line: int, column: int
) -> None:
    with_schema(tmp_path, source)
    assert findings(tmp_path) == [("CAB502", "schemas/input.json", line, column)]


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 0, "exclusiveMinimum": True},
        {"$schema": "http://json-schema.org/draft-06/schema#"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]},
        {"$schema": "https://json-schema.org/draft/2019-09/schema"},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "integer"}]},
        {"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"anyOf": [{"minimum": 1}, {"items": {"$ref": "#/$defs/n"}}]}}},
        {"$id": "https://example.com/root", "items": {"$ref": "https://example.com/root#/$defs/n"}, "$defs": {"n": {}}},
        {"items": {"$ref": "#n"}, "$defs": {"n": {"$anchor": "n", "type": "integer"}}},
        {"format": "email", "items": {"format": "no-such-format"}},
    ],
)  # fmt: skip
def test_a_schema_of_any_published_draft_is_accepted(tmp_path: Path, schema: Any) -> None:
    with_schema(tmp_path, schema)
    assert findings(tmp_path) == []


def test_a_keyword_means_what_the_declared_draft_says(tmp_path: Path) -> None:
    with_schema(tmp_path, {"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 3})
    assert [code for code, *_ in findings(tmp_path)] == ["CAB502"]


@pytest.mark.parametrize(
    ("name", "source", "line"),
    [
        ("cases/one.json", '{"a": 1,\n"a": 1}', 2),
        ("cases/one.json", "[NaN]", 1),
        ("cases/two.out", "[1, 2] []", 1),
        ("cases/two.out", "", 1),
        ("schemas/output.json", "{,}", 1),
    ],
)
def test_what_is_not_strict_json_is_one_finding(tmp_path: Path, name: str, source: str, line: int) -> None:
    with_schema(tmp_path, source, name)
    ((code, path, at, _),) = findings(tmp_path)
    assert (code, path, at) == ("CAB501", name, line)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(?=a)(a+)+$", "^(a|a)*$", "(.*a){20}"])
def test_a_catastrophic_pattern_ends_within_its_bound(tmp_path: Path, pattern: str) -> None:
    folder = with_schema(tmp_path, {"items": {"pattern": pattern}})
    put(folder / "cases/two.json", json.dumps(["a" * 50 + "b"]))
    assert {code for code, *_ in findings(tmp_path)} <= {"CAB503"}


def test_a_value_nested_to_the_limit_is_judged(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, {"items": {"$ref": "#"}})
    put(folder / "cases/two.json", "[" * 400 + "]" * 400)
    assert findings(tmp_path) == []
    put(folder / "cases/two.json", "[" * 50_000 + "]" * 50_000)
    assert [code for code, *_ in findings(tmp_path)] == ["CAB501"]


def test_a_large_answer_of_many_breaches_is_told_in_bounded_memory() -> None:
    schema = b'{"items": {"type": "string"}}'
    verdict = judge_schema(schema, json.loads(schema))
    assert len(list(violations(verdict, list(range(200_000))))) == 11


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("cases/two.json", r"[1," "\n" r' {"\ud800": 1}]', ("CAB503", "cases/two.json", 2, 2)),
        ("cases/two.json", r'[1, "\udfff"]', ("CAB503", "cases/two.json", 1, 5)),
        ("schemas/input.json", r'{"items": {"enum": ["\udce9"]}}', ("CAB502", "schemas/input.json", 1, 21)),
    ],
)
def test_half_of_a_surrogate_pair_is_told_at_its_place(
    tmp_path: Path, name: str, source: str, expected: tuple[str, str, int, int]
) -> None:
    folder = with_schema(tmp_path, {"items": {"type": "integer"}})
    put(folder / "cases/one.json", "[]")
    put(folder / "cases/two.json", "[]")
    put(folder / name, source)
    assert findings(tmp_path) == [expected]


def test_a_whole_surrogate_pair_is_a_character(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, {"maxLength": 1, "additionalProperties": {"maxLength": 1}})
    put(folder / "cases/two.json", r'{"\ud83d\ude00": "\ud83d\ude00"}')
    assert findings(tmp_path) == []


def doubling(levels: int) -> dict[str, Any]:
    """A schema in which each of so many levels offers the next one twice."""
    levels_by_name = {f"d{at}": {"anyOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**levels_by_name, f"d{levels}": {"type": "string"}}}


NESTED_CHOICE = {
    "anyOf": [
        {"const": 7},
        {"type": "array", "items": {"$ref": "#"}},
        {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
    ]
}


def test_a_schema_that_branches_a_lot_is_judged_without_an_explanation(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, doubling(16))
    put(folder / "cases/one.json", "1")
    put(folder / "cases/two.json", '"two"')
    [found] = cabinet("validate", "--format", "json", cwd=tmp_path).json["diagnostics"]
    assert found["path"].endswith("cases/one.json")
    assert "too many branches to say where" in found["message"]


def test_a_schema_that_is_nested_in_itself_is_judged_at_any_depth(tmp_path: Path) -> None:
    folder = with_schema(tmp_path, NESTED_CHOICE)
    put(folder / "cases/one.json", "[" * 100 + "1" + "]" * 100)
    put(folder / "cases/two.json", "[" * 100 + "7" + "]" * 100)
    assert [(code, path) for code, path, _, _ in findings(tmp_path)] == [("CAB503", "cases/one.json")]


def test_a_schema_that_branches_without_measure_is_refused(tmp_path: Path) -> None:
    with_schema(tmp_path, doubling(60))
    assert findings(tmp_path) == [("CAB502", "schemas/input.json", 1, 1)]


def test_a_schema_of_many_references_that_do_not_multiply_is_accepted(tmp_path: Path) -> None:
    chain = {f"d{at}": {"anyOf": [{"$ref": f"#/$defs/d{at + 1}"}, {"type": "null"}]} for at in range(100)}
    with_schema(tmp_path, {"$ref": "#/$defs/d0", "$defs": {**chain, "d100": {"type": "array"}}})
    assert findings(tmp_path) == []


@pytest.mark.parametrize("number", ["1e400", "-1e999999999", "1" * 400 + ".5"])
@pytest.mark.parametrize("kind", ["number", "null"])
def test_a_number_beyond_every_float_is_a_number_to_a_schema(tmp_path: Path, number: str, kind: str) -> None:
    folder = with_schema(tmp_path, {"type": ["array", kind]})
    put(folder / "cases/one.json", number)
    assert [code for code, *_ in findings(tmp_path)] == ([] if kind == "number" else ["CAB503"])
