"""What a template refers to, followed through every branch, taken or not, without rendering it (section 4).

References are resolved as the renderer does it: `each` and `with` step into a value, `if` and `unless` do not; `../`
steps out again; a block parameter hides a variable of its name; `@index`, `@first`, `@last` belong to the nearest
`each` (also inside a `with`), and `@key` to one over fields. What the Rust implementation refuses is refused: a block
named for a variable (`{{#specs}}`), a field of a list (`specs.length`), `../` out of the template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from cabinet_ci.seeding.templates.helpers import ARGUMENTS, BLOCKS
from cabinet_ci.seeding.templates.scopes import Fields, Items, Leaf, Scope, Shape, Unchecked, common_shape
from cabinet_ci.seeding.templates.tree import Block, Call, Expression, Faults, Literal, Node, Path, Print, Text

MAX_OUTPUT = 16_000_000
"""Characters that a template may print."""

MAX_STEPS = 500_000
"""Pieces that rendering may take: a text, a value, a call, a turn of a loop. It is a few seconds' work."""


class Cost(msgspec.Struct, frozen=True):
    """An upper bound of what rendering takes: characters printed, and expressions evaluated."""

    characters: int
    steps: int

    def and_then(self, other: Cost, times: int = 1) -> Cost:
        """This, then something else so many times."""
        return Cost(self.characters + times * other.characters, self.steps + times * other.steps)


class _Place(msgspec.Struct, frozen=True):
    """Where an expression stands: what `this`, `../` and so on are, innermost last."""

    contexts: tuple[Shape, ...]
    loops: tuple[str, ...] = ()
    params: tuple[Mapping[str, Shape], ...] = ()

    def inside(self, context: Shape, params: Mapping[str, Shape], loop: str | None = None) -> _Place:
        return _Place(
            (*self.contexts, context),
            self.loops if loop is None else (*self.loops, loop),
            (*self.params, params),
        )


_LEAF, _UNCHECKED = Leaf(), Unchecked()
_LONGEST_NUMBER = 20


def check_references(nodes: list[Node], scope: Scope, faults: Faults) -> None:
    """Add a fault for each reference and call that is none, or for what rendering would cost."""
    cost = _Checker(faults).nodes(nodes, _Place((scope.variables,)))
    if cost.characters > MAX_OUTPUT or cost.steps > MAX_STEPS:
        over = f"print more than {MAX_OUTPUT:,} characters" if cost.characters > MAX_OUTPUT else "loop too much"
        faults.add(0, f"the template would {over}", "lists are looped over inside each other, or are too long")


