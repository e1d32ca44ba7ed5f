"""Seeding rules: no two files on one destination, and nothing held out is seeded, by path or by content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import DEFAULT_PATH, CaseFile, put, write_case
from tests.support.command import cabinet


def change(folder: Path, *edits: tuple[str, str]) -> None:
    manifest = folder / "test-case.toml"
    text = manifest.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    manifest.write_text(text)


def errors(root: Path) -> list[tuple[str, str, int]]:
    found: list[dict[str, Any]] = cabinet("validate", "--format", "json", cwd=root).json["diagnostics"]
    return [
        (one["code"], one["path"].removeprefix(DEFAULT_PATH + "/"), one["line"])
        for one in found
        if one["severity"] == "error"
    ]


def assets(*paths: str) -> tuple[str, str]:
    return ("tags = []", "tags = []\nassets = [" + ", ".join(f'"{path}"' for path in paths) + "]")


def test_two_specs_on_one_destination_are_told_at_the_later(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "specs/other.md", "More.\n")
    change(
        folder,
        ("[[spec]]\n", '[[spec]]\nsource = "specs/other.md"\ndest = "specs/problem.md"\n\n[[spec]]\n'),
    )
    assert errors(tmp_path) == [("CAB601", "test-case.toml", 39)]


def test_a_variants_spec_that_lands_on_a_common_one_is_told_in_the_variant(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "specs/other.md", "More.\n")
    put(
        folder / "variants/base.toml", 'slug = "base"\n[[spec]]\nsource = "specs/other.md"\ndest = "specs/problem.md"\n'
    )
    assert errors(tmp_path) == [("CAB601", "variants/base.toml", 4)]


def test_a_clash_in_the_second_variant_alone_is_found(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, ('["variants/base.toml"]', '["variants/base.toml", "variants/other.toml"]'))
    put(folder / "other/specs/problem.md", "Mine.\n")
    put(folder / "variants/other.toml", 'slug = "other"\nworkspace = "other"\n')
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB601"]


def test_a_spec_on_a_file_of_the_workspace_clashes(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, ('source = "specs/problem.md.hbs"', 'source = "specs/problem.md.hbs"\ndest = "start.txt"'))
    assert errors(tmp_path) == [("CAB601", "test-case.toml", 36)]


def test_a_file_where_another_needs_a_folder_clashes(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(
        folder, ('source = "specs/problem.md.hbs"', 'source = "specs/problem.md.hbs"\ndest = "start.txt/problem.md"')
    )
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB601"]


def test_a_spec_that_is_asked_for_twice_with_two_destinations_is_fine(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, ("[[spec]]\n", '[[spec]]\nsource = "specs/problem.md.hbs"\ndest = "a.md"\n\n[[spec]]\n'))
    assert errors(tmp_path) == []


@pytest.mark.parametrize(
    "path",
    ["cases", "cases/one.json", "cases/one.out", "test-case.toml", "changelog.md", "prompt.hbs", "variants/base.toml",
     "references", "references/echo/given.wasm", "variants"],
)  # fmt: skip
def test_what_is_held_out_can_t_be_an_asset(tmp_path: Path, path: str) -> None:
    folder = write_case(tmp_path)
    change(folder, assets(path))
    assert errors(tmp_path) == [("CAB602", "test-case.toml", 5)]


@pytest.mark.parametrize("path", ["cases/one.json", "cases/two.out", "changelog.md"])
def test_what_is_held_out_can_t_be_a_schema(tmp_path: Path, path: str) -> None:
    folder = write_case(tmp_path)
    put(folder / path, '{"title": "Both a schema and something else."}\n')
    change(folder, ("schemas/input.json", path))
    assert errors(tmp_path) == [("CAB602", "test-case.toml", 17)]


def test_a_reviewer_may_be_told_to_look_at_a_schema(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    item = '[[review_item]]\nid = "a"\ntitle = "A"\ntext = "Look."\nweight = 1\nreference = "schemas/input.json"\n\n'
    change(folder, ("[[spec]]\n", item + "[[spec]]\n"))
    assert errors(tmp_path) == []


@pytest.mark.parametrize("path", ["cases/one.out", "changelog.md", "references/echo/given.wasm", "variants/base.toml"])
def test_what_is_held_out_can_t_be_a_spec(tmp_path: Path, path: str) -> None:
    folder = write_case(tmp_path)
    change(folder, ("[[spec]]\n", f'[[spec]]\nsource = "{path}"\ndest = "x"\n\n[[spec]]\n'))
    assert errors(tmp_path) == [("CAB602", "test-case.toml", 35)]


def test_a_workspace_that_holds_the_cases_is_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, ('workspace = "workspace"', 'workspace = "."'))
    assert {code for code, _, _ in errors(tmp_path)} >= {"CAB602"}


def test_a_link_to_what_is_held_out_is_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "workspace/answers").symlink_to("../cases")
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB602"]


def test_a_link_to_one_file_that_is_held_out_is_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "workspace/notes.txt").symlink_to("../changelog.md")
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB602"]


@pytest.mark.parametrize("path", ["./cases", "./cases/", "cases//"])
def test_a_path_that_is_written_otherwise_is_held_out_all_the_same(tmp_path: Path, path: str) -> None:
    change(write_case(tmp_path), assets(path))
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB602"]


def test_a_workspace_that_is_written_otherwise_is_seeded_all_the_same(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, ('workspace = "workspace"', 'workspace = "./workspace/"'))
    put(folder / "workspace/notes.txt", "[1, 2]")
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB603"]


def test_a_variants_reference_implementation_is_held_out(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "workspace/done/solution.txt", "Done.\n")
    put(folder / "variants/base.toml", 'slug = "base"\nreference_implementation = "workspace/done"\n')
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB602"]


def test_a_copy_of_an_expected_answer_is_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "workspace/notes.txt", "[1, 2]")
    assert errors(tmp_path) == [("CAB603", "test-case.toml", 7)]


def test_other_content_of_the_same_size_is_fine(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "workspace/notes.txt", "[2, 1]")
    assert errors(tmp_path) == []


def test_a_hidden_file_of_the_workspace_is_not_seeded_and_so_not_told(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "workspace/.answers", "[1, 2]")
    put(folder / "workspace/.hidden/answers", "[1, 2]")
    assert errors(tmp_path) == []
    put(folder / "workspace/.cargo/answers", "[1, 2]")
    assert [code for code, _, _ in errors(tmp_path)] == ["CAB603"]


def test_an_input_is_not_an_answer_and_may_be_copied(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "cases/one.json", "[1, 1, 1]")
    put(folder / "workspace/example.json", "[1, 1, 1]")
    assert errors(tmp_path) == []


def test_a_spec_listed_twice_is_told_and_an_asset_listed_twice_is_one_file(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "data/primes.txt", "2 3 5\n")
    change(folder, assets("data", "data/primes.txt", "./data/primes.txt"))
    assert errors(tmp_path) == []
    assert cabinet("evaluate", cwd=tmp_path).code == 0
    put(folder / "variants/base.toml", 'slug = "base"\n[[spec]]\nsource = "specs/problem.md.hbs"\n')
    assert errors(tmp_path) == [("CAB601", "variants/base.toml", 3)]


def test_schemas_that_lie_in_a_seeded_folder_are_seeded_once(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    change(folder, assets("schemas"))
    assert errors(tmp_path) == []
    assert cabinet("evaluate", cwd=tmp_path).code == 0


@pytest.mark.parametrize(
    "template",
    ['{{! the answer }}["{{variant.slug}}"]\n', '["{{variant.slug}}"]\n', '{{#if variant.slug}}["base"]{{/if}}\n'],
)
def test_a_template_that_renders_to_an_expected_answer_is_told(tmp_path: Path, template: str) -> None:
    folder = write_case(tmp_path, cases=[CaseFile("one", expected='["base"]\n', kind="stress")])
    put(folder / "specs/problem.md.hbs", template)
    assert errors(tmp_path) == [("CAB603", "test-case.toml", 30)]


def test_a_template_that_only_starts_as_an_answer_is_fine(tmp_path: Path) -> None:
    folder = write_case(tmp_path, cases=[CaseFile("one", expected='["base"]\n', kind="stress")])
    put(folder / "specs/problem.md.hbs", '["{{variant.slug}}", more]\n')
    assert errors(tmp_path) == []
