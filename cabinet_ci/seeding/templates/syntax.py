"""Handlebars read into a syntax tree whose nodes know where they stand and whose text is exactly what gets printed.

The renderer's own parser gives no positions and leaves or eats white space in corners, so a template is read here and
handed to it tag by tag (see `rendering`). Positions are offsets in characters until a fault is told.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from cabinet_ci.seeding.templates.tags import Tag, TagReader
from cabinet_ci.seeding.templates.tree import Block, Call, Faults, Node, Path, Print, Text

MAX_SOURCE = 1_000_000
"""Characters of a template that is read."""

MAX_NESTING = 100
"""Blocks inside each other, each `else if` counting as one more."""


class Template(msgspec.Struct, frozen=True):
    """A template as far as it could be read, and what could not be, by offset."""

    nodes: list[Node]
    faults: Faults


@lru_cache(maxsize=2)
def parse_template(source: str) -> Template:
    """Read a template to its end, whatever is wrong with it."""
    faults = Faults(source)
    if len(source) > MAX_SOURCE:
        faults.add(0, f"the template has {len(source):,} characters; the limit is {MAX_SOURCE:,}")
        return Template([], faults)
    nul = source.find("\0")
    if nul >= 0:
        faults.add(nul, "a NUL byte")
        return Template([], faults)
    texts, tags = _split(source, faults)
    return Template(_nest(texts, tags, faults), faults)


def _split(source: str, faults: Faults) -> tuple[list[str], list[Tag]]:
    """Texts and the tags between them: one text more than tags, each already without the white space it loses."""
    reader = TagReader(source, faults)
    texts: list[str] = []
    tags: list[Tag] = []
    pieces: list[str] = []
    start = position = 0
    while True:
        opening = source.find("{{", position)
        if opening < 0 or faults.full:
            pieces.append(source[start:])
            texts.append("".join(pieces))
            break
        text = source[start:opening]
        escapes = len(text) - len(text.rstrip("\\"))
        if escapes:
            # One backslash makes the braces text; of two or more, one is lost and the tag is real.
            text = text[:-1]
        pieces.append(text)
        if escapes == 1:
            pieces.append("{{")
            start = position = opening + 2
            continue
        tag, position = reader.tag(opening)
        start = position
        if tag is not None:
            texts.append("".join(pieces))
            tags.append(tag)
            pieces = []
    return _without_lost_space(texts, tags), tags


def _without_lost_space(texts: list[str], tags: list[Tag]) -> list[str]:
    """Drop what `~` strips, and the line that a block tag or comment has to itself."""
    starts = [0] * len(texts)
    ends = [len(text) for text in texts]
    for index, tag in enumerate(tags):
        before, after = texts[index], texts[index + 1]
        line_start = line_end = -1
        if tag.kind != "print":
            line_start = _start_of_blank(before, index == 0)
            line_end = _end_of_blank(after, index == len(tags) - 1)
        alone = line_start >= 0 and line_end >= 0
        if tag.strips_left:
            ends[index] = len(before.rstrip())
        elif alone:
            ends[index] = line_start
        if tag.strips_right:
            starts[index + 1] = len(after) - len(after.lstrip())
        elif alone:
            starts[index + 1] = line_end
    return [text[start:end] if start < end else "" for text, start, end in zip(texts, starts, ends, strict=True)]


def _start_of_blank(text: str, first: bool) -> int:
    """Where the blank start of a line begins that `text` ends in, or -1."""
    newline = text.rfind("\n")
    if newline < 0 and not first:
        return -1
    return newline + 1 if not text[newline + 1 :].strip(" \t") else -1


def _end_of_blank(text: str, last: bool) -> int:
    """Where the blank rest of a line ends that `text` starts with, its line break included, or -1."""
    newline = text.find("\n")
    if newline < 0:
        return len(text) if last and not text.strip(" \t") else -1
    rest = text[:newline]
    return newline + 1 if not rest.removesuffix("\r").strip(" \t") else -1


class _Open:
    """A block that waits for its end: `block` is the last one of its chain of `else if`."""

    __slots__ = ("block", "ended", "levels", "nodes", "tag")

    def __init__(self, tag: Tag, block: Block) -> None:
        self.tag = tag
        self.block = block
        self.nodes = block.body
        self.levels = 1
        self.ended = False


def _nest(texts: list[str], tags: list[Tag], faults: Faults) -> list[Node]:
    """The tree that the tags spell."""
    root: list[Node] = []
    opened: list[_Open] = []
    nodes, depth = root, 0
    for text, tag in zip(texts, tags, strict=False):
        if text:
            nodes.append(Text(text))
        if tag.kind == "print" and tag.value is not None:
            nodes.append(Print(tag.value))
        elif tag.kind == "open":
            block = _block(tag)
            nodes.append(block)
            opened.append(_Open(tag, block))
            depth += 1
        elif tag.kind == "else":
            depth += _turn(tag, opened, faults)
        elif tag.kind == "close":
            depth -= _close(tag, opened, faults)
        if depth > MAX_NESTING:
            faults.add(tag.offset, f"blocks are nested more than {MAX_NESTING} deep")
            return []
        nodes = opened[-1].nodes if opened else root
    if texts[-1]:
        nodes.append(Text(texts[-1]))
    for left in opened:
        _leave_open(left, faults)
    return root


def _block(tag: Tag) -> Block:
    """The block of a tag. That of a broken tag has no name: its body can be read, but what it means is unknown."""
    head = tag.value if isinstance(tag.value, Call) and not tag.broken else Call(tag.offset, "", ())
    return Block(head, tag.params, [], [])


def _turn(tag: Tag, opened: list[_Open], faults: Faults) -> int:
    """Go on with the other branch; how many levels that adds."""
    if not opened:
        faults.add(tag.offset, "`else` outside of a block")
        return 0
    current = opened[-1]
    if current.ended:
        faults.add(tag.offset, "the block has its `else` already")
        return 0
    if tag.value is None or tag.broken:
        current.ended = True
        current.nodes = current.block.otherwise
        return 0
    chained = _block(tag)
    current.block.otherwise.append(chained)
    current.block = chained
    current.nodes = chained.body
    current.levels += 1
    return 1


def _close(tag: Tag, opened: list[_Open], faults: Faults) -> int:
    """End a block and, where it is not the innermost, those that were left open in it; how many levels that takes."""
    value = tag.value
    name = value.written if isinstance(value, Path) else value.name if isinstance(value, Call) else ""
    if not any(_name(waiting.tag) == name for waiting in opened):
        if not opened and not tag.broken:
            faults.add(tag.offset, f"`{{{{/{name}}}}}` closes a block that was not opened")
        if not opened:
            return 0
        # Most likely a slip of the pen: the block ends here.
        wanted = _name(opened[-1].tag)
        if not tag.broken:
            faults.add(tag.offset, f"`{{{{/{name}}}}}` where `{{{{#{wanted}}}}}` is open", f"write {{{{/{wanted}}}}}")
        return opened.pop().levels
    levels = 0
    while True:
        left = opened.pop()
        levels += left.levels
        if _name(left.tag) == name:
            return levels
        _leave_open(left, faults)


def _name(tag: Tag) -> str:
    return tag.value.name if isinstance(tag.value, Call) else ""


def _leave_open(left: _Open, faults: Faults) -> None:
    name = _name(left.tag)
    faults.add(left.tag.offset, f"`{{{{#{name}}}}}` is not closed: `{{{{/{name}}}}}` is missing")
