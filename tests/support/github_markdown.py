"""What GitHub makes of Markdown: GitHub's own renderer, and what its filters would find in the outcome."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

PASSED_OVER = {"code", "pre", "a", "tt"}
"""Elements that GitHub looks for nothing in."""

ACTED_ON = (
    re.compile(r"(?<![\w`])@[\w-]"),
    re.compile(r"(?:^|\W)(?:#|gh-)\d", re.IGNORECASE),
    re.compile(r"\b[0-9a-f]{7,64}\b"),
    re.compile(r":[\w+-]+:"),
    re.compile(r"https?://|www\.", re.IGNORECASE),
)
"""Mentions, references, commits, emoji, addresses."""


class Rendered(HTMLParser):
    """The rendered document: elements, comments, addresses, text of cells and of items, and the text that counts."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.comments: list[str] = []
        self.addresses: list[str] = []
        self.rows: list[list[str]] = []
        self.items: list[str] = []
        self.bare: list[str] = []
        self.text = ""
        self._open: list[str] = []
        options = Options.CMARK_OPT_UNSAFE
        self.feed(cmarkgfm.github_flavored_markdown_to_html(markdown, options=options))
        self.close()
        self.items = [item.strip("\n") for item in self.items]

    @property
    def acted_on(self) -> list[str]:
        """Texts outside of code in which GitHub would find something."""
        return [text for text in self.bare if any(pattern.search(text) for pattern in ACTED_ON)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in ("br", "wbr", "img", "hr", "input"):
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "li":
            self.items.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        data = data.replace("\u00a0", " ")
        self.text += data
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data
        if "li" in self._open:
            self.items[-1] += data
        if not PASSED_OVER & set(self._open):
            self.bare.append(data)
