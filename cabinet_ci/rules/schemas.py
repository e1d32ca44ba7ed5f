"""The verdict on JSON Schemas and on values: fast by jsonschema-rs, explained by jsonschema.

jsonschema-rs gives the verdict, offline and with a bound on what a pattern may cost. jsonschema is imported only to say
what is wrong with a schema that was refused: its messages about meta-schemas lead to the keyword.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from cabinet_ci.catalog.positions import KeyPath

if TYPE_CHECKING:
    import jsonschema
    import jsonschema_rs

FAULT_LIMIT = 10
"""Faults that are told of one file; an answer of the wrong shape can break a schema a million times."""

BACKTRACK_LIMIT = 1_000_000
"""Steps that one match of a pattern may take."""

BRANCH_LIMIT = 50_000
"""Subschemas that one value may be held against for an explanation: each choice within a choice multiplies them."""

JUDGED_LIMIT = 1_000_000
"""Subschemas that one value may be held against at all."""

DEPTH_LIMIT = 200
"""Levels of a value that are looked at to tell how far a schema branches."""

IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")
"""Keywords whose subschemas judge the same value: a reference that comes back through them alone never ends."""

BY_NAME = ("properties", "patternProperties")
"""Keywords that hold subschemas of a value's members by name."""

SHOWN = 60


class SchemaFault(msgspec.Struct, frozen=True):
    """What is wrong at a path inside a JSON file."""

    path: KeyPath
    message: str
    hint: str | None = None


class SchemaVerdict(msgspec.Struct, frozen=True, eq=False):
    """A schema's faults; where there are none, `validator` judges values."""

    faults: tuple[SchemaFault, ...]
    validator: jsonschema_rs.Validator | None = None
    schema: Any = None


def judge_schema(source: bytes, value: Any) -> SchemaVerdict:
    """The verdict on a schema, whose parsed value is `value`. Equal sources are judged once."""
    return _judge(source, _Unhashed(value))


def violations(verdict: SchemaVerdict, value: Any) -> Iterator[SchemaFault]:
    """What a value breaks of a sound schema, at most `FAULT_LIMIT` faults and a count of the rest."""
    validator = verdict.validator
    assert validator is not None  # noqa: S101
    try:
        if validator.is_valid(value):
            return
        if _branches(verdict.schema, _depth_of(value), BRANCH_LIMIT) > BRANCH_LIMIT:
            yield SchemaFault((), "the value does not satisfy the schema, which has too many branches to say where")
            return
        errors = validator.iter_errors(value)
    except UnicodeEncodeError:
        yield _half_a_character(value)
        return
    seen: set[tuple[KeyPath, str]] = set()
    for error in islice(errors, FAULT_LIMIT):
        path, message = _most_specific(error)
        if (path, message) not in seen:
            seen.add((path, message))
            yield SchemaFault(path, message)
    rest = sum(1 for _ in islice(errors, 1000))
    if rest:
        yield SchemaFault((), f"{rest if rest < 1000 else 'more than 1,000'} more breaches of the schema")


class _Unhashed(msgspec.Struct, frozen=True, eq=False):
    """A value that takes no part in the key of a cache: it is what the source says."""

    value: Any

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unhashed)


@lru_cache(maxsize=256)
def _judge(source: bytes, parsed: _Unhashed) -> SchemaVerdict:
    import jsonschema_rs

    schema = parsed.value
    if not isinstance(schema, dict | bool):
        return SchemaVerdict((SchemaFault((), "a schema is an object, true or false"),))
    if b"$ref" in source and (fault := _endless_reference(schema)) is not None:
        return SchemaVerdict((fault,))
    # A value is held against some 3 ** (n / 3) subschemas at most where there are n references.
    if source.count(b"Ref") + source.count(b"$ref") > 30 and _branches(schema, 0, JUDGED_LIMIT) > JUDGED_LIMIT:
        return SchemaVerdict((SchemaFault((), f"a value has more than {JUDGED_LIMIT:,} branches to be held against"),))
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    try:
        validator = jsonschema_rs.validator_for(schema, validate_formats=False, pattern_options=options, offline=True)
    except jsonschema_rs.ValidationError as refusal:
        return SchemaVerdict(tuple(_explain(schema, refusal)))
    except (ValueError, TypeError, OverflowError, jsonschema_rs.ReferencingError) as refusal:
        if "UnicodeEncodeError" in str(refusal):
            return SchemaVerdict((_half_a_character(schema),))
        return SchemaVerdict((SchemaFault((), f"the schema can't be used: {_shorten(str(refusal))}"),))
    return SchemaVerdict((), validator, schema)


