"""Opening result documents that anybody may have written: limits first, then the shape, then whether it can be true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from cabinet_ci.catalog.files import Unreadable, read_bounded
from cabinet_ci.evaluation.integrity import first_fault
from cabinet_ci.evaluation.result import SCHEMA, ResultDocument
from cabinet_ci.failure import CannotRun

RESULT_LIMIT = 64 * 1024 * 1024
"""Bytes of a result document that are read; a thousand versions of three references take some 20 MiB."""

NESTING_LIMIT = 12
"""How deep arrays and objects may lie in each other; the document's own keys take nine."""

Document = TypeVar("Document", bound=msgspec.Struct)

# A string that nothing closes is taken to the end: tried again from each quote in it, it would take forever.
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def read_result(path: Path, catalog: str) -> ResultDocument:
    """Read a result document; `catalog` is the folder that its versions have to lie in.

    Raises `CannotRun`, with the reason, for a file that is missing, too large, truncated, nested too deeply, of another
    schema or shape, or that says what can't be true.
    """
    try:
        source = read_bounded(path, RESULT_LIMIT)
    except Unreadable as fault:
        raise CannotRun(f"{path} {fault.reason}", "name a result document") from None
    return sound_result(source, str(path), catalog)


def sound_result(source: bytes, name: str, catalog: str) -> ResultDocument:
    """Decode a result document that may be true. Raises `CannotRun` as `read_result` does."""
    document = decode_document(source, name, ResultDocument, "a result document")
    lie = first_fault(document, catalog)
    if lie is not None:
        raise CannotRun(f"{name} can't be true: {one_line(lie)}", "it was not written by this tool, or edited since")
    return document


def decode_document(source: bytes, name: str, kind: type[Document], called: str) -> Document:
    """Decode JSON as a Struct with a `schema`; keys that it does not know are passed over.

    Raises `CannotRun`.
    """
    if not source.strip():
        raise CannotRun(f"{name} is empty", "it was cut off, or nothing was written to it")
    if _nests_deeply(source):
        raise CannotRun(f"{name} nests arrays and objects deeper than {NESTING_LIMIT}", f"no {called[2:]} does")
    try:
        head: Any = msgspec.json.decode(source, type=dict[str, msgspec.Raw])
        schema = msgspec.json.decode(head["schema"]) if "schema" in head else None
        if schema != SCHEMA or isinstance(schema, bool):
            told = "no schema" if schema is None else f"the schema {one_line(schema)}"
            remedy = "is it what `evaluate --format json` wrote?" if schema is None else "use the version that wrote it"
            raise CannotRun(f"{name} has {told}, and schema {SCHEMA} is read here", remedy)
        return msgspec.json.decode(source, type=kind)
    except msgspec.ValidationError as error:
        raise CannotRun(f"{name} is not {called}: {one_line(str(error))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        words = str(error)
        cut = "truncated" in words
        raise CannotRun(
            f"{name} is {'cut off' if cut else 'no JSON'}: {one_line(words)}", "make it again" if cut else ""
        ) from None
    except (RecursionError, ValueError):
        raise CannotRun(f"{name} is not {called}", "make it again") from None


def _nests_deeply(source: bytes) -> bool:
    depth = 0
    for byte in _STRING.sub(b"", source).translate(None, _NOT_BRACKETS):
        depth += 1 if byte in b"[{" else -1
        if depth > NESTING_LIMIT:
            return True
    return False


def one_line(value: object) -> str:
    """What a stranger's document says, fit for a message: on one line, printable, and cut."""
    text = " ".join(str(value).split())
    text = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return text if len(text) <= 200 else text[:200] + "..."
