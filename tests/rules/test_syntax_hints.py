"""What is no TOML or no strict JSON is told with what to do about it."""

from __future__ import annotations

import pytest

from cabinet_ci.catalog.strict_json import JsonError, parse_json
from cabinet_ci.catalog.toml import TomlError, parse_toml
from cabinet_ci.rules.syntax_hints import json_hint, toml_hint


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a = b", "text stands in quotes"),
        ("a =", "a value is due"),
        ("a = # b", "a value is due"),
        ("a = True", "in lower case"),
        ("a = .5", "a number is written as"),
        ("a = 01", "does not start with a zero"),
        ('a = "b"c', "one key and value a line"),
        ("a: 1", "`key = value`"),
        ("=", "`key = value`"),
        ("[a", "close the header"),
        ("[[a]", "close the header"),
        ("a = [1", "close the array"),
        ('a = "b\n', "on its line"),
        ('a = "\\d"', "single quotes"),
        ('a = "\x01"', "as an escape"),
        ("a = 1\na = 2", "each key once"),
        ("[a]\n[a]", "two brackets"),
        ("a = " + "[" * 2000, "a few levels"),
        ("\ufeffa = 1", "without a byte-order mark"),
        ("a = " + "9" * 5000, "a smaller number"),
    ],
)
def test_what_is_no_toml_has_a_remedy(source: str, words: str) -> None:
    with pytest.raises(TomlError) as refused:
        parse_toml(source.encode())
    assert words in (toml_hint(refused.value, source.encode()) or "")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "the file is empty"),
        ("[a]", "without quotes"),
        ("['a']", "double quotes"),
        ("[True]", "in lower case"),
        ("[None]", "`null`"),
        ("[+1]", "starts with a digit"),
        ("[.5]", "starts with a digit"),
        ("[01]", "without a zero"),
        ("[1,]", "remove the comma"),
        ('{"a": 1,}', "comma"),
        ("{a: 1}", "double quotes"),
        ('["a" "b"]', "put a comma"),
        ("[1] // one", "no comments"),
        ("[1] [2]", "remove what follows"),
        ('["a\x01"]', "as an escape"),
        ('["\\d"]', "escapes are"),
        ('["a', "close the text"),
        ('{"a": 1, "a": 2}', "keep one"),
        ("[NaN]", "use null"),
        ("[" * 100_000, "nest less"),
        ("\ufeff[]", "without a byte-order mark"),
        ("9" * 100_001, "a shorter number"),
    ],
)
def test_what_is_no_strict_json_has_a_remedy(source: str, words: str) -> None:
    with pytest.raises(JsonError) as refused:
        parse_json(source.encode())
    assert words in (json_hint(refused.value, source.encode()) or "")


@pytest.mark.parametrize("hint", [toml_hint, json_hint])
def test_bytes_that_are_no_text_have_one_too(hint: object) -> None:
    assert callable(hint)
    with pytest.raises(TomlError) as refused:
        parse_toml(b"a\n = \xff")
    assert hint(refused.value, b"a\n = \xff") == "save the file as UTF-8"
