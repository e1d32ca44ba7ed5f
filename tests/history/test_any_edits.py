"""Any sequence of edits that leaves a difference is found, and any that leaves none is not."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cabinet_ci.history.ground import open_ground
from cabinet_ci.history.moving import move_changes
from tests.history.judging import changed_paths
from tests.history.repositories import CASE, FIRST, Repo, environment, new_repo

SECOND = f"{CASE}/v1.0.1"
FREE = "test-cases/performance/easy/sketch/v0.1.0"
FOLDERS = (FIRST, SECOND, FREE, "notes")
NAMES = ("prompt.hbs", "run.sh", "test-case.toml", "new file", "deep/er/one.md", "ignored.log")
CONTENTS = ("Find the way.\n", "exit\n", "other\n", "")

PATHS = st.builds("{}/{}".format, st.sampled_from(FOLDERS), st.sampled_from(NAMES))
EDITS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.sampled_from(CONTENTS)),
    st.tuples(st.just("delete"), PATHS),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("move folder"), st.sampled_from(FOLDERS), st.sampled_from(FOLDERS)),
    st.tuples(st.just("mode"), PATHS),
    st.tuples(st.just("link"), PATHS, st.sampled_from(NAMES)),
    st.tuples(st.just("restore"), st.sampled_from(FOLDERS)),
    st.tuples(st.just("add")),
    st.tuples(st.just("unstage"), PATHS),
    st.tuples(st.just("commit")),
)

HIDING_EDITS = st.one_of(
    EDITS,
    st.tuples(st.sampled_from(("--assume-unchanged", "--skip-worktree")), PATHS),
    st.tuples(st.just("intend"), PATHS),
)
"""Also those that tell git not to look at a file, or only that it is to be added some time."""

Shot = dict[str, tuple[str, bytes]]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = new_repo(tmp_path_factory.mktemp("pristine"))
    repo.put(".gitignore", "*.log\n")
    repo.version()
    repo.version(SECOND)
    repo.version(FREE, slug="sketch", experimental=True)
    repo.put("notes/prompt.hbs", "Find the way.\n")
    repo.commit()
    repo.branch("work")
    return repo.root


def shot(root: Path, folder: str) -> Shot:
    """What a folder holds, read without git: relative path -> what it is, and its content."""
    found: Shot = {}
    for above, _, names in os.walk(root / folder):
        for name in names:
            path = Path(above) / name
            key = path.relative_to(root / folder).as_posix()
            if path.is_symlink():
                found[key] = ("link", os.fsencode(os.readlink(path)))
            elif not name.endswith(".log"):
                found[key] = ("script" if path.stat().st_mode & stat.S_IXUSR else "file", path.read_bytes())
        for name in list(_):
            if (Path(above) / name).is_symlink():
                found[(Path(above) / name).relative_to(root / folder).as_posix()] = ("link", b"folder")
    return {name: held for name, held in found.items() if not name.endswith(".log")}


def apply(repo: Repo, edit: tuple[str, ...]) -> None:
    """Do one edit; one that makes no sense just now is left out."""
    kind, rest = edit[0], edit[1:]
    paths = [repo.root / each for each in rest if "/" in each or each == "notes"]
    if kind == "add":
        repo.git("add", "--all")
    elif kind == "commit":
        repo.git("commit", "--quiet", "--allow-empty", "--message", "x")
    elif kind.startswith("--"):
        repo.git("update-index", kind, "--", rest[0], check=False)
    elif kind == "intend":
        repo.git("add", "--intent-to-add", "--", rest[0], check=False)
    elif kind == "restore":
        repo.git("checkout", "main", "--", rest[0], check=False)
    elif kind == "unstage":
        repo.git("rm", "--cached", "--quiet", "--ignore-unmatch", "--force", "--", rest[0])
    elif kind == "move folder":
        if paths[0].is_dir() and not paths[1].exists():
            paths[1].parent.mkdir(parents=True, exist_ok=True)
            paths[0].rename(paths[1])
    elif kind == "move":
        if os.path.lexists(paths[0]) and not os.path.lexists(paths[1]):
            paths[1].parent.mkdir(parents=True, exist_ok=True)
            paths[0].rename(paths[1])
    elif kind == "write":
        paths[0].parent.mkdir(parents=True, exist_ok=True)
        paths[0].unlink(missing_ok=True)
        paths[0].write_text(rest[1])
    elif kind == "link":
        paths[0].parent.mkdir(parents=True, exist_ok=True)
        paths[0].unlink(missing_ok=True)
        paths[0].symlink_to(rest[1])
    elif os.path.lexists(paths[0]) and not paths[0].is_symlink():
        if kind == "delete":
            paths[0].unlink()
        else:
            paths[0].chmod(paths[0].stat().st_mode ^ 0o111)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(EDITS, max_size=8))
def test_exactly_the_frozen_versions_that_differ_are_found(
    pristine: Path, tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, ...]]
) -> None:
    root = tmp_path_factory.mktemp("edited") / "repo"
    shutil.copytree(pristine, root, symlinks=True)
    repo = Repo(root)
    for edit in edits:
        apply(repo, edit)
    differing = [folder for folder in (FIRST, SECOND) if shot(root, folder) != shot(pristine, folder)]
    assert changed_paths(repo) == differing
    repo.git("add", "--all")
    assert changed_paths(repo, staged=True) == differing
    repo.git("commit", "--quiet", "--allow-empty", "--message", "x")
    assert changed_paths(repo) == differing
    shutil.rmtree(root.parent)


# Many lists of edits leave the version as it was: those are passed over.
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
@given(edits=st.lists(HIDING_EDITS, min_size=2, max_size=8))
def test_whatever_the_edits_are_moving_them_keeps_them_and_puts_the_frozen_version_back(
    pristine: Path, tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, ...]]
) -> None:
    root = tmp_path_factory.mktemp("moved") / "repo"
    shutil.copytree(pristine, root, symlinks=True)
    repo = Repo(root)
    for edit in edits:
        apply(repo, edit)
    before = shot(root, FIRST)
    assume(before and (changed_paths(repo)[:1] == [FIRST] or changed_paths(repo, staged=True)[:1] == [FIRST]))
    with open_ground(root, {}, environment=environment()) as ground:
        place = ground.layout.place_at(FIRST)
        assert place is not None
        new = move_changes(ground, place, "minor").new
    assert new.path == f"{CASE}/v1.1.0"
    assert shot(root, FIRST) == shot(pristine, FIRST)
    assert shot(root, new.path) == before
    assert FIRST not in changed_paths(repo) + changed_paths(repo, staged=True)
    shutil.rmtree(root.parent)
