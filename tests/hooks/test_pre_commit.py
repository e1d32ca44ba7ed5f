"""The hooks, run by the real pre-commit on real commits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.history.repositories import Repo, environment, new_repo
from tests.suites.pong import DRAFT, VERSION, change, write_pong
from tests.support.cases import DEFAULT_PATH, put, write_case

REPOSITORY = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
OTHER = "test-cases/performance/easy/other/v1.0.0"


def hooks() -> list[dict[str, object]]:
    found: list[dict[str, object]] = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text())
    return found


class Hooked:
    """A repository with a published case and the hooks installed, as its authors have them."""

    def __init__(self, root: Path) -> None:
        write_case(root)
        self.repo: Repo = new_repo(root)
        # The hooks as they are shipped, run from the environment of this test run instead of one made anew.
        local = [{**hook, "language": "system"} for hook in hooks()]
        put(root / ".pre-commit-config.yaml", yaml.safe_dump({"repos": [{"repo": "local", "hooks": local}]}))
        self.repo.commit("Publish")
        self.repo.branch("work")
        self.run("pre-commit", "install")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        env = environment({"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"})
        return subprocess.run(command, cwd=self.repo.root, env=env, capture_output=True, text=True, check=False)

    def commit(self, *arguments: str) -> tuple[bool, str]:
        """Whether a commit was made, and what was printed."""
        before = self.repo.git("rev-parse", "HEAD")
        done = self.run("git", "commit", "--message", "Work", *arguments)
        assert "Traceback" not in done.stderr + done.stdout
        return self.repo.git("rev-parse", "HEAD") != before, done.stdout + done.stderr

    def write(self, name: str, content: str) -> None:
        put(self.repo.root / name, content)

    def stage(self, *names: str) -> None:
        self.repo.git("add", "--", *names)


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    return Hooked(tmp_path)


def break_manifest(folder: Path) -> None:
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("tags = []", "tag = []"))


def test_a_commit_of_a_sound_new_version_passes(hooked: Hooked) -> None:
    write_case(hooked.repo.root, path=OTHER)
    hooked.stage(".")
    made, said = hooked.commit()
    assert made, said


def test_a_commit_of_a_broken_new_version_is_refused_with_the_line(hooked: Hooked) -> None:
    break_manifest(write_case(hooked.repo.root, path=OTHER))
    hooked.stage(".")
    made, said = hooked.commit()
    assert not made
    assert f"{OTHER}/test-case.toml:4:1: CAB101" in said


def test_a_commit_that_changes_a_published_version_is_refused(hooked: Hooked) -> None:
    hooked.write(f"{DEFAULT_PATH}/changelog.md", "Another story.\n")
    hooked.stage(".")
    made, said = hooked.commit()
    assert not made
    assert "CAB801" in said


def test_commit_all_that_changes_a_published_version_is_refused(hooked: Hooked) -> None:
    hooked.write(f"{DEFAULT_PATH}/changelog.md", "Another story.\n")
    made, said = hooked.commit("--all")
    assert not made
    assert "CAB801" in said


def test_a_partial_commit_is_judged_by_what_it_records(hooked: Hooked) -> None:
    hooked.write(f"{DEFAULT_PATH}/changelog.md", "Another story.\n")
    hooked.write("notes.md", "Notes.\n")
    hooked.stage("notes.md")
    made, said = hooked.commit("--", "notes.md")
    assert made, said
    made, said = hooked.commit("--", f"{DEFAULT_PATH}/changelog.md")
    assert not made
    assert "CAB801" in said


def test_a_commit_that_deletes_a_file_a_version_needs_is_refused(hooked: Hooked) -> None:
    write_case(hooked.repo.root, path=OTHER)
    hooked.stage(".")
    assert hooked.commit()[0]
    hooked.repo.git("rm", "--quiet", f"{OTHER}/changelog.md")
    made, said = hooked.commit()
    assert not made
    assert "CAB202" in said


def test_a_commit_that_renames_a_file_a_version_needs_is_refused(hooked: Hooked) -> None:
    write_case(hooked.repo.root, path=OTHER)
    hooked.stage(".")
    assert hooked.commit()[0]
    hooked.repo.git("mv", f"{OTHER}/prompt.hbs", "elsewhere.hbs")
    made, said = hooked.commit()
    assert not made
    assert "CAB202" in said


def test_deleting_a_new_version_whole_passes(hooked: Hooked) -> None:
    write_case(hooked.repo.root, path=OTHER)
    hooked.stage(".")
    assert hooked.commit()[0]
    hooked.repo.git("rm", "-r", "--quiet", OTHER)
    made, said = hooked.commit()
    assert made, said


def test_a_broken_version_that_is_not_part_of_the_commit_is_not_looked_at(hooked: Hooked) -> None:
    break_manifest(write_case(hooked.repo.root, path=OTHER))
    hooked.write("notes.md", "Notes.\n")
    hooked.stage("notes.md")
    made, said = hooked.commit()
    assert made, said


def test_several_versions_of_one_commit_are_all_told(hooked: Hooked) -> None:
    for name in ("one", "two"):
        break_manifest(write_case(hooked.repo.root, path=f"test-cases/performance/easy/{name}/v1.0.0"))
    hooked.stage(".")
    made, said = hooked.commit()
    assert not made
    assert "easy/one/v1.0.0/test-case.toml:4:1" in said
    assert "easy/two/v1.0.0/test-case.toml:4:1" in said


def test_a_commit_of_a_sound_suite_passes_and_so_does_any_change_of_a_draft(hooked: Hooked) -> None:
    write_pong(hooked.repo.root)
    draft = write_pong(hooked.repo.root, DRAFT)
    hooked.stage(".")
    made, said = hooked.commit()
    assert made, said
    (draft / "changelog.md").unlink()
    hooked.stage(".")
    made, said = hooked.commit()
    assert made, said


def test_a_commit_that_breaks_a_suite_is_refused_with_the_line(hooked: Hooked) -> None:
    folder = write_pong(hooked.repo.root)
    hooked.stage(".")
    assert hooked.commit()[0]
    change(folder, "version.toml", tag=1)
    hooked.stage(".")
    made, said = hooked.commit()
    assert not made
    assert f"{VERSION}/version.toml:5:1: CAB101" in said


def test_a_commit_that_deletes_a_file_a_suite_needs_is_refused(hooked: Hooked) -> None:
    write_pong(hooked.repo.root)
    hooked.stage(".")
    assert hooked.commit()[0]
    hooked.repo.git("rm", "--quiet", f"{VERSION}/changelog.md")
    made, said = hooked.commit()
    assert not made
    assert "CAB202" in said


def test_a_commit_that_changes_an_exported_suite_version_is_refused(hooked: Hooked) -> None:
    hooked.repo.git("switch", "--quiet", "main")
    write_pong(hooked.repo.root)
    hooked.repo.git("add", "--all")
    hooked.run("git", "commit", "--no-verify", "--message", "Publish")
    hooked.repo.branch("later")
    hooked.write(f"{VERSION}/changelog.md", "Another story.\n")
    made, said = hooked.commit("--all")
    assert not made
    assert f"{VERSION}: CAB801" in said


def test_a_file_name_with_a_space_and_an_accent_is_no_obstacle(hooked: Hooked) -> None:
    folder = write_case(hooked.repo.root, path=OTHER)
    put(folder / "workspace/notes für später.txt", "Notes.\n")
    hooked.stage(".")
    made, said = hooked.commit()
    assert made, said


def test_all_files_checks_the_whole_catalog(hooked: Hooked) -> None:
    break_manifest(write_case(hooked.repo.root, path=OTHER))
    hooked.stage(".")
    done = hooked.run("pre-commit", "run", "--all-files", "cabinet-validate")
    assert done.returncode == 1
    assert "CAB101" in done.stdout


def test_a_push_evaluates_the_versions_that_differ_from_the_base(hooked: Hooked) -> None:
    write_case(hooked.repo.root, path=OTHER, expectations={"echo": 'expect = "fail"'})
    hooked.stage(".")
    assert hooked.commit()[0]
    done = hooked.run("pre-commit", "run", "--hook-stage", "pre-push", "cabinet-evaluate")
    assert done.returncode == 1
    assert "NOT as expected" in done.stdout


def test_the_hooks_install_from_this_repository(tmp_path: Path) -> None:
    """`try-repo` makes an environment of its own from the shipped files, as at an author's first commit."""
    shipped = tmp_path / "shipped"
    shutil.copytree(REPOSITORY / "cabinet_ci", shipped / "cabinet_ci", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(REPOSITORY / name, shipped / name)
    new_repo(shipped).commit("Ship")
    work = tmp_path / "work"
    folder = write_case(work)
    repo = new_repo(work)
    repo.git("add", "--all")
    env = environment({"PRE_COMMIT_HOME": str(tmp_path / "cache")})
    command = [BIN / "pre-commit", "try-repo", shipped, "cabinet-validate", "--all-files"]
    done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    break_manifest(folder)
    repo.git("add", "--all")
    done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "CAB101" in done.stdout


def test_every_hook_says_what_it_does() -> None:
    assert {hook["id"] for hook in hooks()} == {"cabinet-validate", "cabinet-immutable", "cabinet-evaluate"}
    assert all(hook["description"] and hook["name"] for hook in hooks())
