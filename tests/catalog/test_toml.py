"""TOML: the compiled parser reads clean documents and sees the values that tomli sees; tomli judges all others."""

from __future__ import annotations

import math
from typing import Any

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.catalog.toml import TomlError, parse_toml

DOCUMENTS = [
    "",
    "a = 1\nb = -0\nc = +1\nd = 0xff\ne = 0o17\nf = 0b11\ng = 1_000_000",
    "a = 9223372036854775807\nb = -9223372036854775808",
    "a = 9223372036854775808\nb = 123456789012345678901234567890",
    "a = 1.5\nb = 1e3\nc = -0.0\nd = 6.02_2e23\ne = inf\nf = -inf\ng = nan",
    "a = 1e400",
    "a = true\nb = false",
    'a = "x\\ty\\u00e9\\U0001F600"\nb = \'c:\\dir\'\nc = """\nline\nline \\\n   more"""\nd = \'\'\'\nraw\n\'\'\'',
    "a = 1979-05-27\nb = 07:32:00\nc = 1979-05-27T07:32:00",
    "a = 1979-05-27T07:32:00Z\nb = 1979-05-27T07:32:00.123456+02:00",
    "a.b.c = 1\na.d = 2\n[x.y]\nz = 1\n[x]\nw = 2",
    '[[case]]\ninput = "a"\n[[case]]\ninput = "b"\n[case.more]\nx = 1\n[[case.inner]]\n[[case.inner]]',
    "a = [1, [2, 3], {b = 1, c.d = 2},]\nb = [\n 1, # one\n 2\n]",
    '"quoted key" = 1\n"" = 2\n\'single\' = 3\n1234 = 4',
    "# only a comment",
    "a = 1 # comment\n\n\n  b = 2\t",
    "a = \"\"\"\r\nline\r\n\"\"\"\r\nb = 1\r\n",
    "a = [[[[[[[[[[1]]]]]]]]]]",
    "a = {b = {c = {d = 1}}}",
]  # fmt: skip

BROKEN = [
    "a",
    "a =",
    "a = b",
    "a = 1\na = 2",
    "[a]\n[a]",
    "[a]\nb = 1\n[a.b]",
    "a = [1, 2",
    'a = "x',
    "a = 1 b = 2",
    "a = 01",
    "a = 1__0",
    "a = '''x",
    "= 1",
    "a = \x00",
    "a = 1\rb = 2",
    'a = "\\q"',
    "[a",
    "a = {b = 1",
    "é = 1",
    "a = 2020-02-30",
    "a = [" + "[" * 10_000,
    "a" + ".a" * 5000 + " = 1",
]


def same(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float):
        return math.copysign(1, left) == math.copysign(1, right) and (left == right or left != left == (right != right))
    return bool(left == right)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_clean_document_has_the_values_that_tomli_sees(document: str) -> None:
    assert same(parse_toml(document.encode()), tomli.loads(document)) or "nan" in document


@pytest.mark.parametrize("document", BROKEN)
def test_what_tomli_refuses_is_refused_with_a_place(document: str) -> None:
    with pytest.raises((tomli.TOMLDecodeError, RecursionError)):
        tomli.loads(document)
    with pytest.raises(TomlError) as refused:
        parse_toml(document.encode())
    assert refused.value.line >= 1
    assert refused.value.column >= 1


def test_a_key_given_twice_is_placed_at_the_second() -> None:
    with pytest.raises(TomlError) as refused:
        parse_toml(b"a = 1\nb = 2\na = 3\nc = 4\n")
    assert (refused.value.line, refused.value.column) == (3, 1)


def test_a_byte_that_is_not_utf8_is_placed_in_characters() -> None:
    with pytest.raises(TomlError) as refused:
        parse_toml("a = 1\né = ".encode() + b"\xff")
    assert (refused.value.line, refused.value.column) == (2, 5)


PIECES = st.sampled_from(
    [
        "a",
        "b",
        ".",
        " = ",
        "1",
        '"x"',
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ",",
        "\n",
        "# c",
        "true",
        "'",
        '"""',
        "\\",
        "1.5",
        "inf",
        "2020-01-01",
        "0x",
        "_",
        "\t",
        "é",
        "\r\n",
        "''",
        "-",
        "e5",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_random_documents_are_read_as_tomli_reads_them(document: str) -> None:
    try:
        expected: Any = tomli.loads(document)
    except (tomli.TOMLDecodeError, RecursionError):
        with pytest.raises(TomlError):
            parse_toml(document.encode())
    else:
        found = parse_toml(document.encode())
        assert found == expected


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_a_document_or_an_error_with_a_place(source: bytes) -> None:
    assert 1 <= line_of_fault(source) <= source.count(b"\n") + source.count(b"\r") + 1


def line_of_fault(source: bytes) -> int:
    try:
        parse_toml(source)
    except TomlError as error:
        return error.line
    return 1
