"""Remedies for what is no TOML or no strict JSON, from the message of the parser and what stands at the place."""

from __future__ import annotations

import re

from cabinet_ci.catalog.toml import SyntaxFault

_ENCODING = (
    ("byte-order mark", "", "save the file as UTF-8 without a byte-order mark"),
    ("not UTF-8", "", "save the file as UTF-8"),
)

_TOML = (
    *_ENCODING,
    ("given twice", "", "give each key once; a table that repeats has two brackets every time, as in `[[case]]`"),
    ("invalid value", r"\s*(#|$)", "a value is due after the `=`"),
    ("invalid value", "(?i)(true|false)", "write `true` or `false`, in lower case"),
    ("invalid value", r"[+-]?[.0-9]", "a number is written as 5_000, -1 or 0.5; text stands in quotes"),
    ("invalid value", "", 'text stands in quotes, as in `name = "Route Finder"`'),
    ("expected '=' after a key", "", "a line is `key = value`, a header `[table]`"),
    ("invalid statement", "", "a line is `key = value`, a header `[table]`, a comment starts with `#`"),
    ("expected newline", "[0-9]", "a number does not start with a zero, and has one point at most"),
    ("expected newline", "", 'write one key and value a line; a quote in a text is written as `\\"`'),
    ("expected ']", "", "close the header: `[table]`, or `[[table]]` for one that repeats"),
    ("unclosed array", "", "close the array with `]`"),
    ("unclosed inline table", "", "close the table with `}`, and put commas between its keys"),
    (r"unescaped '\'", "", "write `\\\\` for a backslash, or put the text in single quotes"),
    ("illegal character", "$", "close the text with a quote on its line, or put it in three quotes"),
    ("illegal character", "", "remove the character, or write it as an escape, such as `\\u0000`"),
    ("expected '\"'", "", "close the text with a quote"),
    ("unterminated string", "", "close the text with a quote"),
    ("nested too deeply", "", "a manifest needs a few levels"),
    ("an integer of more", "", "write a smaller number"),
)

_JSON = (
    *_ENCODING,
    ("given twice", "", "keep one of the two"),
    ("is not JSON", "", "JSON has no such number: use null, or leave it out"),
    ("property name", "", "a key stands in double quotes, and no comma follows the last one"),
    ("expecting value", "'", "text stands in double quotes"),
    ("expecting value", "(?i)(true|false|null|none)", "write `true`, `false` or `null`, in lower case"),
    ("expecting value", r"[+.]|-", "a number starts with a digit, or with a minus and a digit"),
    ("expecting value", r"[\]}]", "remove the comma before it"),
    ("expecting value", "/", "JSON has no comments: remove it"),
    ("expecting value", "", "a value is due here: the file is empty, or ends too early, or text stands without quotes"),
    ("trailing comma", "", "remove the comma"),
    ("extra data", "/|#", "JSON has no comments: remove it"),
    ("extra data", "", "remove what follows the value"),
    ("delimiter", "[.0-9xXeE]", "a number is written in digits, without a zero before them, as 10, -1 or 0.5"),
    ("delimiter", "/|#", "JSON has no comments: remove it"),
    ("delimiter", "", "put a comma or colon between the two"),
    ("control character", "", "write it as an escape, such as `\\n`, `\\t` or `\\u0001`"),
    ("escape", "", "escapes are `\\\\`, `\\\"`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` and `\\u0041`"),
    ("unterminated string", "", "close the text with a double quote"),
    ("nested too deeply", "", "a solution could hardly read it: nest less"),
    ("digits", "", "write a shorter number"),
)  # fmt: skip


def toml_hint(fault: SyntaxFault, source: bytes) -> str | None:
    """What to do about a document that is no TOML."""
    return _first(_TOML, fault, source)


def json_hint(fault: SyntaxFault, source: bytes) -> str | None:
    """What to do about a file that is no strict JSON."""
    return _first(_JSON, fault, source)


def _first(remedies: tuple[tuple[str, str, str], ...], fault: SyntaxFault, source: bytes) -> str | None:
    """The first remedy whose words are in the message and whose pattern fits what stands at the place."""
    lines = source.decode("utf-8", "replace").split("\n")
    rest = lines[fault.line - 1][fault.column - 1 :] if fault.line <= len(lines) else ""
    message = fault.message.lower()
    return next((hint for words, at, hint in remedies if words.lower() in message and re.match(at, rest)), None)
