"""The suite wall-rally: sound, complete as an example of the format, and what its runs receive."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from cabinet_ci.catalog.suites import definition as definitions
from cabinet_ci.catalog.suites import files
from cabinet_ci.catalog.suites.discovery import find_trees
from cabinet_ci.catalog.suites.reading import read_suite_tree
from cabinet_ci.catalog.suites.suite import Definition, SuiteTree
from cabinet_ci.config import load_config
from tests.history.repositories import new_repo
from tests.support.command import cabinet

REPOSITORY = Path(__file__).parents[2]
SUITE = "test-suites/wall-rally"
VERSION = f"{SUITE}/versions/v1.0.0"
DRAFT = f"{SUITE}/drafts/power-ups"
TREES: list[SuiteTree] = [read_suite_tree(REPOSITORY, place) for place in find_trees(REPOSITORY, SUITE)]
RUNS = [
    (tree, found, engine)
    for tree in TREES
    for found in tree.definitions
    for engine in (found.built.engines if found.built else [None])
]
RUN_IDS = [f"{found.slug}-{engine or 'no-engine'}" for _, found, engine in RUNS]
each_run = pytest.mark.parametrize(("tree", "found", "engine"), RUNS, ids=RUN_IDS)


def file_of(tree: SuiteTree, found: Definition) -> str:
    return f"{tree.path}/{found.document.path}"


def with_engine(engine: str | None) -> list[str]:
    return [] if engine is None else ["--engine", engine]


def documents() -> Iterator[tuple[type[msgspec.Struct], dict[str, Any]]]:
    """Every TOML table of the suite's files with the Struct that it is read into."""
    for tree in TREES:
        yield from ((type(found.file), found.document.data) for found in tree.definitions)
        for held in (tree.specifications, tree.assets, tree.demos):
            yield from ((type(found.file), found.document.data) for found in held)
        for document, struct in (
            (tree.version, files.VersionFile),
            (tree.draft, files.DraftFile),
            (tree.showcase, files.ShowcaseFile),
            (tree.debug_api, files.DebugApiFile),
        ):
            if document is not None:
                yield struct, document.data


def structs_of(type_: Any) -> Iterator[type[msgspec.Struct]]:
    """The Structs that a field's type holds, a list's items among them."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        yield type_
    for inner in get_args(type_):
        yield from structs_of(inner)


def owner(struct: type[msgspec.Struct], name: str) -> str:
    """The Struct that brings a field, which others may inherit: what all definitions have is shown by one of them."""
    line = [base for base in struct.__mro__ if issubclass(base, msgspec.Struct) and base is not msgspec.Struct]
    return next(base.__name__ for base in reversed(line) if name in base.__struct_fields__)


def keys_used(struct: type[msgspec.Struct], data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each key of a table, and of the tables in it, by the Struct that knows it."""
    for field in msgspec.structs.fields(struct):
        if field.encode_name not in data:
            continue
        yield owner(struct, field.name), field.encode_name
        value = data[field.encode_name]
        for inner in structs_of(field.type):
            for table in value if isinstance(value, list) else [value]:
                yield from keys_used(inner, table)


def keys_known(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    for field in msgspec.structs.fields(struct):
        yield owner(struct, field.name), field.encode_name
        for inner in structs_of(field.type):
            yield from keys_known(inner)


def test_the_exported_version_and_the_draft_validate_without_a_finding() -> None:
    ran = cabinet("validate", SUITE, "--fail-on", "warning", cwd=REPOSITORY)
    assert (ran.code, ran.out) == (0, "2 versions checked, nothing found\n")


def test_it_has_a_definition_of_every_type() -> None:
    used = {found.file.type for found in TREES[0].definitions}
    assert used == set(definitions.TYPES)


def test_it_uses_every_key_that_there_is() -> None:
    known = {
        key
        for struct in (
            *definitions.STRUCTS.values(),
            files.VersionFile,
            files.DraftFile,
            files.SpecificationFile,
            files.AssetFile,
            files.DemoFile,
            files.ShowcaseFile,
            files.DebugApiFile,
        )
        for key in keys_known(struct)
    }
    used = {key for struct, data in documents() for key in keys_used(struct, data)}
    assert used == known


def test_it_has_every_kind_of_asset_and_of_requirement() -> None:
    tree = TREES[0]
    assert {asset.file.kind for asset in tree.assets} == set(get_args(files.AssetKind))
    requirements = {each.kind for found in tree.specifications for each in found.file.requirement}
    assert requirements == set(get_args(files.RequirementKind))


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("ball/ball.png", b"\x89PNG\r\n\x1a\n"),
        ("paddle/paddle.png", b"\x89PNG\r\n\x1a\n"),
        ("return-sound/return.wav", b"RIFF"),
        ("theme/theme.mid", b"MThd"),
        ("trophy/trophy.vox", b"VOX "),
    ],
)
def test_an_asset_is_a_file_of_its_kind(name: str, start: bytes) -> None:
    assert (REPOSITORY / VERSION / "assets" / name).read_bytes().startswith(start)


