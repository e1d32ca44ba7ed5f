"""Rendering by dotpromptz-handlebars, which is handed each template in the form where it is exact.

The library follows Handlebars in blocks, contexts, `@` data and helpers. What it lacks is added here: it is given no
text between its tags, so that no white space is left to it, but runs of text and values, each run a helper; a literal
is a datum, so that no quote or brace in it can mislead; an `else if` is a block inside an `else`. What a template
refers to and what it costs was checked before; what shows only in the values (an item that is not there) is a fault
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from dotpromptz_handlebars import Handlebars, HelperOptions, StrictModeError

from cabinet_ci.seeding.templates.helpers import ANSWERS
from cabinet_ci.seeding.templates.syntax import MAX_NESTING, parse_template
from cabinet_ci.seeding.templates.tree import (
    Block,
    Call,
    Expression,
    Faults,
    Literal,
    Node,
    Path,
    TemplateError,
    Text,
)


def render(source: str, values: Mapping[str, object]) -> str:
    """Render a template that was found sound with these values.

    Raises `TemplateError` where a value is missing after all.
    """
    try:
        return _compiled(source)(values)
    except (ValueError, TypeError, RecursionError, StrictModeError) as error:
        faults = Faults(source)
        faults.add(0, f"the template can't be rendered: {str(error)[:200]}")
        raise TemplateError(faults.told()) from None


@lru_cache(maxsize=2)
def _compiled(source: str) -> Callable[[Mapping[str, object]], str]:
    library = Handlebars(escape_html=False, max_depth=4 * MAX_NESTING)
    writer = _Writer(source, library)
    writer.nodes(parse_template(source).nodes, ())
    return partial(library.compile("".join(writer.tags)), data={"literal": writer.literals})


class _Writer:
    """Writes a tree as the library's source, and registers the helpers that it calls."""

    def __init__(self, source: str, library: Handlebars) -> None:
        self.tags: list[str] = []
        self.literals: list[object] = []
        self._source = source
        self._library = library
        self._runs = 0
        for name, answer in ANSWERS.items():
            library.register_helper(name, partial(_answer, answer))
        library.register_helper("lookup", self._lookup)

    def nodes(self, nodes: list[Node], params: tuple[str, ...]) -> None:
        """Write nodes that stand inside blocks with these parameters."""
        run: list[str | _Value] = []
        args: list[str] = []
        for node in nodes:
            if isinstance(node, Text):
                run.append(node.value)
            elif isinstance(node, Block):
                self._run(run, args)
                run, args = [], []
                self._block(node, params)
            else:
                run.append(self._value(node.value, params, args))
        self._run(run, args)

    def _run(self, run: list[str | _Value], args: list[str]) -> None:
        if run:
            self._runs += 1
            self._library.register_helper(f"run{self._runs}", _Run(self._source, run))
            self.tags.append(f"{{{{run{self._runs} {' '.join(args)}}}}}")

    def _value(self, value: Expression, params: tuple[str, ...], args: list[str]) -> _Value:
        """A value of a run: a field of the context or a datum is at hand in the call, anything else an argument."""
        if isinstance(value, Path) and not value.up:
            hidden = value.names and not value.local and value.names[0] in params
            if not hidden:
                return _Value(value.offset, value.data, value.names, -1)
        args.append(self._expression(value))
        return _Value(value.offset, False, (), len(args) - 1)

    def _block(self, block: Block, params: tuple[str, ...]) -> None:
        head = block.head
        options = "".join(f" {name}={self._expression(value)}" for name, value in head.options)
        names = f" as |{' '.join(block.params)}|" if block.params else ""
        self.tags.append(f"{{{{#{head.name} {self._expression(head.args[0])}{options}{names}}}}}")
        self.nodes(block.body, (*params, *block.params))
        if block.otherwise:
            self.tags.append("{{else}}")
            self.nodes(block.otherwise, params)
        self.tags.append(f"{{{{/{head.name}}}}}")

    def _expression(self, value: Expression) -> str:
        if isinstance(value, Literal):
            self.literals.append(value.value)
            return f"@literal.[{len(self.literals) - 1}]"
        if isinstance(value, Call):
            args = [self._expression(arg) for arg in value.args]
            # `lookup` is told where it stands, to say so if it finds nothing.
            return f"({value.name} {' '.join(args)}{f' {value.offset}' if value.name == 'lookup' else ''})"
        names = ".".join(f"[{name}]" for name in value.names)
        if value.up:
            names = "../" * value.up + names if names else "/".join([".."] * value.up)
        elif not names:
            names = "this"
        elif value.local:
            names = f"this.{names}"
        return f"@{names}" if value.data else names

    def _lookup(self, args: list[Any], _: HelperOptions) -> object:
        subject, key, offset = args
        return _found(subject, (str(key),), self._source, offset)


class _Value:
    """A value that a run prints: an argument, or the way to it from the context or the `@` data."""

    __slots__ = ("argument", "data", "names", "offset")

    def __init__(self, offset: int, data: bool, names: tuple[str, ...], argument: int) -> None:
        self.offset = offset
        self.data = data
        self.names = names
        self.argument = argument


class _Run:
    """Prints text and values that follow each other."""

    def __init__(self, source: str, pieces: Sequence[str | _Value]) -> None:
        self._source = source
        self._pieces = pieces

    def __call__(self, args: list[Any], options: HelperOptions) -> str:
        printed: list[str] = []
        for piece in self._pieces:
            if isinstance(piece, str):
                printed.append(piece)
                continue
            if piece.argument >= 0:
                value = args[piece.argument]
            else:
                start = options.data if piece.data else options.context
                value = _found(start, piece.names, self._source, piece.offset)
            printed.append(value if isinstance(value, str) else _text(value, self._source, piece.offset))
        return "".join(printed)


def _found(value: object, names: tuple[str, ...], source: str, offset: int) -> object:
    for name in names:
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, Sequence) and not isinstance(value, str) and re.fullmatch("[0-9]{1,9}", name):
            value = value[int(name)] if int(name) < len(value) else None
        else:
            value = None
    if value is None:
        _fail(source, offset, f"there is no {names[-1]!r} here" if names else "there is nothing here")
    return value


def _text(value: object, source: str, offset: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        _fail(source, offset, "there is nothing here")
    if isinstance(value, Mapping | Sequence):
        _fail(source, offset, "a list, or something with fields, can't be printed")
    return str(value)


def _fail(source: str, offset: int, message: str) -> None:
    faults = Faults(source)
    faults.add(offset, message)
    raise TemplateError(faults.told())


def _answer(answer: Callable[[list[Any]], object], args: list[Any], _: HelperOptions) -> object:
    return answer(args)
