"""References of a schema: one without an end is told where it turns back, whatever it is written as."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.rules.schemas import SchemaFault, judge_schema, violations

HERE = "https://example.com/here.json"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"


def faults(schema: Any) -> tuple[SchemaFault, ...]:
    return judge_schema(json.dumps(schema).encode(), schema).faults


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"$ref": ""}, ("$ref",)),
        ({"$id": HERE, "$ref": HERE}, ("$ref",)),
        ({"$id": HERE, "$ref": f"{HERE}#"}, ("$ref",)),
        ({"$id": HERE, "allOf": [{"$ref": "here.json"}]}, ("allOf", 0, "$ref")),
        ({"$schema": DRAFT_4, "id": HERE, "anyOf": [{"$ref": HERE}]}, ("anyOf", 0, "$ref")),
        ({"$ref": "#/$defs/a%20b", "$defs": {"a b": {"$ref": "#/$defs/a%20b"}}}, ("$defs", "a b", "$ref")),
        ({"$ref": "#n", "$defs": {"n": {"$anchor": "n", "not": {"$ref": "#n"}}}}, ("$defs", "n", "not", "$ref")),
        ({"$schema": DRAFT_7, "$ref": "#n", "definitions": {"n": {"$id": "#n", "not": {"$ref": "#n"}}}},
         ("definitions", "n", "not", "$ref")),
        ({"$schema": DRAFT_7, "dependencies": {"a": {"$ref": "#"}}}, ("dependencies", "a", "$ref")),
        ({"$dynamicAnchor": "n", "if": {"$dynamicRef": "#n"}}, ("if", "$dynamicRef")),
        ({"$schema": DRAFT_2019, "$recursiveRef": "#"}, ("$recursiveRef",)),
    ],
)  # fmt: skip
def test_a_reference_that_comes_back_to_the_same_value_is_told(schema: Any, path: tuple[str | int, ...]) -> None:
    (found,) = faults(schema)
    assert (found.path, found.message) == (path, "the reference leads back to itself without end")


@pytest.mark.parametrize(
    "schema",
    [
        # What the value holds ends, and so does a reference that judges it.
        {"$id": HERE, "items": {"$ref": HERE}},
        {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}},
        {"$schema": DRAFT_2019, "additionalProperties": {"$recursiveRef": "#"}},
        # In a resource of its own a pointer starts at that resource.
        {"$ref": "#/$defs/a",
         "$defs": {"a": {"$id": HERE, "allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "array"}}}}},
        # What stands beside a reference of draft 7 is ignored, and so are keywords of other drafts.
        {"$schema": DRAFT_7, "$ref": "#/definitions/a", "allOf": [{"$ref": "#"}], "definitions": {"a": {}}},
        {"$schema": DRAFT_7, "$recursiveRef": "#", "$dynamicRef": "#"},
        {"$recursiveRef": "#"},
        # Where it leads depends on who asks.
        {"$ref": "#/$defs/t", "$dynamicAnchor": "n",
         "$defs": {"t": {"$id": HERE, "$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}}},
        # No reference at all, but a property that is called like one.
        {"properties": {"$ref": {"type": "string"}, "allOf": {"$ref": "#/properties/$ref"}}},
        {"const": {"$ref": "#"}},
    ],
)  # fmt: skip
def test_a_reference_that_ends_is_none_of_those(schema: Any) -> None:
    assert faults(schema) == ()


@pytest.mark.parametrize("declared", [3, None, True, [], {}, "", " ", "https://example.com/mine", "http://[::"])
def test_what_is_no_draft_s_name_is_told_with_those_that_are_known(declared: Any) -> None:
    (found,) = faults({"$schema": declared})
    assert found.path == ("$schema",)
    assert found.message.endswith("is no draft that is known here")
    assert "2020-12" in (found.hint or "")


@pytest.mark.parametrize("declared", [DRAFT_4, DRAFT_4.rstrip("#"), DRAFT_4.replace("http:", "https:")])
def test_a_draft_may_be_spelt_with_or_without_its_number_sign(declared: str) -> None:
    assert faults({"$schema": declared, "minimum": 1, "exclusiveMinimum": True}) == ()
    (found,) = faults({"$schema": declared, "exclusiveMinimum": 1, "minimum": 0})
    assert found.path == ("exclusiveMinimum",)


@pytest.mark.parametrize(
    ("schema", "path", "message", "hint"),
    [
        ({"type": "aray"}, ("type",), '"aray" is not one of "array", "boolean",', 'did you mean "array"?'),
        ({"type": ["array", "nul"]}, ("type", 1), '"nul" is not one of', 'did you mean "null"?'),
        ({"type": "xyz"}, ("type",), '"xyz" is not one of', None),
        ({"exclusiveMinimum": True}, ("exclusiveMinimum",), "true is not of type 'number'", None),
    ],
)
def test_a_keyword_s_fault_is_told_as_json_is_written(
    schema: Any, path: tuple[str | int, ...], message: str, hint: str | None
) -> None:
    (found,) = faults(schema)
    assert (found.path, found.hint) == (path, hint)
    assert message in found.message


KEYWORDS = st.sampled_from(
    ["$schema", "$id", "id", "$ref", "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
     "$defs", "definitions", "$vocabulary", "type", "enum", "const", "properties", "patternProperties", "items",
     "prefixItems", "allOf", "anyOf", "not", "if", "required", "dependencies", "dependentSchemas", "pattern",
     "minLength", "multipleOf", "maximum", "uniqueItems", "format", "a"]
)  # fmt: skip
TEXTS = st.sampled_from(
    ["", "#", "#/", "#a", "#/$defs/a", "#/allOf/0", "#/allOf/²", "a", "a.json", "http://[::", "%", "#/%zz", HERE,
     DRAFT_4, DRAFT_7, DRAFT_2019, "https://json-schema.org/schema", "array", "string", "(", "a+", "\ud800",
     "#/allOf/" + "9" * 5000]
)  # fmt: skip
SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=12,
)


@given(SCHEMAS, st.sampled_from([None, 1, "a", [], [[1], "a"], {"a": {"a": []}}]))
def test_whatever_stands_in_a_schema_is_told_or_applied(schema: Any, value: Any) -> None:
    judged = judge_schema(json.dumps(schema).encode(), schema)
    if judged.validator is None:
        assert judged.faults
    else:
        assert len(list(violations(judged, value))) <= 11
