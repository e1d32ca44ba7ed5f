"""`list`: everything that there is, in both formats, and how it stands in history."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.history.repositories import new_repo
from tests.suites.pong import DRAFT, SUITE, VERSION, change, write_pong
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet, one_line


def test_without_git_what_is_tagged_and_frozen_is_not_known(tmp_path: Path) -> None:
    write_case(tmp_path)
    write_pong(tmp_path)
    write_pong(tmp_path, DRAFT)
    ran = cabinet("list", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert rows == [
        ["type", "difficulty", "slug", "version", "experimental", "tagged", "frozen", "path"],
        ["performance", "easy", "echo", "v1.0.0", "no", "?", "?", DEFAULT_PATH],
        ["suite", "pong", "v1.0.0", "no", "?", "?", VERSION],
        ["end-to-end", "easy", "end-to-end", "no", f"{VERSION}/test-cases/end-to-end.toml"],
        ["sprite", "easy", "paddle-sprite", "no", f"{VERSION}/test-cases/paddle-sprite.toml"],
        ["suite", "pong", "draft", "next", "no", "no", "no", DRAFT],
        ["end-to-end", "easy", "end-to-end", "no", f"{DRAFT}/test-cases/end-to-end.toml"],
        ["sprite", "easy", "paddle-sprite", "no", f"{DRAFT}/test-cases/paddle-sprite.toml"],
        ["1", "case,", "1", "suite,", "3", "versions", "and", "drafts"],
    ]


def test_the_json_says_what_is_frozen_and_what_is_tagged(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    write_case(tmp_path)
    write_pong(tmp_path)
    repo.commit()
    repo.git("tag", "pong-v1.0.0")
    repo.branch("work")
    write_case(tmp_path, path=DEFAULT_PATH.replace("v1.0.0", "v1.10.0"))
    write_case(tmp_path, path=DEFAULT_PATH.replace("v1.0.0", "v1.2.0"))
    listed = cabinet("list", "--format", "json", "--base", "main", cwd=tmp_path).json
    (case,), (suite,) = listed["cases"], listed["suites"]
    standing = [(one["version"], one["frozen"], one["tagged"]) for one in case["versions"]]
    assert standing == [("v1.0.0", True, False), ("v1.2.0", False, False), ("v1.10.0", False, False)]
    assert [(one["version"], one["frozen"], one["tagged"]) for one in suite["versions"]] == [("v1.0.0", True, True)]
    assert (case["slug"], case["type"], case["difficulty"]) == ("echo", "performance", "easy")
    assert [one["slug"] for one in suite["versions"][0]["definitions"]] == ["end-to-end", "paddle-sprite"]


def test_what_is_experimental_is_marked_and_not_frozen(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    folder = write_case(tmp_path)
    manifest = folder / "test-case.toml"
    put(manifest, manifest.read_text().replace("tags = []", "experimental = true\ntags = []"))
    change(write_pong(tmp_path), "test-cases/end-to-end.toml", experimental=True)
    repo.commit()
    repo.branch("work")
    listed = cabinet("list", "--format", "json", "--base", "main", cwd=tmp_path).json
    (version,) = listed["cases"][0]["versions"]
    assert (version["experimental"], version["frozen"]) == (True, False)
    definitions = listed["suites"][0]["versions"][0]["definitions"]
    assert [one["experimental"] for one in definitions] == [True, False]


@pytest.mark.parametrize(
    ("path", "count"),
    [
        (DEFAULT_PATH, "1 case, 0 suites, 1 version or draft"),
        ("test-cases", "1 case, 0 suites, 1 version or draft"),
        (SUITE, "0 cases, 1 suite, 2 versions and drafts"),
        (f"{DRAFT}/version.toml", "0 cases, 1 suite, 1 version or draft"),
        (".", "1 case, 1 suite, 3 versions and drafts"),
    ],
)
def test_with_a_path_what_holds_it_or_lies_below_it_is_listed(tmp_path: Path, path: str, count: str) -> None:
    write_case(tmp_path)
    write_pong(tmp_path)
    write_pong(tmp_path, DRAFT)
    assert cabinet("list", path, cwd=tmp_path).out.splitlines()[-1] == count


@pytest.mark.parametrize(("arguments", "word"), [(["nope"], "nope does not exist"), (["--base", "nope"], "nope")])
def test_a_path_or_a_base_that_is_not_there_is_one_line_and_exit_code_2(
    tmp_path: Path, arguments: list[str], word: str
) -> None:
    repo = new_repo(tmp_path)
    write_case(tmp_path)
    repo.commit()
    ran = cabinet("list", *arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert word in one_line(ran.err)


def test_without_a_catalog_and_suites_there_is_nothing_to_list(tmp_path: Path) -> None:
    ran = cabinet("list", cwd=tmp_path)
    assert ran.code == 2
    assert one_line(ran.err).startswith("cabinet-ci: there is no catalog test-cases")


def test_what_can_t_be_read_is_listed_all_the_same(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "version.toml", "x = [")
    put(folder / "test-cases/end-to-end.toml", b"\xff")
    (folder / "test-cases/paddle-sprite.toml").unlink()
    os.mkfifo(folder / "test-cases/paddle-sprite.toml")
    (folder / "test-cases/loop.toml").symlink_to("loop.toml")
    put(tmp_path / DEFAULT_PATH / "test-case.toml", "[" * 10_000)
    ran = cabinet("list", cwd=tmp_path)
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines()]
    definitions = [row[:3] for row in rows if "test-cases/" in row[-1] and row[0] == "?"]
    assert definitions == [["?", "?", "end-to-end"], ["?", "?", "loop"], ["?", "?", "paddle-sprite"]]
    assert ["performance", "easy", "echo"] in [row[:3] for row in rows]


def test_a_definition_behind_a_link_out_of_its_version_tells_nothing(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    definition = folder / "test-cases/end-to-end.toml"
    definition.rename(tmp_path / "elsewhere.toml")
    definition.symlink_to(tmp_path / "elsewhere.toml")
    listed = cabinet("list", "--format", "json", cwd=tmp_path).json
    found = listed["suites"][0]["versions"][0]["definitions"][0]
    assert (found["slug"], found["type"], found["difficulty"]) == ("end-to-end", None, None)


def test_names_that_are_no_utf_8_are_listed_as_git_writes_them(tmp_path: Path) -> None:
    folder = os.fsencode(write_pong(tmp_path))
    os.rename(folder + b"/test-cases/end-to-end.toml", folder + b"/test-cases/b\xffd.toml")
    listed = cabinet("list", "--format", "json", cwd=tmp_path).json
    assert listed["suites"][0]["versions"][0]["definitions"][0]["slug"] == "b\\377d"
    assert f"{VERSION}/test-cases/b\\377d.toml" in cabinet("list", cwd=tmp_path).out


def test_no_name_can_write_to_the_terminal(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "test-cases/end-to-end.toml").rename(folder / "test-cases/a\x1b[31m\nb.toml")
    ran = cabinet("list", cwd=tmp_path)
    assert "a\\x1b[31m\\nb" in ran.out
    assert "\x1b" not in ran.out
