"""Every rule of suites: its failing example is found by that rule, its fixed example by none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import tomli

from cabinet_ci.config import Config
from cabinet_ci.diagnostics import Diagnostic
from cabinet_ci.rules.pages import explain
from cabinet_ci.rules.registry import Rule, suite_rules
from cabinet_ci.rules.validation import Selection, validate
from tests.rules.test_examples import write_adder
from tests.suites.pong import SUITE, VERSION, merge, write_pong


def apply(example: str, root: Path) -> None:
    """Write the sound suite and what an example changes about it."""
    pieces = re.split(r"^--- (.*)\n?", example, flags=re.MULTILINE)[1:]
    directives = list(zip(pieces[::2], pieces[1::2], strict=True))
    moved = [name.removeprefix("at ") for name, _ in directives if name.startswith("at ")]
    folder = write_pong(root, f"{SUITE}/{moved[0]}" if moved else VERSION)
    for name, content in directives:
        verb, _, rest = name.partition(" ")
        match verb:
            case "at":
                pass
            case "also":
                write_pong(root, f"{SUITE}/{rest}")
            case "case":
                write_adder(root / "test-cases" / rest, **tomli.loads(content))
            case "link":
                link, target = rest.split(" -> ")
                (folder / link).symlink_to(target)
            case "without":
                remove(folder, rest)
            case _:
                merge(folder, name, content.rstrip("\n") + "\n")


def remove(folder: Path, name: str) -> None:
    """Remove a file, and its folders where nothing else is in them."""
    path = folder / name
    path.unlink()
    while not list(path.parent.iterdir()):
        path = path.parent
        path.rmdir()


def check(root: Path) -> list[Diagnostic]:
    return list(validate(root, Config(), (), Selection()).diagnostics)


RULES = pytest.mark.parametrize(
    "rule", [rule for rule in suite_rules() if rule.scope != "folder"], ids=lambda rule: rule.code
)


@pytest.mark.parametrize("path", ["versions/v1.0.0", "drafts/next"])
def test_the_suite_that_examples_start_from_is_sound(tmp_path: Path, path: str) -> None:
    apply(f"--- at {path}", tmp_path)
    assert check(tmp_path) == []


@RULES
def test_the_failing_example_is_found_by_its_rule_alone(rule: Rule, tmp_path: Path) -> None:
    apply(explain(rule).failing, tmp_path)
    assert {one.code for one in check(tmp_path)} == {rule.code}


@RULES
def test_the_fixed_example_has_no_findings(rule: Rule, tmp_path: Path) -> None:
    apply(explain(rule).fixed, tmp_path)
    assert check(tmp_path) == []


def test_codes_of_suites_are_one_block() -> None:
    own = [rule.code for rule in suite_rules() if rule.scope != "folder"]
    assert own
    assert all("CAB610" <= code <= "CAB699" for code in own)
