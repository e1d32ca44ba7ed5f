"""What the format says of the catalog (its preamble and sections 1, 4 and 5), sentence by sentence, with both sides.

A change is told from a sound version: edits of the manifest's text, files with their content (none: not there), and
whether the version lies at another path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PATH = "performance/easy/adder/v1.0.0"

MANIFEST = """slug = "adder"
name = "Adder"
difficulty = "easy"
tags = []
changelog = "changelog.md"
prompt = "prompt.hbs"
variants = ["variants/base.toml"]

[build]
install = "true"
build = "cp given.wasm solution.wasm"
module = "solution.wasm"

[contract]
entry = "solve"
input = "schemas/input.json"
output = "schemas/output.json"

[[case]]
input = "smoke/one.json"
expected = "smoke/one.out"
kind = "smoke"

[[case]]
input = "cases/small.json"
expected = "cases/small.out"

[sandbox]
fuel_limit = 1_000_000
max_memory_bytes = 16_777_216
"""

Content = str | bytes | None


class Change(NamedTuple):
    """What is different from a sound version."""

    edits: tuple[tuple[str, str], ...] = ()
    files: Mapping[str, Content] = {}
    links: Mapping[str, str] = {}
    path: str = PATH
    also: Mapping[str, str] = {}
    """Other versions: their path, and an edit of `slug = "adder"` in each."""


class Sentence(NamedTuple):
    """What the format says; for each code, changes that it forbids; and changes that it allows."""

    text: str
    forbidden: Mapping[str, tuple[Change, ...]]
    allowed: tuple[Change, ...]


def edit(*edits: str, **files: Content) -> Change:
    """A change of the manifest: old text and new text, in turns."""
    return Change(tuple(zip(edits[::2], edits[1::2], strict=True)), files)


def root(line: str, files: Mapping[str, Content] | None = None) -> Change:
    """A change with this line more at the manifest's root."""
    return Change((("tags = []", f"tags = []\n{line}"),), files or {})


def end(text: str, files: Mapping[str, Content] | None = None) -> Change:
    """A change with this text more at the manifest's end."""
    return Change((("16_777_216\n", f"16_777_216\n{text}\n"),), files or {})


def file(name: str, content: Content) -> Change:
    """A change of one file."""
    return Change(files={name: content})


def variant(text: str, files: Mapping[str, Content] | None = None) -> Change:
    """A change of the variant's file."""
    return Change(files={"variants/base.toml": text, **(files or {})})


def prompt(*templates: str) -> tuple[Change, ...]:
    """Changes of the prompt's template."""
    return tuple(file("prompt.hbs", template) for template in templates)


def spec_template(*templates: str) -> tuple[Change, ...]:
    """Changes with a spec that is a template."""
    return tuple(end('[[spec]]\nsource = "s.md.hbs"', {"s.md.hbs": template}) for template in templates)


def values(old: str, *new: str) -> tuple[Change, ...]:
    """Changes of one piece of the manifest."""
    return tuple(edit(old, value) for value in new)


SMALL = 'expected = "cases/small.out"'
DOMAIN = '[[domain]]\nid = "d"\nname = "D"\ndescription = "About."'
ITEM = '[[review_item]]\nid = "r"\ntitle = "T"\ntext = "Look."\nweight = 1'
TWO = ('variants = ["variants/base.toml"]', 'variants = ["variants/base.toml", "variants/two.toml"]')
CASES = MANIFEST[MANIFEST.index("[[case]]") : MANIFEST.index("[sandbox]")]
SMOKE = CASES[: CASES.rindex("[[case]]")]
STRESS = CASES[CASES.rindex("[[case]]") :]
