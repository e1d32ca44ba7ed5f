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
