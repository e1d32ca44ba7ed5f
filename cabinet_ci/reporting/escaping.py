"""Text of a repository as text, wherever it is shown: in Markdown on GitHub, in HTML, in an address.

GitHub looks for mentions, references, commits, emoji and addresses in what Markdown renders to, so that an escaped `@`
is still a mention. It does not look into `<code>`: whatever is not a plain word is put there, with every character that
Markdown or HTML knows spelt as its number.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape
from itertools import groupby
from typing import NewType
from urllib.parse import quote

import msgspec

Markdown = NewType("Markdown", str)
"""Text that is safe to stand in a line or a table cell of GitHub's Markdown."""

_JOINER = "\u200d"
"""What holds an emoji of several together; of the invisible characters the one that is shown as it is."""

_SPECIAL = re.compile(r"[^A-Za-z0-9 \-/.,;=$%?\u0080-\U0010ffff]")
_PLAIN_WORD = re.compile(r"\(?(?:[A-Za-z]+(?:'[a-z]+)?|[0-9]{1,6})?\)?[,.;:?]?\Z")
_BETWEEN_BACKTICKS = re.compile(r"`([^`]+)`")
_LIKE_A_COMMIT = re.compile(r"\(?[0-9a-fA-F]{7,}\)?[,.;:?]?\Z")
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def shown(text: str, limit: int = 1000) -> str:
    """Text on one line: what can't be seen or would turn the line's direction is spelt out, as in `\\u202e`.

    What is longer than `limit` characters ends in dots.
    """
    cut = text if len(text) <= limit else text[:limit] + "..."
    return "".join(
        char if char.isprintable() or char == _JOINER else char.encode("unicode_escape").decode() for char in cut
    )


def code(text: str, limit: int = 1000) -> Markdown:
    """Text of a repository as code: the same characters, with nothing in them that GitHub acts on."""
    line = shown(text, limit)
    direction = ' dir="auto"' if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in line) else ""
    return Markdown(f"<code{direction}>{_spelt(line)}</code>")


def prose(text: str, limit: int = 1000) -> Markdown:
    """A sentence that may quote a repository: plain words as they are, everything else as code.

    What stands between two backticks becomes code without them, as Markdown would have it.
    """
    parts: list[str] = []
    for index, segment in enumerate(_BETWEEN_BACKTICKS.split(shown(text, limit))):
        parts += [code(segment)] if index % 2 else _words(segment)
    return Markdown("".join(parts))


def _words(segment: str) -> list[str]:
    """Plain words, spaces, and the words that stand together and are not plain, as code."""
    parts: list[str] = []
    for plain, run in groupby(segment.split(" "), key=_is_plain):
        words = list(run)
        joined = " ".join(words)
        parts.append(joined.replace("'", "&#39;") if plain else code(joined))
    return [" ".join(parts)]


def _is_plain(word: str) -> bool:
    return _PLAIN_WORD.match(word) is not None and _LIKE_A_COMMIT.match(word) is None


def _spelt(line: str) -> str:
    # An address of a person is found in text even where its `@` is spelt as a number: a break without a width parts it.
    spelt = _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", line).replace("www.", "www&#46;")
    return spelt.replace("&#64;", "<wbr>&#64;")


class Place(msgspec.Struct, frozen=True):
    """Where the files of a result can be looked at: the server's address, `owner/name`, and the commit."""

    server: str
    repository: str
    commit: str

    @property
    def commit_link(self) -> str:
        """The address of the commit, as safe."""
        return escape(f"{self.server.rstrip('/')}/{self.repository}/commit/{self.commit}", quote=True)

    def link(self, path: str, line: int | None) -> str:
        """The address of a line of a file, safe in an attribute in double quotes."""
        where = (
            f"{self.server.rstrip('/')}/{self.repository}/blob/{self.commit}/{quote(path, safe='/', errors='replace')}"
        )
        return escape(where + ("" if line is None else f"#L{line}"), quote=True)
