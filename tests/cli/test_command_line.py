"""The command line itself: lazy, quiet, and never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cabinet_ci.cli import COMMANDS
from tests.support.cases import write_case
from tests.support.command import cabinet, one_line

COSTLY = ("wasmtime", "git", "jsonschema", "rich", "dotpromptz_handlebars", "requests", "msgspec.inspect")


def modules_after(statement: str, cwd: Path) -> set[str]:
    code = f"import sys\ntry:\n    {statement}\nexcept SystemExit:\n    pass\nprint('MODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("MODULES ")[2].split())


def test_help_lists_every_command_and_imports_none(tmp_path: Path) -> None:
    ran = cabinet("--help", cwd=tmp_path)
    assert ran.code == 0
    assert all(name in ran.out for name in COMMANDS)
    loaded = modules_after("from cabinet_ci.cli import main; main(['--help'])", tmp_path)
    assert not loaded & {*COSTLY, "msgspec", "tomli", "rtoml", "cabinet_ci.cli.evaluate"}


def test_a_clean_validation_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    write_case(tmp_path)
    loaded = modules_after("from cabinet_ci.cli import main; main(['validate'])", tmp_path)
    assert "cabinet_ci.rules.keys" in loaded
    assert not loaded & {"wasmtime", "git", "jsonschema", "rich", "dotpromptz_handlebars", "tree_sitter"}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(tmp_path: Path, name: str) -> None:
    ran = cabinet(name, "--help", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: cabinet-ci {name}")


@pytest.mark.parametrize("arguments", [["frobnicate"], ["validate", "--frobnicate"], ["validate", "--format"]])
def test_wrong_usage_is_one_line_and_exit_code_2(tmp_path: Path, arguments: list[str]) -> None:
    ran = cabinet(*arguments, cwd=tmp_path)
    assert ran.code == 2
    assert one_line(ran.err).startswith("cabinet-ci: ")


def test_without_a_command_the_help_is_shown(tmp_path: Path) -> None:
    ran = cabinet(cwd=tmp_path)
    assert ran.code == 2
    assert "validate" in ran.err


def test_the_version_is_shown(tmp_path: Path) -> None:
    assert cabinet("--version", cwd=tmp_path).out.startswith("cabinet-ci, version ")
