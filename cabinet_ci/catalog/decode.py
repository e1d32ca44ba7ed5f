"""From parsed TOML to Structs: at once where all is well, piece by piece where it is not.

msgspec stops at the first fault. An author wants all of them, so a document that msgspec refuses is walked against the
same Structs: each fault is noted with its key path, and what is sound is kept. What is not becomes a neutral value, so
that the rules that come after can still judge the rest; findings at or below a broken key path repeat a known fault.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import cache
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import inspect

from cabinet_ci.catalog.positions import KeyPath

T = TypeVar("T")

FAULT_LIMIT = 1000
"""Faults that are noted of one document; one of more has to be mended before the rest of it is judged."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One key or value that does not fit its Struct.

    `table` names the Struct it is in, `path` leads to the key (for a missing one: to where it would be), `expected`
    says what the value should be in words ("a positive integer"), `known` lists the keys the table may hold. One with
    an empty path stands for the document, of which no more is known.
    """

    kind: Literal["unknown", "missing", "type", "value"]
    path: KeyPath
    table: str
    expected: str = ""
    found: Any = None
    known: tuple[str, ...] = ()


def decode(struct: type[T], data: Any) -> tuple[T, tuple[Fault, ...]]:
    """Decode `data` as `struct`; where that fails, salvage what is sound and return every fault."""
    try:
        return msgspec.convert(data, struct), ()
    except (msgspec.ValidationError, OverflowError, RecursionError, ValueError):
        faults = _Faults()
        kind: type = struct
        info = _struct_info(kind)
        try:
            value = _salvage_struct(info, data if isinstance(data, dict) else {}, (), faults)
        except _TooManyFaults:
            value = _neutral(info)
            list.append(faults, Fault(kind="value", path=(), table=info.cls.__name__))
        return value, tuple(faults)


class _TooManyFaults(Exception):
    pass


class _Faults(list[Fault]):
    def append(self, fault: Fault) -> None:
        if len(self) == FAULT_LIMIT:
            raise _TooManyFaults
        super().append(fault)


@cache
def _struct_info(struct: type) -> inspect.StructType:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)  # noqa: S101
    return info


@cache
def known_keys(struct: type) -> tuple[str, ...]:
    """The keys that a table decoded as `struct` may hold, in the order of the format."""
    return tuple(field.encode_name for field in _struct_info(struct).fields)


def _salvage_struct(info: inspect.StructType, data: dict[str, Any], path: KeyPath, faults: list[Fault]) -> Any:
    fields = {field.encode_name: field for field in info.fields}
    known = tuple(fields)
    table = info.cls.__name__
    values: dict[str, Any] = {}
    if info.forbid_unknown_fields:
        for key, found in data.items():
            if key not in fields:
                faults.append(Fault(kind="unknown", path=(*path, key), table=table, found=found, known=known))
    for key, field in fields.items():
        if key in data:
            before = len(faults)
            value = _salvage(field.type, data[key], (*path, key), table, faults)
            if len(faults) == before or field.required or isinstance(value, list | dict | msgspec.Struct):
                values[field.name] = value
        elif field.required:
            faults.append(
                Fault(kind="missing", path=(*path, key), table=table, expected=_words(field.type), known=known)
            )
            values[field.name] = _neutral(field.type)
    return info.cls(**values)


def _salvage(kind: inspect.Type, data: Any, path: KeyPath, table: str, faults: list[Fault]) -> Any:
    declared, kind = kind, _plain(kind)
    if isinstance(kind, inspect.StructType) and isinstance(data, dict):
        return _salvage_struct(kind, data, path, faults)
    if isinstance(kind, inspect.ListType) and isinstance(data, list):
        if kind.min_length and len(data) < kind.min_length:
            faults.append(Fault(kind="value", path=path, table=table, expected="at least one", found=data))
        return [_salvage(kind.item_type, item, (*path, index), table, faults) for index, item in enumerate(data)]
    if isinstance(kind, inspect.DictType) and isinstance(data, dict):
        return {key: _salvage(kind.value_type, item, (*path, key), table, faults) for key, item in data.items()}
    wrong = _judge(kind, data)
    if wrong is None:
        return data
    faults.append(Fault(kind=wrong, path=path, table=table, expected=_words(declared), found=data))
    return _neutral(kind)


def _judge(kind: inspect.Type, data: Any) -> Literal["type", "value"] | None:
    """How a scalar fails to be of this kind; None where it does not fail."""
    match kind:
        case inspect.AnyType():
            return None
        case inspect.StrType():
            if not isinstance(data, str):
                return "type"
            short = kind.min_length is not None and len(data) < kind.min_length
            return "value" if short or (kind.pattern and not re.search(kind.pattern, data)) else None
        case inspect.BoolType():
            return None if isinstance(data, bool) else "type"
        case inspect.IntType():
            if isinstance(data, bool) or not isinstance(data, int):
                return "type"
            return None if kind.ge is None or data >= kind.ge else "value"
        case inspect.FloatType():
            if isinstance(data, bool) or not isinstance(data, int | float):
                return "type"
            low = (kind.ge is None or data >= kind.ge) and (kind.gt is None or data > kind.gt)
            return None if low and (kind.le is None or data <= kind.le) else "value"
        case inspect.LiteralType():
            if data in kind.values:
                return None
            return "value" if isinstance(data, str) else "type"
        case inspect.UnionType():
            verdicts = [_deep_judge(member, data) for member in kind.types]
            return None if None in verdicts else "value" if "value" in verdicts else "type"
        case _:
            return "type"


def _deep_judge(kind: inspect.Type, data: Any) -> Literal["type", "value"] | None:
    kind = _plain(kind)
    if isinstance(kind, inspect.ListType) and isinstance(data, list):
        return None if all(_judge(_plain(kind.item_type), item) is None for item in data) else "type"
    return _judge(kind, data)


def _plain(kind: inspect.Type) -> inspect.Type:
    """A kind without its metadata and without None, which TOML can't write."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        members = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
        if len(members) == 1:
            return _plain(members[0])
        return inspect.UnionType(tuple(_plain(member) for member in members))
    return kind