def _explain(schema: Any, refusal: jsonschema_rs.ValidationError) -> Iterator[SchemaFault]:
    message = refusal.message
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if "meta-schema" in message and declared is not None:
        hint = "use one of the published drafts, such as https://json-schema.org/draft/2020-12/schema"
        yield SchemaFault(("$schema",), f'"{_shorten(str(declared))}" is no draft that is known here', hint)
        return
    reference = _broken_reference(schema, message)
    if reference is not None:
        yield reference
        return
    from jsonschema import validators

    kind = validators.validator_for(schema, default=validators.validator_for({}))
    errors = list(islice(kind(kind.META_SCHEMA).iter_errors(schema), 100))
    found = {tuple(best.absolute_path): best.message for best in map(_telling, errors)}
    # What is wrong at a keyword often makes its object wrong too: the keyword is what has to be mended.
    inner = [path for path in found if not any(other != path and other[: len(path)] == path for other in found)]
    for path in inner[:FAULT_LIMIT]:
        yield SchemaFault(path, f"not valid in a JSON Schema: {_shorten(found[path], 160)}")
    if not inner:
        yield SchemaFault(tuple(refusal.instance_path), f"not valid in a JSON Schema: {_shorten(message, 160)}")


def _telling(error: jsonschema.ValidationError) -> jsonschema.ValidationError:
    """Of a choice none of whose branches holds, the one that lists what is allowed."""
    listed = next((inner for inner in error.context or () if inner.validator == "enum" and not inner.path), None)
    return listed or error


def _broken_reference(schema: Any, message: str) -> SchemaFault | None:
    """The reference that could not be resolved, if that is what was refused."""
    for path, subschema in _subschemas(schema):
        for key in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = subschema.get(key)
            if not isinstance(target, str):
                continue
            pointer = target.partition("#")[2]
            if (
                "not present in a registry" in message
                and not target.startswith("#")
                and target.split("#")[0] in message
            ):
                hint = "nothing is fetched: copy what it leads to below $defs"
                return SchemaFault((*path, key), f'the reference "{_shorten(target)}" leads out of the schema', hint)
            if ("does not exist" in message and pointer and pointer in message) or f"'{pointer}'" in message:
                return SchemaFault((*path, key), f'the reference "{_shorten(target)}" leads nowhere')
    return None


def _endless_reference(schema: Any) -> SchemaFault | None:
    """A reference that leads back to itself without looking into the value."""
    places = {id(node): path for path, node in _subschemas(schema)}
    done: set[int] = set()
    for start in [node for _, node in _subschemas(schema)]:
        trail: list[tuple[Iterator[tuple[KeyPath, dict[str, Any]]], int]] = []
        on_trail: set[int] = set()
        pending: tuple[KeyPath, dict[str, Any]] | None = (places[id(start)], start)
        while pending is not None or trail:
            if pending is not None:
                at, node = pending
                if id(node) in on_trail:
                    return SchemaFault(at, "the reference leads back to itself without end")
                if id(node) not in done:
                    on_trail.add(id(node))
                    trail.append((_in_place(schema, places[id(node)], node), id(node)))
            pending = next(trail[-1][0], None) if trail else None
            if pending is None and trail:
                _, finished = trail.pop()
                on_trail.discard(finished)
                done.add(finished)
    return None


def _in_place(schema: Any, path: KeyPath, node: dict[str, Any]) -> Iterator[tuple[KeyPath, dict[str, Any]]]:
    """Subschemas that judge the same value as `node`, with the path of what leads there."""
    reference = node.get("$ref")
    if isinstance(reference, str):
        target = _resolve(schema, reference)
        if isinstance(target, dict):
            yield (*path, "$ref"), target
    for key in IN_PLACE:
        found = node.get(key)
        if isinstance(found, list):
            yield from (((*path, key, index), item) for index, item in enumerate(found) if isinstance(item, dict))
        elif key == "dependentSchemas" and isinstance(found, dict):
            yield from (((*path, key, name), item) for name, item in found.items() if isinstance(item, dict))
        elif isinstance(found, dict):
            yield (*path, key), found


