"""Pieces of a template between two loops: text, values and conditions, printed in one call of the library.

The library looks each name up in all contexts, and reads it again, whenever it prints it. What a piece refers to lies
mostly in the context or the `@` data that the call is handed, and is taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from dotpromptz_handlebars import HelperOptions

from cabinet_ci.seeding.templates.helpers import holds
from cabinet_ci.seeding.templates.tree import Faults, TemplateError

Evaluate = Callable[[HelperOptions, list[Any]], Any]
"""The value of an expression, in a call with these options and arguments; None where there is none."""


class Printed(msgspec.Struct, frozen=True):
    """A value that is printed: where it stands, and what is said where there is none."""

    evaluate: Evaluate
    offset: int
    missing: str = "there is nothing here"


class Choice(msgspec.Struct, frozen=True):
    """A condition and the pieces on either side of it."""

    evaluate: Evaluate
    met: Sequence[Piece]
    unmet: Sequence[Piece]


Piece = str | Printed | Choice


class Run:
    """A helper that prints pieces which follow each other."""

    def __init__(self, source: str, pieces: Sequence[Piece]) -> None:
        self._source = source
        self._pieces = pieces

    def __call__(self, args: list[Any], options: HelperOptions) -> str:
        """What the pieces print in this call. Raises `TemplateError` for a value that is not there."""
        printed: list[str] = []
        self._print(self._pieces, args, options, printed)
        return "".join(printed)

    def _print(self, pieces: Sequence[Piece], args: list[Any], options: HelperOptions, printed: list[str]) -> None:
        for piece in pieces:
            if isinstance(piece, str):
                printed.append(piece)
            elif isinstance(piece, Choice):
                branch = piece.met if holds(piece.evaluate(options, args)) else piece.unmet
                self._print(branch, args, options, printed)
            else:
                value = piece.evaluate(options, args)
                printed.append(value if isinstance(value, str) else self._text(value, piece))

    def _text(self, value: object, piece: Printed) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if value is None:
            fail(self._source, piece.offset, piece.missing)
        if isinstance(value, Mapping | Sequence):
            fail(self._source, piece.offset, "a list, or something with fields, can't be printed")
        return str(value)


def in_context(names: tuple[str, ...]) -> Evaluate:
    """What these names lead to from the context."""
    if len(names) == 1:
        # The case of nearly every value of a list.
        return lambda options, _: _step(options.context, names[0])
    return lambda options, _: find(options.context, names)


def in_data(names: tuple[str, ...]) -> Evaluate:
    """What these names lead to from the `@` data."""
    return lambda options, _: find(options.data, names)


def in_argument(index: int) -> Evaluate:
    """What the library found for an argument of the call."""
    return lambda _, args: args[index]


def constant(value: object) -> Evaluate:
    """The same value in every call."""
    return lambda _options, _args: value


def answered(answer: Callable[[list[Any]], object], given: Sequence[Evaluate]) -> Evaluate:
    """What a helper answers."""
    return lambda options, args: answer([evaluate(options, args) for evaluate in given])


def find(value: object, names: tuple[str, ...]) -> object:
    """What these names lead to; None where there is nothing."""
    for name in names:
        value = _step(value, name)
    return value


def _step(value: object, name: str) -> object:
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, Sequence) and not isinstance(value, str) and re.fullmatch("[0-9]{1,9}", name):
        return value[int(name)] if int(name) < len(value) else None
    return None


def fail(source: str, offset: int, message: str) -> None:
    """Raise `TemplateError` with one fault."""
    faults = Faults(source)
    faults.add(offset, message)
    raise TemplateError(faults.told())
