"""How a path is spelt: what names a folder is no file, and a reference lies in a folder of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import DEFAULT_PATH, core_module, put, write_case
from tests.support.cases import ECHO as ECHO_BODY
from tests.support.command import cabinet


def findings(root: Path) -> list[tuple[str, str, str | None]]:
    found: list[dict[str, Any]] = cabinet("validate", "--format", "json", cwd=root).json["diagnostics"]
    return [(one["code"], one["path"].removeprefix(DEFAULT_PATH + "/"), one["hint"]) for one in found]


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    "path",
    [
        "changelog.md",
        "prompt.hbs",
        "variants/base.toml",
        "schemas/input.json",
        "cases/one.json",
        "cases/two.out",
        "specs/problem.md.hbs",
    ],
)
def test_a_file_named_as_a_folder_is_told_once_with_the_right_spelling(tmp_path: Path, path: str) -> None:
    folder = write_case(tmp_path)
    change(folder, "test-case.toml", f'"{path}"', f'"{path}/"')
    hint = f'a file has no "/" at its end: write "{path}"'
    assert findings(tmp_path) == [("CAB202", "test-case.toml", hint)]


def test_a_folder_may_have_a_slash_at_its_end(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, "test-case.toml", 'workspace = "workspace"', 'workspace = "workspace/"\nassets = ["data/"]')
    put(folder / "data/primes.txt", "2 3 5\n")
    assert findings(tmp_path) == []


@pytest.mark.parametrize("module", [".", "./", "out/", "a/.."])
def test_a_module_that_is_a_folder_is_an_error(tmp_path: Path, module: str) -> None:
    folder = write_case(tmp_path)
    change(folder, "test-case.toml", '"solution.wasm"', f'"{module}"')
    assert [code for code, _, _ in findings(tmp_path)] == ["CAB206"]


def test_a_version_is_not_its_own_reference_implementation(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "variants/base.toml", 'slug = "base"\nreference_implementation = "."\n')
    assert [(code, path) for code, path, _ in findings(tmp_path)] == [("CAB203", "variants/base.toml")]


def test_references_that_are_a_file_are_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path, references={})
    put(folder / "references", "efficient\n")
    assert [(code, path) for code, path, _ in findings(tmp_path)] == [("CAB454", "references")]


def test_references_behind_a_link_inside_the_version_are_read_and_run(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "references").rename(folder / "solutions")
    (folder / "references").symlink_to("solutions")
    ran = cabinet("evaluate", "--format", "json", cwd=tmp_path)
    assert [run["reference"] for run in ran.json["versions"][0]["runs"]] == ["echo"]
    assert ran.code == 0


@pytest.mark.parametrize("name", ["refrence.toml", "Reference.toml", "references.toml"])
def test_a_misnamed_reference_toml_is_a_warning(tmp_path: Path, name: str) -> None:
    folder = write_case(tmp_path)
    put(folder / f"references/echo/{name}", 'expect = "fail"\n')
    assert findings(tmp_path) == [("CAB453", f"references/echo/{name}", "rename it to reference.toml")]
    put(folder / "references/echo/reference.toml", 'expect = "pass"\n')
    assert findings(tmp_path) == []


def test_other_toml_files_of_a_reference_are_its_own(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "references/echo/Cargo.toml", "[package]\n")
    put(folder / "references/echo/src/reference.toml", "not for cabinet-ci\n")
    assert findings(tmp_path) == []


def test_a_reference_toml_beside_the_references_is_a_warning(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "references/reference.toml", 'expect = "fail"\n')
    assert [(code, path) for code, path, _ in findings(tmp_path)] == [("CAB453", "references/reference.toml")]


def test_a_reference_whose_name_is_not_utf8_is_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path, references={"e\udcff": core_module(ECHO_BODY)})
    assert [code for code, _, _ in findings(tmp_path)] == ["CAB454"]
    assert cabinet("evaluate", "--format", "json", cwd=folder).code == 2


@pytest.mark.parametrize(
    ("dest", "hint"),
    [
        ("/problem.md", "write it relative to the run root"),
        ("../problem.md", "write it relative to the run root"),
    ],
)
def test_a_destination_that_leads_out_is_told_where_it_starts(tmp_path: Path, dest: str, hint: str) -> None:
    folder = write_case(tmp_path)
    put(folder / "test-case.toml", (folder / "test-case.toml").read_text() + f'dest = "{dest}"\n')
    assert findings(tmp_path) == [("CAB201", "test-case.toml", hint)]


@pytest.mark.parametrize("source", ["specs/.hbs", ".hbs"])
def test_a_template_without_a_name_has_no_destination_of_its_own(tmp_path: Path, source: str) -> None:
    folder = write_case(tmp_path)
    text = (folder / "test-case.toml").read_text()
    put(folder / "test-case.toml", text.replace("specs/problem.md.hbs", source))
    (folder / "specs/problem.md.hbs").rename(folder / source)
    [(code, path, _)] = findings(tmp_path)
    assert (code, path) == ("CAB203", "test-case.toml")
    put(folder / "test-case.toml", text.replace("specs/problem.md.hbs", source) + 'dest = "specs/problem.md"\n')
    assert findings(tmp_path) == []


def test_what_lies_behind_a_link_that_leads_out_is_told_once_at_the_link(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "cases").rename(tmp_path / "elsewhere")
    (folder / "cases").symlink_to(tmp_path / "elsewhere")
    [(code, path, _)] = findings(tmp_path)
    assert (code, path) == ("CAB205", "cases")


def test_a_file_that_a_used_link_leads_to_is_used(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "changelog.md").rename(folder / "changes.md")
    (folder / "changelog.md").symlink_to("changes.md")
    assert findings(tmp_path) == []
    (folder / "more.md").symlink_to("other.md")
    put(folder / "other.md", "Other.\n")
    assert [path for _, path, _ in findings(tmp_path)] == ["more.md", "other.md"]
