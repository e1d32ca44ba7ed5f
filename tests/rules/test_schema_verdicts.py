"""The fast validator gives the verdicts of jsonschema, the reference."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.rules.schemas import judge_schema

DRAFTS = {
    "draft-04": "http://json-schema.org/draft-04/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 1.5, -0.0, 2**53, 2**63, 2**64, 2**64 + 1, -(2**70), 1e20, 1e300, 0.07, 19.99,
    "", "a", "ab", "é", "😀", "e\u0301", "\u0000", "2020-01-01", "a" * 50,
    [], [1], [1, 2], [1, 1], [1, True], [1, 1.0], [0, False], [[1], [1]], ["a", 1], [None], [{"a": 1}, {"a": 1.0}],
    {}, {"a": 1}, {"a": "x"}, {"a": 1, "b": 2}, {"b": None}, {"a": {"a": {}}}, {"": 0}, {"foo": [1, 2, "x"]},
]  # fmt: skip

SCHEMAS: list[Any] = [
    {"type": "integer"}, {"type": "number"}, {"type": ["string", "null"]}, {"type": "object"}, {"type": "boolean"},
    {"enum": [1, "a", None, [1], {"a": 1}]}, {"enum": [True]}, {"enum": [2**64]}, {"minimum": 1}, {"maximum": 1},
    {"maximum": 2**64}, {"multipleOf": 1}, {"multipleOf": 2}, {"multipleOf": 0.5}, {"minLength": 1}, {"maxLength": 1},
    {"pattern": "^a"}, {"pattern": "b$"}, {"pattern": "[é😀]"}, {"minItems": 1}, {"maxItems": 1},
    {"uniqueItems": True}, {"uniqueItems": False}, {"required": ["a"]}, {"required": ["a", "b"]}, {"minProperties": 1},
    {"maxProperties": 1}, {"properties": {"a": {"type": "integer"}}}, {"additionalProperties": False},
    {"properties": {"a": {}}, "additionalProperties": False}, {"patternProperties": {"^a$": {"type": "string"}}},
    {"additionalProperties": {"type": "integer"}}, {"items": {"type": "integer"}}, {"not": {"type": "array"}},
    {"allOf": [{"type": "integer"}, {"minimum": 1}]}, {"anyOf": [{"type": "null"}, {"minimum": 1}]},
    {"oneOf": [{"type": "integer"}, {"minimum": 1}]}, {"properties": {"a": {"$ref": "#"}}, "type": "object"},
    {"items": {"$ref": "#/definitions/n"}, "definitions": {"n": {"type": "integer"}}},
    {"format": "date"}, {"format": "email", "type": "string"},
]  # fmt: skip

LATER: list[Any] = [
    {"const": 1}, {"const": True}, {"const": {"a": 1}}, {"const": 0}, {"const": False}, {"contains": {"const": 1}},
    {"exclusiveMinimum": 1}, {"exclusiveMaximum": 1}, {"propertyNames": {"maxLength": 1}}, {"items": False},
    {"properties": {"a": False}}, True, False,
]  # fmt: skip

NEWEST: list[Any] = [
    {"prefixItems": [{"type": "integer"}, {"type": "string"}]}, {"prefixItems": [{}], "items": False},
    {"contains": {"type": "integer"}, "minContains": 2}, {"contains": {"type": "integer"}, "maxContains": 1},
    {"contains": {"type": "integer"}, "minContains": 0}, {"dependentRequired": {"a": ["b"]}},
    {"dependentSchemas": {"a": {"required": ["b"]}}}, {"unevaluatedProperties": False},
    {"properties": {"a": {}}, "unevaluatedProperties": False},
    {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
    {"anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {}}}], "unevaluatedProperties": False},
    {"prefixItems": [{}], "unevaluatedItems": False},
    {"if": {"type": "integer"}, "then": {"minimum": 1}, "else": False},
    {"$defs": {"n": {"$anchor": "n", "type": "integer"}}, "items": {"$ref": "#n"}},
    {"$dynamicAnchor": "node", "properties": {"a": {"$dynamicRef": "#node"}}, "type": "object"},
    {"$id": "https://example.com/a", "$defs": {"b": {"$id": "b", "type": "integer"}}, "items": {"$ref": "b"}},
]  # fmt: skip

CASES = [
    *((name, schema) for name in DRAFTS for schema in SCHEMAS),
    *((name, schema) for name in list(DRAFTS)[1:] for schema in LATER),
    *(("2020-12", schema) for schema in NEWEST),
]


def verdicts(draft: str, schema: Any, value: Any) -> tuple[bool, bool]:
    """Ours and jsonschema's."""
    if isinstance(schema, dict):
        schema = {"$schema": DRAFTS[draft], **schema}
    judged = judge_schema(json.dumps(schema).encode(), schema)
    assert judged.faults == ()
    assert judged.validator is not None
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return judged.validator.is_valid(value), kind(schema).is_valid(value)


@pytest.mark.parametrize(("draft", "schema"), CASES, ids=str)
def test_every_value_gets_the_verdict_of_jsonschema(draft: str, schema: Any) -> None:
    differing = [value for value in VALUES if len(set(verdicts(draft, schema, value))) > 1]
    assert differing == []


INSTANCES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", ""]), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(CASES), INSTANCES)
def test_random_values_get_the_verdict_of_jsonschema(case: tuple[str, Any], value: Any) -> None:
    ours, theirs = verdicts(*case, value)
    assert ours == theirs
