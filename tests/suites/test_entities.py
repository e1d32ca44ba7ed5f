"""Assets, demonstrations, the showcase, the debug API, reference implementations; and what is there for nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.suites.pong import change, findings, told, write_pong
from tests.support.cases import put

ASSET = "assets/paddle/asset.toml"
DEMO = "demos/bounce/demo.toml"
SHOWCASE = "showcase/showcase.toml"
END_TO_END = "test-cases/end-to-end.toml"


def codes(root: Path) -> list[str]:
    return [one.code for one in findings(root)]


def without_built_definitions(folder: Path) -> None:
    """Leave the sprite alone, and what belongs to it."""
    (folder / END_TO_END).unlink()
    shutil.rmtree(folder / "workspaces")
    shutil.rmtree(folder / "reference-implementations")


@pytest.mark.parametrize("name", [ASSET, DEMO])
def test_an_id_is_the_name_of_its_folder(tmp_path: Path, name: str) -> None:
    change(write_pong(tmp_path), name, id="other")
    assert codes(tmp_path) == ["CAB660"]


@pytest.mark.parametrize("name", [ASSET, DEMO])
def test_an_id_is_kebab_case(tmp_path: Path, name: str) -> None:
    change(write_pong(tmp_path), name, id="Other")
    assert codes(tmp_path) == ["CAB104"]


@pytest.mark.parametrize("name", [ASSET, DEMO])
def test_a_specification_is_one_of_the_suite(tmp_path: Path, name: str) -> None:
    change(write_pong(tmp_path), name, specification="net")
    assert codes(tmp_path) == ["CAB632"]


@pytest.mark.parametrize(
    ("name", "key"),
    [(ASSET, key) for key in ("id", "name", "kind", "specification", "files")]
    + [(DEMO, key) for key in ("id", "name", "summary", "specification")],
)
def test_each_of_their_keys_is_required(tmp_path: Path, name: str, key: str) -> None:
    change(write_pong(tmp_path), name, **{key: None})
    assert codes(tmp_path) == ["CAB102"]


@pytest.mark.parametrize("kind", ["sprite-sheet", "voxel", "blender", "particle", "music", "audio-fx"])
def test_an_asset_is_of_one_of_the_kinds(tmp_path: Path, kind: str) -> None:
    folder = write_pong(tmp_path)
    (folder / "test-cases/paddle-sprite.toml").unlink()
    change(folder, ASSET, kind=kind)
    assert told(tmp_path) == []
    change(folder, ASSET, kind="picture")
    assert codes(tmp_path) == ["CAB104"]


def test_an_asset_s_specification_has_non_functional_requirements_only(tmp_path: Path) -> None:
    change(write_pong(tmp_path), ASSET, specification="ball")
    (found,) = findings(tmp_path)
    assert (found.code, found.path.rpartition("v1.0.0/")[2]) == ("CAB661", ASSET)
    assert '"speed" in specifications/ball/specification.toml' in (found.hint or "")


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ([], "CAB104"),
        (["no.png"], "CAB202"),
        (["assets/paddle/paddle.png"], "CAB202"),
        (["Paddle.png"], "CAB204"),
        (["."], "CAB203"),
        (["../paddle/paddle.png"], "CAB201"),
        (["paddle.png", 1], "CAB103"),
        (["paddle.png", "./paddle.png"], "CAB634"),
    ],
)
def test_an_asset_s_files_are_in_its_folder(tmp_path: Path, files: list[Any], code: str) -> None:
    change(write_pong(tmp_path), ASSET, files=files)
    assert codes(tmp_path) == [code]


def test_an_asset_s_files_may_lie_deeper(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "assets/paddle/large/paddle.png", "a picture")
    change(folder, ASSET, files=["paddle.png", "large/paddle.png"])
    assert told(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("no.png", "CAB202"),
        ("showcase/serve.png", "CAB202"),
        ("Serve.png", "CAB204"),
        ("../showcase/serve.png", "CAB201"),
        ("deep/serve.png", "CAB680"),
        ("deep", "CAB203"),
    ],
)
def test_a_medium_is_a_bare_name_in_the_showcase(tmp_path: Path, file: str, code: str) -> None:
    folder = write_pong(tmp_path)
    put(folder / "showcase/deep/serve.png", "a picture")
    change(folder, SHOWCASE, media=[{"file": "serve.png", "name": "A"}, {"file": file, "name": "B"}])
    assert [one for one in codes(tmp_path) if one != "CAB690"] == [code]


@pytest.mark.parametrize("media", [{"file": "serve.png"}, {"name": "The serve"}])
def test_a_medium_has_a_file_and_a_name(tmp_path: Path, media: dict[str, str]) -> None:
    change(write_pong(tmp_path), SHOWCASE, media=[media])
    assert codes(tmp_path) == ["CAB102"]


def test_a_debug_api_is_missed_at_the_definition_that_needs_it(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "debug-api.toml").unlink()
    shutil.rmtree(folder / "debug-api")
    (found,) = findings(tmp_path)
    assert (found.code, found.line, found.path.rpartition("v1.0.0/")[2]) == ("CAB670", 2, END_TO_END)


@pytest.mark.parametrize("name", ["debug-api.toml", "debug-api"])
def test_a_debug_api_without_a_definition_that_runs_is_told(tmp_path: Path, name: str) -> None:
    folder = write_pong(tmp_path)
    without_built_definitions(folder)
    other = {"debug-api.toml": folder / "debug-api", "debug-api": folder / "debug-api.toml"}[name]
    if other.is_dir():
        shutil.rmtree(other)
        change(folder, "debug-api.toml", module=None)
    else:
        other.unlink()
    assert told(tmp_path) == [f"CAB671 {name}"]


def test_without_a_definition_that_runs_neither_debug_api_nor_reference_is_due(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    without_built_definitions(folder)
    (folder / "debug-api.toml").unlink()
    shutil.rmtree(folder / "debug-api")
    assert told(tmp_path) == []


@pytest.mark.parametrize("type_", ["full-stack", "end-to-end"])
def test_either_type_that_runs_needs_them(tmp_path: Path, type_: str) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, type=type_)
    assert told(tmp_path) == []
    (folder / "debug-api.toml").unlink()
    shutil.rmtree(folder / "reference-implementations")
    assert codes(tmp_path) == ["CAB670", "CAB675"]


def test_a_type_that_can_t_be_told_may_be_one_that_runs(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / END_TO_END, "type = \n")
    assert codes(tmp_path) == ["CAB002"]


def test_a_handle_is_required(tmp_path: Path) -> None:
    change(write_pong(tmp_path), "debug-api.toml", handle=None)
    assert codes(tmp_path) == ["CAB102"]


@pytest.mark.parametrize("name", ["version.toml", END_TO_END, "../../suite.toml", SHOWCASE])
def test_a_handle_stands_in_the_debug_api_only(tmp_path: Path, name: str) -> None:
    path = write_pong(tmp_path) / name
    put(path, 'handle = "__pong"\n' + path.read_text())
    assert codes(tmp_path) == ["CAB101"]


@pytest.mark.parametrize("key", ["name", "path"])
def test_a_module_has_a_name_and_a_path(tmp_path: Path, key: str) -> None:
    module = {"name": "clock", "path": "clock.ts"}
    del module[key]
    change(write_pong(tmp_path), "debug-api.toml", module=[module])
    assert codes(tmp_path) == ["CAB102"]


@pytest.mark.parametrize("path", ["clock.ts", "debug-api/clock.ts", "./clock.ts"])
def test_a_module_s_path_may_name_the_folder(tmp_path: Path, path: str) -> None:
    change(write_pong(tmp_path), "debug-api.toml", module=[{"name": "clock", "path": path}])
    assert told(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "code"),
    [("no.ts", "CAB202"), ("Clock.ts", "CAB204"), ("../version.toml", "CAB201"), (".", "CAB203")],
)
def test_a_module_s_path_leads_below_debug_api(tmp_path: Path, path: str, code: str) -> None:
    change(
        write_pong(tmp_path),
        "debug-api.toml",
        module=[{"name": "clock", "path": "clock.ts"}, {"name": "other", "path": path}],
    )
    assert codes(tmp_path) == [code]


def test_each_file_below_debug_api_is_referenced_once(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "debug-api/deep/score.ts", "")
    assert told(tmp_path) == ["CAB672 debug-api/deep/score.ts"]
    modules = [{"name": "clock", "path": "clock.ts"}, {"name": "score", "path": "deep/score.ts"}]
    change(folder, "debug-api.toml", module=modules)
    assert told(tmp_path) == []
    change(folder, "debug-api.toml", module=[*modules, {"name": "again", "path": "debug-api/clock.ts"}])
    assert codes(tmp_path) == ["CAB673"]


def test_a_reference_implementation_is_named_for_a_declared_engine(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "reference-implementations/simple-2d/index.ts", "")
    (found,) = findings(tmp_path)
    assert (found.code, found.hint) == ("CAB674", "declared are none")


def test_a_reference_implementation_is_due_where_something_runs(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    shutil.rmtree(folder / "reference-implementations")
    assert codes(tmp_path) == ["CAB675"]


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        "prompts/notes.md",
        "test-cases/deep/one.toml",
        "assets/one.png",
        "assets/paddle/two.png",
        "draft.toml",
    ],
)
def test_a_file_without_a_place_is_a_warning(tmp_path: Path, name: str) -> None:
    put(write_pong(tmp_path) / name, "")
    assert [(one.code, one.severity) for one in findings(tmp_path)] == [("CAB690", "warning")]


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "workspaces/none/deep/any.txt",
        "demos/bounce/index.html",
        "specifications/ball/figure.png",
        "reference-implementations/none/src/any.txt",
    ],
)
def test_a_file_with_a_place_is_not(tmp_path: Path, name: str) -> None:
    put(write_pong(tmp_path) / name, "")
    assert told(tmp_path) == []


@pytest.mark.parametrize("name", ["prompts/other.hbs", "workspaces/other/index.ts"])
def test_a_prompt_or_workspace_that_no_definition_uses_is_a_warning(tmp_path: Path, name: str) -> None:
    put(write_pong(tmp_path) / name, "")
    assert [(one.code, one.severity) for one in findings(tmp_path)] == [("CAB691", "warning")]
