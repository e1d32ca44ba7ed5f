"""`cabinet-ci check`: validate and evaluate, one verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.history.repositories import Repo, new_repo
from tests.support.cases import DEFAULT_PATH, core_module, put, write_case
from tests.support.command import cabinet, one_line


def test_a_sound_catalog_whose_references_do_as_expected_passes(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("check passed: 1 version checked, nothing found; 1 reference evaluated")


def test_an_error_fails_the_check_and_the_version_is_not_evaluated(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "changelog.md").unlink()
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 1
    assert "test-case.toml:5:13: CAB202" in ran.out
    assert "evaluated" not in ran.out


def test_a_sound_version_is_evaluated_beside_a_broken_one(tmp_path: Path) -> None:
    write_case(tmp_path)
    broken = write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    (broken / "changelog.md").unlink()
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 1
    assert "echo v1.0.0" in ran.out
    assert "other v1.0.0" not in ran.out


def test_a_reference_that_is_not_as_expected_fails_the_check(tmp_path: Path) -> None:
    write_case(tmp_path, references={"trap": core_module("unreachable")})
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out.splitlines()[-1].startswith("check failed")


def test_a_warning_fails_only_where_asked_for(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace('kind = "smoke"\n', 'kind = "smoke"\nfuel_runway = 2\n', 1))
    assert cabinet("check", "--all", cwd=tmp_path).code == 0
    assert cabinet("check", "--all", "--fail-on", "warning", cwd=tmp_path).code == 1


def test_a_folder_without_a_catalog_is_exit_code_2(tmp_path: Path) -> None:
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 2
    assert "there is no catalog test-cases" in one_line(ran.err)


def test_an_empty_catalog_has_nothing_to_evaluate(tmp_path: Path) -> None:
    (tmp_path / "test-cases").mkdir()
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "0 versions checked, nothing found\nnothing to evaluate\n")


def test_a_missing_compiler_is_exit_code_2(tmp_path: Path) -> None:
    write_case(tmp_path, build="no-such-compiler")
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 2
    assert "no-such-compiler" in ran.err.splitlines()[-1]


def test_a_broken_configuration_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    put(tmp_path / "cabinet-ci.toml", "catalogue = 'x'\n")
    ran = cabinet("check", "--all", cwd=tmp_path)
    assert ran.code == 2
    assert "catalogue" in one_line(ran.err)


def a_repository(root: Path) -> Repo:
    """A repository whose main branch has one published case."""
    write_case(root)
    repo = new_repo(root)
    repo.commit("Publish")
    repo.branch("work")
    return repo


def test_what_is_as_on_the_base_is_not_evaluated(tmp_path: Path) -> None:
    a_repository(tmp_path)
    ran = cabinet("check", cwd=tmp_path)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "nothing to evaluate")
    assert "base: main" in ran.err


def test_all_evaluates_what_is_as_on_the_base_too(tmp_path: Path) -> None:
    a_repository(tmp_path)
    assert "1 reference evaluated" in cabinet("check", "--all", cwd=tmp_path).out


def test_only_the_version_that_differs_from_the_base_is_evaluated(tmp_path: Path) -> None:
    a_repository(tmp_path)
    write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    ran = cabinet("check", cwd=tmp_path)
    assert ran.code == 0, ran.out
    assert "other v1.0.0" in ran.out
    assert "echo v1.0.0" not in ran.out


def test_a_published_version_that_changed_fails_the_check(tmp_path: Path) -> None:
    a_repository(tmp_path)
    put(tmp_path / DEFAULT_PATH / "changelog.md", "Another story.\n")
    ran = cabinet("check", cwd=tmp_path)
    assert ran.code == 1
    assert f"{DEFAULT_PATH}: CAB801" in ran.out


@pytest.mark.parametrize("silence", ['ignore = ["CAB8"]\n', 'select = ["CAB1"]\n', '[severity]\nCAB801 = "warning"\n'])
def test_a_branch_can_t_silence_what_it_changed(tmp_path: Path, silence: str) -> None:
    a_repository(tmp_path)
    put(tmp_path / DEFAULT_PATH / "changelog.md", "Another story.\n")
    put(tmp_path / "cabinet-ci.toml", silence)
    ran = cabinet("check", cwd=tmp_path)
    assert ran.code == 1
    assert f"{DEFAULT_PATH}: CAB801" in ran.out


def test_a_base_that_does_not_exist_is_exit_code_2(tmp_path: Path) -> None:
    a_repository(tmp_path)
    ran = cabinet("check", "--base", "nowhere", cwd=tmp_path)
    assert ran.code == 2
    assert "nowhere" in one_line(ran.err)