class _Checker:
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._steps = 0

    def nodes(self, nodes: list[Node], place: _Place) -> Cost:
        cost = Cost(0, 0)
        for node in nodes:
            if self._faults.full:
                break
            if isinstance(node, Text):
                cost = Cost(cost.characters + len(node.value), cost.steps + 1)
            elif isinstance(node, Print):
                cost = cost.and_then(self._print(node.value, place))
            else:
                cost = cost.and_then(self._block(node, place))
        return cost

    def _print(self, value: Expression, place: _Place) -> Cost:
        if isinstance(value, Literal):
            self._fault(value, "a literal is no variable", "write it as text")
        elif (
            isinstance(value, Path)
            and len(value.names) == 1
            and (value.written in BLOCKS or value.written in ARGUMENTS)
        ):
            value = Call(value.offset, value.written, ())
        steps = self._steps
        shape = self._shape(value, place)
        if isinstance(shape, Fields):
            written = value.written if isinstance(value, Path) else "the value"
            self._fault(value, f"`{written}` has fields and can't be printed", f"its fields are {_listed(shape)}")
        elif isinstance(shape, Items):
            written = value.written if isinstance(value, Path) else "the value"
            self._fault(value, f"`{written}` is a list and can't be printed", "use {{#each ...}}, or {{len ...}}")
        return Cost(shape.longest if isinstance(shape, Leaf) else 0, 1 + self._steps - steps)

    def _block(self, block: Block, place: _Place) -> Cost:
        head, steps = block.head, self._steps
        if head.name not in BLOCKS:
            return self._unknown_block(block, place)
        for name, value in head.options:
            self._shape(value, place)
            if name != "includeZero" or head.name not in ("if", "unless"):
                self._fault(value, f"`{head.name}` has no option `{name}`")
        if len(block.params) > BLOCKS[head.name]:
            allowed = {0: "no block parameters", 1: "one block parameter", 2: "at most two block parameters"}
            self._fault(head, f"`{head.name}` takes {allowed[BLOCKS[head.name]]}")
        shapes = [self._shape(arg, place) for arg in head.args]
        if len(shapes) != 1:
            self._fault(head, f"`{head.name}` takes one argument, not {len(shapes)}", _shape_of_call(head.name, shapes))
        subject = shapes[0] if len(shapes) == 1 else _UNCHECKED
        times, inner = self._inside(block, subject, place)
        own = Cost(0, 1 + self._steps - steps)
        body, otherwise = self.nodes(block.body, inner), self.nodes(block.otherwise, place)
        # Whichever branch is taken, it costs no more than both.
        return own.and_then(Cost(body.characters, body.steps + 1), times).and_then(otherwise)

    def _inside(self, block: Block, subject: Shape, place: _Place) -> tuple[int, _Place]:
        """How often the body is rendered at most, and where it stands."""
        head, params = block.head, block.params
        if head.name in ("if", "unless"):
            return 1, place
        if head.name == "with":
            return 1, place.inside(subject, dict(zip(params, (subject,), strict=False)))
        item: Shape = _UNCHECKED
        times, loop = 0, "list"
        if isinstance(subject, Items):
            item, times = subject.of, subject.most
        elif isinstance(subject, Fields):
            item, times, loop = common_shape(subject.of.values()), len(subject.of), "fields"
        elif isinstance(subject, Leaf):
            self._fault(head.args[0], "`each` needs a list, and this is text")
        else:
            loop = "any"
        return times, place.inside(item, dict(zip(params, (item, Leaf(_LONGEST_NUMBER)), strict=False)), loop)

    def _unknown_block(self, block: Block, place: _Place) -> Cost:
        name = block.head.name
        if name in ARGUMENTS:
            written = f"({name} ...)"
            self._fault(block.head, f"`{name}` opens no block", f"write {{{{#if {written}}}}}")
        elif name:
            self._fault(block.head, f"there is no block helper `{name}`", self._hint_for_block(block, place))
        for value in (*block.head.args, *(value for _, value in block.head.options)):
            self._shape(value, place)
        anywhere = _Place((_UNCHECKED,), ("any",))
        self.nodes(block.body, anywhere)
        self.nodes(block.otherwise, anywhere)
        return Cost(0, 0)

    def _hint_for_block(self, block: Block, place: _Place) -> str | None:
        name = block.head.name
        if name.startswith(("else", "elif")):
            return "write {{else if ...}}"
        if not block.head.args:
            shape = _known(name, place)
            if shape is not None:
                helper = "each" if isinstance(shape, Items) else "with" if isinstance(shape, Fields) else "if"
                return f"write {{{{#{helper} {name}}}}}"
        return _meant(name, BLOCKS)

    def _shape(self, value: Expression, place: _Place) -> Shape:
        self._steps += 1
        if isinstance(value, Literal):
            return _LEAF
        if isinstance(value, Path):
            return self._referent(value, place)
        return self._call(value, place)

    def _call(self, call: Call, place: _Place) -> Shape:
        shapes = [self._shape(arg, place) for arg in call.args]
        for name, value in call.options:
            self._shape(value, place)
            if call.name in ARGUMENTS:
                self._fault(value, f"`{call.name}` has no option `{name}`")
        if call.name in BLOCKS:
            self._fault(call, f"`{call.name}` opens a block", f"write {{{{#{call.name} ...}}}}...{{{{/{call.name}}}}}")
            return _UNCHECKED
        if call.name not in ARGUMENTS:
            known = _known(call.name, place)
            hint = _meant(call.name, ARGUMENTS) if known is None else "a variable takes no arguments"
            self._fault(call, f"there is no helper `{call.name}`", hint)
            return _UNCHECKED
        least, most = ARGUMENTS[call.name]
        if len(shapes) < least or (most is not None and len(shapes) > most):
            wanted = {1: "one argument", 2: "two arguments"}[least] + (" or more" if most is None else "")
            self._fault(call, f"`{call.name}` takes {wanted}, not {len(shapes)}", _shape_of_call(call.name, shapes))
            return _UNCHECKED
        if call.name == "lookup":
            return self._found(call, shapes[0])
        return Leaf(_LONGEST_NUMBER)

    def _found(self, call: Call, shape: Shape) -> Shape:
        """What `lookup` answers; a key that is only known later is judged then."""
        subject, key = call.args
        if isinstance(shape, Leaf):
            self._fault(subject, "`lookup` needs a list or something with fields, and this is text")
            return _UNCHECKED
        if isinstance(key, Literal) and not isinstance(shape, Unchecked):
            written = subject.written if isinstance(subject, Path) else "the value"
            return self._step(shape, str(key.value), written, key)
        if isinstance(shape, Items):
            return shape.of
        return common_shape(shape.of.values()) if isinstance(shape, Fields) else _UNCHECKED

    def _referent(self, path: Path, place: _Place) -> Shape:
        names = path.names
        if path.data:
            return self._data(path, place)
        if path.written == ".":
            self._fault(path, "`.` alone", "write {{this}}")
            return _UNCHECKED
        if path.up >= len(place.contexts):
            if not isinstance(place.contexts[0], Unchecked):
                inner = len(place.contexts) - 1
                hint = f"`if` and `unless` are no step; blocks of `each` and `with` around this place: {inner}"
                self._fault(path, f"`{path.written}` leads out of the template", hint)
            return _UNCHECKED
        shape: Shape = place.contexts[-1 - path.up]
        written = "../" * path.up
        if names and not path.up and not path.local:
            for params in reversed(place.params):
                if names[0] in params:
                    shape, written, names = params[names[0]], names[0], names[1:]
                    break
        for name in names:
            if isinstance(shape, Unchecked):
                return shape
            shape = self._step(shape, name, written, path, place)
            written = f"{written}.{name}" if written and not written.endswith("/") else written + name
        return shape

    def _step(self, shape: Shape, name: str, written: str, at: Expression, place: _Place | None = None) -> Shape:
        """The field or item of `shape`, which is `written` so, or a fault."""
        if isinstance(shape, Fields):
            found = shape.of.get(name)
            if found is not None:
                return found
            owner = written.rstrip("./")
            if owner.strip("./"):
                near = _nearest(name, shape.of)
                hint = f"did you mean {owner}.{near}?" if near else f"its fields are {_listed(shape)}"
                self._fault(at, f"`{owner}` has no field `{name}`", hint)
            else:
                wanted = at.written if isinstance(at, Path) else name
                self._fault(at, f"there is no variable `{wanted}` here", _hint(wanted, place))
        elif isinstance(shape, Items):
            if name.isdecimal() and len(name) < 10:
                if shape.least is None or int(name) < shape.least:
                    return shape.of
                self._fault(at, f"`{written}` has no item {name}", "items count from 0")
            else:
                whole = written or "this"
                counts = name in ("length", "size", "count")
                hint = f"write (len {whole})" if counts else f"use {{{{#each {whole}}}}}"
                self._fault(at, f"`{whole}` is a list and has no field `{name}`", hint)
        elif isinstance(shape, Leaf):
            self._fault(at, f"`{written or 'this'}` is text and has no field `{name}`")
        return _UNCHECKED

    def _data(self, path: Path, place: _Place) -> Shape:
        if isinstance(place.contexts[0], Unchecked):
            return _UNCHECKED
        first, rest = (path.names[0], path.names[1:]) if path.names else ("", ())
        if first == "root" and not path.up:
            shape: Shape = place.contexts[0]
            written = "@root"
            for name in rest:
                shape = self._step(shape, name, written, path, place)
                if isinstance(shape, Unchecked):
                    break
                written += f".{name}"
            return shape
        if path.up < len(place.loops) and not rest:
            loop = place.loops[-1 - path.up]
            if first in ("index", "first", "last") or (first == "key" and loop != "list"):
                return Leaf(max(_LONGEST_NUMBER, 256 if first == "key" else 0))
            hint = "@index counts a list's items from 0" if first == "key" else "there are @index, @first, @last, @root"
            self._fault(path, f"there is no `{path.written}` here", hint)
        elif first in ("index", "first", "last", "key"):
            hint = f"it belongs inside {{{{#each}}}}; blocks of `each` around this place: {len(place.loops)}"
            self._fault(path, f"there is no `{path.written}` here", hint)
        else:
            self._fault(path, f"there is no `{path.written}`", "there are @index, @first, @last, @root")
        return _UNCHECKED

    def _fault(self, at: Expression, message: str, hint: str | None = None) -> None:
        self._faults.add(at.offset, message, hint)


