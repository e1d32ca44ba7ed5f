"""Strict JSON: no key twice, no NaN or Infinity, nothing after the value (section 1 of the format)."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, NoReturn

import msgspec

from cabinet_ci.catalog.toml import SyntaxFault, decode_utf8

DIGITS_LIMIT = 100_000
"""Digits of one number that are read: converting more takes time that grows with their square."""

_SHAPE = bytes(
    ord("0")
    if chr(byte).isdecimal() and byte < 128
    else ord("e")
    if byte in b"eE"
    else ord("+")
    if byte in b"+-"
    else 32
    for byte in range(256)
)
"""Every byte as its part in a number: looking for a plain text is several times as fast as a pattern."""

_BEYOND_A_FLOAT = (b"0" * 16, b"e000", b"e+000")
"""How numbers look that a float may not hold: long ones, and those with an exponent of three digits."""

_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity', re.DOTALL)


class JsonError(SyntaxFault):
    """A document that is not strict JSON."""


class _Repeated(ValueError):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _NotStrict(ValueError):
    pass


def parse_json(source: bytes) -> Any:
    """Parse strict JSON; integers keep every digit, other numbers become the nearest finite floats.

    Raises `JsonError` with line and column for anything that is not strict JSON.
    """
    value = _fast(source)
    return _judge(source) if value is _UNSURE else value


_UNSURE = object()


def _fast(source: bytes) -> Any:
    """The value as msgspec sees it, or `_UNSURE`: msgspec keeps the last of two equal keys, and rounds long integers.

    There are at least as many colons as keys in the text. Where there are just as many as keys in the value, no key
    was lost.
    """
    shape = source.translate(_SHAPE)
    if any(text in shape for text in _BEYOND_A_FLOAT):
        return _UNSURE
    try:
        value = msgspec.json.decode(source)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return _UNSURE
    colons, braces = source.count(b":"), source.count(b"{")
    keys = objects = 0
    pending = [value]
    # Once every brace of the text is found as an object, there is nothing left to look for.
    while pending and objects < braces:
        found = pending.pop()
        if isinstance(found, dict):
            objects += 1
            keys += len(found)
            pending += [item for item in found.values() if isinstance(item, dict | list)]
        elif isinstance(found, list):
            pending += [item for item in found if isinstance(item, dict | list)]
    return value if keys == colons else _UNSURE


def _judge(source: bytes) -> Any:
    """The value as Python's own parser sees it, which tells what is wrong and where."""
    text = decode_utf8(source, JsonError)
    try:
        return _decode(text, int)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg[:1].lower() + error.msg[1:], error.lineno, error.colno) from None
    except _Repeated as error:
        raise JsonError(
            f"the key {json.dumps(error.key)} is given twice in one object", *_second(source, error.key)
        ) from None
    except _NotStrict as error:
        raise JsonError(f"{error} is not JSON", *_line_of(text, str(error))) from None
    except RecursionError:
        raise JsonError("arrays or objects are nested too deeply", 1, 1) from None
    except ValueError:
        return _with_long_integers(text)


def _with_long_integers(text: str) -> Any:
    try:
        return _decode(text, _long_integer)
    except _NotStrict as error:
        raise JsonError(str(error), 1, 1) from None


def _decode(text: str, parse_int: Any) -> Any:
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_int=parse_int, parse_float=_finite)


def _finite(number: str) -> float:
    """The nearest float: no schema knows an infinity, and `1e400` is a number all the same."""
    return max(-sys.float_info.max, min(sys.float_info.max, float(number)))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Repeated(key)
            seen.add(key)
    return found


def _refuse(constant: str) -> NoReturn:
    raise _NotStrict(constant)


def _long_integer(digits: str) -> int:
    if len(digits) > DIGITS_LIMIT:
        raise _NotStrict(f"a number of more than {DIGITS_LIMIT:,} digits")
    # Python bounds the digits that int() takes; in pieces it takes any number of them.
    sign, body = (-1, digits[1:]) if digits.startswith("-") else (1, digits)
    value = 0
    for start in range(0, len(body), 4000):
        piece = body[start : start + 4000]
        value = value * 10 ** len(piece) + int(piece)
    return sign * value


def _second(source: bytes, key: str) -> tuple[int, int]:
    from cabinet_ci.catalog.positions import repeated_json_key

    return repeated_json_key(source, key) or (1, 1)


def _line_of(text: str, word: str) -> tuple[int, int]:
    """Position of the first such word outside a string."""
    found = next(match for match in _STRING_OR_CONSTANT.finditer(text) if match[0] == word)
    start = found.start()
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
