"""Strict JSON: what the format forbids is refused with its place, and everything else is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.catalog.strict_json import _UNSURE, JsonError, _fast, _judge, parse_json


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        (b'{"a": 1,\n "b": 2,\n "a": 3}', 3, 2, "given twice"),
        (b'[1,\n {"x": {"k": 1, "k": 2}}]', 2, 17, "given twice"),
        (b"[1, NaN]", 1, 5, "NaN"),
        (b"[1,\n -Infinity]", 2, 2, "-Infinity"),
        (b'["NaN \\"NaN", NaN]', 1, 15, "NaN"),
        (b"[1] x", 1, 5, "extra data"),
        (b"[1,]", 1, 4, ""),
        (b"", 1, 1, ""),
        (b"\xef\xbb\xbf[]", 1, 1, "byte-order mark"),
        (b'["\xff"]', 1, 3, "UTF-8"),
        (b"[" * 100_000, 1, 1, "nested"),
        (b"9" * 200_000, 1, 1, "digits"),
        (b'{"a": 01}', 1, 8, ""),
        (b"'a'", 1, 1, ""),
        (b'"a\nb"', 1, 3, ""),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(source: bytes, line: int, column: int, words: str) -> None:
    with pytest.raises(JsonError) as refused:
        parse_json(source)
    assert words in refused.value.message
    assert (refused.value.line, refused.value.column) == (line, column)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b" [1, 2.5, null, true]\n", [1, 2.5, None, True]),
        (b'{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}', {"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}),
        (b"18446744073709551617", 2**64 + 1),
        (b'"NaN"', "NaN"),
    ],
)
def test_strict_json_is_read_as_it_stands(source: bytes, value: object) -> None:
    assert parse_json(source) == value


def test_an_integer_of_five_thousand_digits_keeps_every_one() -> None:
    assert parse_json(b"-" + b"7" * 5000) == -int("7" * 4000) * 10**1000 - int("7" * 1000)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


PIECES = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    '"b"',
    '":"',
    '"{"',
    "1",
    "-0",
    "1.5",
    "1e400",
    "true",
    "null",
    "NaN",
    " ",
    "\n",
]


@given(
    st.lists(st.sampled_from([*PIECES, '{"a":1,"a":2}', '{"a:":1}', "9" * 25, '"\\ud800"']), max_size=12).map("".join)
)
def test_the_fast_reading_and_the_judging_one_agree(text: str) -> None:
    fast = _fast(text.encode())
    if fast is not _UNSURE:
        judged = _judge(text.encode())
        assert judged == fast
        assert json.dumps(judged) == json.dumps(fast)


@given(JSON_VALUES)
def test_every_json_value_is_read_as_it_was_written(value: object) -> None:
    assert parse_json(json.dumps(value).encode()) == value


@given(st.binary(max_size=100))
def test_arbitrary_bytes_are_json_or_an_error_with_a_place(source: bytes) -> None:
    assert fault_of(source) >= (0, 0)


def fault_of(source: bytes) -> tuple[int, int]:
    try:
        parse_json(source)
    except JsonError as error:
        return error.line - 1, error.column - 1
    return 0, 0
