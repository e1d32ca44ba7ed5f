"""docs/suites.md: what it shows is what the commands print, and what it lists is all that there is."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from cabinet_ci.catalog.suites.definition import STRUCTS, TYPES, BuiltDefinition
from cabinet_ci.catalog.suites.files import Requirement, SpecificationFile
from cabinet_ci.seeding.templates import SUITE_PROMPT, check_template
from tests.support.command import cabinet

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs/suites.md").read_text()
COMMANDS = re.findall(r"^    (cabinet-ci [^\n]*)\n\n```text\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
TABLES = [tomllib.loads(found) for found in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command.split()[1] for command, _ in COMMANDS])
def test_a_command_prints_what_the_page_shows(command: str, shown: str) -> None:
    ran = cabinet(*shlex.split(command)[1:], cwd=REPOSITORY)
    assert (ran.code, ran.out) == (0, shown)


def test_every_command_that_looks_at_suites_is_shown() -> None:
    assert {command.split()[1] for command, _ in COMMANDS} == {"prompt", "seed", "list"}


def test_the_document_of_a_specification_is_what_a_run_receives(tmp_path: Path) -> None:
    (command,) = re.findall(r"^    cabinet-ci (seed \S+) --output \S+$", PAGE, re.MULTILINE)
    assert cabinet(*command.split(), "--output", tmp_path / "run", cwd=REPOSITORY).code == 0
    (shown,) = re.findall(r"```markdown\n(.*?)```", PAGE, re.DOTALL)
    assert (tmp_path / "run/specs/paddle.md").read_text() == shown


def test_every_type_has_a_row() -> None:
    rows = re.findall(r"^\| ([a-z, -]+) \| (.*?) \|", PAGE, re.MULTILINE)
    assert sorted(name for names, _ in rows for name in names.split(", ") if name in TYPES) == sorted(TYPES)


def test_the_keys_of_a_specification_and_of_a_definition_are_all_shown() -> None:
    specification, definition, _ = TABLES
    assert set(specification) == set(SpecificationFile.__struct_fields__)
    assert set(specification["requirement"][0]) == set(Requirement.__struct_fields__)
    assert set(definition) == set(BuiltDefinition.__struct_fields__)
    assert definition["type"] in STRUCTS


def test_every_variable_of_a_prompt_is_listed_and_no_other() -> None:
    listed = set(re.findall(r"`((?:engine\.)?[a-z]+)`", "".join(re.findall(r"^\| (`[^|]*`) \|", PAGE, re.MULTILINE))))
    listed &= {name for name in listed if name not in {"prompt", "seed", "list"}}
    source = "".join(f"{{{{#if {name}}}}}{{{{/if}}}}" for name in sorted(listed))
    assert check_template(source, SUITE_PROMPT) == []
    assert {"workspace", "engine.slug", "engine.name", "engine.docs", "specifications"} == listed
