"""What a template is made of, where each part stands, and what is wrong with it."""

from __future__ import annotations

import re
from bisect import bisect_right

import msgspec

MAX_FAULTS = 200
"""Faults that are told of one template."""


class TemplateFault(msgspec.Struct, frozen=True):
    """What is wrong with a template, and where: line and column (in characters) count from 1."""

    line: int
    column: int
    message: str
    hint: str | None = None


class TemplateError(Exception):
    """A template that can't be rendered; `faults` say why, one or more."""

    def __init__(self, faults: list[TemplateFault]) -> None:
        super().__init__(faults)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "; ".join(f"{fault.line}:{fault.column}: {fault.message}" for fault in self.faults)


class Literal(msgspec.Struct, frozen=True):
    """A string, number, `true`, `false` or `null`."""

    offset: int
    value: str | int | float | bool | None


class Path(msgspec.Struct, frozen=True):
    """A reference as `written`: `../variant.slug` goes `up` one context and then by `names`.

    `data` marks an `@` variable; `local` one that starts with `this` or `.`, which block parameters don't shadow.
    """

    offset: int
    written: str
    names: tuple[str, ...]
    up: int = 0
    data: bool = False
    local: bool = False


class Call(msgspec.Struct, frozen=True):
    """A helper with its arguments and its `key=value` options."""

    offset: int
    name: str
    args: tuple[Expression, ...]
    options: tuple[tuple[str, Expression], ...] = ()


Expression = Literal | Path | Call


class Text(msgspec.Struct, frozen=True):
    """Characters that are printed as they are."""

    value: str


class Print(msgspec.Struct, frozen=True):
    """`{{x}}`, `{{{x}}}` and `{{&x}}`, which are the same where nothing is escaped."""

    value: Expression


class Block(msgspec.Struct, frozen=True):
    """`{{#head as |params|}}body{{else}}otherwise{{/head}}`; an `else if` is a block alone in `otherwise`."""

    head: Call
    params: tuple[str, ...]
    body: list[Node]
    otherwise: list[Node]


Node = Text | Print | Block


def _shortened(text: str) -> str:
    """A message with a name of any length in it, at a length that can be shown."""
    return text if len(text) <= 300 else f"{text[:150]} ... {text[-100:]}"


class Faults:
    """The faults of one source, one for each place, up to `MAX_FAULTS`."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._found: dict[int, tuple[str, str | None]] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def full(self) -> bool:
        """Whether no more are taken."""
        return len(self._found) >= MAX_FAULTS

    def add(self, offset: int, message: str, hint: str | None = None) -> None:
        """Keep a fault, unless its place has one."""
        if not self.full:
            self._found.setdefault(offset, (_shortened(message), _shortened(hint) if hint else None))

    def copy(self) -> Faults:
        """The same faults, to be added to."""
        twin = Faults(self._source)
        twin._found.update(self._found)
        return twin

    def told(self) -> list[TemplateFault]:
        """All faults with line and column, in the order of the source."""
        starts = [0, *(match.end() for match in re.finditer("\n", self._source))] if self._found else []
        faults = []
        for offset, (message, hint) in sorted(self._found.items()):
            line = bisect_right(starts, offset)
            faults.append(TemplateFault(line, offset - starts[line - 1] + 1, message, hint))
        return faults
