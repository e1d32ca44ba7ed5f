"""Suites, versions and drafts: where they lie and what their own files say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.suites.pong import DRAFT, SUITE, SUITE_TABLE, VERSION, change, findings, told, write_pong, write_suite_file
from tests.support.cases import put
from tests.support.toml import document


def test_a_suite_of_a_version_and_a_draft_is_sound(tmp_path: Path) -> None:
    write_pong(tmp_path)
    write_pong(tmp_path, DRAFT)
    assert told(tmp_path) == []


def test_a_draft_gets_warnings_for_what_is_an_error_in_an_exported_version(tmp_path: Path) -> None:
    for path in (VERSION, DRAFT):
        change(write_pong(tmp_path, path), "version.toml", version="1.0.0" if path == VERSION else None, summary=None)
    severities = {one.path.split("/")[2]: one.severity for one in findings(tmp_path)}
    assert severities == {"versions": "error", "drafts": "warning"}


@pytest.mark.parametrize("slug", ["rally", "pong-two"])
def test_the_slug_of_a_suite_is_its_folder_s_name(tmp_path: Path, slug: str) -> None:
    write_pong(tmp_path)
    write_suite_file(tmp_path, slug=slug)
    assert told(tmp_path) == ["CAB611 suite.toml:1"]


@pytest.mark.parametrize("key", ["slug", "name"])
def test_a_suite_needs_a_slug_and_a_name(tmp_path: Path, key: str) -> None:
    write_pong(tmp_path)
    put(tmp_path / SUITE / "suite.toml", document({name: text for name, text in SUITE_TABLE.items() if name != key}))
    assert told(tmp_path) == ["CAB102 suite.toml:1"]


def test_the_slug_of_a_suite_is_kebab_case(tmp_path: Path) -> None:
    write_pong(tmp_path)
    write_suite_file(tmp_path, slug="Pong")
    assert told(tmp_path) == ["CAB104 suite.toml:1"]


def test_a_suite_without_its_file_is_told_at_its_folder(tmp_path: Path) -> None:
    write_pong(tmp_path)
    (tmp_path / SUITE / "suite.toml").unlink()
    assert told(tmp_path) == ["CAB610 test-suites/pong"]


def test_a_folder_that_holds_nothing_of_a_suite_is_passed_over(tmp_path: Path) -> None:
    write_pong(tmp_path)
    put(tmp_path / "test-suites/pictures/one.png", "a picture")
    put(tmp_path / "test-suites/README.md", "Suites.\n")
    assert told(tmp_path) == []


@pytest.mark.parametrize("name", ["1.0.0", "v1.0", "v01.0.0", "v1.0.0-rc1", "latest"])
def test_an_exported_version_s_folder_is_named_vxyz(tmp_path: Path, name: str) -> None:
    folder = write_pong(tmp_path, f"{SUITE}/versions/{name}")
    change(folder, "version.toml", version="1.0.0")
    assert [one.code for one in findings(tmp_path)] == ["CAB612"]


@pytest.mark.parametrize(
    ("version", "code"), [("1.0.1", "CAB613"), (None, "CAB613"), ("v1.0.0", "CAB104"), ("1.0", "CAB104")]
)
def test_an_exported_version_states_its_folder_s_version(tmp_path: Path, version: str | None, code: str) -> None:
    change(write_pong(tmp_path), "version.toml", version=version)
    assert [one.code for one in findings(tmp_path)] == [code]


def test_a_draft_states_no_version(tmp_path: Path) -> None:
    change(write_pong(tmp_path, DRAFT), "version.toml", version="1.0.0")
    assert told(tmp_path) == ["CAB613 version.toml:1"]


@pytest.mark.parametrize("key", ["summary", "description", "changelog"])
def test_a_version_needs_summary_description_and_changelog(tmp_path: Path, key: str) -> None:
    change(write_pong(tmp_path), "version.toml", **{key: None})
    assert [one.code for one in findings(tmp_path)][:1] == ["CAB102"]
    assert key in findings(tmp_path)[0].message


def test_tags_and_experimental_may_be_left_out_or_given(tmp_path: Path) -> None:
    change(write_pong(tmp_path), "version.toml", tags=["ball"], experimental=True)
    assert told(tmp_path) == []


@pytest.mark.parametrize(("summary", "codes"), [("One line.", []), ("Two\nlines.", ["CAB104"]), (" ", ["CAB104"])])
def test_a_version_s_summary_is_one_line(tmp_path: Path, summary: str, codes: list[str]) -> None:
    change(write_pong(tmp_path), "version.toml", summary=summary)
    assert [one.code for one in findings(tmp_path)] == codes


@pytest.mark.parametrize("key", ["description", "changelog"])
def test_paths_of_a_version_lead_somewhere(tmp_path: Path, key: str) -> None:
    folder = write_pong(tmp_path)
    change(folder, "version.toml", **{key: "no.md"})
    (folder / f"{key}.md").unlink()
    assert [one.code for one in findings(tmp_path)] == ["CAB202"]


def test_a_changelog_of_white_space_holds_nothing(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "changelog.md", " \n")
    assert told(tmp_path) == ["CAB004 changelog.md:1"]


@pytest.mark.parametrize("base", ["1.0.0", None])
def test_a_draft_s_base_is_an_exported_version_or_left_out(tmp_path: Path, base: str | None) -> None:
    write_pong(tmp_path)
    change(write_pong(tmp_path, DRAFT), "draft.toml", base=base)
    assert told(tmp_path) == []


def test_a_base_that_was_never_exported_is_a_warning_that_lists_those_that_were(tmp_path: Path) -> None:
    write_pong(tmp_path)
    change(write_pong(tmp_path, DRAFT), "draft.toml", base="0.9.0")
    (found,) = findings(tmp_path)
    assert (found.code, found.severity, found.hint) == ("CAB614", "warning", "exported are 1.0.0")


@pytest.mark.parametrize(
    ("path", "name", "where"),
    [
        (VERSION, "version.toml", "versions/v1.0.0"),
        (DRAFT, "draft.toml", "drafts/next"),
        (VERSION, "specifications/ball/specification.md", "specifications/ball/specification.toml:1"),
        (VERSION, "assets/paddle/asset.toml", "assets/paddle"),
        (VERSION, "demos/bounce/demo.toml", "demos/bounce"),
        (VERSION, "showcase/showcase.toml", "showcase"),
        (VERSION, "showcase/showcase.md", "showcase/showcase.toml:1"),
    ],
)
def test_a_file_that_belongs_to_the_others_is_missed_once(tmp_path: Path, path: str, name: str, where: str) -> None:
    folder = write_pong(tmp_path, path)
    (folder / name).unlink()
    if name == "demos/bounce/demo.toml":
        put(folder / "demos/bounce/index.html", "<p>")
    assert f"CAB615 {where}" in told(tmp_path)
    assert [one.code for one in findings(tmp_path) if one.code != "CAB690"] == ["CAB615"]


def test_prose_without_a_specification_is_told(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "specifications/net/specification.md", "A net.\n")
    assert told(tmp_path) == ["CAB615 specifications/net/specification.md:1"]


def test_a_file_in_another_letter_case_is_to_be_renamed(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "version.toml").rename(folder / "Version.toml")
    assert findings(tmp_path)[0].hint == "rename Version.toml to version.toml"


def test_assets_demos_and_showcase_may_be_left_out(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    for name in ("assets", "demos", "showcase"):
        shutil.rmtree(folder / name)
    (folder / "test-cases/paddle-sprite.toml").unlink()
    assert told(tmp_path) == []


def test_a_version_that_is_a_link_is_told_and_not_followed(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder.parent / "v1.1.0").symlink_to("v1.0.0")
    assert told(tmp_path) == ["CAB617 versions/v1.1.0"]


def test_a_version_that_leads_out_of_the_suite_is_told_and_not_read(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(tmp_path / "elsewhere/version.toml", "x = ")
    (folder.parent / "v1.1.0").symlink_to("../../../elsewhere")
    assert told(tmp_path) == ["CAB205 versions/v1.1.0"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("version.toml", 'colour = "red"\n'),
        ("draft.toml", 'colour = "red"\n'),
        ("specifications/ball/specification.toml", 'colour = "red"\n'),
        ("test-cases/end-to-end.toml", 'colour = "red"\n'),
        ("assets/paddle/asset.toml", 'colour = "red"\n'),
        ("demos/bounce/demo.toml", 'colour = "red"\n'),
        ("showcase/showcase.toml", 'colour = "red"\n'),
        ("debug-api.toml", 'colour = "red"\n'),
        ("../../suite.toml", 'colour = "red"\n'),
    ],
)
def test_an_unknown_key_is_an_error_in_every_file(tmp_path: Path, name: str, content: str) -> None:
    folder = write_pong(tmp_path, DRAFT if name == "draft.toml" else VERSION)
    path = folder / name
    put(path, content + path.read_text())
    assert [(one.code, one.line) for one in findings(tmp_path)] == [("CAB101", 1)]
    put(path, path.read_text().removeprefix(content))
    assert told(tmp_path) == []


@pytest.mark.parametrize(
    "name",
    [
        "version.toml",
        "specifications/ball/specification.toml",
        "test-cases/end-to-end.toml",
        "assets/paddle/asset.toml",
        "demos/bounce/demo.toml",
        "showcase/showcase.toml",
        "debug-api.toml",
        "../../suite.toml",
    ],
)
def test_a_file_that_is_no_toml_is_one_finding(tmp_path: Path, name: str) -> None:
    put(write_pong(tmp_path) / name, "name = \n")
    assert [one.code for one in findings(tmp_path)] == ["CAB002"]


def test_a_suite_that_is_a_link_is_told_and_nothing_in_it_is_checked(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "changelog.md", " ")
    (tmp_path / SUITE).rename(tmp_path / "elsewhere")
    (tmp_path / SUITE).symlink_to(tmp_path / "elsewhere")
    assert told(tmp_path) == [f"CAB617 {SUITE}"]


def test_a_link_among_suites_that_leads_to_none_is_passed_over(tmp_path: Path) -> None:
    write_pong(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "test-suites/docs").symlink_to("../docs")
    assert told(tmp_path) == []


@pytest.mark.parametrize("target", ["/etc/hostname", "nowhere"])
def test_a_definition_that_can_t_be_read_may_be_of_any_type(tmp_path: Path, target: str) -> None:
    folder = write_pong(tmp_path)
    (folder / "test-cases/end-to-end.toml").unlink()
    (folder / "test-cases/end-to-end.toml").symlink_to(target)
    assert told(tmp_path) == ["CAB205 test-cases/end-to-end.toml"]
