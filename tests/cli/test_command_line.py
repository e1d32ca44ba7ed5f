"""The command line itself: lazy, quiet, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cabinet_ci.cli import COMMANDS
from tests.support.cases import write_case
from tests.support.command import cabinet, one_line

ROOT = Path(__file__).parents[2]
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


@pytest.mark.parametrize(
    "arguments", ["validate", "evaluate", "check", "immutable", "bump x", "new performance easy x"]
)
def test_in_a_folder_that_is_gone_a_command_says_so(tmp_path: Path, arguments: str) -> None:
    script = f'mkdir gone && cd gone && rmdir ../gone && exec "$0" -P -m cabinet_ci {arguments}'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert one_line(done.stderr) == ("cabinet-ci: the current folder does not exist any more; change to one that does")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_output_on_a_full_disk_is_exit_code_2(tmp_path: Path) -> None:
    write_case(tmp_path)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cabinet_ci", "validate"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert one_line(done.stderr) == "cabinet-ci: the output can't be written: no space left on device"


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the output")
def test_a_closed_output_is_exit_code_2(tmp_path: Path) -> None:
    write_case(tmp_path)
    script = 'exec "$0" -m cabinet_ci validate >&-'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 2
    assert "standard output is closed" in one_line(done.stderr)