def test_it_has_nested_specifications_demonstrations_a_showcase_and_a_debug_api() -> None:
    tree = TREES[0]
    folders = {found.folder for found in tree.specifications}
    assert any(folder.rpartition("/")[0] in folders for folder in folders)
    assert tree.demos
    assert tree.showcase_file.media
    assert tree.debug_api_file.function
    assert tree.debug_files


def test_it_has_a_draft_that_names_the_version_it_started_from() -> None:
    (draft,) = (tree for tree in TREES if tree.is_draft)
    assert draft.draft_file.base == "1.0.0"
    assert draft.definitions


def test_every_engine_has_a_workspace_with_names_that_begin_with_a_dot_and_a_reference() -> None:
    tree = TREES[0]
    engines = {engine for found in tree.definitions if found.built for engine in found.built.engines}
    assert engines == {"none", *load_config(REPOSITORY, {}).engines}
    assert {path.rpartition("/")[2] for path in tree.references} == engines
    for workspace in tree.workspaces:
        assert {".gitignore", ".editorconfig"} <= {path.name for path in (tree.folder / workspace).iterdir()}


@each_run
def test_the_prompt_of_a_run_names_every_specification_by_its_path(
    tree: SuiteTree, found: Definition, engine: str | None
) -> None:
    ran = cabinet("prompt", file_of(tree, found), *with_engine(engine), cwd=REPOSITORY)
    assert (ran.code, ran.err) == (0, "")
    assert all(f"/workspace/specs/{each.file.path}`" in ran.out for each in tree.covered(found))
    assert ("/opt/engines/simple-2d/docs" in ran.out) == (engine == "simple-2d")


@each_run
def test_a_run_receives_exactly_what_is_listed(
    tmp_path: Path, tree: SuiteTree, found: Definition, engine: str | None
) -> None:
    arguments = ["seed", file_of(tree, found), *with_engine(engine)]
    listed = cabinet(*arguments, "--list", "--format", "json", cwd=REPOSITORY).json
    ran = cabinet(*arguments, "--output", tmp_path / "run", cwd=REPOSITORY)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    written = {
        path.relative_to(tmp_path / "run").as_posix(): (path.stat().st_size, bool(path.stat().st_mode & 0o100))
        for path in (tmp_path / "run").rglob("*")
        if path.is_file()
    }
    assert written == {file["destination"]: (file["bytes"], file["script"]) for file in listed["files"]}
    assert listed["engine"] == (engine or "none")


def test_the_exported_version_is_frozen_and_the_draft_is_not(tmp_path: Path) -> None:
    repo = new_repo(tmp_path)
    shutil.copytree(REPOSITORY / SUITE, repo.root / SUITE)
    repo.commit()
    repo.branch("work")
    repo.put(f"{DRAFT}/description.md", "Something else.\n")
    assert cabinet("immutable", "--base", "main", cwd=repo.root).code == 0
    repo.put(f"{VERSION}/description.md", "Something else.\n")
    ran = cabinet("immutable", "--base", "main", cwd=repo.root)
    assert ran.code == 1
    assert VERSION in ran.out
    assert DRAFT not in ran.out


def npm_environment() -> dict[str, str]:
    """The environment with the node and npm that the tests bring."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def run(command: str, folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=npm_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


BUILT = [(tree, found, engine) for tree, found, engine in RUNS if found.built is not None]
BUILT_IDS = [f"{found.slug}-{engine}" for _, found, engine in BUILT]


@pytest.mark.parametrize(("tree", "found", "engine"), BUILT, ids=BUILT_IDS)
def test_the_reference_does_what_the_definition_s_commands_ask_for(
    tmp_path: Path, tree: SuiteTree, found: Definition, engine: str
) -> None:
    assert found.built is not None
    folder = shutil.copytree(tree.folder / "reference-implementations" / engine, tmp_path / "solution")
    tools = found.built.toolchain
    build = found.built.build
    for command in (build.install, build.build, tools.typecheck, tools.lint, tools.format, tools.test):
        if command is not None:
            run(command, folder)
    assert (folder / "build/src/main.js").is_file()


def test_the_reference_satisfies_every_validator_and_a_game_that_stands_still_none(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / VERSION, tmp_path / "tree")
    run("npm install --silent --no-audit --no-fund vitest@4.1.12", tmp_path)
    run("../node_modules/.bin/vitest run --config validators/vitest.config.ts", tmp_path / "tree")
    tried = (REPOSITORY / VERSION / "validators/all.test.ts").read_text()
    assert all(f'"./{name.removeprefix("validators/")}"' in tried for name in TREES[0].validators)
