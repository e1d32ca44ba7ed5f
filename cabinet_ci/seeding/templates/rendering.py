"""Rendering by dotpromptz-handlebars, which is handed each template in the form where it is exact.

The library follows Handlebars in loops, contexts, `@` data and helpers. What it lacks is added here: it is given no
text between its tags, so that no white space is left to it, but runs of pieces, each run a helper; a literal is a
datum, so that no quote or brace in it can mislead; an `else if` is a block inside an `else`. What a template refers to
and what it costs was checked before; what shows only in the values (an item that is not there) is a fault here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

from dotpromptz_handlebars import Handlebars, HelperOptions, StrictModeError

from cabinet_ci.seeding.templates import pieces
from cabinet_ci.seeding.templates.helpers import ANSWERS
from cabinet_ci.seeding.templates.pieces import Choice, Evaluate, Piece, Printed, Run, fail, find
from cabinet_ci.seeding.templates.syntax import MAX_NESTING, parse_template
from cabinet_ci.seeding.templates.tree import (
    Block,
    Call,
    Expression,
    Faults,
    Literal,
    Node,
    Path,
    Print,
    TemplateError,
    Text,
)

CONDITIONS = ("if", "unless")
"""Blocks that leave the context as it is."""


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
    writer.nodes(parse_template(source).nodes, _Place())
    return partial(library.compile("".join(writer.tags)), data={"literal": writer.literals})


class _Place(NamedTuple):
    """Where a node stands: all block parameters around it, and those of the innermost loop or `with`."""

    params: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


class _Writer:
    """Writes a tree as the library's source, and registers the helpers that it calls."""

    def __init__(self, source: str, library: Handlebars) -> None:
        self.tags: list[str] = []
        self.literals: list[object] = []
        self._source = source
        self._library = library
        self._runs = 0
        self._flat: dict[int, bool] = {}
        for name, answer in ANSWERS.items():
            library.register_helper(name, partial(_answer, answer))
        library.register_helper("lookup", lambda args, _: self._looked_up(args))

    def nodes(self, nodes: list[Node], place: _Place) -> None:
        """Write nodes that stand at a place."""
        run: list[Node] = []
        for node in nodes:
            if isinstance(node, Block) and not self._is_flat(node):
                self._run(run, place)
                run = []
                self._block(node, place)
            else:
                run.append(node)
        self._run(run, place)

    def _is_flat(self, node: Node) -> bool:
        """Whether a node can be a piece: it holds no loop and no other context."""
        if not isinstance(node, Block):
            return True
        if id(node) not in self._flat:
            is_condition = node.head.name in CONDITIONS and not node.head.options
            self._flat[id(node)] = is_condition and all(map(self._is_flat, (*node.body, *node.otherwise)))
        return self._flat[id(node)]

    def _run(self, nodes: list[Node], place: _Place) -> None:
        if nodes:
            args: list[str] = []
            self._runs += 1
            self._library.register_helper(f"run{self._runs}", Run(self._source, self._pieces(nodes, place, args)))
            self.tags.append(f"{{{{run{self._runs} {' '.join(args)}}}}}")

    def _pieces(self, nodes: list[Node], place: _Place, args: list[str]) -> list[Piece]:
        """Nodes as pieces; what has to be found by the library is added to the arguments."""
        found: list[Piece] = []
        for node in nodes:
            if isinstance(node, Text):
                found.append(node.value)
            elif isinstance(node, Print):
                found.append(self._printed(node.value, place, args))
            else:
                condition = self._evaluate(node.head.args[0], place, args)
                branches = (self._pieces(node.body, place, args), self._pieces(node.otherwise, place, args))
                met, unmet = branches if node.head.name == "if" else reversed(branches)
                found.append(Choice(condition, met, unmet))
        return found

    def _printed(self, value: Expression, place: _Place, args: list[str]) -> Printed:
        evaluate = self._evaluate(value, place, args)
        if isinstance(value, Path) and value.names and not value.up:
            return Printed(evaluate, value.offset, f"there is no {value.names[-1]!r} here")
        return Printed(evaluate, value.offset)

    def _evaluate(self, value: Expression, place: _Place, args: list[str]) -> Evaluate:
        if isinstance(value, Literal):
            return pieces.constant(value.value)
        if isinstance(value, Call):
            given = [self._evaluate(arg, place, args) for arg in value.args]
            if value.name == "lookup":
                return pieces.answered(self._looked_up, [*given, pieces.constant(value.offset)])
            return pieces.answered(ANSWERS[value.name], given)
        if not value.up:
            if value.data:
                return pieces.in_data(value.names)
            name = value.names[0] if value.names and not value.local else None
            if name in place.own:
                # The first parameter of a loop is its context; the second is the key or the index.
                is_item = name == place.own[0]
                return pieces.in_context(value.names[1:]) if is_item else pieces.in_data(("key", *value.names[1:]))
            if name not in place.params:
                return pieces.in_context(value.names)
        args.append(self._expression(value))
        return pieces.in_argument(len(args) - 1)

    def _block(self, block: Block, place: _Place) -> None:
        head = block.head
        options = "".join(f" {name}={self._expression(value)}" for name, value in head.options)
        names = f" as |{' '.join(block.params)}|" if block.params else ""
        self.tags.append(f"{{{{#{head.name} {self._expression(head.args[0])}{options}{names}}}}}")
        inside = place if head.name in CONDITIONS else _Place((*place.params, *block.params), block.params)
        self.nodes(block.body, inside)
        if block.otherwise:
            self.tags.append("{{else}}")
            self.nodes(block.otherwise, place)
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

    def _looked_up(self, args: list[Any]) -> object:
        subject, key, offset = args
        value = find(subject, (str(key),))
        if value is None:
            fail(self._source, offset, f"there is no {str(key)!r} here")
        return value


def _answer(answer: Callable[[list[Any]], object], args: list[Any], _: HelperOptions) -> object:
    return answer(args)
