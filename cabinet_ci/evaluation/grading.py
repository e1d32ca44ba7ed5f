"""Grading: is the answer the expected JSON value (section 2 of the format)?

Objects ignore the order of keys, arrays do not; `true` is not `1`; numbers compare by their exact decimal value at any
size. An answer with a key given twice, NaN or Infinity is no JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NoReturn

import msgspec

NATIVE_DIGITS = 4300
"""Digits up to which a whole number is a Python int; Python refuses to convert more."""

SHOWN = 60
"""Characters of a value or a key that a detail line shows."""

_TOO_DEEP = "arrays or objects are nested too deeply"

NESTING_LIMIT = 500
"""Levels of arrays and objects in each other: well within what any supported Python parses."""

_FACTOR, _ROOM = 8, 64 * 1024
"""How much longer the same value can be where it is spelt otherwise, white space and zeros aside.

An escape is six times as long as its character; a number may get a sign, a point and an exponent, at most twelve bytes
for a digit and a comma. The room is for small answers, which are cheap to parse whatever they are.
"""

_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?\Z")


class Grade(msgspec.Struct, frozen=True):
    """The verdict on an answer; `detail` shows where and how the first difference lies."""

    outcome: Literal["pass", "wrong-answer", "invalid-output"]
    detail: str = ""


class ExactNumber(msgspec.Struct, frozen=True):
    """A number that is not whole, or has too many digits: sign, digits without outer zeros, power of ten."""

    negative: bool
    digits: str
    exponent: int


class NotJson(ValueError):
    """Text that is not strict JSON; the message says why."""


def grade(answer: bytes, expected: bytes) -> Grade:
    """Grade an answer. Raises `NotJson` where the expected side is none: that is the case's fault."""
    right = parse_exact(expected)
    try:
        if is_far_longer(answer, expected):
            _check_syntax(answer)
            start = f"it starts with {_shorten(_start(answer))}"
            return Grade("wrong-answer", f"expected {len(expected):,} bytes, found {len(answer):,}; {start}")
        found = parse_exact(answer)
    except NotJson as error:
        return Grade("invalid-output", f"{error}; the answer starts with {_shorten(_start(answer))}")
    difference = first_difference(right, found)
    return Grade("pass") if difference is None else Grade("wrong-answer", difference)


def is_far_longer(answer: bytes, expected: bytes) -> bool:
    """Whether an answer can't be the expected value by its length alone: parsing it could take all of the memory."""
    limit = _FACTOR * len(expected) + _ROOM
    return len(answer) > limit and len(answer.translate(None, b" \t\r\n0")) > limit


def parse_exact(source: bytes) -> Any:
    """Parse strict JSON without losing a digit: whole numbers as int, others as `ExactNumber`. Raises `NotJson`."""
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}") from None
    try:
        try:
            value = _loads(text, None)
        except NotJson:
            raise
        except json.JSONDecodeError as error:
            raise NotJson(f"not JSON: {error.msg.lower()} at line {error.lineno}, column {error.colno}") from None
        except ValueError:
            value = _loads(text, _number)
    except RecursionError:
        raise NotJson(_TOO_DEEP) from None
    if source.count(b"[") + source.count(b"{") > NESTING_LIMIT and _depth(value) > NESTING_LIMIT:
        raise NotJson(_TOO_DEEP)
    return value


def first_difference(expected: Any, found: Any) -> str | None:
    """Where two parsed values differ first, in the order of the expected one, as a sentence; None where they don't."""
    pending: list[tuple[str, Any, Any]] = [("$", expected, found)]
    while pending:
        path, right, other = pending.pop()
        if type(right) is not type(other):
            return _differs(path, _show(right), _show(other))
        if isinstance(right, dict):
            missing = next((key for key in right if key not in other), None)
            if missing is not None:
                return f"at {_key(path, missing)}: expected {_show(right[missing])}, found nothing"
            extra = next((key for key in other if key not in right), None)
            if extra is not None:
                return f"at {_key(path, extra)}: expected nothing, found {_show(other[extra])}"
            pending += [(_key(path, key), value, other[key]) for key, value in reversed(right.items())]
        elif isinstance(right, list):
            if len(right) != len(other):
                shared = min(len(right), len(other))
                for index in range(shared):
                    inner = first_difference(right[index], other[index])
                    if inner is not None:
                        return inner.replace("at $", f"at {path}[{index}]", 1)
                return f"at {path}: expected {len(right)} items, found {len(other)}"
            pending += [(f"{path}[{index}]", right[index], other[index]) for index in reversed(range(len(right)))]
        elif right != other:
            return _differs(path, _show(right), _show(other))
    return None


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while level := [one for one in level if isinstance(one, dict | list)]:
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
        depth += 1
    return depth


def _check_syntax(source: bytes) -> None:
    """Raise `NotJson` for text that is no JSON, without building a value. Keys given twice are not looked for."""
    try:
        source.decode("utf-8")
        msgspec.json.decode(source, type=msgspec.Raw)
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise NotJson(_TOO_DEEP) from None
    except msgspec.DecodeError as error:
        raise NotJson(f"not JSON: {str(error).removeprefix('JSON is malformed: ')}") from None


def _loads(text: str, parse_int: Any) -> Any:
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_number, parse_int=parse_int)


def _number(text: str) -> int | ExactNumber:
    found = _NUMBER.match(text)
    assert found is not None  # noqa: S101
    sign, whole, fraction, power = found[1], found[2], found[3] or "", found[4] or "0"
    if len(power.lstrip("+-0")) > NATIVE_DIGITS:
        raise NotJson("a number has an exponent of too many digits")
    digits = (whole + fraction).lstrip("0")
    exponent = int(power[0].strip("0123456789") + (power.lstrip("+-0") or "0")) - len(fraction)
    stripped = digits.rstrip("0")
    if not stripped:
        return 0
    exponent += len(digits) - len(stripped)
    if exponent >= 0 and len(stripped) + exponent <= NATIVE_DIGITS:
        return int(sign + stripped + "0" * exponent)
    return ExactNumber(sign == "-", stripped, exponent)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise NotJson(f"not strict JSON: the key {_shorten(json.dumps(twice))} is given twice in one object")
    return found


def _refuse(constant: str) -> NoReturn:
    raise NotJson(f"not JSON: {constant} is no number")


def _differs(path: str, expected: str, found: str) -> str:
    return f"at {path}: expected {expected}, found {found}"


def _key(path: str, key: str) -> str:
    if len(key) <= SHOWN and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        return f"{path}.{key}"
    return f"{path}[{_shorten(json.dumps(key[: SHOWN + 1]))}]"


def _show(value: Any) -> str:
    if isinstance(value, ExactNumber):
        sign = "-" if value.negative else ""
        if -20 <= value.exponent < 0:
            digits = value.digits.rjust(-value.exponent + 1, "0")
            return _shorten(f"{sign}{digits[: value.exponent]}.{digits[value.exponent :]}")
        return _shorten(f"{sign}{value.digits}e{value.exponent}")
    if isinstance(value, list):
        return "an empty array" if not value else f"an array of {len(value)}"
    if isinstance(value, dict):
        return "an empty object" if not value else f"an object of {len(value)} keys"
    return _shorten(json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode())


def _start(answer: bytes) -> str:
    return repr(answer[: SHOWN * 2])[1:]


def _shorten(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
