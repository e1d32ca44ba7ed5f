"""File names: as git quotes them where they can't be shown, and as it reads them back."""

from __future__ import annotations

import shlex

_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def shown(name: str) -> str:
    """A name for a message: as it is, or quoted as git quotes it where it is no UTF-8 or holds control characters.

    `name` carries bytes that are no UTF-8 as surrogates, as Python's file functions do.
    """
    raw = name.encode("utf-8", "surrogateescape")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return quoted(name)
    return quoted(name) if any(byte < 32 or byte == 127 for byte in raw) else name


def quoted(name: str) -> str:
    """A name in git's C-style quotes, bytes beyond ASCII in octal."""
    return '"' + "".join(_escape(byte) for byte in name.encode("utf-8", "surrogateescape")) + '"'


def pasted(name: str) -> str:
    """A name as a shell takes it on a command line to paste."""
    plain = shown(name)
    return shlex.quote(name) if plain == name else "$'" + plain[1:-1].replace("'", "\\'").replace('\\"', '"') + "'"


def _escape(byte: int) -> str:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
