"""Whatever lies in a suite: findings or silence, bounded, the rest still checked, never an exception."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cabinet_ci.catalog import tree
from cabinet_ci.catalog.decode import FAULT_LIMIT
from cabinet_ci.rules import registry
from tests.suites.pong import DRAFT, SUITE_TABLE, TABLES, TEXTS, VERSION, change, findings, told, write_pong
from tests.support.cases import put
from tests.support.command import cabinet
from tests.support.toml import document

BALL = "specifications/ball/specification.toml"


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        write_pong(Path(folder))
        yield Path(folder)


SCALARS: st.SearchStrategy[Any] = (
    st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=10)
    | st.dates(date(1, 1, 1))
    | st.sampled_from(["../x", "/etc", "a\\b", "", " ", ".", "ball", "ball.md", "prompts/build.hbs", "a" * 5000])
    | st.sampled_from(["end-to-end", "sprite", "puzzle", "functional", "none", "ball/speed.ts", "1.0.0", "MUST a. MAY"])
)
KEYS = st.sampled_from(
    ["id", "name", "kind", "text", "path", "file", "files", "validators", "requirement", "module", "function", "media",
     "type", "engines", "workspaces", "specifications", "specification", "prompt", "sprite", "audio-fx", "build",
     "toolchain", "version", "summary", "changelog", "base", "handle", "none", "x"]
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=10
)
UNDER_TEST = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def check(root: Path) -> None:
    for found in findings(root):
        assert found.message
        assert found.line is None or found.line >= 1
        assert found.code.startswith("CAB")


def restore(root: Path, name: str) -> None:
    folder = root / VERSION
    if name == "../../suite.toml":
        put(folder / name, document(SUITE_TABLE))
    elif name in TABLES:
        put(folder / name, document(TABLES[name]))
    elif name in TEXTS:
        put(folder / name, TEXTS[name])
    else:
        (folder / name).unlink()


@UNDER_TEST
@given(st.sampled_from([*TABLES, "../../suite.toml", "draft.toml"]), st.dictionaries(KEYS, VALUES, max_size=4))
def test_any_values_in_any_file_are_findings_or_silence(root: Path, name: str, values: dict[str, Any]) -> None:
    put(root / VERSION / name, document(TABLES.get(name, {}) | values))
    check(root)
    restore(root, name)


@UNDER_TEST
@given(st.sampled_from([*TABLES, *TEXTS, "../../suite.toml", "draft.toml"]), st.binary(max_size=60))
def test_any_bytes_in_any_file_are_findings_or_silence(root: Path, name: str, content: bytes) -> None:
    put(root / VERSION / name, content)
    check(root)
    restore(root, name)


def test_the_suite_of_these_tests_is_sound(tmp_path: Path) -> None:
    write_pong(tmp_path)
    assert told(tmp_path) == []


@pytest.mark.parametrize("name", [*TABLES, "../../suite.toml"])
def test_a_file_nested_ten_thousand_deep_is_one_finding_and_the_rest_is_checked(tmp_path: Path, name: str) -> None:
    folder = write_pong(tmp_path)
    put(folder / name, "x = " + "[" * 10_000)
    put(folder / "showcase/showcase.md", b"na\xefve")
    codes = {one.code for one in findings(tmp_path)}
    assert "CAB003" in codes
    assert codes - {"CAB003"} == {"CAB002"}


def test_a_template_nested_ten_thousand_deep_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "prompts/build.hbs", "{{#if workspace}}" * 10_000)
    put(folder / "prompts/other.hbs", "{{nope}}")
    found = findings(tmp_path)
    assert {one.code for one in found} == {"CAB701"}
    assert {one.path.rpartition("/")[2] for one in found} == {"build.hbs", "other.hbs"}


def test_a_template_that_calls_itself_is_told(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "prompts/build.hbs", "{{> build}}")
    assert {one.code for one in findings(tmp_path)} == {"CAB701"}


def test_folders_nested_by_the_thousand_are_listed_or_told(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    here = os.open(folder / "specifications", os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    put(folder / "changelog.md", " ")
    codes = {one.code for one in findings(tmp_path)}
    subprocess.run(["rm", "-r", folder / "specifications/d"], check=True)
    assert codes == {"CAB001", "CAB004"}


def test_specifications_that_lead_into_each_other_by_links_are_read_once_each(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "specifications/ball/paddle").symlink_to("../paddle")
    (folder / "specifications/paddle/ball").symlink_to("../ball")
    (folder / "specifications/paddle/all").symlink_to("..")
    (folder / "validators/ball/again").symlink_to("..")
    assert told(tmp_path) == []


def test_specifications_whose_paths_name_each_other_s_folders_are_told(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, BALL, path="../paddle/specification.md")
    change(folder, "specifications/paddle/specification.toml", path="../ball/specification.md")
    assert [one.code for one in findings(tmp_path)] == ["CAB201", "CAB201"]


@pytest.mark.parametrize("name", [*TABLES, "prompts/build.hbs", "description.md"])
def test_a_fifo_is_told_and_never_read(tmp_path: Path, name: str) -> None:
    folder = write_pong(tmp_path)
    (folder / name).unlink()
    os.mkfifo(folder / name)
    put(folder / "changelog.md", " ")
    codes = {one.code for one in findings(tmp_path)}
    assert codes & {"CAB001", "CAB203"}


def test_names_that_are_no_utf_8_are_told_as_git_writes_them(tmp_path: Path) -> None:
    folder = os.fsencode(write_pong(tmp_path))
    for name in (b"validators/b\xffd.ts", b"prompts/b\xffd.hbs", b"test-cases/b\xffd.toml", b"assets/b\xffd/x.png"):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"x = 1\n")
    ran = cabinet("validate", cwd=tmp_path)
    assert ran.code == 1
    assert "b\\377d.ts" in ran.out


def test_a_file_with_thousands_of_faults_shows_the_first_and_says_so(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / BALL, (folder / BALL).read_text().replace("requirement", "x") + "[[requirement]]\n" * 20_000)
    found = findings(tmp_path)
    assert len(found) <= FAULT_LIMIT + 1
    assert any("more than 1,000 faults" in one.message for one in found)


def test_of_findings_without_an_end_the_first_are_shown(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    claims = [f"no/such/{number}.ts" for number in range(2 * registry.FINDING_LIMIT)]
    ball = TABLES[BALL]
    put(
        folder / BALL,
        document(ball | {"requirement": [ball["requirement"][0] | {"validators": ["ball/speed.ts", *claims]}]}),
    )
    found = findings(tmp_path)
    assert len(found) == registry.FINDING_LIMIT + 1
    assert found[0].message == "CAB202 has found more than 10,000 faults; the rest is not shown"


def test_lists_of_a_hundred_thousand_are_judged(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, "test-cases/end-to-end.toml", specifications=["ball"] * 100_000)
    change(folder, "assets/paddle/asset.toml", files=["paddle.png"] * 100_000)
    assert {one.code for one in findings(tmp_path)} == {"CAB634"}


def test_a_tree_without_an_end_is_told_and_the_others_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "ENTRY_LIMIT", 100)
    put(write_pong(tmp_path) / "changelog.md", " ")
    draft = write_pong(tmp_path, DRAFT)
    for number in range(200):
        put(draft / f"workspaces/none/{number}.ts", "")
    assert sorted((one.code, one.severity) for one in findings(tmp_path)) == [
        ("CAB001", "warning"),
        ("CAB004", "error"),
    ]
