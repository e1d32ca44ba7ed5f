"""Line and column of a key or value in a TOML or JSON document, looked up when there is something to say about it.

A document is parsed once more, by tree-sitter, and only on the error path: a clean run pays nothing. A key path is the
way from the root to a value: `("case", 1, "input")`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

KeyPath = tuple[str | int, ...]
Position = tuple[int, int]


class Place:
    """Where a key and its value stand: byte points of tree-sitter, turned into columns of characters on demand."""

    __slots__ = ("header", "key", "value")

    def __init__(self, key: Node, value: Node, header: Node | None = None) -> None:
        self.key = key
        self.value = value
        self.header = header


class Positions:
    """All places of one document."""

    def __init__(self, source: bytes, places: dict[KeyPath, Place]) -> None:
        self._lines = source.split(b"\n")
        self._places = places

    def of_key(self, path: KeyPath) -> Position | None:
        """Position of the key (for an item of an array: of the item)."""
        place = self._places.get(path)
        return None if place is None else self._at(place.key)

    def of_value(self, path: KeyPath) -> Position | None:
        """Position of the value; of the header for a table that has one."""
        place = self._places.get(path)
        return None if place is None else self._at(place.value)

    def nearest(self, path: KeyPath) -> Position:
        """Position of the key, or of the closest thing above it that is written down; 1:1 for the root."""
        while path:
            found = self.of_key(path)
            if found is not None:
                return found
            path = path[:-1]
        return (1, 1)

    def header_before(self, path: KeyPath) -> str | None:
        """Text of the table header that a root key slid under, as written, or None."""
        place = self._places.get(path)
        if place is None or place.header is None or place.header.text is None:
            return None
        return place.header.text.decode("utf-8", "replace").partition("\n")[0].strip()

    def _at(self, node: Node) -> Position:
        row, column = node.start_point
        return row + 1, len(self._lines[row][:column].decode("utf-8", "replace")) + 1


@lru_cache(maxsize=4)
def toml_positions(source: bytes) -> Positions:
    """Places of all keys and values of a TOML document."""
    import tree_sitter_toml

    places: dict[KeyPath, Place] = {}
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    for node in _parse(source, tree_sitter_toml.language()).children:
        if node.type == "pair":
            _toml_pair(node, table, None, places)
        elif node.type in ("table", "table_array_element"):
            table = _open_table(node, counts, places)
            for child in node.children:
                if child.type == "pair":
                    _toml_pair(child, table, node, places)
    return Positions(source, places)


@lru_cache(maxsize=4)
def json_positions(source: bytes) -> Positions:
    """Places of all values of a JSON document."""
    import tree_sitter_json

    places: dict[KeyPath, Place] = {}
    stack: list[tuple[Node, KeyPath]] = []
    for node in _parse(source, tree_sitter_json.language()).named_children:
        if node.type != "comment":
            places[()] = Place(node, node)
            stack.append((node, ()))
            break
    while stack:
        node, path = stack.pop()
        if node.type == "object":
            for pair in _json_pairs(node):
                key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is not None and value is not None:
                    at = (*path, _json_string(key))
                    places[at] = Place(key, value)
                    stack.append((value, at))
        elif node.type == "array":
            for index, item in enumerate(node.named_children):
                at = (*path, index)
                places[at] = Place(item, item)
                stack.append((item, at))
    return Positions(source, places)


def repeated_json_key(source: bytes, key: str) -> Position | None:
    """Position of the first key `key` that its object holds already."""
    import tree_sitter_json

    positions = Positions(source, {})
    for node in _descend(_parse(source, tree_sitter_json.language())):
        if node.type == "object":
            keys = [pair.child_by_field_name("key") for pair in _json_pairs(node)]
            same = [found for found in keys if found is not None and _json_string(found) == key]
            if len(same) > 1:
                return positions._at(same[1])
    return None


def _parse(source: bytes, language: object) -> Node:
    from tree_sitter import Language, Parser

    return Parser(Language(language)).parse(source).root_node


def _descend(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.named_children))


def _json_pairs(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type == "pair"]


def _json_string(node: Node) -> str:
    import json

    text = (node.text or b"").decode("utf-8", "replace")
    try:
        return str(json.loads(text))
    except ValueError:
        return text


def _open_table(node: Node, counts: dict[KeyPath, int], places: dict[KeyPath, Place]) -> KeyPath:
    name = next((child for child in node.children if child.type in _KEYS), None)
    path: KeyPath = ()
    parts = [] if name is None else [part for part, _ in _toml_key(name)]
    for part in parts[:-1]:
        path = (*path, part)
        if path in counts:
            path = (*path, counts[path] - 1)
    if parts:
        path = (*path, parts[-1])
    if node.type == "table_array_element":
        counts[path] = counts.get(path, 0) + 1
        places.setdefault(path, Place(node, node))
        path = (*path, counts[path] - 1)
    places.setdefault(path, Place(node, node))
    return path


def _toml_pair(node: Node, table: KeyPath, header: Node | None, places: dict[KeyPath, Place]) -> None:
    named = [child for child in node.children if child.is_named and child.type != "comment"]
    if len(named) < 2:
        return
    key, value = named[0], named[1]
    path = table
    for part, at_part in _toml_key(key):
        path = (*path, part)
        places.setdefault(path, Place(at_part, value, header))
    stack: list[tuple[Node, KeyPath]] = [(value, path)]
    while stack:
        found, at = stack.pop()
        if found.type == "inline_table":
            for pair in found.children:
                if pair.type == "pair":
                    inner = [child for child in pair.children if child.is_named and child.type != "comment"]
                    if len(inner) >= 2:
                        below = at
                        for part, at_part in _toml_key(inner[0]):
                            below = (*below, part)
                            places.setdefault(below, Place(at_part, inner[1]))
                        stack.append((inner[1], below))
        elif found.type == "array":
            items = [child for child in found.children if child.is_named and child.type != "comment"]
            for index, item in enumerate(items):
                places[(*at, index)] = Place(item, item)
                stack.append((item, (*at, index)))


_KEYS = ("bare_key", "quoted_key", "dotted_key")


def _toml_key(node: Node) -> list[tuple[str, Node]]:
    """Parts of a key and where each stands; a dotted key nests to the left in the syntax tree."""
    parts: list[tuple[str, Node]] = []
    stack = [node]
    while stack:
        found = stack.pop()
        if found.type == "dotted_key":
            stack.extend(reversed([child for child in found.children if child.type in _KEYS]))
        else:
            parts.append((_plain_key(found), found))
    return parts


def _plain_key(node: Node) -> str:
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type != "quoted_key":
        return text
    import tomli

    try:
        return next(iter(tomli.loads(f"{text} = 0")))
    except (tomli.TOMLDecodeError, StopIteration):
        return text
