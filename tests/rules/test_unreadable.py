"""Files and folders that can't be read: one finding each, the rest still checked, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.cases import DEFAULT_PATH, put, write_case

UNPRIVILEGED = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]
"""Runs a command as the same user without the right to read everything."""

pytestmark = pytest.mark.skipif(
    os.name == "nt" or (os.geteuid() == 0 and shutil.which("setpriv") is None),
    reason="root reads everything, and there is no setpriv to take that right away",
)


@contextmanager
def forbidden(path: Path, mode: int = 0) -> Iterator[None]:
    kept = path.stat().st_mode
    path.chmod(mode)
    try:
        yield
    finally:
        path.chmod(kept)


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    prefix = UNPRIVILEGED if os.geteuid() == 0 else []
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "cabinet_ci", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def findings(root: Path) -> list[tuple[str, str]]:
    found = json.loads(run(root, "validate", "--format", "json").stdout)["diagnostics"]
    return [(one["code"], one["path"]) for one in found]


@pytest.mark.parametrize(
    "name",
    [
        "test-case.toml",
        "variants/base.toml",
        "changelog.md",
        "prompt.hbs",
        "specs/problem.md.hbs",
        "workspace/start.txt",
        "references/echo/given.wasm",
        "references/echo/reference.toml",
    ],
)
def test_a_file_without_the_right_to_read_it_is_one_finding(tmp_path: Path, name: str) -> None:
    folder = write_case(tmp_path, expectations={"echo": 'expect = "pass"\n'})
    with forbidden(folder / name):
        assert findings(tmp_path) == [("CAB001", f"{DEFAULT_PATH}/{name}")]


@pytest.mark.parametrize("name", ["schemas/input.json", "cases/one.json", "cases/two.out"])
def test_a_json_file_without_the_right_to_read_it_is_one_finding(tmp_path: Path, name: str) -> None:
    folder = write_case(tmp_path)
    with forbidden(folder / name):
        assert findings(tmp_path) == [("CAB501", f"{DEFAULT_PATH}/{name}")]


@pytest.mark.parametrize("name", ["cases", "variants", "workspace", "schemas", "references", "references/echo", ""])
@pytest.mark.parametrize("mode", [0, 0o311])
def test_a_folder_that_cant_be_listed_is_one_finding(tmp_path: Path, name: str, mode: int) -> None:
    folder = write_case(tmp_path)
    with forbidden(folder / name, mode):
        assert findings(tmp_path) == [("CAB001", f"{DEFAULT_PATH}/{name}".rstrip("/"))]
        assert run(tmp_path, "evaluate", DEFAULT_PATH).returncode == 2


@pytest.mark.parametrize("name", ["test-cases", "test-cases/performance", "test-cases/performance/easy/echo"])
def test_a_folder_of_the_catalog_that_cant_be_listed_is_told_and_the_rest_checked(tmp_path: Path, name: str) -> None:
    write_case(tmp_path)
    other = write_case(tmp_path, path="test-cases/end-to-end/easy/other/v1.0.0")
    put(other / "changelog.md", " ")
    with forbidden(tmp_path / name):
        found = findings(tmp_path)
        assert ("CAB001", name) in found
        assert ("CAB004", "test-cases/end-to-end/easy/other/v1.0.0/changelog.md") in found or name == "test-cases"
        for command in ("evaluate", "check"):
            assert run(tmp_path, command).returncode in (1, 2)


@pytest.mark.parametrize("arguments", [["validate"], ["evaluate"], ["check"], ["immutable"], ["validate", "x/y"]])
def test_a_root_that_cant_be_entered_is_exit_code_2(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "closed/repository").mkdir(parents=True)
    with forbidden(tmp_path / "closed"):
        done = run(tmp_path, *arguments, "--root", "closed/repository")
    assert done.returncode == 2
    assert "closed" in done.stderr


def test_a_module_in_a_folder_that_cant_be_entered_is_exit_code_2(tmp_path: Path) -> None:
    write_case(tmp_path)
    put(tmp_path / "closed/solution.wasm", b"")
    with forbidden(tmp_path / "closed"):
        done = run(tmp_path, "evaluate", "--module", "closed/solution.wasm")
    assert done.returncode == 2
    assert "closed/solution.wasm" in done.stderr


@pytest.mark.parametrize("name", ["workspace/pipe", "references/echo/pipe", "pipe"])
def test_a_pipe_in_a_version_is_told(tmp_path: Path, name: str) -> None:
    folder = write_case(tmp_path)
    os.mkfifo(folder / name)
    assert findings(tmp_path) == [("CAB001", f"{DEFAULT_PATH}/{name}")]
