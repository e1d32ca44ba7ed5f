"""The variables of each kind of template (section 4 of the format), and those that given values make up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec


class Leaf(msgspec.Struct, frozen=True):
    """Text, a number or a truth value: what can be printed. `longest` bounds its characters, where values are known."""

    longest: int = 0


class Fields(msgspec.Struct, frozen=True):
    """Something with named fields."""

    of: Mapping[str, Shape]


class Items(msgspec.Struct, frozen=True):
    """A list of one kind of item; `least` to `most` of them, where values are known."""

    of: Shape
    least: int | None = None
    most: int = 0


class Unchecked(msgspec.Struct, frozen=True):
    """Anything, with any field: of a kind that is left open, or that nothing is known of (an item of an empty list)."""


Shape = Leaf | Fields | Items | Unchecked


class Scope(msgspec.Struct, frozen=True):
    """What a template may refer to."""

    variables: Fields | Unchecked


ENGINE_TYPES = ("end-to-end", "full-stack", "game-jam")
"""Types of the catalog whose templates know the engine of the run."""

_LEAF = Leaf()


def _leaves(*names: str) -> Fields:
    return Fields(dict.fromkeys(names, _LEAF))


_VARIANT = _leaves("slug", "name", "description")
_ENGINE = _leaves("slug", "name", "docs")
_CATALOG_PROMPT: dict[str, Shape] = {
    "workspace": _LEAF,
    "variant": _VARIANT,
    "specs": Items(_leaves("dest", "path", "name")),
}
_CATALOG_SPEC: dict[str, Shape] = {"version": _LEAF, "variant": _VARIANT}

SUITE_PROMPT = Scope(
    Fields(
        {
            "workspace": _LEAF,
            "engine": _ENGINE,
            "specifications": Items(_leaves("id", "name", "summary", "path")),
        }
    )
)
"""The prompt of a suite's definition."""


def suite_prompt_scope(specifications: int) -> Scope:
    """The variables of a definition that covers so many specifications."""
    assert isinstance(SUITE_PROMPT.variables, Fields)  # noqa: S101
    shape = SUITE_PROMPT.variables.of["specifications"]
    assert isinstance(shape, Items)  # noqa: S101
    counted = Items(shape.of, specifications, specifications)
    return Scope(Fields({**SUITE_PROMPT.variables.of, "specifications": counted}))


UNCHECKED = Scope(Unchecked())
"""Templates whose variables the format leaves open: syntax and helpers are checked alone."""


def catalog_prompt_scope(type_: str) -> Scope:
    """Variables of the prompt of a catalog version of that type."""
    return _catalog_scope(type_, _CATALOG_PROMPT)


def catalog_spec_scope(type_: str) -> Scope:
    """Variables of a spec ending in `.hbs` of a catalog version of that type."""
    return _catalog_scope(type_, _CATALOG_SPEC)


def _catalog_scope(type_: str, variables: dict[str, Shape]) -> Scope:
    if type_ == "performance":
        return Scope(Fields(variables))
    if has_engine(type_):
        return Scope(Fields({**variables, "engine": _ENGINE}))
    return UNCHECKED


def has_engine(type_: str) -> bool:
    """Whether templates of this type of the catalog know the engine of the run."""
    return type_ in ENGINE_TYPES


def scope_of(values: Mapping[str, object]) -> Scope:
    """The scope that exactly these values make up.

    A list's items are what they have in common: a field that only some have is not there. So is a value of None.
    """
    return Scope(Fields(_fields(values)))


def _fields(values: Mapping[str, object]) -> dict[str, Shape]:
    return {str(name): _shape(value) for name, value in values.items() if value is not None}


def _shape(value: object) -> Shape:
    if isinstance(value, str):
        return Leaf(len(value))
    if isinstance(value, Mapping):
        return Fields(_fields(value))
    if isinstance(value, Sequence):
        return Items(common_shape([_shape(item) for item in value]), len(value), len(value))
    return Leaf(len(str(value)))


def common_shape(shapes: Iterable[Shape]) -> Shape:
    """What all shapes have in common: nothing that could be referred to, where their kinds differ."""
    found = [shape for shape in shapes if not isinstance(shape, Unchecked)]
    if not found:
        return Unchecked()
    leaves = [shape for shape in found if isinstance(shape, Leaf)]
    if len(leaves) == len(found):
        return Leaf(max(shape.longest for shape in leaves))
    fields = [shape.of for shape in found if isinstance(shape, Fields)]
    if len(fields) == len(found):
        shared = [name for name in fields[0] if all(name in others for others in fields)]
        return Fields({name: common_shape([others[name] for others in fields]) for name in shared})
    lists = [shape for shape in found if isinstance(shape, Items)]
    if len(lists) == len(found):
        least = min(shape.least or 0 for shape in lists)
        return Items(common_shape([shape.of for shape in lists]), least, max(shape.most for shape in lists))
    return Fields({})
