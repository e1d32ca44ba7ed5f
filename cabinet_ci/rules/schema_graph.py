"""A JSON Schema as a graph: what its references lead to, whether they end, and how far a value branches in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cabinet_ci.catalog.positions import KeyPath

DEPTH_LIMIT = 200
"""Levels of a value that are looked at to tell how far a schema branches."""

IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies")
"""Keywords whose subschemas judge the same value: a reference that comes back through them alone never ends."""

BY_NAME = ("properties", "patternProperties")
"""Keywords that hold subschemas of a value's members by name."""

_CONDITIONAL = ("dependentSchemas", "dependencies")
"""Keywords that hold subschemas of the same value by name."""

_OLD_DRAFTS = ("draft-04", "draft-06", "draft-07")
"""Drafts in which whatever stands beside a `$ref` is ignored, and an identifier may be an anchor."""

Node = dict[str, Any]


class SchemaGraph:
    """The objects of one schema, with the references between them; nothing outside the schema is looked at.

    A reference is resolved as the declared draft has it: against the nearest `$id`, by JSON pointer or by anchor.
    """

    def __init__(self, schema: Any) -> None:
        declared = schema.get("$schema") if isinstance(schema, dict) else None
        draft = declared if isinstance(declared, str) else ""
        self._is_old = any(name in draft for name in _OLD_DRAFTS)
        self._id = "id" if "draft-04" in draft else "$id"
        self._references: tuple[str, ...] = ("$ref",)
        if "2019-09" in draft:
            self._references = ("$ref", "$recursiveRef")
        elif not self._is_old:
            self._references = ("$ref", "$dynamicRef")
        self.nodes: list[tuple[KeyPath, Node]] = []
        self._places: dict[int, tuple[KeyPath, str, Any]] = {}
        self._resources: dict[str, Node] = {}
        self._anchors: dict[tuple[int, str], Node] = {}
        self._dynamic: Counter[str] = Counter()
        self._index(schema)

    def endless(self) -> KeyPath | None:
        """The path of a reference that leads back to itself without looking into the value, if there is one."""
        done: set[int] = set()
        for path, start in self.nodes:
            trail: list[tuple[Iterator[tuple[KeyPath, Node]], int]] = []
            on_trail: set[int] = set()
            pending: tuple[KeyPath, Node] | None = (path, start)
            while pending is not None or trail:
                if pending is not None:
                    at, node = pending
                    if id(node) in on_trail:
                        return at
                    if id(node) not in done:
                        on_trail.add(id(node))
                        trail.append((self._same_value(node), id(node)))
                pending = next(trail[-1][0], None) if trail else None
                if pending is None and trail:
                    _, finished = trail.pop()
                    on_trail.discard(finished)
                    done.add(finished)
        return None

    def branches(self, depth: int, limit: int) -> int:
        """How many subschemas a value of this depth is held against at most; what is over `limit` is not exact.

        A subschema counts each time that a choice or a reference leads to it; lists count as one item.
        """
        same = {id(node): [id(other) for _, other in self._same_value(node)] for _, node in self.nodes}
        inner: dict[int, list[int]] = {}
        for _, outer in self.nodes:
            below = [(key, item) for key, item in outer.items() if isinstance(item, dict)]
            named = [item for key, table in below if key in BY_NAME for item in table.values()]
            held = [item for item in named if isinstance(item, dict)]
            inner[id(outer)] = [id(item) for item in (*held, *(item for key, item in below if key not in BY_NAME))]
        order = _innermost_first(same)
        deeper = dict.fromkeys(same, 1)
        for _ in range(min(depth, DEPTH_LIMIT) + 1):
            here: dict[int, int] = {}
            for node in order:
                names = [other for other in inner[node] if other not in same[node]]
                below_it = max((deeper[name] for name in names), default=0)
                here[node] = 1 + sum(here[other] for other in same[node]) + below_it
                if here[node] > limit:
                    return here[node]
            deeper = here
        return max(deeper.values(), default=1)

    def _index(self, schema: Any) -> None:
        pending: list[tuple[KeyPath, Any, str, Any]] = [((), schema, "", schema)]
        while pending:
            path, found, base, root = pending.pop()
            if isinstance(found, list):
                pending += [((*path, index), item, base, root) for index, item in enumerate(found)]
            elif isinstance(found, dict):
                base, root = self._identify(found, base, root)
                self.nodes.append((path, found))
                self._places[id(found)] = (path, base, root)
                pending += [((*path, key), item, base, root) for key, item in reversed(found.items())]

    def _identify(self, node: Node, base: str, root: Any) -> tuple[str, Any]:
        """The base address and the root of the resource that a node belongs to; its names are noted."""
        own = node.get(self._id)
        if isinstance(own, str) and not (self._is_old and "$ref" in node):
            name, _, fragment = own.partition("#")
            if name:
                base, root = _joined(base, name), node
                self._resources.setdefault(base, node)
            if fragment and self._is_old:
                self._anchors.setdefault((id(root), fragment), node)
        for key in ("$anchor", "$dynamicAnchor"):
            anchor = node.get(key)
            if isinstance(anchor, str):
                self._anchors.setdefault((id(root), anchor), node)
                self._dynamic[anchor] += key == "$dynamicAnchor"
        return base, root

    def _same_value(self, node: Node) -> Iterator[tuple[KeyPath, Node]]:
        """Subschemas that judge the same value as `node`, with the path of what leads there."""
        path = self._places[id(node)][0]
        for key in self._references:
            target = self._target(node, key)
            if isinstance(target, dict):
                yield (*path, key), target
        if self._is_old and "$ref" in node:
            return
        for key in IN_PLACE:
            found = node.get(key)
            if isinstance(found, list):
                yield from (((*path, key, index), item) for index, item in enumerate(found) if isinstance(item, dict))
            elif key in _CONDITIONAL and isinstance(found, dict):
                yield from (((*path, key, name), item) for name, item in found.items() if isinstance(item, dict))
            elif isinstance(found, dict):
                yield (*path, key), found

    def _target(self, node: Node, key: str) -> Any:
        """What a reference leads to; None where that is not in the schema, or depends on the way to it."""
        reference = node.get(key)
        if not isinstance(reference, str):
            return None
        name, _, fragment = reference.partition("#")
        if key == "$dynamicRef" and self._dynamic[fragment] > 1:
            return None
        _, base, root = self._places[id(node)]
        if name:
            root = self._resources.get(_joined(base, name))
        if "%" in fragment:
            from urllib.parse import unquote

            fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self._anchors.get((id(root), fragment))
        return _at_pointer(root, fragment)


def depth_of(value: Any) -> int:
    """Levels of arrays and objects in a value, counted up to `DEPTH_LIMIT`."""
    depth, level = 0, [value]
    while level and depth < DEPTH_LIMIT:
        depth += 1
        level = [
            item
            for node in level
            for item in (node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
            if isinstance(item, dict | list)
        ]
    return depth


def _at_pointer(found: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            is_index = name.isascii() and name.isdecimal() and len(name) < 10
            found = found[int(name)] if is_index and int(name) < len(found) else None
        else:
            found = found.get(name) if isinstance(found, dict) else None
    return found


def _joined(base: str, name: str) -> str:
    """An address, relative to another."""
    if not base:
        return name
    from urllib.parse import urljoin

    try:
        return urljoin(base, name)
    except ValueError:
        return name


def _innermost_first(same: dict[int, list[int]]) -> list[int]:
    """Nodes in an order in which what judges the same value comes before what refers to it."""
    order: dict[int, None] = {}
    for start in same:
        trail = [(start, iter(same[start]))]
        while trail:
            node, others = trail[-1]
            following = next((other for other in others if other not in order), None)
            if following is None:
                order[node] = None
                trail.pop()
            else:
                trail.append((following, iter(same[following])))
    return list(order)
