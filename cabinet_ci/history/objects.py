"""Git's objects by name, all through one `git cat-file --batch`, however many there are."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO

import msgspec

from cabinet_ci.failure import CannotRun

OBJECT_LIMIT = 64 * 1024 * 1024
"""Bytes of an object that are kept; of a larger one only type and size are told."""


class GitObject(msgspec.Struct, frozen=True):
    """An object: its id, its type ("blob", "tree", "commit", "tag") and its content, null where it is too large."""

    oid: str
    type: str
    content: bytes | None


class TreeEntry(msgspec.Struct, frozen=True):
    """One line of a tree: `mode` in git's octal notation of files ("040000" is a folder)."""

    mode: str
    name: str
    oid: str


class Objects:
    """A running `git cat-file --batch`. Closed with the repository that made it."""

    def __init__(self, process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
        self._process = process
        self._complaints = complaints

    def get(self, name: str) -> GitObject | None:
        """The object of this name (an id, or any revision such as `HEAD^{commit}`); None where there is none."""
        return self.get_many([name])[0]

    def get_many(self, names: Sequence[str]) -> list[GitObject | None]:
        """Objects in the order of their names. A name that holds a line break is no object's."""
        asked = [name for name in names if "\n" not in name]
        writer = threading.Thread(target=self._ask, args=(asked,), daemon=True)
        writer.start()
        answers = iter([self._read() for _ in asked])
        writer.join()
        return [next(answers) if "\n" not in name else None for name in names]

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()
        self._complaints.close()

    def _ask(self, names: Sequence[str]) -> None:
        assert self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in names))
            self._process.stdin.flush()
        except OSError:
            return  # the reader notices that the process is gone

    def _read(self) -> GitObject | None:
        assert self._process.stdout is not None  # noqa: S101
        stream = self._process.stdout
        header = stream.readline()
        if not header:
            self._process.wait()
            self._complaints.seek(0)
            said = self._complaints.read().decode("utf-8", "replace").strip().splitlines()
            raise CannotRun(
                f"git can't read an object: {said[-1] if said else 'it ended unexpectedly'}",
                "fetch what the clone lacks",
            )
        parts = header.rstrip(b"\n").rsplit(b" ", 2)
        if len(parts) != 3 or not parts[2].isdigit():
            return None  # "missing" or "ambiguous"
        oid, kind, size = parts[0].decode(), parts[1].decode(), int(parts[2])
        if size > OBJECT_LIMIT:
            left = size + 1
            while left > 0:
                left -= len(stream.read(min(left, 1024 * 1024))) or left
            return GitObject(oid, kind, None)
        content = stream.read(size + 1)[:-1]
        return GitObject(oid, kind, content)


def tree_entries(tree: GitObject) -> Iterator[TreeEntry]:
    """The entries of a tree object."""
    content, width = tree.content or b"", len(tree.oid) // 2
    at = 0
    while at < len(content):
        blank = content.index(b" ", at)
        end = content.index(b"\0", blank)
        mode = canonical_mode(content[at:blank].decode().zfill(6))
        name = content[blank + 1 : end].decode("utf-8", "surrogateescape")
        yield TreeEntry(mode, name, content[end + 1 : end + 1 + width].hex())
        at = end + 1 + width


def canonical_mode(mode: str) -> str:
    """A mode as git compares it: old trees hold others for plain files (100664)."""
    if mode.startswith("100"):
        return "100755" if int(mode, 8) & 0o100 else "100644"
    return mode
