"""Modules put together byte by byte, for what the text format of wasm can't say or would take long to say."""

from __future__ import annotations

from collections.abc import Sequence

CORE_HEADER = b"\x00asm\x01\x00\x00\x00"

ECHO_CODE = b"\x00\x20\x00\xad\x42\x20\x86\x20\x01\xad\x84\x0b"
"""No locals; (ptr << 32) | len."""

NOTHING = b"\x00\x0b"
"""The body of a function that takes and gives nothing."""

_ALLOC_CODE = b"\x00\x41\x80\x08\x0b"


def leb(value: int) -> bytes:
    """An unsigned number as wasm writes it."""
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def sized(content: bytes) -> bytes:
    """Bytes after their length."""
    return leb(len(content)) + content


def vector(items: Sequence[bytes]) -> bytes:
    """Items after their number."""
    return leb(len(items)) + b"".join(items)


def section(number: int, content: bytes) -> bytes:
    """A section of a module."""
    return bytes([number]) + sized(content)


def custom(name: str, content: bytes) -> bytes:
    """A custom section."""
    return section(0, sized(name.encode()) + content)


def built(solve: bytes = ECHO_CODE, *, more: Sequence[bytes] = (), after: bytes = b"") -> bytes:
    """A module whose entry has the body `solve` (locals and code), with `more` functions and sections at its end."""
    types = vector([b"\x60\x01\x7f\x01\x7f", b"\x60\x02\x7f\x7f\x01\x7e", b"\x60\x00\x00"])
    functions = leb(2 + len(more)) + b"\x00\x01" + b"\x02" * len(more)
    exports = vector([sized(b"memory") + b"\x02\x00", sized(b"alloc") + b"\x00\x00", sized(b"solve") + b"\x00\x01"])
    code = vector([sized(body) for body in (_ALLOC_CODE, solve, *more)])
    parts = ((1, types), (3, functions), (5, vector([b"\x00\x01"])), (7, exports), (10, code))
    return CORE_HEADER + b"".join(section(number, content) for number, content in parts) + after


def nested(opening: bytes, times: int) -> bytes:
    """The body of an entry that answers with nothing after blocks within blocks."""
    return b"\x00" + opening * times + b"\x0b" * times + b"\x42\x00\x0b"
