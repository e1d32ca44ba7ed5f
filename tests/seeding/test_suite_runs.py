"""What a run of a suite's definition receives, file by file, and its specification documents (section 5)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cabinet_ci.config import Config, EngineConfig
from cabinet_ci.failure import CannotRun
from cabinet_ci.seeding.listing import SeedListing, list_seed
from cabinet_ci.seeding.runs import Run, open_run
from tests.suites.pong import TABLES, change, write_pong
from tests.support.cases import put

END_TO_END = "test-cases/end-to-end.toml"
SPRITE = "test-cases/paddle-sprite.toml"
BALL = "specifications/ball/specification.toml"
PROSE = "specifications/ball/specification.md"
WARP = Config(engines={"warp": EngineConfig("Warp Drive", "/opt/warp/docs")})
TWO_ENGINES = {
    "engines": ["none", "warp"],
    "workspaces": {"none": "workspaces/none", "warp": "workspaces/warp"},
}


def run_of(folder: Path, name: str = END_TO_END, engine: str | None = None) -> Run:
    root = folder.parents[3]
    return open_run(root, WARP, folder / name, variant=None, engine=engine)


def listed(folder: Path, name: str = END_TO_END, engine: str | None = None) -> SeedListing:
    run = run_of(folder, name, engine)
    return list_seed(run, run.plan())


def received(folder: Path, name: str = END_TO_END, engine: str | None = None) -> list[str]:
    return [file.destination for file in listed(folder, name, engine).files]


def document(folder: Path, destination: str = "specs/ball.md") -> bytes:
    run = run_of(folder)
    (entry,) = (entry for entry in run.plan().entries if entry.destination == destination)
    return run.content(entry)


def refusal(folder: Path, name: str = END_TO_END, engine: str | None = None) -> str:
    with pytest.raises(CannotRun) as caught:
        listed(folder, name, engine)
    return str(caught.value)


def test_an_end_to_end_run_receives_the_workspace_the_specifications_and_the_assets(tmp_path: Path) -> None:
    found = listed(write_pong(tmp_path))
    assert [(file.destination, file.origin, file.source) for file in found.files] == [
        ("assets/paddle/paddle.png", "asset", "assets/paddle/paddle.png"),
        ("index.ts", "workspace", "workspaces/none/index.ts"),
        ("specs/ball.md", "specification", "specifications/ball/specification.md"),
        ("specs/paddle.md", "specification", "specifications/paddle/specification.md"),
    ]
    assert found.engine == "none"


def test_a_full_stack_run_receives_no_assets(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, type="full-stack")
    assert received(folder) == ["index.ts", "specs/ball.md", "specs/paddle.md"]


def test_a_run_that_makes_an_asset_receives_its_specifications_alone(tmp_path: Path) -> None:
    assert received(write_pong(tmp_path), SPRITE) == ["specs/paddle.md"]


def test_the_files_that_an_asset_lists_are_received_and_the_others_in_its_folder_are_not(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "assets/paddle/source.svg", "a picture\n")
    put(folder / "assets/paddle/frames/one.png", "a picture\n")
    change(folder, "assets/paddle/asset.toml", files=["paddle.png", "frames/one.png"])
    assert received(folder)[:2] == ["assets/paddle/frames/one.png", "assets/paddle/paddle.png"]


def test_the_chosen_engine_decides_the_workspace_and_the_first_is_the_default(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, **TWO_ENGINES)
    put(folder / "workspaces/warp/warp.ts", "export {};\n")
    assert "index.ts" in received(folder)
    assert "index.ts" not in received(folder, engine="warp")
    assert "warp.ts" in received(folder, engine="warp")


def test_names_that_begin_with_a_dot_are_left_out_but_gitignore_and_the_folder_cargo(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    names = (".gitignore", "deep/.gitignore", ".cargo/config.toml", ".cargo/.secret", ".env", ".github/x.yml", "a/.b/c")
    for name in names:
        put(folder / "workspaces/none" / name, "x\n")
    kept = [name for name in received(folder) if not name.startswith(("assets/", "specs/"))]
    assert kept == [".cargo/config.toml", ".gitignore", "deep/.gitignore", "index.ts"]


def test_a_definition_receives_the_specifications_that_it_covers_and_all_where_it_names_none(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, specifications=["paddle"])
    assert "specs/ball.md" not in received(folder)
    change(folder, END_TO_END, specifications=None)
    assert "specs/ball.md" in received(folder)


def test_a_specification_document_is_the_prose_and_then_the_requirements_in_their_order(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    requirement = [
        {"id": "speed", "kind": "functional", "text": "The ball MUST keep its speed.", "validators": ["ball/speed.ts"]},
        {"id": "calm", "kind": "non-functional", "text": "The ball SHOULD look calm."},
        {"id": "alone", "kind": "non-functional", "text": "There MUST NOT be a second ball."},
    ]
    change(folder, BALL, requirement=requirement)
    put(folder / PROSE, "# Ball\n\nIt moves.\n\n\n")
    assert document(folder).decode() == (
        "# Ball\n"
        "\n"
        "It moves.\n"
        "\n"
        "## Requirements\n"
        "\n"
        "- **speed** (functional): The ball MUST keep its speed.\n"
        "- **calm** (non-functional): The ball SHOULD look calm.\n"
        "- **alone** (non-functional): There MUST NOT be a second ball.\n"
    )


@pytest.mark.parametrize(
    ("prose", "requirements", "expected"),
    [
        ("Prose.", False, "Prose.\n"),
        ("", False, "\n"),
        ("\n", True, "## Requirements\n\n- **speed** (functional): The ball MUST keep its speed.\n"),
    ],
)
def test_a_document_without_prose_or_without_requirements_has_no_gap(
    tmp_path: Path, prose: str, requirements: bool, expected: str
) -> None:
    folder = write_pong(tmp_path)
    put(folder / PROSE, prose)
    change(folder, BALL, requirement=TABLES[BALL]["requirement"] if requirements else None)
    assert document(folder).decode() == expected


def test_a_requirement_over_several_lines_is_one_item(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    text = "The ball\n\n## MUST\n  keep its speed.\n"
    change(folder, BALL, requirement=[TABLES[BALL]["requirement"][0] | {"text": text}])
    assert document(folder).endswith(b"\n\n- **speed** (functional): The ball ## MUST keep its speed.\n")


def test_the_prose_is_no_template(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / PROSE, "Write {{workspace}} as it is.\n")
    assert document(folder).startswith(b"Write {{workspace}} as it is.\n")


def test_prose_that_is_not_utf_8_is_refused_where_it_is_not(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / PROSE, b"one\nna\xefve\n")
    assert f"{PROSE}:2:3: " in refusal(folder)


def test_a_script_stays_one_and_is_listed_as_one(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/play.sh", "#!/bin/sh\n")
    (folder / "workspaces/none/play.sh").chmod(0o744)
    assert [file.destination for file in listed(folder).files if file.script] == ["play.sh"]


def test_sizes_are_those_of_what_is_written_and_add_up(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    found = listed(folder)
    sizes = {file.destination: file.bytes for file in found.files}
    assert sizes["specs/ball.md"] == len(document(folder))
    assert found.bytes == sum(sizes.values())


@pytest.mark.parametrize(
    ("link", "target", "reason"),
    [
        ("out", "/etc", "is a link that leads out of the version"),
        ("deep/passwd", "/etc/passwd", "is a link that leads out of the version"),
        ("gone", "nowhere", "is a link that leads nowhere"),
        ("one", "one", "is a link that leads nowhere"),
    ],
)
def test_a_link_out_of_the_version_or_to_nothing_is_refused(
    tmp_path: Path, link: str, target: str, reason: str
) -> None:
    folder = write_pong(tmp_path)
    (folder / "workspaces/none/deep").mkdir()
    (folder / "workspaces/none" / link).symlink_to(target)
    assert f"{END_TO_END}:6:26: workspaces/none/{link} {reason}" in refusal(folder)


def test_a_link_that_begins_with_a_dot_is_left_out_wherever_it_leads(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "workspaces/none/.out").symlink_to("/etc")
    assert received(folder)[1] == "index.ts"


def test_a_link_inside_the_workspace_is_received_as_the_file_that_it_leads_to(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/shared/one.ts", "export {};\n")
    (folder / "workspaces/none/again").symlink_to("shared")
    (folder / "workspaces/none/loop").symlink_to(".")
    workspace = [name for name in received(folder) if name.endswith("one.ts")]
    assert workspace == ["again/one.ts", "shared/one.ts"]


def test_a_fifo_is_refused(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    os.mkfifo(folder / "workspaces/none/pipe")
    assert "workspaces/none/pipe is neither a file nor a folder" in refusal(folder)


@pytest.mark.parametrize("target", ["/etc", "nowhere", "../index.ts"])
def test_a_workspace_that_is_none_is_refused(tmp_path: Path, target: str) -> None:
    folder = write_pong(tmp_path)
    put(folder / "index.ts", "export {};\n")
    (folder / "workspaces/none/index.ts").unlink()
    (folder / "workspaces/none").rmdir()
    (folder / "workspaces/none").symlink_to(target)
    reasons = {
        "/etc": "is a link that leads out of the version",
        "nowhere": "is a link that leads nowhere",
        "../index.ts": "is a file, and a folder is due",
    }
    assert f"{END_TO_END}:6:26: workspaces/none {reasons[target]}" in refusal(folder)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../../evil.md", "outside of the run root"),
        ("/evil.md", "outside of the run root"),
        ("a\\b.md", "outside of the run root"),
        (f"{'x' * 300}.md", "no file system holds a name as long as that"),
        (f"{'x/' * 3000}.md", "no file system holds a name as long as that"),
    ],
)
def test_a_specification_that_would_land_outside_or_nowhere_is_refused_by_the_prompt_as_well(
    tmp_path: Path, path: str, problem: str
) -> None:
    folder = write_pong(tmp_path)
    change(folder, BALL, path=path)
    assert problem in refusal(folder)
    with pytest.raises(CannotRun, match=problem):
        run_of(folder).prompt("/workspace")


def test_two_specifications_on_one_place_are_refused_however_it_is_written(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, BALL, path="x/../paddle.md")
    assert "lands on specs/paddle.md, and so does specifications/ball/specification.md" in refusal(folder)
    change(folder, BALL, path="paddle.md/deep.md")
    assert "one place can't be a file and a folder" in refusal(folder)


def test_a_specification_that_is_not_there_is_refused_where_it_is_named(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, SPRITE, specifications=["paddle", "nope"])
    assert f"{SPRITE}:4:31: the specification nope is not there" in refusal(folder, SPRITE)


def test_what_is_kept_from_runs_is_refused_by_whatever_link_it_is_reached(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "workspaces/none/checks").symlink_to("../../validators")
    assert "would be seeded, and it is validators/" in refusal(folder)


def test_only_the_files_that_the_run_needs_have_to_be_sound(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, BALL, name=1)
    assert f"{BALL}:2:10: `name` has to be" in refusal(folder)
    assert received(folder, SPRITE) == ["specs/paddle.md"]


def test_the_prompt_knows_the_engine_and_its_documentation(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, **TWO_ENGINES)
    put(folder / "prompts/build.hbs", "{{engine.slug}}, {{engine.name}}, '{{engine.docs}}'")
    assert run_of(folder).prompt("/w") == b"none, None, ''"
    assert run_of(folder, engine="warp").prompt("/w") == b"warp, Warp Drive, '/opt/warp/docs'"


def test_the_prompt_of_a_type_without_engines_is_told_that_there_is_none(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "prompts/build.hbs", "'{{engine.slug}}' '{{engine.docs}}'")
    assert run_of(folder, SPRITE).prompt("/w") == b"'none' ''"


def test_the_prompt_lists_specifications_in_the_definition_s_order_with_paths_below_the_workspace(
    tmp_path: Path,
) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, specifications=["paddle", "ball"])
    put(folder / "prompts/build.hbs", "{{#each specifications}}{{id}}|{{name}}|{{summary}}|{{path}}\n{{/each}}")
    assert run_of(folder).prompt("/home/run").decode().splitlines() == [
        "paddle|Paddle|What a paddle looks like.|/home/run/specs/paddle.md",
        "ball|Ball|How the ball moves.|/home/run/specs/ball.md",
    ]


@pytest.mark.parametrize(
    ("name", "engine", "message"),
    [
        (END_TO_END, "nope", "end-to-end has no engine `nope`; it has none, warp"),
        (SPRITE, "none", "paddle-sprite is a sprite definition; its type has no engines"),
    ],
)
def test_an_engine_that_a_definition_has_not_is_refused_with_those_that_it_has(
    tmp_path: Path, name: str, engine: str, message: str
) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, **TWO_ENGINES)
    assert refusal(folder, name, engine) == message


def test_an_engine_that_is_declared_and_not_configured_is_refused_with_those_that_are(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    change(folder, END_TO_END, engines=["simple-2d"], workspaces={"simple-2d": "workspaces/none"})
    assert refusal(folder).startswith("there is no engine `simple-2d`; known are none, warp; ")


def test_a_file_of_any_size_is_listed_without_being_read(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    with (folder / "workspaces/none/model.bin").open("wb") as file:
        file.truncate(100 * 1024**2)
    assert ("model.bin", 100 * 1024**2) in [(file.destination, file.bytes) for file in listed(folder).files]


def test_a_run_of_more_than_two_gibibytes_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    with (folder / "workspaces/none/model.bin").open("wb") as file:
        file.truncate(2 * 1024**3)
    assert "a run would receive more than 2 GiB" in refusal(folder)