def _shape_of_call(name: str, shapes: list[Shape]) -> str | None:
    """How a call with a condition in place of an argument is written."""
    if name in ("if", "unless") and len(shapes) == 3:
        return f"a comparison is written {{{{#{name} (eq a b)}}}}"
    return None


def _known(written: str, place: _Place) -> Shape | None:
    """What a dotted name refers to, if anything."""
    shape: Shape = place.contexts[-1]
    for name in written.split("."):
        found = shape.of.get(name) if isinstance(shape, Fields) else None
        if found is None:
            return None
        shape = found
    return shape


def _hint(wanted: str, place: _Place | None) -> str | None:
    """What was meant: the same name elsewhere, the nearest one, or all there are."""
    if place is None:
        return None
    names = dict.fromkeys(_names_around(place))
    tail = wanted.removeprefix("this.").removeprefix("./").lstrip("./")
    for name in names:
        if name.lstrip("./").rpartition(".")[2] == tail or name.lstrip("./") == tail:
            return f"did you mean {name}?"
    for shape_name, shape in _lists_around(place):
        if isinstance(shape.of, Fields) and tail in shape.of.of:
            return f"it is a field of each item: {{{{#each {shape_name}}}}}"
    near = _nearest(wanted, names)
    if near is not None:
        return f"did you mean {near}?"
    shown = list(names)
    return f"there are {', '.join(shown[:12])}{', ...' if len(shown) > 12 else ''}" if shown else None


