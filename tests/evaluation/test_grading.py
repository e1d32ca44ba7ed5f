"""Grading: both sides are parsed as JSON and must be the same value."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.evaluation.grading import ExactNumber, NotJson, grade, parse_exact


def outcome(answer: str, expected: str) -> str:
    return grade(answer.encode(), expected.encode()).outcome


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"a":1,"b":2}', '{"b": 2, "a": 1}'),
        ("1", "1.0"),
        ("10e-1", "1"),
        ("0", "-0.0"),
        ("100", "1E+2"),
        ("1e" + "0" * 5000 + "1", "10"),
        ("1e-" + "0" * 5000 + "1", "0.1"),
        ("0.10", "1e-1"),
        ("18446744073709551617", "18446744073709551617.000"),
        ('"\\u0041"', '"A"'),
        ("1e999999999999999999999", "10e999999999999999999998"),
        (" [ ] \n", "[]"),
    ],
)
def test_the_same_value_written_otherwise_passes(answer: str, expected: str) -> None:
    assert outcome(answer, expected) == "pass"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("[1,2]", "[2,1]"),
        ("true", "1"),
        ("1", "true"),
        ("false", "0"),
        ("null", "0"),
        ("18446744073709551616", "18446744073709551617"),
        ("9007199254740993", "9007199254740992"),
        ("0.1", "0.1000000000000000055511151231257827"),
        ('"1"', "1"),
        ("{}", "[]"),
        ('{"a":1}', "{}"),
        ("1e-400", "0"),
        ("1e400", "1e401"),
    ],
)
def test_another_value_is_a_wrong_answer(answer: str, expected: str) -> None:
    assert outcome(answer, expected) == "wrong-answer"


@pytest.mark.parametrize(
    "answer",
    ["", "nope", "[1", "[1]x", "NaN", "[Infinity]", "-Infinity", '{"a":1,"a":1}', "[1,]", "01", "'a'", "[" * 100_000],
)
def test_what_is_not_strict_json_is_an_invalid_output(answer: str) -> None:
    assert outcome(answer, "1") == "invalid-output"


def test_an_answer_that_is_not_utf8_is_an_invalid_output() -> None:
    assert grade(b'"\xff"', b'"a"').outcome == "invalid-output"


def test_an_expected_answer_that_is_not_json_is_the_cases_fault() -> None:
    with pytest.raises(NotJson):
        grade(b"1", b"NaN")


@pytest.mark.parametrize(
    ("answer", "expected", "detail"),
    [
        ('{"routes":[[1,2],[3,5]]}', '{"routes":[[1,2],[3,4]]}', "at $.routes[1][1]: expected 4, found 5"),
        ("[1,2,3]", "[1,2]", "at $: expected 2 items, found 3"),
        ("[1,9,3]", "[1,2]", "at $[1]: expected 2, found 9"),
        ('{"a":1}', '{"a":1,"b":null}', "at $.b: expected null, found nothing"),
        ('{"a":1,"x y":2}', '{"a":1}', 'at $["x y"]: expected nothing, found 2'),
        ("true", "1", "at $: expected 1, found true"),
        ("0.5", "0.25", "at $: expected 0.25, found 0.5"),
    ],
)
def test_the_detail_shows_where_and_how_the_first_difference_lies(answer: str, expected: str, detail: str) -> None:
    assert grade(answer.encode(), expected.encode()).detail == detail


def test_half_a_character_in_an_answer_is_shown_escaped() -> None:
    assert "\\ud800" in grade(b'"\\ud800"', b"1").detail


def test_a_long_value_is_shortened_in_the_detail() -> None:
    detail = grade(json.dumps("x" * 10_000).encode(), b'"y"').detail
    assert len(detail) < 200


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.decimals(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def written(value: object) -> str:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{written(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


@given(JSON_VALUES)
def test_every_value_is_equal_to_itself(value: object) -> None:
    assert outcome(written(value), written(value)) == "pass"


@given(st.decimals(allow_nan=False, allow_infinity=False), st.decimals(allow_nan=False, allow_infinity=False))
def test_two_numbers_are_equal_exactly_when_their_fractions_are(left: Decimal, right: Decimal) -> None:
    if max(abs(left.adjusted()), abs(right.adjusted())) > 5000:
        return
    assert (outcome(str(left), str(right)) == "pass") == (Fraction(left) == Fraction(right))


def test_a_number_of_ten_thousand_digits_keeps_the_last_one() -> None:
    digits = "7" * 10_000
    assert outcome(digits + "1", digits + "2") == "wrong-answer"
    assert outcome(digits + "1", digits + "1.0") == "pass"
    assert isinstance(parse_exact(digits.encode()), ExactNumber)
