"""`cabinet-ci validate`: what is found, where it is placed, and what the author is told to do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import Ran, cabinet, one_line

MANIFEST = f"{DEFAULT_PATH}/test-case.toml"


def edited(root: Path, *edits: tuple[str, str], file: str = "test-case.toml") -> Path:
    folder = write_case(root)
    path = folder / file
    text = path.read_text()
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    path.write_text(text)
    return folder


def findings(ran: Ran) -> list[dict[str, Any]]:
    return ran.json["diagnostics"]


def validate(root: Path, *arguments: str | Path) -> list[dict[str, Any]]:
    return findings(cabinet("validate", "--format", "json", *arguments, cwd=root))


def test_a_sound_version_has_no_findings(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = cabinet("validate", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "1 version checked, nothing found\n")


def test_the_json_document_is_that_of_the_contract(tmp_path: Path) -> None:
    edited(tmp_path, ('name = "Echo"', 'nam = "Echo"'))
    ran = cabinet("validate", "--format", "json", cwd=tmp_path)
    assert ran.code == 1
    assert ran.json == {
        "diagnostics": [
            {
                "code": "CAB101",
                "severity": "error",
                "path": MANIFEST,
                "line": 2,
                "column": 1,
                "message": "unknown key `nam`",
                "hint": "did you mean `name`?",
            }
        ],
        "summary": {"errors": 1, "warnings": 0, "checked": 1},
    }


@pytest.mark.parametrize(
    ("old", "new", "place", "code", "words"),
    [
        ('name = "Echo"', 'nam = "Echo"', (2, 1), "CAB101", "did you mean `name`?"),
        ("tags = []", "", (1, 1), "CAB102", "`tags`"),
        ("[build]\n", "[build]\ninstal = 1\n", (11, 1), "CAB101", "did you mean `install`?"),
        ('module = "solution.wasm"', "", (10, 1), "CAB102", "`module`"),
        ("fuel_limit = 100000", 'fuel_limit = "5_000_000_000"', (31, 14), "CAB103", "`fuel_limit = 5_000_000_000`"),
        ("fuel_limit = 100000", "fuel_limit = 1e6", (31, 14), "CAB103", "`fuel_limit = 1_000_000`"),
        ("fuel_limit = 100000", "fuel_limit = true", (31, 14), "CAB103", "a boolean"),
        ("fuel_limit = 100000", "fuel_limit = 0", (31, 14), "CAB104", "a positive integer"),
        ('kind = "smoke"', 'kind = "Smoke"', (23, 8), "CAB104", '`kind = "smoke"`'),
        ('kind = "stress"\n', 'kind = "stress"\nfuel_runway = 0.5\n', (29, 15), "CAB104", "at least 1"),
        ('kind = "stress"\n', 'kind = "stress"\nfuel_runway = inf\n', (29, 15), "CAB104", "finite"),
        ('kind = "stress"\n', 'kind = "stress"\nfuel_runway = nan\n', (29, 15), "CAB104", "finite"),
        ("tags = []", 'tags = "graphs"', (4, 8), "CAB103", '`tags = ["graphs"]`'),
        ("tags = []", 'tags = ["a", 2]', (4, 14), "CAB103", "tags[1]"),
        ("tags = []", "tags = []\nmax_runtime_seconds = 5", (5, 1), "CAB101", "max_runtime_hours"),
        ("tags = []", "tags = []\nmax_runtime_hours = -1", (5, 21), "CAB104", "positive"),
        ("[[spec]]", '[[spec]]\ndest = "specs/"', (35, 8), "CAB203", "folder"),
        ("[[spec]]", '[[spec]]\ndest = "."', (35, 8), "CAB203", "folder"),
        ('entry = "solve"', 'entry = ""', (16, 9), "CAB104", "`contract.entry` is blank"),
        ("tags = []", 'tags = []\ninit = " "', (5, 8), "CAB104", "blank"),
        ('slug = "echo"', 'slug = "Echo_Case"', (1, 8), "CAB104", '"echo-case"'),
        ('difficulty = "easy"', 'difficulty = "Easy"', (3, 14), "CAB104", '`difficulty = "easy"`'),
        ("[sandbox]", "[toolchain]\ntypecheck = 'x'\n[sandbox]", (30, 1), "CAB105", "end-to-end"),
        ("[sandbox]", "[[sandbox]]", (30, 1), "CAB103", "`[sandbox]`"),
        ('prompt = "prompt.hbs"', 'prompt = "prompts.hbs"', (6, 10), "CAB202", 'did you mean "prompt.hbs"?'),
        ('prompt = "prompt.hbs"', 'prompt = "Prompt.hbs"', (6, 10), "CAB204", '"prompt.hbs"'),
        ('prompt = "prompt.hbs"', 'prompt = "../prompt.hbs"', (6, 10), "CAB201", "climbs"),
        ('prompt = "prompt.hbs"', 'prompt = "/prompt.hbs"', (6, 10), "CAB201", "absolute"),
        ('"specs/problem.md.hbs"', "'specs\\problem.md.hbs'", (35, 10), "CAB201", '"specs/problem.md.hbs"'),
        ('prompt = "prompt.hbs"', 'prompt = "variants"', (6, 10), "CAB203", "a folder"),
        ('workspace = "workspace"', 'workspace = "prompt.hbs"', (7, 13), "CAB203", "a folder is due"),
        ("tags = []", "tags = []\ntags = []", (5, 1), "CAB002", "given twice"),
        ("tags = []", "tags = [", (5, 1), "CAB002", "not TOML"),
        ('kind = "stress"', 'kind = "smoke"', (20, 1), "CAB401", "stress"),
        ("cases/two.json", "cases/one.json", (26, 9), "CAB402", "case number 1"),
        ('kind = "smoke"\n', 'kind = "smoke"\nfuel_runway = 2\n', (24, 1), "CAB403", "smoke"),
        ('kind = "smoke"\n', "", (20, 1), "CAB404", "smoke"),
        ("fuel_limit = 100000", f"fuel_limit = {2**63}", (31, 14), "CAB406", "2^63 - 1"),
        ("max_memory_bytes = 1048576", f"max_memory_bytes = {2**63}", (32, 20), "CAB406", "2^63 - 1"),
        ("max_memory_bytes = 1048576", f"max_memory_bytes = {2**32 + 1}", (32, 20), "CAB407", "4 GiB"),
        ('kind = "stress"\n', 'kind = "stress"\nfuel_runway = 1e14\n', (29, 15), "CAB407", "runway"),
        ('module = "solution.wasm"', 'module = "../solution.wasm"', (13, 10), "CAB206", "run root"),
    ],
)  # fmt: skip
def test_each_fault_is_one_finding_at_its_place_with_its_remedy(
    tmp_path: Path, old: str, new: str, place: tuple[int, int], code: str, words: str
) -> None:
    edited(tmp_path, (old, new))
    found = validate(tmp_path)
    assert len(found) == 1, found
    assert (found[0]["path"], found[0]["line"], found[0]["column"], found[0]["code"]) == (MANIFEST, *place, code)
    assert words in f"{found[0]['message']} {found[0]['hint']}"


def test_a_root_key_that_slid_under_a_table_is_told_so(tmp_path: Path) -> None:
    line = 'variants = ["variants/base.toml"]\n'
    edited(tmp_path, (line, ""), ("[build]\n", f"[build]\n{line}"))
    (found,) = validate(tmp_path)
    assert (found["line"], found["code"]) == (10, "CAB101")
    assert "below [build]" in found["hint"]


def test_variant_tables_are_told_to_be_files(tmp_path: Path) -> None:
    line = 'variants = ["variants/base.toml"]\n'
    edited(tmp_path, (line, ""), ("[sandbox]", '[[variant]]\nslug = "base"\n[sandbox]'))
    (found,) = validate(tmp_path)
    assert "files of their own" in found["hint"]


def test_every_fault_of_a_manifest_is_reported_at_once(tmp_path: Path) -> None:
    edited(
        tmp_path, ("tags = []", "tags = 1"), ("fuel_limit = 100000", "fuel_limit = -1"), ('"changelog.md"', '"no.md"')
    )
    codes = [found["code"] for found in validate(tmp_path)]
    assert codes == ["CAB103", "CAB202", "CAB104"]


def test_a_fault_in_a_variant_is_placed_in_its_file(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "variants/base.toml", 'slug = "base"\nnme = "Base"\n')
    (found,) = validate(tmp_path)
    assert (found["path"], found["line"]) == (f"{DEFAULT_PATH}/variants/base.toml", 2)


@pytest.mark.parametrize(
    "edit",
    [
        ("tags = []", "tags = []\nmax_runtime_hours = 2"),
        ("tags = []", "tags = []\nmax_runtime_hours = 0.25"),
        ("tags = []", 'tags = []\ninit = "cargo fetch"\nexperimental = true\nsummary = "One."'),
        ('kind = "stress"\n', ""),
        ('kind = "stress"\n', "fuel_runway = 2\n"),
        ("fuel_limit = 100000", f"fuel_limit = {2**63 - 1}"),
        ("max_memory_bytes = 1048576", f"max_memory_bytes = {2**32}"),
        ('kind = "stress"\n', "fuel_runway = 9.2e13\n"),
        ("tags = []", 'tags = []\ntype = "performance"'),
        ("tags = []", 'tags = []\nassets = ["prompt.hbs", "cases"]\n'),
        ("[sandbox]", "[[domain]]\nid = 'a'\nname = 'A'\ndescription = 'About.'\n[sandbox]"),
        ("[[spec]]", "[[review_item]]\nid = 'a'\ntitle = 'A'\ntext = 'Look.'\nweight = 1\n[[spec]]"),
        ('prompt = "prompt.hbs"', 'prompt = "./prompt.hbs"'),
        ('workspace = "workspace"', 'workspace = "workspace/"'),
        ('source = "specs/problem.md.hbs"', "source = 'specs/problem.md.hbs'\ndest = 'a.md'\nkind = 'script'"),
    ],
)  # fmt: skip
def test_what_the_format_allows_is_accepted(tmp_path: Path, edit: tuple[str, str]) -> None:
    edited(tmp_path, edit)
    assert [found for found in validate(tmp_path) if not found["code"].startswith("CAB6")] == []


def test_a_path_may_be_the_manifest_any_file_or_a_folder_above(tmp_path: Path) -> None:
    edited(tmp_path, ("tags = []", "tags = 1"))
    write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    for path in (MANIFEST, f"{DEFAULT_PATH}/cases/one.json", DEFAULT_PATH, "test-cases/performance/easy/echo"):
        ran = cabinet("validate", "--format", "json", path, cwd=tmp_path)
        assert [found["code"] for found in findings(ran)] == ["CAB103"]
        assert ran.json["summary"]["checked"] == 1


def test_a_deleted_file_belongs_to_the_version_it_was_in(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "prompt.hbs").unlink()
    (found,) = validate(tmp_path, f"{DEFAULT_PATH}/prompt.hbs")
    assert found["code"] == "CAB202"


def test_paths_are_shown_from_the_repositorys_root_wherever_the_command_runs(tmp_path: Path) -> None:
    folder = edited(tmp_path, ("tags = []", "tags = 1"))
    (tmp_path / ".git").mkdir()
    (found,) = findings(cabinet("validate", "--format", "json", ".", cwd=folder))
    assert found["path"] == MANIFEST


@pytest.mark.parametrize("path", ["nowhere", "test-cases/nowhere", "/etc", "empty"])
def test_a_path_without_a_version_is_one_line_and_exit_code_2(tmp_path: Path, path: str) -> None:
    write_case(tmp_path)
    (tmp_path / "empty").mkdir()
    ran = cabinet("validate", path, cwd=tmp_path)
    assert ran.code == 2
    assert path in one_line(ran.err)


def test_a_slug_that_two_folders_share_is_found_over_the_whole_catalog(tmp_path: Path) -> None:
    write_case(tmp_path)
    other = write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    (other / "test-case.toml").write_text((other / "test-case.toml").read_text().replace('"other"', '"echo"'))
    (found,) = validate(tmp_path)
    assert (found["code"], found["path"], found["line"]) == (
        "CAB306",
        "test-cases/performance/easy/other/v1.0.0/test-case.toml",
        1,
    )


@pytest.mark.parametrize("name", ["fifo", "folder", "link", "bom", "latin", "nul", "empty", "deep", "unreadable"])
def test_a_manifest_that_can_t_be_read_is_a_finding_and_the_rest_is_checked(tmp_path: Path, name: str) -> None:
    folder = write_case(tmp_path)
    other = write_case(tmp_path, path="test-cases/performance/easy/other/v1.0.0")
    (other / "changelog.md").unlink()
    manifest = folder / "test-case.toml"
    content = manifest.read_bytes()
    manifest.unlink()
    match name:
        case "fifo":
            os.mkfifo(manifest)
        case "folder":
            manifest.mkdir()
        case "link":
            manifest.symlink_to(manifest)
        case "bom":
            manifest.write_bytes(b"\xef\xbb\xbf" + content)
        case "latin":
            manifest.write_bytes(content + b"# na\xefve\n")
        case "nul":
            manifest.write_bytes(content + b"\x00")
        case "deep":
            manifest.write_bytes(b"a = " + b"[" * 10_000)
        case "empty":
            manifest.write_bytes(b"")
        case "unreadable":
            manifest.write_bytes(b"a" * (5 * 1024 * 1024))
    found = validate(tmp_path)
    mine = {one["code"] for one in found if one["path"].startswith(DEFAULT_PATH)}
    assert mine
    assert mine <= {"CAB001", "CAB002", "CAB102", "CAB205"}
    assert [one["code"] for one in found if "other" in one["path"]] == ["CAB202"]


def test_a_file_name_that_is_not_utf8_is_shown_as_git_quotes_it(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    Path(os.fsdecode(os.fsencode(folder) + b"/we\xffird")).touch()
    for form in ("json", "text", "github", "sarif", "junit"):
        ran = cabinet("validate", "--format", form, cwd=tmp_path)
        assert ran.code == 0
        assert "CAB901" in ran.out
    (found,) = validate(tmp_path)
    assert found["path"] == f"{DEFAULT_PATH}/we\\377ird"


def test_a_link_that_leads_out_of_the_version_is_an_error(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "changelog.md").unlink()
    put(tmp_path / "outside.md", "First.\n")
    (folder / "changelog.md").symlink_to(tmp_path / "outside.md")
    (found,) = validate(tmp_path)
    assert (found["code"], found["path"]) == ("CAB205", f"{DEFAULT_PATH}/changelog.md")


def test_a_link_within_the_version_is_fine(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "changelog.md").rename(folder / "changes.md")
    (folder / "changelog.md").symlink_to("changes.md")
    (folder / "loop").symlink_to(".")
    assert [found for found in validate(tmp_path) if found["severity"] == "error"] == []