def _names_around(place: _Place) -> Iterator[str]:
    """Everything that can be referred to, innermost first, as it is written from here."""
    for params in reversed(place.params):
        for name, shape in params.items():
            yield from _dotted(name, shape)
    for up, context in enumerate(reversed(place.contexts)):
        if isinstance(context, Fields):
            for name, shape in context.of.items():
                yield from _dotted("../" * up + name, shape)


def _dotted(name: str, shape: Shape) -> Iterator[str]:
    if isinstance(shape, Fields):
        for field, below in shape.of.items():
            yield from _dotted(f"{name}.{field}", below)
    else:
        yield name


def _lists_around(place: _Place) -> Iterator[tuple[str, Items]]:
    for up, context in enumerate(reversed(place.contexts)):
        if isinstance(context, Fields):
            for name, shape in context.of.items():
                if isinstance(shape, Items):
                    yield "../" * up + name, shape


def _listed(shape: Fields) -> str:
    return ", ".join(list(shape.of)[:12])


def _meant(name: str, helpers: Mapping[str, object]) -> str:
    near = _nearest(name, helpers)
    return f"did you mean {near}?" if near else f"there are {', '.join(helpers)}"


def _nearest(name: str, known: Mapping[str, object]) -> str | None:
    from difflib import get_close_matches

    near = get_close_matches(name[:100], list(known)[:1000], n=1, cutoff=0.7)
    return near[0] if near else None
