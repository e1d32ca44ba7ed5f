"""Test case definitions: the common keys, engines and workspaces, the tables of the types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cabinet_ci.catalog.suites.definition import ASSET_TYPES, BUILT_TYPES, OPEN_TYPES, TYPES
from cabinet_ci.catalog.suites.discovery import tree_holding
from cabinet_ci.catalog.suites.reading import read_suite_tree
from cabinet_ci.config import Config, EngineConfig
from tests.suites.pong import VERSION, change, findings, told, write_pong
from tests.support.cases import put
from tests.support.toml import document

END_TO_END = "test-cases/end-to-end.toml"
SPRITE = "test-cases/paddle-sprite.toml"
ENGINES = Config(engines={"simple-2d": EngineConfig("Simple 2D", "/docs/simple-2d")})


def define(folder: Path, name: str, **values: Any) -> None:
    """A definition of its own, of the common keys and these."""
    common = {"name": "Of its own", "type": "puzzle", "difficulty": "easy", "prompt": "prompts/build.hbs"}
    put(folder / "test-cases" / f"{name}.toml", document(common | values))


def asset(folder: Path, kind: str) -> None:
    """An asset of that kind, named for it."""
    values = {"id": kind, "name": kind, "kind": kind, "specification": "paddle", "files": ["one.png"]}
    put(folder / f"assets/{kind}/asset.toml", document(values))
    put(folder / f"assets/{kind}/one.png", "a picture")


def codes(root: Path, config: Config | None = None) -> list[str]:
    return [one.code for one in findings(root, config=config)]


@pytest.mark.parametrize("key", ["name", "type", "difficulty", "prompt", "engines", "workspaces", "build", "toolchain"])
def test_a_required_key_is_missed(tmp_path: Path, key: str) -> None:
    change(write_pong(tmp_path), END_TO_END, **{key: None})
    found = findings(tmp_path)
    missed = [one for one in found if one.code == "CAB102"]
    assert [one.line for one in missed] == [1]
    assert f"`{key}`" in missed[0].message
    assert {one.code for one in found} <= {"CAB102", "CAB674"}


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("name", " ", "CAB104"),
        ("type", "game", "CAB104"),
        ("type", 1, "CAB103"),
        ("difficulty", "Easy", "CAB104"),
        ("engines", [], "CAB104"),
        ("engines", "none", "CAB103"),
        ("specifications", "ball", "CAB103"),
        ("max_runtime_hours", 0, "CAB104"),
        ("max_runtime_hours", float("inf"), "CAB104"),
        ("max_runtime_hours", True, "CAB103"),
        ("experimental", "no", "CAB103"),
        ("init", " ", "CAB104"),
        ("build", {"install": " ", "build": "x"}, "CAB104"),
        ("build", {"install": "x"}, "CAB102"),
        ("build", {"install": "x", "build": "x", "module": "x"}, "CAB101"),
        ("toolchain", {"lint": "x"}, "CAB102"),
        ("toolchain", {"typecheck": "x", "fuzz": "x"}, "CAB101"),
        ("sprite", {"id": "paddle"}, "CAB105"),
        ("timeout", 1, "CAB101"),
    ],
)
def test_a_value_that_does_not_fit_is_one_finding(tmp_path: Path, key: str, value: Any, code: str) -> None:
    change(write_pong(tmp_path), END_TO_END, **{key: value})
    assert codes(tmp_path) == [code]


@pytest.mark.parametrize(
    "values",
    [
        {"max_runtime_hours": 2},
        {"max_runtime_hours": 0.25},
        {"experimental": True},
        {"init": "npm ci"},
        {"toolchain": {"typecheck": "a", "lint": "b", "format": "c", "test": "d"}},
        {"specifications": ["paddle", "ball"]},
        {"type": "full-stack"},
    ],
)
def test_what_is_optional_may_be_given(tmp_path: Path, values: dict[str, Any]) -> None:
    change(write_pong(tmp_path), END_TO_END, **values)
    assert told(tmp_path) == []


@pytest.mark.parametrize("name", ["End-To-End", "end_to_end", "end--to-end", "-end"])
def test_the_stem_is_kebab_case(tmp_path: Path, name: str) -> None:
    define(write_pong(tmp_path), name)
    assert told(tmp_path) == [f"CAB630 test-cases/{name}.toml"]


@pytest.mark.parametrize("type_", ASSET_TYPES)
def test_init_belongs_to_any_type(tmp_path: Path, type_: str) -> None:
    folder = write_pong(tmp_path)
    asset(folder, type_)
    define(folder, type_, type=type_, init="npm ci", **{type_: {"id": type_}})
    assert told(tmp_path) == []
    define(folder, type_, type=type_, init=" ", **{type_: {"id": type_}})
    assert codes(tmp_path) == ["CAB104"]


@pytest.mark.parametrize("type_", [*ASSET_TYPES, *OPEN_TYPES])
def test_engines_belong_to_end_to_end_and_full_stack_alone(tmp_path: Path, type_: str) -> None:
    folder = write_pong(tmp_path)
    table = {}
    if type_ in ASSET_TYPES:
        asset(folder, type_)
        table = {type_: {"id": type_}}
    define(folder, type_, type=type_, engines=["none"], **table)
    (found,) = findings(tmp_path)
    assert (found.code, "end-to-end and full-stack" in found.message) == ("CAB105", True)


@pytest.mark.parametrize("type_", ASSET_TYPES)
@pytest.mark.parametrize("key", ["workspaces", "build", "toolchain"])
def test_so_do_workspaces_build_and_toolchain(tmp_path: Path, type_: str, key: str) -> None:
    folder = write_pong(tmp_path)
    asset(folder, type_)
    define(folder, type_, type=type_, **{type_: {"id": type_}, key: {}})
    assert codes(tmp_path) == ["CAB105"]


@pytest.mark.parametrize("type_", BUILT_TYPES)
def test_an_engine_that_is_not_configured_is_told_with_the_known_ones(tmp_path: Path, type_: str) -> None:
    folder = write_pong(tmp_path)
    workspaces = {"none": "workspaces/none", "simple-2d": "workspaces/none"}
    change(folder, END_TO_END, type=type_, engines=["none", "simple-2d"], workspaces=workspaces)
    (found,) = findings(tmp_path)
    assert found.code == "CAB631"
    assert found.hint is not None
    assert found.hint.startswith("known are none;")
    assert told(tmp_path, ENGINES) == []


@pytest.mark.parametrize(
    ("engines", "workspaces", "lines"),
    [
        (["none"], {"none": "workspaces/none"}, []),
        (["none", "simple-2d"], {"none": "workspaces/none"}, ["no workspace"]),
        (["none"], {"none": "workspaces/none", "simple-2d": "workspaces/none"}, ["not among"]),
        (["none"], {}, ["no workspace"]),
    ],
)
def test_each_declared_engine_has_a_workspace_and_no_other(
    tmp_path: Path, engines: list[str], workspaces: dict[str, str], lines: list[str]
) -> None:
    change(write_pong(tmp_path), END_TO_END, engines=engines, workspaces=workspaces)
    found = [one for one in findings(tmp_path, config=ENGINES) if one.code != "CAB691"]
    assert [one.code for one in found] == ["CAB633"] * len(lines)
    assert all(words in one.message for words, one in zip(lines, found, strict=True))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("workspaces/no", "CAB202"),
        ("workspaces/None", "CAB204"),
        ("prompts/build.hbs", "CAB203"),
        ("../none", "CAB201"),
        ("validators", "CAB637"),
        (".", "CAB637"),
        ("workspaces", "CAB637"),
        ("workspaces/none/deep", "CAB637"),
    ],
)
def test_a_workspace_is_a_folder_of_workspaces(tmp_path: Path, path: str, code: str) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/deep/index.ts", "")
    change(folder, END_TO_END, workspaces={"none": path})
    assert [one for one in codes(tmp_path) if one != "CAB691"] == [code]


@pytest.mark.parametrize(
    ("path", "code"),
    [("prompts/no.hbs", "CAB202"), ("prompts", "CAB203"), ("prompts/Build.hbs", "CAB204"), ("other.hbs", "CAB637")],
)
def test_a_prompt_is_a_template_of_prompts(tmp_path: Path, path: str, code: str) -> None:
    folder = write_pong(tmp_path)
    put(folder / "other.hbs", "Work.\n")
    change(folder, END_TO_END, prompt=path)
    assert [one for one in codes(tmp_path) if one != "CAB690"] == [code]


def test_specifications_are_ids_of_the_suite(tmp_path: Path) -> None:
    change(write_pong(tmp_path), END_TO_END, specifications=["ball", "padle"])
    (found,) = findings(tmp_path)
    assert (found.code, found.hint) == ("CAB632", 'did you mean "paddle"?')


@pytest.mark.parametrize("key", ["engines", "specifications"])
def test_nothing_is_named_twice(tmp_path: Path, key: str) -> None:
    named = ["none", "none"] if key == "engines" else ["ball", "paddle", "ball"]
    change(write_pong(tmp_path), END_TO_END, **{key: named})
    assert codes(tmp_path) == ["CAB634"]


def test_specifications_default_to_all_by_folder_and_keep_the_definition_s_order(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    define(folder, "reversed", specifications=["paddle", "ball"])
    place = tree_holding(tmp_path, folder, "test-suites")
    assert place is not None
    suite = read_suite_tree(tmp_path, place)
    covered = {one.slug: [found.file.id for found in suite.covered(one)] for one in suite.definitions}
    assert covered == {"end-to-end": ["ball", "paddle"], "paddle-sprite": ["paddle"], "reversed": ["paddle", "ball"]}


@pytest.mark.parametrize("type_", ASSET_TYPES)
def test_an_asset_type_requires_the_table_of_its_name(tmp_path: Path, type_: str) -> None:
    folder = write_pong(tmp_path)
    asset(folder, type_)
    define(folder, type_, type=type_, **{type_: {"id": type_}})
    assert told(tmp_path) == []
    define(folder, type_, type=type_)
    assert codes(tmp_path) == ["CAB102"]


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("other", ASSET_TYPES)
def test_no_type_has_the_table_of_another(tmp_path: Path, type_: str, other: str) -> None:
    folder = write_pong(tmp_path)
    if type_ == other:
        return
    if type_ in BUILT_TYPES:
        change(folder, END_TO_END, type=type_, **{other: {"id": "paddle"}})
    elif type_ in ASSET_TYPES:
        asset(folder, type_)
        define(folder, type_, type=type_, **{type_: {"id": type_}, other: {"id": "paddle"}})
    else:
        define(folder, type_, type=type_, **{other: {"id": "paddle"}})
    (found,) = findings(tmp_path)
    assert found.code == "CAB105"
    assert f"{other} definitions" in found.message
    assert found.severity == "error"


@pytest.mark.parametrize(
    ("type_", "table", "kind", "sound"),
    [
        ("sprite", {}, "sprite", True),
        ("sprite", {"sheet": False}, "sprite", True),
        ("sprite", {"sheet": True}, "sprite-sheet", True),
        ("sprite", {"sheet": True}, "sprite", False),
        ("sprite", {}, "sprite-sheet", False),
        ("voxel", {}, "voxel", True),
        ("voxel", {"animated": True}, "voxel", True),
        ("voxel", {}, "blender", False),
        ("music", {}, "audio-fx", False),
    ],
)
def test_the_asset_is_of_the_kind_that_the_table_selects(
    tmp_path: Path, type_: str, table: dict[str, Any], kind: str, sound: bool
) -> None:
    folder = write_pong(tmp_path)
    asset(folder, kind)
    define(folder, "one", type=type_, **{type_: {"id": kind, **table}})
    assert codes(tmp_path) == ([] if sound else ["CAB635"])


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ({"id": "padle"}, "CAB635"),
        ({"id": "Paddle"}, "CAB104"),
        ({}, "CAB102"),
        ({"id": "paddle", "sheet": "yes"}, "CAB103"),
        ({"id": "paddle", "animated": True}, "CAB101"),
    ],
)
def test_a_table_names_an_asset_and_has_the_keys_of_its_type(tmp_path: Path, table: dict[str, Any], code: str) -> None:
    change(write_pong(tmp_path), SPRITE, sprite=table)
    assert codes(tmp_path) == [code]


@pytest.mark.parametrize("type_", OPEN_TYPES)
def test_the_common_keys_of_a_type_that_is_left_open_are_checked(tmp_path: Path, type_: str) -> None:
    folder = write_pong(tmp_path)
    define(folder, "open", type=type_)
    assert told(tmp_path) == []
    define(folder, "open", type=type_, difficulty="simple", prompt="prompts/no.hbs", specifications=["net"])
    assert sorted(codes(tmp_path)) == ["CAB104", "CAB202", "CAB632"]


@pytest.mark.parametrize("type_", OPEN_TYPES)
@pytest.mark.parametrize("key", ["build", "toolchain", "workspaces", "pieces"])
def test_any_other_key_of_it_is_a_warning(tmp_path: Path, type_: str, key: str) -> None:
    define(write_pong(tmp_path), "open", type=type_, **{key: {"anything": 1}})
    assert [(one.code, one.severity) for one in findings(tmp_path)] == [("CAB636", "warning")]


def test_a_key_that_slid_below_a_table_is_told_where_it_belongs(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    path = folder / SPRITE
    put(path, path.read_text() + "[build]\ninit = 'npm ci'\n")
    assert codes(tmp_path) == ["CAB105"]
    put(folder / "specifications/paddle/specification.toml", """id = "paddle"
