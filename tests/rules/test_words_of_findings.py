"""What findings say: the remedy can be typed as it stands, and one fault is one finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet


def findings(root: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cabinet("validate", "--format", "json", cwd=root).json["diagnostics"]
    return found


def changed(root: Path, old: str, new: str) -> Path:
    folder = write_case(root)
    text = (folder / "test-case.toml").read_text()
    assert old in text
    (folder / "test-case.toml").write_text(text.replace(old, new, 1))
    return folder


def test_an_item_of_an_array_is_written_by_itself_in_the_remedy(tmp_path: Path) -> None:
    changed(tmp_path, "tags = []", "tags = [1]")
    [found] = findings(tmp_path)
    assert found["message"] == "`tags[0]` has to be a string, not an integer"
    assert found["hint"] == 'put it in quotes: "1"'


@pytest.mark.parametrize("value", ["1", '"x"', "true", "{}"])
def test_a_key_of_another_type_names_it_whatever_its_value(tmp_path: Path, value: str) -> None:
    changed(tmp_path, "tags = []", f"tags = []\ntool = {value}")
    [found] = findings(tmp_path)
    assert found["code"] == "CAB105"
    assert "asset-generation" in found["message"]


def test_a_variant_listed_twice_in_two_spellings_is_told_where_it_is_listed(tmp_path: Path) -> None:
    changed(tmp_path, '["variants/base.toml"]', '["variants/base.toml", "./variants/base.toml"]')
    [found] = findings(tmp_path)
    assert found["path"].endswith("test-case.toml")
    assert found["message"] == 'the variant file "./variants/base.toml" is listed twice'


def test_an_integer_of_five_thousand_digits_is_told_at_its_place(tmp_path: Path) -> None:
    changed(tmp_path, "fuel_limit = 100000", "fuel_limit = " + "9" * 5000)
    [found] = findings(tmp_path)
    assert found["message"] == "not TOML: an integer of more than 4,300 digits"
    text = (tmp_path / DEFAULT_PATH / "test-case.toml").read_text().splitlines()
    assert text[found["line"] - 1][found["column"] - 1 :] == "9" * 5000


@pytest.mark.parametrize("name", ["test-case.toml", "variants/base.toml", "references/echo/reference.toml"])
@pytest.mark.parametrize("target", ["/etc/passwd", "/nowhere"])
def test_a_link_out_of_the_version_is_one_finding_and_not_followed(tmp_path: Path, name: str, target: str) -> None:
    folder = write_case(tmp_path, expectations={"echo": 'expect = "pass"\n'})
    (folder / name).unlink()
    (folder / name).symlink_to(target)
    [found] = findings(tmp_path)
    assert found["code"] == "CAB205"
    assert found["path"] == f"{DEFAULT_PATH}/{name}"


@pytest.mark.parametrize(
    ("template", "message", "hint"),
    [
        ("{{#with specs}}{{slug}}{{/with}}", "`this` is a list and has no field `slug`", "use {{#each this}}"),
        ("{{#with specs}}{{this.length}}{{/with}}", "`this` is a list and has no field `length`", "write (len this)"),
        ("{{specs.slug}}", "`specs` is a list and has no field `slug`", "use {{#each specs}}"),
    ],
)
def test_a_field_of_a_list_is_told_with_the_name_of_the_list(
    tmp_path: Path, template: str, message: str, hint: str
) -> None:
    put(write_case(tmp_path) / "prompt.hbs", template)
    [found] = findings(tmp_path)
    assert (found["message"], found["hint"]) == (message, hint)


BUILD = "[build]\n"
SPEC = "[[spec]]\n"


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        # What is also called otherwise, or stands in the wrong table.
        ("tags = []", "tags = []\nfuel_limit = 3", "`fuel_limit` belongs below [sandbox]"),
        ("tags = []", 'tags = []\nmodule = "x"', "`module` belongs below [build]"),
        ("tags = []", 'tags = []\nentry = "x"', "`entry` belongs below [contract]"),
        ("tags = []", 'tags = []\nexpected = "x"', "`expected` belongs below [[case]]"),
        ("tags = []", 'tags = []\nsource = "x"', "`source` belongs below [[spec]]"),
        (SPEC, f'{SPEC}destination = "a.md"\n', "where a run finds it is `dest`"),
        # A root key below a header has slid there, unless the root has it already.
        (BUILD, f'{BUILD}init = "true"\n', "`init` is a root key, and TOML makes a key below [build]"),
        (BUILD, f'{BUILD}name = "Echo"\n', "known keys here: install, build, module"),
        (BUILD, f'{BUILD}kind = "smoke"\n', "known keys here: install, build, module"),
        # A blank value tells what is due.
        ('kind = "smoke"', 'kind = ""', 'it has to be "smoke" or "stress"; an optional key may be left out'),
        ("tags = []", 'tags = []\ndescription = ""', "it has to be a path relative to the version folder"),
    ],
)  # fmt: skip
def test_the_usual_mistake_gets_a_remedy_of_its_own(tmp_path: Path, old: str, new: str, hint: str) -> None:
    changed(tmp_path, old, new)
    [found] = [one for one in findings(tmp_path) if one["severity"] == "error"]
    assert found["hint"].startswith(hint)


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ('spec = ["specs/problem.md.hbs"]', "CAB103", "each is a table of its own: `[[spec]]`"),
        ('assets = [{ file = "specs" }]', "CAB103", 'they are paths in one array: `assets = ["assets/one", '),
    ],
)
def test_paths_where_tables_are_due_are_told_and_the_other_way_round(
    tmp_path: Path, line: str, code: str, hint: str
) -> None:
    folder = changed(tmp_path, "tags = []", f"tags = []\n{line}")
    text = (folder / "test-case.toml").read_text()
    put(folder / "test-case.toml", text[: text.index(SPEC)])
    [found] = [one for one in findings(tmp_path) if one["severity"] == "error"]
    assert found["code"] == code
    assert found["hint"].startswith(hint)


def test_a_key_by_another_name_is_one_fault_and_not_missed_as_well(tmp_path: Path) -> None:
    changed(tmp_path, 'expected = "cases/two.out"', 'output = "cases/two.out"')
    [found] = [one for one in findings(tmp_path) if one["severity"] == "error"]
    assert (found["code"], found["hint"]) == ("CAB101", "the file of the right answer is `expected`")


def test_a_table_of_another_type_is_told_in_a_variant_too(tmp_path: Path) -> None:
    put(write_case(tmp_path) / "variants/base.toml", 'slug = "base"\n[[check]]\nid = "a"\n')
    [found] = findings(tmp_path)
    assert (found["code"], found["line"], found["column"]) == ("CAB105", 2, 1)
    assert "end-to-end" in found["message"]


def test_a_key_that_slid_under_a_header_of_a_variant_is_told_so(tmp_path: Path) -> None:
    variant = '[[domain]]\nid = "a"\nname = "A"\ndescription = "."\nslug = "base"\n'
    put(write_case(tmp_path) / "variants/base.toml", variant)
    [found] = findings(tmp_path)
    assert (found["code"], found["line"]) == ("CAB101", 5)
    assert "below [[domain]]" in found["hint"]