def _branches(schema: Any, depth: int, limit: int) -> int:
    """How many subschemas a value of this depth is held against at most; what is over `limit` is not exact.

    A subschema counts each time that a choice or a reference leads to it; lists count as one item.
    """
    nodes = dict(_subschemas(schema))
    same = {id(node): [id(other) for _, other in _in_place(schema, (), node)] for node in nodes.values()}
    inner: dict[int, list[int]] = {}
    for outer in nodes.values():
        below = [(key, item) for key, item in outer.items() if isinstance(item, dict)]
        named = [item for key, table in below if key in BY_NAME for item in table.values() if isinstance(item, dict)]
        inner[id(outer)] = [id(item) for item in (*named, *(item for key, item in below if key not in BY_NAME))]
    order = _innermost_first(same)
    deeper = dict.fromkeys(same, 1)
    for _ in range(min(depth, DEPTH_LIMIT) + 1):
        here: dict[int, int] = {}
        for node in order:
            names = [other for other in inner[node] if other not in same[node]]
            here[node] = 1 + sum(here[other] for other in same[node]) + max((deeper[name] for name in names), default=0)
            if here[node] > limit:
                return here[node]
        deeper = here
    return max(deeper.values(), default=1)


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


def _depth_of(value: Any) -> int:
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


def _resolve(schema: Any, reference: str) -> Any:
    """What a local JSON pointer or anchor leads to; None where it leads elsewhere."""
    if not reference.startswith("#"):
        return None
    if reference[1:2] not in ("", "/"):
        anchor = reference[1:]
        return next((node for _, node in _subschemas(schema) if node.get("$anchor") == anchor), None)
    found = schema
    for part in reference[2:].split("/") if len(reference) > 1 else ():
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            found = found[int(name)] if name.isdigit() and int(name) < len(found) else None
        else:
            found = found.get(name) if isinstance(found, dict) else None
    return found


def _subschemas(schema: Any) -> Iterator[tuple[KeyPath, dict[str, Any]]]:
    """Every object inside a schema, with its path, outermost first."""
    pending: list[tuple[KeyPath, Any]] = [((), schema)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, dict):
            yield path, node
            pending += [((*path, key), item) for key, item in reversed(node.items()) if isinstance(item, dict | list)]
        elif isinstance(node, list):
            pending += [((*path, index), item) for index, item in enumerate(node) if isinstance(item, dict | list)]


def _most_specific(error: jsonschema_rs.ValidationError) -> tuple[KeyPath, str]:
    """Path and message of an error; of a choice in which one branch got further than all others, that branch's."""
    base: KeyPath = ()
    for _ in range(20):
        context = getattr(error.kind, "context", None) or []
        inner = [found for branch in context for found in branch]
        deepest = max(inner, key=lambda found: len(found.instance_path), default=None)
        if deepest is None or len(deepest.instance_path) == 0:
            break
        base = (*base, *error.instance_path)
        error = deepest
    path = tuple(error.instance_path)
    return (path if path[: len(base)] == base else (*base, *path)), _message(error)


def _message(error: jsonschema_rs.ValidationError) -> str:
    shown = _shorten(json.dumps(error.instance, ensure_ascii=False, default=str))
    whole = json.dumps(error.instance, ensure_ascii=False, separators=(",", ":"), default=str)
    text = error.message
    # The message starts with the value, which may be a whole document.
    for written in (whole, json.dumps(error.instance, ensure_ascii=False, default=str)):
        if text.startswith(written):
            text = shown + text[len(written) :]
    return _shorten(text, 200)


def _half_a_character(value: Any) -> SchemaFault:
    """Where a string has no UTF-8, as in `["\\ud800"]`: JSON can write it, but no schema can be applied to it."""
    pending: list[tuple[KeyPath, Any]] = [((), value)]
    while pending:
        path, node = pending.pop()
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for text in (node, *(node if isinstance(node, dict) else ())):
            if isinstance(text, str) and any("\ud800" <= char <= "\udfff" for char in text):
                shown = _shorten(json.dumps(text))
                return SchemaFault(path, f"{shown} holds half of a surrogate pair, which is no character")
        pending += [((*path, key), item) for key, item in items]
    return SchemaFault((), "a string holds half of a surrogate pair, which is no character")


def _shorten(text: str, length: int = SHOWN) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."
