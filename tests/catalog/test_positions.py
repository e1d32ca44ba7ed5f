"""Where a key or value stands, whichever way TOML and JSON let it be written; columns count characters."""

from __future__ import annotations

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.catalog.positions import KeyPath, json_positions, toml_positions
from tests.support.toml import document

MARK_KEY, MARK_VALUE = "‹", "›"
"""They stand right before the key and before the value that is looked for, and are taken out."""


def marked(text: str) -> tuple[bytes, list[tuple[int, int]]]:
    """The document without its marks, and where the marks stood."""
    places: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        rest = line
        while (at := min((rest.find(mark) for mark in (MARK_KEY, MARK_VALUE) if mark in rest), default=-1)) >= 0:
            places[rest[at]] = (number, at + 1)
            rest = rest[:at] + rest[at + 1 :]
    return text.replace(MARK_KEY, "").replace(MARK_VALUE, "").encode(), [places[MARK_KEY], places[MARK_VALUE]]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("a",), "‹a = ›1"),
        (("a",), "# é\n\t‹a\t=\t›1 # a = 2"),
        (("b",), 'a = "😀é"\r\n‹b = ›1\r\n'),
        (("b",), 'a = """\r\n‹\r\n"""\r\n‹b = ›1\r\n'.replace("‹", "x", 1)),
        (("b",), 'a = """\nb = 3\n[b]\n"""\n‹b = ›1'),
        (("b",), "a = '''\n[[b]]'''\n‹b = ›\"\"\"\n1\"\"\""),
        (("a b",), "‹'a b' = ›1"),
        (("a.b",), '‹"a.b" = ›1'),
        (("é",), '‹"\\u00e9" = ›1'),
        (("",), '‹"" = ›1'),
        (("a", "b"), "a.‹b = ›1"),
        (("a", "b", "c"), "a . \"b\" . ‹'c' = ›1"),
        (("t", "a", "b"), "[t]\na.‹b = ›1"),
        (("a", "b"), "a = { x = 1, ‹b = ›2 }"),
        (("a", "b", "c"), 'a = { "😀" = 1, b.‹c = ›2 }'),
        (("a", 1), 'a = ["😀", # b\n  ‹›"é",\n]'),
        (("a", 1, "b"), "a = [{ b = 1 }, { ‹b = ›2 }]"),
        (("a", 0, 1), "a = [[1, ‹›2], [3]]"),
        (("t", "a"), "[t]\n‹a = ›1"),
        (("t", "u", "a"), '[ t . "u" ]\n‹a = ›1'),
        (("t", 1, "a"), "[[t]]\na = 1\n[[t]]\n‹a = ›2"),
        (("t", 1, "u", "a"), "[[t]]\n[t.u]\na = 1\n[[t]]\n[t.u]\n‹a = ›2"),
        (("t", 1, "u", 1, "a"), "[[t]]\n[[t.u]]\na = 1\n[[t]]\n[[t.u]]\n[[t.u]]\n‹a = ›2"),
        (("t",), "a = 1\n‹›[t]\nb = 1"),
        (("t", 0), "‹›[[t]]\nb = 1\n[[t]]"),
        (("t", "u"), "[t]\na = 1\n‹›[t.u]\nb = 1"),
    ],
)  # fmt: skip
def test_a_key_and_its_value_of_toml_are_found(path: KeyPath, text: str) -> None:
    source, places = marked(text)
    tomli.loads(source.decode())
    positions = toml_positions(source)
    assert [positions.of_key(path), positions.of_value(path)] == places


@pytest.mark.parametrize(
    ("path", "text", "place"),
    [
        (("a",), "b = 1", (1, 1)),
        (("t", "a"), "b = 1\n[t]\nb = 1", (2, 1)),
        (("t", 1, "a"), "[[t]]\na = 1\n\n [[t]]\nb = 1", (4, 2)),
        (("t", "a"), "b = 1\nt = { b = 1 }", (2, 1)),
        (("t", "a"), "b = 1\nt.b = 1\nt.c = 1", (2, 1)),
        (("t", 1, "a"), "t = [\n  { a = 1 },\n  { b = 1 },\n]", (3, 3)),
        (("t", "u", "a"), "[t.u.v]\nb = 1", (1, 1)),
    ],
)
def test_a_missing_key_is_placed_at_its_table(path: KeyPath, text: str, place: tuple[int, int]) -> None:
    assert toml_positions(text.encode()).nearest(path) == place


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("a",), '{‹"a": ›1}'),
        (("a", 1), '{"é": "😀", "a": [1,\n\t ‹›2]}'),
        (("a", "b"), '{"a": {"a": 1,\r\n "x": "\\"b\\": 1", ‹"b" : ›{}}}'),
        (("é",), '{‹"\\u00e9": ›null}'),
    ],
)
def test_a_key_and_its_value_of_json_are_found(path: KeyPath, text: str) -> None:
    source, places = marked(text)
    positions = json_positions(source)
    assert [positions.of_key(path), positions.of_value(path)] == places


TEXTS = st.text(st.characters(codec="utf-8", min_codepoint=32, exclude_characters="\x7f"), max_size=4)
TABLES = st.recursive(
    st.integers(0, 9) | TEXTS | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(TEXTS, TABLES, max_size=4))
def test_every_key_and_value_of_any_document_has_a_place_inside_it(values: dict[str, object]) -> None:
    text = document(values)
    positions = toml_positions(text.encode())
    lines = text.split("\n")
    pending: list[tuple[KeyPath, object]] = [((key,), value) for key, value in values.items()]
    while pending:
        path, value = pending.pop()
        for place in (positions.of_key(path), positions.of_value(path)):
            assert place is not None, path
            assert place[1] <= len(lines[place[0] - 1])
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        pending += [((*path, key), item) for key, item in items]