name = "Paddle"
summary = "What it looks like."
[[requirement]]
id = "plain"
kind = "non-functional"
text = "It MUST be plain."
path = "paddle.md"
""")  # fmt: skip
    put(path, path.read_text().partition("[build]")[0])
    (found,) = findings(tmp_path)
    assert (found.code, found.line) == ("CAB101", 8)
    assert "`path` is a root key" in (found.hint or "")


def test_a_prompt_that_refers_to_nothing_is_an_error_with_its_place(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "prompts/build.hbs", "Work in {{workspace}}\nwith {{engine.nam}}.\n")
    (found,) = findings(tmp_path)
    assert (found.code, found.line, found.column) == ("CAB701", 2, 8)
    assert "did you mean engine.name?" in (found.hint or "")


@pytest.mark.parametrize(
    "text",
    [
        "{{workspace}} {{engine.slug}} {{engine.name}} {{engine.docs}}",
        "{{#each specifications}}{{id}} {{name}} {{summary}} {{path}}{{/each}}",
        '{{#if (eq engine.slug "none")}}None{{else}}{{engine.docs}}{{/if}}',
    ],
)
def test_a_prompt_may_use_the_variables_of_a_suite(tmp_path: Path, text: str) -> None:
    put(write_pong(tmp_path) / "prompts/build.hbs", text)
    assert told(tmp_path) == []


def test_a_prompt_is_checked_against_each_definition_and_the_one_that_fails_is_named(tmp_path: Path) -> None:
    text = "First read {{specifications.0.path}}, then {{specifications.1.path}}.\n"
    put(write_pong(tmp_path) / "prompts/build.hbs", text)
    (found,) = findings(tmp_path)
    assert found.code == "CAB701"
    assert found.message.endswith('for the definition "paddle-sprite"')


def test_a_prompt_that_would_loop_too_much_is_told_for_the_definition_that_makes_it(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    for number in range(60):
        values = {"id": f"part-{number}", "name": "Part", "summary": "A part.", "path": f"part-{number}.md"}
        put(folder / f"specifications/part-{number}/specification.toml", document(values))
        put(folder / f"specifications/part-{number}/specification.md", "A part.\n")
    loop = "{{#each @root.specifications}}"
    put(folder / "prompts/build.hbs", loop * 4 + "x" + "{{/each}}" * 4)
    (found,) = findings(tmp_path)
    assert "would loop too much" in found.message
    assert 'for the definition "end-to-end"' in found.message


def test_a_template_that_no_definition_uses_is_checked_as_well(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "prompts/other.hbs", "{{nope}}")
    assert codes(tmp_path) == ["CAB701"]


def test_a_definition_named_like_a_manifest_of_the_catalog_is_a_definition(tmp_path: Path) -> None:
    define(write_pong(tmp_path), "test-case")
    assert told(tmp_path) == []
    assert findings(tmp_path, tmp_path) == []
    assert (tmp_path / VERSION / "test-cases/test-case.toml").is_file()
