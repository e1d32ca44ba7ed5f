"""The verdict on JSON Schemas and on values: fast by jsonschema-rs, explained by jsonschema.

jsonschema-rs gives the verdict, offline and with a bound on what a pattern may cost. jsonschema is imported only to say
what is wrong with a schema that was refused: its messages about meta-schemas lead to the keyword.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from cabinet_ci.catalog.positions import KeyPath
from cabinet_ci.rules.hints import nearest
from cabinet_ci.rules.schema_graph import SchemaGraph, depth_of

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

DRAFT = re.compile(r"https?://json-schema\.org/(?:(draft-0[467]|draft/(?:2019-09|2020-12))/)?schema#?")
"""How a schema declares a draft; without one the newest holds."""

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
        if SchemaGraph(verdict.schema).branches(depth_of(value), BRANCH_LIMIT) > BRANCH_LIMIT:
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
    fault = _unknown_draft(schema) or _unbounded(source, schema)
    if fault is not None:
        return SchemaVerdict((fault,))
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


def _unknown_draft(schema: Any) -> SchemaFault | None:
    """A `$schema` that names no draft: the libraries take some of these for none at all."""
    if not isinstance(schema, dict) or "$schema" not in schema:
        return None
    declared = schema["$schema"]
    if isinstance(declared, str) and DRAFT.fullmatch(declared):
        return None
    hint = "drafts 4, 6, 7, 2019-09 and 2020-12 are known: write https://json-schema.org/draft/2020-12/schema"
    return SchemaFault(("$schema",), f"{_as_json(declared)} is no draft that is known here", hint)


def _unbounded(source: bytes, schema: Any) -> SchemaFault | None:
    """References without an end, or so many that they multiply beyond measure."""
    references = source.count(b'$ref"') + source.count(b'Ref"')
    if not references:
        return None
    graph = SchemaGraph(schema)
    endless = graph.endless()
    if endless is not None:
        return SchemaFault(endless, "the reference leads back to itself without end", "refer to a part of the value")
    # A value is held against some 3 ** (n / 3) subschemas at most where there are n references.
    if references > 30 and graph.branches(0, JUDGED_LIMIT) > JUDGED_LIMIT:
        return SchemaFault((), f"a value has more than {JUDGED_LIMIT:,} branches to be held against")
    return None


def _explain(schema: Any, refusal: jsonschema_rs.ValidationError) -> Iterator[SchemaFault]:
    message = refusal.message
    reference = _broken_reference(schema, message)
    if reference is not None:
        yield reference
        return
    from jsonschema import validators

    declared = DRAFT.fullmatch(schema.get("$schema", "") if isinstance(schema, dict) else "")
    draft = declared[1] if declared is not None and declared[1] else "draft/2020-12"
    # It knows each draft by one of its spellings alone.
    spelt = {"$schema": f"http{'s' * ('/' in draft)}://json-schema.org/{draft}/schema"}
    kind = validators.validator_for(spelt)
    errors = list(islice(kind(kind.META_SCHEMA).iter_errors(schema), 100))
    found = {tuple(best.absolute_path): best for best in map(_telling, errors)}
    # What is wrong at a keyword often makes its object wrong too: the keyword is what has to be mended.
    inner = [path for path in found if not any(other != path and other[: len(path)] == path for other in found)]
    for path in inner[:FAULT_LIMIT]:
        words, hint = _of_meta_schema(found[path])
        yield SchemaFault(path, f"not valid in a JSON Schema: {_shorten(words, 160)}", hint)
    if not inner:
        yield SchemaFault(tuple(refusal.instance_path), f"not valid in a JSON Schema: {_shorten(message, 160)}")


def _telling(error: jsonschema.ValidationError) -> jsonschema.ValidationError:
    """Of a choice none of whose branches holds, the one about a part of the value, or that lists what is allowed."""
    listed = [inner for inner in error.context or () if inner.validator == "enum"]
    return max(listed, key=lambda inner: len(inner.path), default=error)


def _of_meta_schema(error: jsonschema.ValidationError) -> tuple[str, str | None]:
    """What a meta-schema's error says, with values as JSON writes them, and a remedy."""
    shown = _as_json(error.instance)
    if error.validator == "enum" and isinstance(error.validator_value, list):
        near = nearest(error.instance, map(str, error.validator_value)) if isinstance(error.instance, str) else None
        hint = f'did you mean "{near}"?' if near else None
        return f"{shown} is not one of {', '.join(map(_as_json, error.validator_value))}", hint
    written = repr(error.instance)
    return (shown + error.message[len(written) :] if error.message.startswith(written) else error.message), None


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
            if pointer and (f"'{pointer}'" in message or ("does not exist" in message and pointer in message)):
                return SchemaFault((*path, key), f'the reference "{_shorten(target)}" leads nowhere')
    return None


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
    shown = _as_json(error.instance)
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


def _as_json(value: Any) -> str:
    return _shorten(json.dumps(value, ensure_ascii=False, default=str))


def _shorten(text: str, length: int = SHOWN) -> str:
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."
