"""`validate` and suites: what is found, what a PATH stands for, what a commit touches."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.history.repositories import Repo
from tests.suites.pong import DRAFT, SUITE, VERSION, change, write_pong, write_suite_file
from tests.support.cases import put, write_case
from tests.support.command import cabinet, one_line

SECOND = f"{SUITE}/versions/v1.1.0"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A catalog of one version, and a suite of two versions and a draft with a fault in each."""
    write_case(tmp_path)
    for path in (VERSION, SECOND, DRAFT):
        put(write_pong(tmp_path, path) / "changelog.md", " ")
    return tmp_path


def trees(root: Path, *arguments: str | Path, cwd: Path | None = None) -> list[str]:
    """The trees that something was found in."""
    found: list[dict[str, Any]] = cabinet(
        "validate", "--format", "json", *arguments, cwd=cwd or root
    ).json["diagnostics"]  # fmt: skip
    return sorted({"/".join(one["path"].split("/")[2:4]) for one in found})


ALL = ["drafts/next", "versions/v1.0.0", "versions/v1.1.0"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (None, ALL),
        (".", ALL),
        ("test-suites", ALL),
        (SUITE, ALL),
        (f"{SUITE}/versions", ALL[1:]),
        (f"{SUITE}/drafts", ALL[:1]),
        (VERSION, ["versions/v1.0.0"]),
        (f"{VERSION}/version.toml", ["versions/v1.0.0"]),
        (f"{VERSION}/specifications/ball", ["versions/v1.0.0"]),
        (f"{VERSION}/workspaces/none/index.ts", ["versions/v1.0.0"]),
        (f"{VERSION}/gone.toml", ["versions/v1.0.0"]),
        (f"{DRAFT}/draft.toml", ["drafts/next"]),
        (f"{SUITE}/suite.toml", []),
        ("test-cases", []),
    ],
)
def test_a_path_stands_for_what_holds_it_or_lies_below_it(
    repository: Path, path: str | None, expected: list[str]
) -> None:
    assert trees(repository, *([] if path is None else [path])) == expected


def test_a_suite_s_own_file_stands_for_itself(repository: Path) -> None:
    write_suite_file(repository, slug="rally")
    assert trees(repository, f"{SUITE}/suite.toml") == ["suite.toml"]
    assert trees(repository, VERSION) == ["versions/v1.0.0"]


def test_paths_are_taken_from_the_current_folder(repository: Path) -> None:
    assert trees(repository, "v1.1.0", "--root", repository, cwd=repository / SUITE / "versions") == ["versions/v1.1.0"]


def test_versions_and_trees_are_counted_together(repository: Path) -> None:
    ran = cabinet("validate", cwd=repository)
    assert ran.code == 1
    assert "4 versions checked: 2 errors, 1 warning" in ran.out


def test_a_draft_alone_passes_with_warnings_unless_they_are_to_fail(repository: Path) -> None:
    assert cabinet("validate", DRAFT, cwd=repository).code == 0
    assert cabinet("validate", DRAFT, "--fail-on", "warning", cwd=repository).code == 1


def test_suites_need_no_catalog_beside_them(repository: Path) -> None:
    shutil.rmtree(repository / "test-cases")
    assert trees(repository) == ALL


def test_a_repository_with_neither_is_one_line(tmp_path: Path) -> None:
    ran = cabinet("validate", cwd=tmp_path)
    assert ran.code == 2
    assert "test-cases" in one_line(ran.err)


@pytest.mark.parametrize("path", ["test-suites/other", f"{VERSION}x", f"{SUITE}/versions/v9.0.0"])
def test_a_path_that_does_not_exist_is_one_line(repository: Path, path: str) -> None:
    ran = cabinet("validate", path, cwd=repository)
    assert ran.code == 2
    assert "does not exist" in one_line(ran.err)


def test_the_folder_of_suites_is_configured(repository: Path) -> None:
    (repository / "test-suites").rename(repository / "suites")
    put(repository / "cabinet-ci.toml", 'suites = "suites"\n')
    assert trees(repository) == ALL


def test_engines_are_configured(repository: Path) -> None:
    folder = repository / VERSION
    put(folder / "changelog.md", "First.\n")
    change(
        folder,
        "test-cases/end-to-end.toml",
        engines=["none", "simple-2d"],
        workspaces={"none": "workspaces/none", "simple-2d": "workspaces/none"},
    )
    ran = cabinet("validate", VERSION, cwd=repository)
    assert "CAB631" in ran.out
    assert "[engines.simple-2d]" in ran.out
    put(repository / "pyproject.toml", '[tool.cabinet-ci.engines.simple-2d]\nname = "Simple 2D"\ndocs = "/docs"\n')
    assert cabinet("validate", VERSION, cwd=repository).code == 0


def test_a_suite_and_a_case_can_t_share_a_slug(repository: Path) -> None:
    manifest = next(repository.glob("test-cases/**/test-case.toml"))
    put(manifest, manifest.read_text().replace('slug = "echo"', 'slug = "pong"'))
    assert "CAB616" in cabinet("validate", cwd=repository).out


def test_staged_looks_at_the_trees_that_a_commit_changes(repository: Path) -> None:
    git = Repo(repository).git
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "Start")
    assert trees(repository, "--staged") == []
    (repository / DRAFT / "validators/ball/speed.ts").unlink()
    git("rm", "-q", "--cached", f"{DRAFT}/validators/ball/speed.ts")
    assert trees(repository, "--staged") == ["drafts/next"]
    git("mv", f"{VERSION}/description.md", f"{VERSION}/about.md")
    assert trees(repository, "--staged") == ["drafts/next", "versions/v1.0.0"]
    write_suite_file(repository, slug="rally")
    git("add", "--", f"{SUITE}/suite.toml")
    assert trees(repository, "--staged") == ["drafts/next", "suite.toml", "versions/v1.0.0"]
