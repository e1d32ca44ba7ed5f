"""The helpers of a template: what they are called, how many arguments they take and what they answer.

Blocks (`if`, `unless`, `each`, `with`) are the renderer's own. `lookup` and the comparisons behave as in the Rust
implementation of Handlebars:

- `eq` and `ne` compare kind and value: `1` is neither `1.0` nor `"1"`; lists and fields are compared by content.
- `gt`, `gte`, `lt`, `lte` compare two numbers, two strings (by code point), two truth values, or a number and a string
  that reads as one; anything else is false.
- `and`, `or` take one argument or more and, like `not`, ask what `if` asks: `false`, `null`, `0`, `""` and an empty
  list are no. They answer with a truth value.
- `len` counts items, fields, or the bytes of a text in UTF-8; anything else has length 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

BLOCKS = {"if": 0, "unless": 0, "each": 2, "with": 1}
"""Block helpers, each with one argument, and how many block parameters they take at most."""

ARGUMENTS: dict[str, tuple[int, int | None]] = {
    "eq": (2, 2),
    "ne": (2, 2),
    "gt": (2, 2),
    "gte": (2, 2),
    "lt": (2, 2),
    "lte": (2, 2),
    "and": (1, None),
    "or": (1, None),
    "not": (1, 1),
    "len": (1, 1),
    "lookup": (2, 2),
}
"""Helpers that answer with a value: the least and the most arguments."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def same(left: object, right: object) -> bool:
    """Whether two values are of one kind and equal."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(value, right[name]) for name, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(same(*pair) for pair in zip(left, right, strict=True))
    return type(left) is type(right) and left == right


def order(left: object, right: object) -> int | None:
    """-1, 0 or 1 as `left` is less than, equal to or greater than `right`; None where they can't be ordered."""
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if isinstance(left, bool) and isinstance(right, bool):
        return left - right
    first, second = _number(left), _number(right)
    if first is None or second is None:
        return None
    return (first > second) - (first < second)


def _number(value: object) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and len(value) < 400 and _NUMBER.fullmatch(value):
        number = float(value)
        return number if math.isfinite(number) else None
    return None


def holds(value: object) -> bool:
    """Whether `if` takes its first branch."""
    return bool(value) or isinstance(value, Mapping)


def length(value: object) -> int:
    """Items, fields, or bytes of a text."""
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass"))
    return len(value) if isinstance(value, Mapping | Sequence) else 0


ANSWERS: dict[str, Callable[[list[Any]], object]] = {
    "eq": lambda args: same(args[0], args[1]),
    "ne": lambda args: not same(args[0], args[1]),
    "gt": lambda args: order(args[0], args[1]) == 1,
    "gte": lambda args: order(args[0], args[1]) in (0, 1),
    "lt": lambda args: order(args[0], args[1]) == -1,
    "lte": lambda args: order(args[0], args[1]) in (-1, 0),
    "and": lambda args: all(holds(arg) for arg in args),
    "or": lambda args: any(holds(arg) for arg in args),
    "not": lambda args: not holds(args[0]),
    "len": lambda args: length(args[0]),
}
"""What a helper answers to its arguments; `lookup` is answered where the position of the call is known."""
