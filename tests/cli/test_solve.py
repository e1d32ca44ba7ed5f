"""`cabinet-ci solve`: expected answers from a reference, in a version that is not published, all of them or none."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.history.repositories import Repo, environment, new_repo
from tests.support.cases import DEFAULT_PATH, ECHO, CaseFile, answering, core_module, put, spinning, wat, write_case
from tests.support.command import Ran, cabinet, one_line

CASES = (CaseFile("one", "[1]"), CaseFile("two", "[2]", kind="stress"), CaseFile("three", "[3]", kind="stress"))
NO_JSON = core_module(ECHO.replace("(local.get $len)", "(i32.const 2)"))
"""Answers with the first two bytes of the input."""

TRAPS_AT_TWO = core_module(
    f"(if (i32.eq (i32.load8_u (i32.add (local.get $ptr) (i32.const 1))) (i32.const 0x32)) (then unreachable)) {ECHO}"
)


def version(root: Path, *, module: bytes | None = None, cases: tuple[CaseFile, ...] = CASES) -> Path:
    """A version whose expected answers do not exist, and a reference that answers with the input."""
    folder = write_case(root, cases=cases, references={"echo": module or core_module(ECHO)})
    for case in cases:
        (folder / f"cases/{case.name}.out").unlink()
    return folder


def solve(root: Path, *arguments: str, path: str = DEFAULT_PATH, reference: str = "echo") -> Ran:
    return cabinet("solve", path, "--reference", reference, *arguments, cwd=root, env=environment())


def held(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def refusal(ran: Ran) -> str:
    """The one line that says why nothing was done."""
    assert (ran.code, ran.out) == (2, "")
    return one_line("\n".join(line for line in ran.err.splitlines() if line.startswith("cabinet-ci: ")))


def test_answers_that_do_not_exist_yet_are_written_and_the_version_is_sound(tmp_path: Path) -> None:
    folder = version(tmp_path)
    ran = solve(tmp_path)
    assert ran.code == 0, ran.err
    assert ran.out.splitlines() == [
        *(f"wrote {DEFAULT_PATH}/cases/{name}.out" for name in ("one", "two", "three")),
        "3 cases solved, 3 written",
    ]
    assert [(folder / f"cases/{case.name}.out").read_text() for case in CASES] == ["[1]\n", "[2]\n", "[3]\n"]
    assert cabinet("validate", cwd=tmp_path).code == 0
    assert cabinet("evaluate", cwd=tmp_path).code == 0
    assert solve(tmp_path).out == "3 cases solved, 0 written\n"


def test_an_answer_is_written_as_the_reference_gave_it(tmp_path: Path) -> None:
    folder = version(tmp_path, cases=(CaseFile("one", '{"b": 1.50,\n "a": 2e0}\n', kind="stress"),))
    assert solve(tmp_path).code == 0
    assert (folder / "cases/one.out").read_bytes() == b'{"b": 1.50,\n "a": 2e0}\n'


def test_a_file_with_the_same_value_keeps_its_form(tmp_path: Path) -> None:
    folder = version(tmp_path)
    put(folder / "cases/one.out", "[\n  1.0\n]")
    put(folder / "cases/two.out", "[7]\n")
    before = (folder / "cases/one.out").stat()
    assert solve(tmp_path).code == 0
    assert (folder / "cases/one.out").read_text() == "[\n  1.0\n]"
    assert (folder / "cases/one.out").stat().st_ino == before.st_ino
    assert (folder / "cases/two.out").read_text() == "[2]\n"


@pytest.mark.parametrize("old", ["", "nope", "[NaN]", '{"a": 1, "a": 2}', b"\xff"])
def test_a_file_that_is_no_json_is_replaced(tmp_path: Path, old: str | bytes) -> None:
    folder = version(tmp_path)
    put(folder / "cases/one.out", old)
    assert solve(tmp_path).code == 0
    assert (folder / "cases/one.out").read_text() == "[1]\n"


def test_a_file_that_breaks_the_output_schema_is_replaced(tmp_path: Path) -> None:
    folder = version(tmp_path)
    put(folder / "schemas/output.json", '{"type": "array"}')
    put(folder / "cases/one.out", '"one"')
    assert solve(tmp_path).code == 0
    assert (folder / "cases/one.out").read_text() == "[1]\n"


def test_folders_above_an_answer_are_made_and_modes_kept(tmp_path: Path) -> None:
    folder = version(tmp_path)
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("cases/one.out", "expected/deep/one.json"))
    put(folder / "cases/two.out", "[0]")
    (folder / "cases/two.out").chmod(0o640)
    assert solve(tmp_path).code == 0
    assert (folder / "expected/deep/one.json").read_text() == "[1]\n"
    assert stat.S_IMODE((folder / "cases/two.out").stat().st_mode) == 0o640
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((folder / "expected/deep/one.json").stat().st_mode) == 0o666 & ~mask


def test_a_link_inside_the_version_is_written_through(tmp_path: Path) -> None:
    folder = version(tmp_path)
    put(folder / "answers/one.json", "[0]")
    (folder / "cases/one.out").symlink_to("../answers/one.json")
    assert solve(tmp_path).code == 0
    assert (folder / "cases/one.out").is_symlink()
    assert (folder / "answers/one.json").read_text() == "[1]\n"


def test_the_ceiling_does_not_matter_to_what_is_right(tmp_path: Path) -> None:
    folder = write_case(tmp_path, references={"slow": spinning(1000)}, fuel_limit=1000)
    put(folder / "cases/two.out", "[0]")
    assert solve(tmp_path, reference="slow").code == 0
    assert (folder / "cases/two.out").read_text() == "[1, 2]\n"


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (TRAPS_AT_TWO, ["cases/two.json has no answer", "trap"]),
        (NO_JSON, ["cases/one.json has no answer", "not JSON"]),
        (answering('{"a": 1, "a": 2}'), ["cases/one.json has no answer", "given twice"]),
        (answering("[NaN]"), ["cases/one.json has no answer", "NaN"]),
        (answering('"word"'), ["cases/one.json has no answer", "breaks schemas/output.json", "word"]),
        (spinning(2**31 - 1), ["cases/one.json has no answer", "out-of-fuel", "20 times"]),
        (core_module(ECHO).replace(b"solve", b"other"), ["`echo` can't be called", "solve"]),
        (wat("(module)"), ["`echo` can't be called", "memory"]),
    ],
)
def test_a_reference_without_a_sound_answer_to_every_case_changes_nothing(
    tmp_path: Path, module: bytes, words: list[str]
) -> None:
    folder = version(tmp_path, module=module)
    put(folder / "schemas/output.json", '{"type": ["array", "object"]}')
    put(folder / "cases/three.out", "[0]")
    before = held(folder)
    line = refusal(solve(tmp_path))
    assert all(word in line for word in words), line
    assert held(folder) == before


def test_a_reference_that_does_not_build_is_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path, build="exit 3")
    before = held(folder)
    assert "`echo` does not build: `exit 3` exited with 3" in refusal(solve(tmp_path))
    assert held(folder) == before


def test_a_reference_that_is_expected_to_fail_is_no_source_of_answers(tmp_path: Path) -> None:
    folder = version(tmp_path)
    put(folder / "references/echo/reference.toml", 'expect = "fail"')
    assert "is expected to fail" in refusal(solve(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere", "--reference", "echo"], "nowhere does not exist"),
        (["", "--reference", "echo"], "it is empty"),
        ([DEFAULT_PATH, "--reference", "nope"], "no reference `nope`; it has echo"),
        ([DEFAULT_PATH, "--reference", "echo", "--variant", "nope"], "no variant `nope`"),
        ([DEFAULT_PATH], "--reference"),
        ([DEFAULT_PATH, "--reference", "echo", "--jobs", "0"], "--jobs"),
        (["test-cases", "--reference", "echo"], "holds 2 versions"),
        (["outside", "--reference", "echo"], "is not in a version folder"),
    ],
)
def test_what_can_t_be_solved_is_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    version(tmp_path)
    write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    (tmp_path / "outside").mkdir()
    assert words in refusal(cabinet("solve", *arguments, cwd=tmp_path))


def test_another_fault_of_the_version_is_told_first(tmp_path: Path) -> None:
    folder = version(tmp_path)
    put(folder / "changelog.md", " \n")
    line = refusal(solve(tmp_path))
    assert "changelog" in line
    assert "cabinet-ci validate" in line


@pytest.mark.parametrize("other", ["input", "prompt", "contract", "folder"])
def test_another_missing_file_is_not_passed_over(tmp_path: Path, other: str) -> None:
    folder = version(tmp_path)
    missing = {"input": "cases/one.json", "prompt": "prompt.hbs", "contract": "schemas/output.json"}.get(other)
    if missing is None:
        (folder / "workspace/start.txt").unlink()
        (folder / "workspace").rmdir()
    else:
        (folder / missing).unlink()
    assert "does not exist" in refusal(solve(tmp_path))


@pytest.mark.parametrize(
    "expected",
    ["cases/one.json", "test-case.toml", "prompt.hbs", "workspace/answer.json", "references/echo/a", "cases/new/",
     "schemas/output.json", "../one.out", "/one.out", "changelog.md/one.out"],
)  # fmt: skip
def test_an_answer_is_written_to_a_file_of_its_own_alone(tmp_path: Path, expected: str) -> None:
    folder = version(tmp_path)
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("cases/one.out", expected))
    before = held(tmp_path)
    refusal(solve(tmp_path))
    assert held(tmp_path) == before


def test_a_link_out_of_the_version_is_not_written_through(tmp_path: Path) -> None:
    folder = version(tmp_path / "repo")
    put(tmp_path / "outside.json", "[0]")
    (folder / "cases/one.out").symlink_to(tmp_path / "outside.json")
    refusal(solve(tmp_path / "repo"))
    assert (tmp_path / "outside.json").read_text() == "[0]"


def test_two_cases_with_one_file_need_one_answer(tmp_path: Path) -> None:
    folder = version(tmp_path)
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("cases/three.out", "cases/two.out"))
    line = refusal(solve(tmp_path))
    assert "cases/two.json and cases/three.json share cases/two.out" in line
    put(folder / "cases/three.json", "[2.0]")
    assert solve(tmp_path).code == 0
    assert (folder / "cases/two.out").read_text() == "[2]\n"


@pytest.mark.parametrize("name", ["notes/three.out", f"new/{'n' * 300}.out"])
def test_where_one_answer_can_t_be_written_none_is(tmp_path: Path, name: str) -> None:
    folder = version(tmp_path)
    manifest = folder / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("cases/three.out", name))
    put(folder / "notes", "a file, no folder")
    put(folder / "cases/one.out", "[0]")
    before = held(folder)
    line = refusal(solve(tmp_path))
    assert f"{name} can't be written" in line
    assert "nothing was written" in line
    assert held(folder) == before
    assert not (folder / "new").exists()


def test_check_tells_the_first_difference_of_each_case_and_writes_nothing(tmp_path: Path) -> None:
    folder = version(tmp_path)
    put(folder / "cases/one.out", "[1.0]")
    put(folder / "cases/two.out", "[5]")
    before = held(folder)
    ran = solve(tmp_path, "--check")
    assert (ran.code, ran.out.splitlines()) == (
        1,
        [
            "cases/two.out: at $[0]: expected 5, found 2",
            "cases/three.out: the file does not exist",
            "3 cases checked, 2 not as `echo` answers",
        ],
    )
    assert held(folder) == before


def test_check_passes_where_every_value_is_the_same(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = solve(tmp_path, "--check")
    assert (ran.code, ran.out) == (0, "2 cases checked, all as `echo` answers\n")


def test_check_counts_a_case_without_an_answer_as_a_difference(tmp_path: Path) -> None:
    folder = version(tmp_path, module=TRAPS_AT_TWO)
    for name in ("one", "two", "three"):
        put(folder / f"cases/{name}.out", (folder / f"cases/{name}.json").read_text())
    ran = solve(tmp_path, "--check")
    assert ran.code == 1
    assert ran.out.splitlines()[0].startswith("cases/two.out: no answer: trap: ")
    assert ran.out.splitlines()[1] == "3 cases checked, 1 not as `echo` answers"


def test_a_reference_that_is_expected_to_fail_can_be_checked(tmp_path: Path) -> None:
    write_case(tmp_path, references={"wrong": answering("[9]")}, expectations={"wrong": 'expect = "fail"'})
    ran = solve(tmp_path, "--check", reference="wrong")
    assert (ran.code, ran.out.splitlines()[0]) == (1, "cases/one.out: at $[0]: expected 1, found 9")


def published(root: Path, *, experimental: bool = False) -> tuple[Repo, Path]:
    """A version on `main`, and a branch that has just left it."""
    repo = new_repo(root)
    folder = write_case(root)
    if experimental:
        manifest = folder / "test-case.toml"
        manifest.write_text("experimental = true\n" + manifest.read_text())
    repo.commit()
    repo.branch("work")
    put(folder / "cases/one.out", "[0]")
    return repo, folder


def test_a_version_on_the_base_is_never_written_to(tmp_path: Path) -> None:
    _, folder = published(tmp_path)
    line = refusal(solve(tmp_path))
    assert f"{DEFAULT_PATH} is published on the base" in line
    assert "cabinet-ci bump" in line
    assert (folder / "cases/one.out").read_text() == "[0]"
    assert solve(tmp_path, "--check").code == 1


def test_an_experimental_version_may_be_solved_until_a_tag_freezes_it(tmp_path: Path) -> None:
    repo, folder = published(tmp_path, experimental=True)
    assert solve(tmp_path).code == 0
    assert (folder / "cases/one.out").read_text() == "[1]\n"
    repo.commit()
    repo.git("tag", "echo-v1.0.0")
    put(folder / "cases/one.out", "[0]")
    assert "is published by the tag echo-v1.0.0" in refusal(solve(tmp_path))


def test_a_new_version_beside_a_published_one_may_be_solved(tmp_path: Path) -> None:
    _, folder = published(tmp_path)
    put(folder / "cases/one.out", "[1]")
    assert cabinet("bump", DEFAULT_PATH, cwd=tmp_path, env=environment()).code == 0
    put(folder.parent / "v1.0.1/cases/one.out", "[0]")
    ran = solve(tmp_path, path=DEFAULT_PATH.replace("v1.0.0", "v1.0.1"))
    assert ran.code == 0, ran.err
    assert (folder.parent / "v1.0.1/cases/one.out").read_text() == "[1]\n"


def test_a_base_that_is_named_decides(tmp_path: Path) -> None:
    repo = new_repo(tmp_path, "trunk")
    repo.commit()
    repo.branch("work")
    folder = write_case(tmp_path)
    repo.commit()
    put(folder / "cases/one.out", "[0]")
    assert "is published" in refusal(solve(tmp_path, "--base", "work"))
    assert solve(tmp_path, "--base", "trunk").code == 0


def test_without_a_base_only_tags_count(tmp_path: Path) -> None:
    repo = new_repo(tmp_path, "trunk")
    folder = write_case(tmp_path)
    repo.commit()
    put(folder / "cases/one.out", "[0]")
    ran = solve(tmp_path)
    assert ran.code == 0
    assert "only tags count" in ran.err
    put(folder / "cases/one.out", "[0]")
    repo.git("tag", "echo-v1.0.0")
    ran = solve(tmp_path)
    assert (ran.code, "is published by the tag" in ran.err) == (2, True)
