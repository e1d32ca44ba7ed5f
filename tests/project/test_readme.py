"""The README: every command in it is run, and what it prints is what the README shows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from cabinet_ci.cli import COMMANDS as LISTED
from tests.support.command import cabinet

REPOSITORY = Path(__file__).parents[2]
README = (REPOSITORY / "README.md").read_text()
COMMANDS = re.findall(r"^    ((?:make|cabinet-ci) .*)$", README, re.MULTILINE)
SET_UP = re.findall(r"^    (export PATH=.*)$", README, re.MULTILINE)

IDENTITY = ("-c", "user.name=Author", "-c", "user.email=author@example.org")

MISTAKES = {
    "tags = [": "tag = [",
    "fuel_limit = 110_000_000": 'fuel_limit = "110_000_000"',
    'changelog = "changelog.md"': 'changelog = "Changelog.md"',
}


def shown(name: str) -> str:
    found = re.search(rf"<!-- output of {name} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found is not None, name
    return found[1]


def masked(text: str) -> str:
    """Text without its figures: they depend on the release of the compiler."""
    text = re.sub(r"[█░]+", "BAR", text)
    return re.sub(r" +", " ", re.sub(r"\d[\d,.]*", "N", text))


def assert_shows(printed: str, excerpt: str) -> None:
    """Each part of the excerpt was printed, in this order, the first at the start and the last at the end."""
    rest = masked(printed)
    parts = masked(excerpt).split("[...]\n")
    assert rest.startswith(parts[0])
    assert rest.endswith(parts[-1])
    for part in parts:
        assert part in rest
        rest = rest.partition(part)[2]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for this run of the tests: what `make check` built need not be built again."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"


def test_make_check_prints_what_the_readme_shows(cache: Path) -> None:
    assert "make check" in COMMANDS
    done = subprocess.run(
        ["make", "--no-print-directory", "check"],
        cwd=REPOSITORY,
        env={**os.environ, "CABINET_CI_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert_shows(done.stdout, shown("make check"))


def test_make_test_is_what_ci_runs() -> None:
    assert "make test" in COMMANDS
    assert "make --no-print-directory test" in (REPOSITORY / ".ci/run").read_text()


def test_validate_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "test-cases", tmp_path / "test-cases")
    (manifest,) = tmp_path.rglob("hard/route-finder/v1.0.0/test-case.toml")
    text = manifest.read_text()
    for right, wrong in MISTAKES.items():
        assert right in text
        text = text.replace(right, wrong)
    manifest.write_text(text)
    ran = cabinet("validate", "test-cases/performance/hard/route-finder", cwd=tmp_path)
    assert (ran.code, ran.out) == (1, shown("validate"))


def test_the_commands_of_the_readme_run_one_after_the_other(cache: Path, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    for name in ("test-cases", "test-suites"):
        shutil.copytree(REPOSITORY / name, root / name)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], [*IDENTITY, "commit", "-q", "-m", "All"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    commands = [command for command in COMMANDS if command.startswith("cabinet-ci ")]
    assert len(commands) > 5
    for command in commands:
        ran = cabinet(*shlex.split(command)[1:], cwd=root, env={"CABINET_CI_CACHE": str(cache)})
        assert ran.code == 0, f"{command}: {ran.out}{ran.err}"


def test_the_line_that_sets_path_finds_the_command_and_a_rust_that_builds() -> None:
    (line,) = SET_UP
    script = f"{line}; command -v cabinet-ci && rustc --print target-libdir --target wasm32-unknown-unknown"
    done = subprocess.run(["sh", "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    command, libraries = done.stdout.splitlines()
    assert command == str(REPOSITORY / ".venv/bin/cabinet-ci")
    assert list(Path(libraries).glob("libstd-*.rlib"))


def test_the_hooks_of_the_readme_are_those_that_are_shipped() -> None:
    shown_ids = set(re.findall(r"- id: (\S+)", README))
    shipped = set(re.findall(r"- id: (\S+)", (REPOSITORY / ".pre-commit-hooks.yaml").read_text()))
    assert shown_ids == shipped


def test_the_table_of_commands_is_complete() -> None:
    assert set(re.findall(r"^\| `cabinet-ci ([a-z-]+)", README, re.MULTILINE)) == set(LISTED)


def test_every_relative_link_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)
    assert links
    assert [link for link in links if not (REPOSITORY / link).exists()] == []
