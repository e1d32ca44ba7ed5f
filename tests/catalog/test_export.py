"""The exported JSON Schemas say what the readers say: a value is refused by both or by neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from cabinet_ci.catalog.decode import decode, known_keys
from cabinet_ci.catalog.export import json_schema
from cabinet_ci.catalog.manifest import Manifest, ReferenceFile, VariantFile

CATALOG = Path(__file__).parents[2] / "test-cases"
REVIEW = {
    "domain": [{"id": "speed", "name": "Speed", "description": "How fast it is."}],
    "review_item": [
        {
            "id": "heap",
            "title": "Heap",
            "text": "Uses a heap.",
            "weight": 2,
            "domain": "speed",
            "reference": ["a", "b"],
            "proof": "c",
            "sub_items": [{"id": "a", "title": "A"}],
        }
    ],
}


def first(pattern: str) -> dict[str, Any]:
    return tomli.loads(sorted(CATALOG.glob(pattern))[0].read_text(encoding="utf-8"))


SOUND: dict[type, dict[str, Any]] = {
    Manifest: first("**/test-case.toml") | REVIEW,
    VariantFile: first("**/variants/guided.toml") | REVIEW,
    ReferenceFile: first("**/naive/reference.toml"),
}
STRUCTS = pytest.mark.parametrize("struct", list(SOUND), ids=lambda struct: struct.__name__)
VALIDATORS = {struct: jsonschema_rs.validator_for(json.loads(json_schema(struct))) for struct in SOUND}


def reader_takes(struct: type, values: dict[str, Any]) -> bool:
    return decode(struct, values)[1] == ()


@STRUCTS
def test_a_sound_file_is_taken_by_both(struct: type) -> None:
    assert VALIDATORS[struct].is_valid(SOUND[struct])
    assert reader_takes(struct, SOUND[struct])


@STRUCTS
def test_the_schema_lists_exactly_the_keys_that_the_reader_knows(struct: type) -> None:
    assert tuple(json.loads(json_schema(struct))["properties"]) == known_keys(struct)


# JSON Schema takes 5.0 for an integer, which TOML tells apart: such floats are left out, as are those JSON can't hold.
SCALARS: st.SearchStrategy[Any] = (
    st.booleans()
    | st.integers(-2, 2**70)
    | st.floats(-10, 10).filter(lambda number: not number.is_integer())
    | st.sampled_from(
        ["", " ", "\n", "a", "A", "a-b", "a--b", "a\n", "easy", "smoke", "spec", "pass", "performance", "é"]
    )
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
def spoilt(draw: Callable[..., Any], struct: type) -> dict[str, Any]:
    """A sound file with one value replaced, removed, or with a key more."""
    values: dict[str, Any] = json.loads(json.dumps(SOUND[struct]))
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


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(list(SOUND)).flatmap(lambda struct: st.tuples(st.just(struct), spoilt(struct))))
def test_a_changed_file_is_refused_by_both_or_by_neither(case: tuple[type, dict[str, Any]]) -> None:
    struct, values = case
    assert VALIDATORS[struct].is_valid(values) == reader_takes(struct, values)
