"""Each sentence of the format about the catalog: what it forbids is found once, and what it allows passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.registry import catalog_rules
from cabinet_ci.rules.validation import Selection, validate
from tests.rules.sentences.changes import MANIFEST, Change
from tests.rules.sentences.mixed import MIXED
from tests.rules.sentences.more import MORE
from tests.rules.sentences.paths import PREAMBLE
from tests.rules.sentences.root import ROOT
from tests.rules.sentences.seeding import BESIDE, SECTION_5
from tests.rules.sentences.tables import TABLES
from tests.rules.sentences.templates import SECTION_4
from tests.support.cases import put

FILES = {
    "test-case.toml": MANIFEST,
    "variants/base.toml": 'slug = "base"\n',
    "changelog.md": "First version.\n",
    "prompt.hbs": "Work in {{workspace}}.\n",
    "schemas/input.json": '{"type": "array"}\n',
    "schemas/output.json": '{"type": "integer"}\n',
    "smoke/one.json": "[1]\n",
    "smoke/one.out": "1\n",
    "cases/small.json": "[3, 4]\n",
    "cases/small.out": "7\n",
}
SENTENCES = [*PREAMBLE, *ROOT, *TABLES, *MORE, *MIXED, *SECTION_4, *SECTION_5, *BESIDE]

HELPFUL = ("CAB404", "CAB405", "CAB901")
"""Warnings about what a change leaves behind; where it is not about them, they are none of its business."""

FORBIDDEN = [
    pytest.param(code, change, id=f"{sentence.text[:40]}-{code}-{number}")
    for sentence in SENTENCES
    for code, changes in sentence.forbidden.items()
    for number, change in enumerate(changes)
]
ALLOWED = [
    pytest.param(change, id=f"{sentence.text[:40]}-{number}")
    for sentence in SENTENCES
    for number, change in enumerate(sentence.allowed)
]


def write(root: Path, change: Change) -> None:
    """A sound version, changed."""
    for path, slug in {change.path: "adder", **change.also}.items():
        is_changed = path == change.path
        folder = root / "test-cases" / path
        for name, content in {**FILES, **(change.files if is_changed else {})}.items():
            if name == "test-case.toml" and isinstance(content, str):
                content = content.replace('slug = "adder"', f'slug = "{slug}"')
                for old, new in change.edits if is_changed else ():
                    assert old in content, old
                    content = content.replace(old, new, 1)
            if content is not None:
                put(folder / name, content)
        for name, target in change.links.items() if is_changed else ():
            (folder / name).symlink_to(target)


def found(root: Path, change: Change) -> list[Diagnostic]:
    write(root, change)
    return list(validate(root, Config(), (), Selection()).diagnostics)


@pytest.mark.parametrize(("code", "change"), FORBIDDEN)
def test_what_a_sentence_forbids_is_found_once_with_a_place(tmp_path: Path, code: str, change: Change) -> None:
    first, *others = [one for one in found(tmp_path, change) if one.code == code or one.code not in HELPFUL]
    assert (first.code, others) == (code, [])
    assert first.hint is None or first.hint.strip()
    file = tmp_path / first.path
    assert file.is_symlink() or file.exists()
    if first.line is not None and first.column is not None:
        lines = file.read_bytes().decode("utf-8", "replace").split("\n")
        assert first.column <= len(lines[first.line - 1]) + 1


@pytest.mark.parametrize("change", ALLOWED)
def test_what_a_sentence_allows_passes(tmp_path: Path, change: Change) -> None:
    assert [one for one in found(tmp_path, change) if one.code not in HELPFUL] == []


def test_every_rule_of_the_catalog_is_there_for_a_sentence() -> None:
    named = {code for sentence in SENTENCES for code in sentence.forbidden}
    assert named == {rule.code for rule in catalog_rules()}