def _neutral(kind: inspect.Type) -> Any:
    kind = _plain(kind)
    match kind:
        case inspect.StructType():
            required = {field.name: _neutral(field.type) for field in kind.fields if field.required}
            return kind.cls(**required)
        case inspect.ListType():
            return []
        case inspect.DictType():
            return {}
        case inspect.BoolType():
            return False
        case inspect.IntType():
            return kind.ge or 0
        case inspect.FloatType():
            return float(kind.ge or kind.gt or 0) or 1.0
        case inspect.LiteralType():
            return kind.values[0]
        case _:
            return ""


def _words(kind: inspect.Type) -> str:
    """What a value of this kind is, in the words of a message: its type's own (`words`), or those of its kind."""
    own = _own_words(kind)
    if own is not None:
        return own
    kind = _plain(kind)
    match kind:
        case inspect.StrType():
            if kind.pattern is not None and kind.pattern.startswith("^[a-z0-9]"):
                return "a kebab-case string"
            if kind.min_length:
                return "a path relative to the version folder"
            return "a string that is not blank" if kind.pattern else "a string"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a positive integer" if kind.ge == 1 else "an integer"
        case inspect.FloatType():
            return "a finite number of at least 1" if kind.ge == 1 else "a positive, finite number"
        case inspect.LiteralType():
            quoted = [f'"{value}"' for value in kind.values]
            return " or ".join((", ".join(quoted[:-1]), quoted[-1])) if len(quoted) > 1 else quoted[0]
        case inspect.ListType():
            item = _plain(kind.item_type)
            return (
                "an array of tables" if isinstance(item, inspect.StructType) else f"an array, each item {_words(item)}"
            )
        case inspect.UnionType():
            return " or ".join(_words(member) for member in kind.types)
        case _:
            return "a table"


def _own_words(kind: inspect.Type) -> str | None:
    while isinstance(kind, inspect.Metadata):
        if kind.extra is not None and "words" in kind.extra:
            return str(kind.extra["words"])
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        return next((words for member in kind.types if (words := _own_words(member)) is not None), None)
    return None


def toml_kind(value: Any) -> str:
    """What a parsed TOML value is, in the words of a message."""
    match value:
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int():
            return "an integer"
        case float():
            return "a float"
        case list():
            return "an array"
        case dict():
            return "a table"
        case datetime() | date() | time():
            return "a date or time"
        case _:
            return "a value"
