"""The exported JSON Schemas of suite files say what the readers say: a value is refused by both or by neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabinet_ci.catalog.decode import decode, known_keys
from cabinet_ci.catalog.export import json_schema, json_schema_by_key
from cabinet_ci.catalog.suites import files
from cabinet_ci.catalog.suites.definition import ASSET_TYPES, STRUCTS, TYPES, struct_of
from tests.suites.pong import SUITE_TABLE, TABLES

SPECIFICATION = TABLES["specifications/ball/specification.toml"]
SOUND: dict[type, dict[str, Any]] = {
    files.SuiteFile: SUITE_TABLE,
    files.VersionFile: TABLES["version.toml"] | {"tags": ["ball"], "experimental": True},
    files.DraftFile: {"base": "1.0.0"},
    files.SpecificationFile: SPECIFICATION,
    files.AssetFile: TABLES["assets/paddle/asset.toml"],
    files.DemoFile: TABLES["demos/bounce/demo.toml"],
    files.ShowcaseFile: TABLES["showcase/showcase.toml"],
    files.DebugApiFile: TABLES["debug-api.toml"],
}
FILES = {struct: jsonschema_rs.validator_for(json.loads(json_schema(struct))) for struct in SOUND}

COMMON = {"name": "One", "difficulty": "easy", "prompt": "prompts/build.hbs", "init": "npm ci"}
DEFINITIONS = [
    TABLES["test-cases/end-to-end.toml"] | COMMON | {"type": "full-stack", "specifications": ["ball"]},
    *(COMMON | {"type": type_, type_: {"id": "paddle"}} for type_ in ASSET_TYPES),
    COMMON | {"type": "puzzle"},
]
DEFINITION = jsonschema_rs.validator_for(json.loads(json_schema_by_key("type", STRUCTS)))

SCALARS: st.SearchStrategy[Any] = (
    st.booleans()
    | st.integers(-2, 2**70)
    | st.floats(-10, 10).filter(lambda number: not number.is_integer())
    | st.sampled_from(["", " ", "\n", "a", "A", "a-b", "a\nb", "a\n", "1.0.0", "1.0", "v1.0.0", "easy", "functional"])
    | st.sampled_from(TYPES)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("x"), inner, max_size=1), max_leaves=3
)
REMOVED = object()


def places(node: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every key and item."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [place for key, item in items for place in [(*path, key), *places(item, (*path, key))]]


@st.composite
def spoilt(draw: Callable[..., Any], sound: dict[str, Any]) -> dict[str, Any]:
    """A sound file with one value replaced, removed, or with a key more."""
    values: dict[str, Any] = json.loads(json.dumps(sound))
    *way, last = draw(st.sampled_from(places(values)))
    node: Any = values
    for step in way:
        node = node[step]
    changed = draw(VALUES | st.just(REMOVED))
    if changed is REMOVED:
        del node[last]
    elif isinstance(node, dict) and draw(st.booleans()):
        node["unknown"] = changed
    else:
        node[last] = changed
    return values


@pytest.mark.parametrize("struct", SOUND, ids=lambda struct: struct.__name__)
def test_a_sound_file_is_taken_by_both_and_its_keys_are_those_of_the_reader(struct: type) -> None:
    assert FILES[struct].is_valid(SOUND[struct])
    assert decode(struct, SOUND[struct])[1] == ()
    assert tuple(json.loads(json_schema(struct))["properties"]) == known_keys(struct)


@pytest.mark.parametrize("values", DEFINITIONS, ids=lambda values: values["type"])
def test_a_sound_definition_is_taken_by_both(values: dict[str, Any]) -> None:
    assert DEFINITION.is_valid(values)
    assert decode(struct_of(values), values)[1] == ()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(list(SOUND)).flatmap(lambda struct: st.tuples(st.just(struct), spoilt(SOUND[struct]))))
def test_a_changed_file_is_refused_by_both_or_by_neither(case: tuple[type, dict[str, Any]]) -> None:
    struct, values = case
    assert FILES[struct].is_valid(values) == (decode(struct, values)[1] == ())


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(DEFINITIONS).flatmap(spoilt))
def test_a_changed_definition_is_refused_by_both_or_by_neither(values: dict[str, Any]) -> None:
    assert DEFINITION.is_valid(values) == (decode(struct_of(values), values)[1] == ())
