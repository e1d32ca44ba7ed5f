"""Every rule's docstring: its failing example is found by that rule, its fixed example by none."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
import tomli

from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.pages import explain
from cabinet_ci.rules.registry import Rule, catalog_rules, explained_rules
from cabinet_ci.rules.validation import Selection, validate
from tests.support.cases import put
from tests.support.toml import document

ADDER = "performance/easy/adder/v1.0.0"

MANIFEST: dict[str, Any] = {
    "slug": "adder",
    "name": "Adder",
    "difficulty": "easy",
    "tags": [],
    "changelog": "changelog.md",
    "prompt": "prompt.hbs",
    "variants": ["variants/base.toml"],
    "build": {"install": "true", "build": "cp given.wasm solution.wasm", "module": "solution.wasm"},
    "contract": {"entry": "solve", "input": "schemas/input.json", "output": "schemas/output.json"},
    "case": [
        {"input": "smoke/one.json", "expected": "smoke/one.out", "kind": "smoke"},
        {"input": "cases/small.json", "expected": "cases/small.out"},
    ],
    "sandbox": {"fuel_limit": 1_000_000, "max_memory_bytes": 16_777_216},
}
VARIANT = {"slug": "base"}

FILES = {
    "changelog.md": "First version.\n",
    "prompt.hbs": "Work in {{workspace}}.\n",
    "schemas/input.json": '{"type": "array"}\n',
    "schemas/output.json": '{"type": "integer"}\n',
    "smoke/one.json": "[1]\n",
    "smoke/one.out": "1\n",
    "cases/small.json": "[3, 4]\n",
    "cases/small.out": "7\n",
}


def write_adder(folder: Path, **changes: Any) -> None:
    """A sound version that adds numbers, with some keys of its manifest changed."""
    put(folder / "test-case.toml", document(MANIFEST | changes))
    put(folder / "variants/base.toml", document(VARIANT))
    for name, content in FILES.items():
        put(folder / name, content)


def apply(example: str, catalog: Path) -> None:
    """Write the sound version and what an example changes about it."""
    pieces = re.split(r"^--- (.*)\n?", example, flags=re.MULTILINE)[1:]
    directives = list(zip(pieces[::2], pieces[1::2], strict=True))
    moved = [name.removeprefix("at ") for name, _ in directives if name.startswith("at ")]
    folder = catalog / (moved[0] if moved else ADDER)
    write_adder(folder)
    for name, content in directives:
        verb, _, rest = name.rpartition(" ") if " -> " not in name else ("link", "", name.removeprefix("link "))
        match verb:
            case "at":
                pass
            case "also":
                write_adder(catalog / rest, **tomli.loads(content))
            case "link":
                link, target = rest.split(" -> ")
                (folder / link).symlink_to(target)
            case "folder":
                (folder / rest).unlink(missing_ok=True)
                (folder / rest).mkdir()
            case "bytes":
                put(folder / rest, content.encode().decode("unicode_escape").encode("latin-1"))
            case _:
                write_file(folder, name, content)


def write_file(folder: Path, name: str, content: str) -> None:
    sound = MANIFEST if name == "test-case.toml" else VARIANT if name == "variants/base.toml" else None
    if sound is not None:
        with contextlib.suppress(tomli.TOMLDecodeError):
            content = document(sound | tomli.loads(content))
    put(folder / name, content.rstrip("\n") + "\n")


def check(root: Path) -> list[Diagnostic]:
    return list(validate(root, Config(), (), Selection()).diagnostics)


EVERY = catalog_rules()
RULES = pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.code)


def test_the_version_that_examples_start_from_is_sound(tmp_path: Path) -> None:
    apply("", tmp_path / "test-cases")
    assert check(tmp_path) == []


@RULES
def test_the_failing_example_is_found_by_its_rule_alone(rule: Rule, tmp_path: Path) -> None:
    apply(explain(rule).failing, tmp_path / "test-cases")
    found = check(tmp_path)
    assert rule.code in {one.code for one in found}
    others = {one.code for one in found if one.severity == "error"} - {rule.code}
    assert others == set(), found


@RULES
def test_the_fixed_example_has_no_findings(rule: Rule, tmp_path: Path) -> None:
    apply(explain(rule).fixed, tmp_path / "test-cases")
    found = check(tmp_path)
    assert rule.code not in {one.code for one in found}
    assert [one for one in found if one.severity == "error"] == []


@pytest.mark.parametrize("rule", explained_rules(), ids=lambda rule: rule.code)
def test_the_docstring_says_what_and_why(rule: Rule) -> None:
    found = explain(rule)
    assert found.failing != found.fixed
    assert rule.title.endswith((".", "..."))
    assert "Why: " in found.prose


def test_codes_are_of_one_shape_and_names_are_unique() -> None:
    rules = explained_rules()
    assert all(re.fullmatch(r"CAB[0-9]{3}", rule.code) for rule in rules)
    assert len({rule.name for rule in rules}) == len(rules)
