"""`cabinet-ci immutable`: exit codes, output and cost."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.history.repositories import CASE, FIRST, new_repo, published
from tests.support.cases import put
from tests.support.command import cabinet, one_line


def test_nothing_changed_exits_with_0_and_says_what_was_compared(tmp_path: Path) -> None:
    published(tmp_path)
    ran = cabinet("immutable", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    first, last = ran.out.splitlines()
    assert first.startswith("base: main (no other was named, and there is a main), merge base ")
    assert last == "1 version checked, nothing found"


def test_a_change_exits_with_1_and_names_folder_files_and_remedy(tmp_path: Path) -> None:
    published(tmp_path).put(f"{FIRST}/prompt.hbs", "x")
    ran = cabinet("immutable", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        f"{FIRST}: CAB801 this version is published and must not change: prompt.hbs (changed)",
        f"    keep the edits as a new version: cabinet-ci bump {FIRST} --move-changes",
        "1 version checked: 1 error, 0 warnings",
    ]


def test_it_finds_the_root_from_any_folder_inside(tmp_path: Path) -> None:
    published(tmp_path).put(f"{FIRST}/prompt.hbs", "x")
    assert cabinet("immutable", cwd=tmp_path / CASE).code == 1


def test_staged_judges_the_index_and_not_the_working_tree(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "x")
    assert cabinet("immutable", "--staged", cwd=tmp_path).code == 0
    repo.git("add", ".")
    repo.put(f"{FIRST}/prompt.hbs", "Find the way.\n")
    assert cabinet("immutable", "--staged", cwd=tmp_path).code == 1
    assert cabinet("immutable", cwd=tmp_path).code == 0


def test_json_is_the_document_of_findings_alone(tmp_path: Path) -> None:
    published(tmp_path).put(f"{FIRST}/prompt.hbs", "x")
    ran = cabinet("immutable", "--format", "json", cwd=tmp_path)
    assert ran.json["summary"] == {"errors": 1, "warnings": 0, "checked": 1}
    (found,) = ran.json["diagnostics"]
    assert (found["code"], found["path"], found["line"]) == ("CAB801", FIRST, None)
    assert one_line(ran.err).startswith("base: main")


def test_a_warning_alone_exits_with_0_unless_asked_otherwise(tmp_path: Path) -> None:
    published(tmp_path).git("tag", "route-finder-v7.0.0")
    assert cabinet("immutable", cwd=tmp_path).code == 0
    assert cabinet("immutable", "--fail-on", "warning", cwd=tmp_path).code == 1


def test_that_a_tag_decided_and_not_the_merge_base_is_said(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.put(f"{FIRST}/prompt.hbs", "On the branch.\n")
    repo.commit()
    assert cabinet("immutable", cwd=tmp_path).code == 1
    repo.git("tag", "route-finder-v1.0.0")
    ran = cabinet("immutable", cwd=tmp_path)
    assert ran.code == 0
    assert one_line(ran.err) == (
        f"cabinet-ci: {FIRST} is not as at the merge base, but as the tag route-finder-v1.0.0 has it, which decides"
    )
    repo.put(f"{FIRST}/prompt.hbs", "After the tag.\n")
    ran = cabinet("immutable", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    assert "published by the tag route-finder-v1.0.0 and must not change" in ran.out


def test_a_tag_at_what_the_merge_base_has_is_not_worth_a_word(tmp_path: Path) -> None:
    published(tmp_path).git("tag", "route-finder-v1.0.0")
    ran = cabinet("immutable", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")


def test_without_a_base_it_says_in_one_line_that_only_tags_count(tmp_path: Path) -> None:
    repo = new_repo(tmp_path, branch="trunk")
    repo.version()
    repo.commit()
    repo.put(f"{FIRST}/prompt.hbs", "x")
    ran = cabinet("immutable", cwd=tmp_path)
    assert ran.code == 0
    assert "only tags count" in one_line(ran.err)
    repo.git("tag", "route-finder-v1.0.0")
    assert cabinet("immutable", cwd=tmp_path).code == 1


def test_what_stands_in_the_way_is_one_line_and_exits_with_2(tmp_path: Path) -> None:
    published(tmp_path / "repo")
    for arguments, said in (
        (("--base", "nope"), 'the base "nope" (--base) is no commit of this repository'),
        (("--freeze", "never"), '--freeze can\'t be "never"'),
        (("--root", str(tmp_path)), "is in no git repository"),
        (("--root", str(tmp_path / "nope")), "nope is no folder; name the repository's root with --root"),
        (("--catalog", "../repo/test-cases"), "expected a folder inside the repository, relative to its root"),
        (("--catalog", "nope"), 'there is no folder "nope" (--catalog); name the one that holds the cases'),
        (("--suites", "nope"), 'there is no folder "nope" (--suites); name the one that holds the suites'),
        (("--root", str(tmp_path / "repo/test-cases")), "is a folder in the repository"),
    ):
        ran = cabinet("immutable", *arguments, cwd=tmp_path / "repo")
        assert ran.code == 2
        assert said in one_line(ran.err)


def test_a_folder_that_was_asked_for_counts_though_only_the_base_has_it(tmp_path: Path) -> None:
    repo = published(tmp_path)
    repo.git("rm", "-r", "--quiet", "test-cases")
    assert cabinet("immutable", "--catalog", "test-cases", cwd=tmp_path).code == 1
    env = {"CABINET_CI_CATALOG": "nope"}
    assert '"nope" (CABINET_CI_CATALOG)' in one_line(cabinet("immutable", cwd=tmp_path, env=env).err)


def test_folders_that_are_yet_to_come_are_no_obstacle_where_nobody_asked_for_them(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    repo.commit()
    assert cabinet("immutable", cwd=tmp_path).code == 0
    repo.put("cabinet-ci.toml", 'catalog = "cases"\nsuites = "suites"\n')
    assert cabinet("immutable", cwd=tmp_path).code == 0


def test_a_git_dir_that_is_no_repository_is_told_by_its_name(tmp_path: Path) -> None:
    published(tmp_path / "repo")
    ran = cabinet("immutable", cwd=tmp_path / "repo", env={"GIT_DIR": str(tmp_path)})
    assert (ran.code, one_line(ran.err)) == (
        2,
        f'cabinet-ci: GIT_DIR is "{tmp_path}", which is no git repository; unset it, or name one',
    )


def count_processes(folder: Path, cwd: Path) -> int:
    """How many git processes one run starts."""
    log = folder / "log"
    log.unlink(missing_ok=True)
    put(folder / "bin/git", f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("git")} "$@"\n')
    (folder / "bin/git").chmod(0o755)
    cabinet("immutable", "--base", "main", cwd=cwd, env={"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"})
    return len(log.read_text().splitlines())


def test_the_number_of_git_processes_does_not_grow_with_versions_tags_or_changes(tmp_path: Path) -> None:
    counts = []
    for size in (3, 12):
        repo = new_repo(tmp_path / f"repo{size}")
        for number in range(size):
            repo.version(f"test-cases/performance/hard/case-{number}/v1.0.0", slug=f"case-{number}")
            repo.commit()
            repo.git("tag", f"case-{number}-v1.0.0")
        repo.git("switch", "--quiet", "--create", "work")
        for number in range(0, size, 2):
            folder = f"test-cases/performance/hard/case-{number}/v1.0.0"
            repo.put(f"{folder}/prompt.hbs", "x")
            (repo.root / folder / "run.sh").rename(repo.root / folder / "moved.sh")
            repo.version(f"test-cases/performance/hard/case-{number}/v1.1.0", slug=f"case-{number}")
        counts.append(count_processes(tmp_path, repo.root))
    assert counts[0] == counts[1] <= 12
