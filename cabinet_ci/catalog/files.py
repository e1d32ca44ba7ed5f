"""Reading files that may be anything: only regular files, only up to a limit."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

MANIFEST_LIMIT = 4 * 1024 * 1024
"""Bytes of a TOML file that are read; a manifest of a hundred cases is some 20 KB."""

JSON_LIMIT = 64 * 1024 * 1024
"""Bytes of an input, an expected answer or a schema that are read."""

TEXT_LIMIT = 4 * 1024 * 1024
"""Bytes of a template or a Markdown file that are read."""


_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Unreadable(Exception):
    """A file that can't be read: `reason` finishes the sentence "the file ..."."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_bounded(path: str | os.PathLike[str], limit: int) -> bytes:
    """Read a regular file of at most `limit` bytes.

    Raises `Unreadable` for a file that is missing, forbidden, too large, or no regular file (a FIFO would block).
    """
    with open_regular(path) as (descriptor, size):
        if size > limit:
            raise Unreadable(f"is larger than {limit // (1024 * 1024)} MiB")
        try:
            return _read_all(descriptor, size, limit)
        except OSError as error:
            raise Unreadable(f"can't be read: {_words(error)}") from None


@contextmanager
def open_regular(path: str | os.PathLike[str]) -> Iterator[tuple[int, int]]:
    """A file's descriptor, open for reading, and its size in bytes.

    Raises `Unreadable` for a file that is missing, forbidden, or no regular file (a FIFO would block).
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except FileNotFoundError:
        raise Unreadable("does not exist") from None
    except PermissionError:
        raise Unreadable("can't be read: permission denied") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"can't be read: {_words(error)}") from None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable("is a folder" if stat.S_ISDIR(found.st_mode) else "is not a regular file")
        yield descriptor, found.st_size
    finally:
        os.close(descriptor)


def _read_all(descriptor: int, size: int, limit: int) -> bytes:
    data = os.read(descriptor, size + 1)
    if len(data) == size:
        return data
    chunks = [data]
    while len(data) > 0 and sum(map(len, chunks)) <= limit:
        data = os.read(descriptor, 1024 * 1024)
        chunks.append(data)
    return b"".join(chunks)


def _words(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
