"""TOML documents. tomli is the judge of what TOML is and of every error; rtoml, compiled, reads the clean ones."""

from __future__ import annotations

import re
import sys
from typing import Any

import rtoml

BOM = b"\xef\xbb\xbf"


class SyntaxFault(Exception):
    """A document that can't be parsed: what is wrong, and the line and column (from 1, in characters) where."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column


class TomlError(SyntaxFault):
    """A document that is not TOML."""


def parse_toml(source: bytes) -> dict[str, Any]:
    """Parse a TOML document; raise `TomlError` where it is none."""
    text = decode_utf8(source, TomlError)
    # Of a CR LF inside a multi-line string rtoml keeps the CR and tomli does not: tomli decides.
    if "\r" in text:
        return _judge(text, None)
    try:
        data: dict[str, Any] = rtoml.loads(text)
    except (rtoml.TomlParsingError, ValueError, RecursionError) as refusal:
        return _judge(text, str(refusal))
    return data


def decode_utf8(source: bytes, error: type[SyntaxFault]) -> str:
    """Decode a text file, raising `error` for a byte-order mark or bytes that are not UTF-8."""
    if source.startswith(BOM):
        raise error("the file starts with a byte-order mark; save it as UTF-8 without one", 1, 1)
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = source[: fault.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise error(f"byte 0x{source[fault.start]:02x} is not UTF-8", line, column) from None


def _judge(text: str, refusal: str | None) -> dict[str, Any]:
    import tomli

    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        line, column = error.lineno, error.colno
        # tomli notices a key given twice only at the end of the value; the compiled parser points at the key.
        where = re.search(r"duplicate key at line (\d+) column (\d+)", refusal or "")
        if where is not None:
            raise TomlError("a key or table is given twice", int(where[1]), int(where[2])) from None
        raise TomlError(error.msg[:1].lower() + error.msg[1:], line, column) from None
    except RecursionError:
        raise TomlError("keys, arrays or tables are nested too deeply", 1, 1) from None
    except ValueError:
        # Python's bound on the digits of an integer.
        digits = sys.get_int_max_str_digits()
        found = re.search(rf"[0-9][0-9_]{{{digits},}}", text)
        before = text[: found.start()] if found is not None else ""
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise TomlError(f"an integer of more than {digits:,} digits", line, column) from None
