"""Telling whether a memory was refused growth, which the engine says to the guest alone.

A copy of the module is made in which a refused `memory.grow` traps in its own way. The run is deterministic: where the
copy, given the same input, ends in that trap, the module was refused growth before it ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from cabinet_ci.evaluation.sandbox.calls import COMPONENT_HEADER, CORE_HEADER

UNREACHABLE = b"\x00"
DIVISION = b"\x41\x01\x41\x00\x6e\x1a"
"""Instructions that trap: `unreachable`, and a division by zero."""

_GROW = b"\x40\x00"
_IMPORT, _FUNCTION, _TYPE, _CODE, _CUSTOM = 2, 3, 1, 10, 0
_COMPONENT_MODULE, _COMPONENT_COMPONENT = 1, 4


def trapping_on_refusal(source: bytes, trap: bytes) -> bytes | None:
    """The copy of a valid module or component, or None where it has no `memory.grow` or can't be read."""
    try:
        copy = _module(source, trap) if source.startswith(CORE_HEADER) else _component(source, trap)
    except (_Unreadable, IndexError):
        return None
    return None if copy == source else copy


class _Unreadable(Exception):
    """An instruction or section that this does not know."""


def _component(source: bytes, trap: bytes) -> bytes:
    parts = [source[:8]]
    for number, content in _sections(source):
        copy = content
        if number == _COMPONENT_MODULE and content.startswith(CORE_HEADER):
            copy = _module(content, trap)
        elif number == _COMPONENT_COMPONENT and content.startswith(COMPONENT_HEADER):
            copy = _component(content, trap)
        parts.append(bytes([number]) + _sized(copy))
    return b"".join(parts)


def _module(source: bytes, trap: bytes) -> bytes:
    sections = list(_sections(source))
    found = dict(sections)
    if _CODE not in found or _GROW not in found[_CODE]:
        return source
    imported = sum(1 for kind in _import_kinds(found.get(_IMPORT, b"\x00")) if kind == 0)
    defined, _ = _unsigned(found[_FUNCTION], 0)
    types, _ = _unsigned(found[_TYPE], 0)
    body = b"\x00\x20\x00\x40\x00\x22\x00\x41\x7f\x46\x04\x40" + trap + b"\x0b\x20\x00\x0b"
    changed = {
        _TYPE: _appended(found[_TYPE], b"\x60\x01\x7f\x01\x7f"),
        _FUNCTION: _appended(found[_FUNCTION], _leb(types)),
        _CODE: _appended(_with_calls(found[_CODE], imported + defined), _sized(body)),
    }
    # Custom sections may point into the code, and nothing needs them.
    kept = [(number, changed.get(number, content)) for number, content in sections if number != _CUSTOM]
    return source[:8] + b"".join(bytes([number]) + _sized(content) for number, content in kept)


def _with_calls(code: bytes, function: int) -> bytes:
    """The code section with each `memory.grow` made a call of `function`, which has the same type."""
    count, at = _unsigned(code, 0)
    parts = [_leb(count)]
    for _ in range(count):
        size, at = _unsigned(code, at)
        body = code[at : at + size]
        at += size
        parts.append(_sized(_with_calls_in(body, function) if _GROW in body else body))
    return b"".join(parts)


def _with_calls_in(body: bytes, function: int) -> bytes:
    groups, at = _unsigned(body, 0)
    for _ in range(groups):
        _, at = _unsigned(body, at)
        at += 1
    parts, copied = [], 0
    while at < len(body):
        after = _after_instruction(body, at)
        if body[at] == 0x40:
            parts += [body[copied:at], b"\x10", _leb(function)]
            copied = after
        at = after
    return b"".join([*parts, body[copied:]])


def _after_instruction(body: bytes, at: int) -> int:
    """Where the next instruction begins. Raises `_Unreadable`."""
    code, at = body[at], at + 1
    if code in _PLAIN:
        return at
    if code in _ONE_NUMBER:
        return _unsigned(body, at)[1]
    if code in _TWO_NUMBERS:
        return _unsigned(body, _unsigned(body, at)[1])[1]
    if code in (0x43, 0x44):
        return at + (4 if code == 0x43 else 8)
    if code == 0x0E:
        count, at = _unsigned(body, at)
        for _ in range(count + 1):
            _, at = _unsigned(body, at)
        return at
    if code == 0x1C:
        count, at = _unsigned(body, at)
        return at + count
    number, at = _unsigned(body, at)
    if code == 0xFC and number in _BULK_NUMBERS:
        for _ in range(_BULK_NUMBERS[number]):
            _, at = _unsigned(body, at)
        return at
    if code == 0xFD:
        return _after_vector_instruction(body, number, at)
    raise _Unreadable


def _after_vector_instruction(body: bytes, number: int, at: int) -> int:
    if number in (12, 13):
        return at + 16
    if number <= 11 or number in (92, 93):
        return _unsigned(body, _unsigned(body, at)[1])[1]
    if 84 <= number <= 91:
        return _unsigned(body, _unsigned(body, at)[1])[1] + 1
    return at + 1 if 21 <= number <= 34 else at


_PLAIN = frozenset({0x00, 0x01, 0x05, 0x0B, 0x0F, 0x1A, 0x1B, 0xD1, *range(0x45, 0xC5)})
_ONE_NUMBER = frozenset(
    {0x02, 0x03, 0x04, 0x0C, 0x0D, 0x10, 0x12, *range(0x20, 0x27), 0x3F, 0x40, 0x41, 0x42, 0xD0, 0xD2}
)
"""Followed by one number: a type, a label, an index, or a constant. Its sign does not change its length."""
_TWO_NUMBERS = frozenset({0x11, 0x13, *range(0x28, 0x3F)})
_BULK_NUMBERS = {**dict.fromkeys(range(8), 0), 8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}


def _sections(source: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8
    while at < len(source):
        number = source[at]
        size, at = _unsigned(source, at + 1)
        yield number, source[at : at + size]
        at += size


def _import_kinds(section: bytes) -> Iterator[int]:
    count, at = _unsigned(section, 0)
    for _ in range(count):
        for _ in range(2):
            length, at = _unsigned(section, at)
            at += length
        kind, at = section[at], at + 1
        yield kind
        if kind == 0:
            _, at = _unsigned(section, at)
        elif kind == 3:
            at += 2
        else:
            at += int(kind == 1)
            flags, at = _unsigned(section, at)
            for _ in range(1 + (flags & 1)):
                _, at = _unsigned(section, at)


def _appended(vector: bytes, item: bytes) -> bytes:
    count, at = _unsigned(vector, 0)
    return _leb(count + 1) + vector[at:] + item


def _sized(content: bytes) -> bytes:
    return _leb(len(content)) + content


def _leb(value: int) -> bytes:
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _unsigned(source: bytes, at: int) -> tuple[int, int]:
    """A number at a place, and the place after it."""
    value, shift = 0, 0
    while True:
        byte = source[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
