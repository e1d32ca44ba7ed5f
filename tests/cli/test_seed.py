"""`seed`: exactly what a run receives, whole or not at all."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.suites.pong import VERSION, write_pong
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet, one_line

DEFINITION = f"{VERSION}/test-cases/end-to-end.toml"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_it_writes_what_a_run_of_a_definition_receives(tmp_path: Path) -> None:
    write_pong(tmp_path)
    ran = cabinet("seed", DEFINITION, "--output", "out", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert files(tmp_path / "out") == {
        "assets/paddle/paddle.png": b"a picture\n",
        "index.ts": b"export {};\n",
        "specs/ball.md": (
            b"The ball moves in a straight line.\n\n## Requirements\n\n"
            b"- **speed** (functional): The ball MUST keep its speed.\n"
        ),
        "specs/paddle.md": (
            b"A paddle is a bar.\n\n## Requirements\n\n- **plain** (non-functional): The paddle SHOULD be plain.\n"
        ),
    }


def test_it_writes_what_a_run_of_a_version_receives_with_its_templates_rendered(tmp_path: Path) -> None:
    write_case(tmp_path)
    assert cabinet("seed", DEFAULT_PATH, "--output", "out", cwd=tmp_path).code == 0
    assert files(tmp_path / "out") == {
        "schemas/input.json": b"{}\n",
        "schemas/output.json": b"{}\n",
        "specs/problem.md": b"Echo, v1.0.0, base.\n",
        "start.txt": b"Start here.\n",
    }


def test_the_list_is_a_table_with_sizes_and_origins_and_writes_nothing(tmp_path: Path) -> None:
    write_pong(tmp_path)
    ran = cabinet("seed", DEFINITION, "--list", cwd=tmp_path)
    assert ran.code == 0
    assert ran.out.splitlines()[1:3] == [
        "   10  asset          verbatim  assets/paddle/paddle.png  assets/paddle/paddle.png",
        "   11  workspace      verbatim  index.ts                  workspaces/none/index.ts",
    ]
    assert ran.out.endswith("4 files, 225 bytes; engine none\n")
    assert os.listdir(tmp_path) == ["test-suites"]


@pytest.mark.parametrize("path", [DEFINITION, DEFAULT_PATH])
def test_the_list_as_json_is_what_is_written_to_the_byte(tmp_path: Path, path: str) -> None:
    write_pong(tmp_path)
    write_case(tmp_path)
    listed = cabinet("seed", path, "--list", "--format", "json", cwd=tmp_path).json
    assert cabinet("seed", path, "--output", "out", cwd=tmp_path).code == 0
    written = {name: len(content) for name, content in files(tmp_path / "out").items()}
    assert {file["destination"]: file["bytes"] for file in listed["files"]} == written
    assert listed["path"] == path


def test_scripts_keep_their_mode_and_others_gain_none(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/play.sh", "#!/bin/sh\n")
    (folder / "workspaces/none/play.sh").chmod(0o755)
    cabinet("seed", DEFINITION, "--output", "out", cwd=tmp_path)
    assert os.access(tmp_path / "out/play.sh", os.X_OK)
    assert not (tmp_path / "out/index.ts").stat().st_mode & 0o111


def test_links_become_files_of_their_own(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    (folder / "workspaces/none/paddle.png").symlink_to("../../assets/paddle/paddle.png")
    cabinet("seed", DEFINITION, "--output", "out", cwd=tmp_path)
    assert not (tmp_path / "out/paddle.png").is_symlink()
    assert (tmp_path / "out/paddle.png").read_text() == "a picture\n"


def test_an_output_that_is_there_and_empty_stays_the_same_folder(tmp_path: Path) -> None:
    write_pong(tmp_path)
    output = tmp_path / "out"
    output.mkdir()
    output.chmod(0o700)
    before = output.stat()
    assert cabinet("seed", DEFINITION, "--output", "out", cwd=tmp_path).code == 0
    assert (output.stat().st_ino, stat.S_IMODE(output.stat().st_mode)) == (before.st_ino, 0o700)
    assert len(files(output)) == 4


def test_the_current_folder_can_be_filled(tmp_path: Path) -> None:
    write_pong(tmp_path / "root")
    (tmp_path / "run").mkdir()
    definition = tmp_path / "root" / DEFINITION
    ran = cabinet("seed", definition, "--root", tmp_path / "root", "--output", ".", cwd=tmp_path / "run")
    assert (ran.code, ran.err) == (0, "")
    assert len(files(tmp_path / "run")) == 4


def test_folders_above_the_output_are_made(tmp_path: Path) -> None:
    write_pong(tmp_path)
    assert cabinet("seed", DEFINITION, "--output", "a/b/out", cwd=tmp_path).code == 0
    assert len(files(tmp_path / "a/b/out")) == 4


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("full", "full is not empty"),
        ("file", "file is no folder"),
        ("file/out", "file/out can't be written"),
        ("link", "link is a link"),
        ("dangling", "dangling is a link"),
        (f"{VERSION}/out", f"lies in {VERSION}"),
        (f"{VERSION}/no/such/out", f"lies in {VERSION}"),
        ("inside/out", f"lies in {VERSION}"),
        ("x" * 300, "file name too long"),
        ("/proc/out", "/proc/out can't be written"),
    ],
)
def test_any_other_output_is_refused_and_left_as_it_is(tmp_path: Path, output: str, message: str) -> None:
    write_pong(tmp_path)
    put(tmp_path / "full/mine.txt", "Mine.\n")
    put(tmp_path / "file", "Mine.\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "inside").symlink_to(tmp_path / VERSION / "workspaces")
    before = (files(tmp_path), sorted(tmp_path.rglob("*")))
    ran = cabinet("seed", DEFINITION, "--output", output, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert message in one_line(ran.err)
    assert (files(tmp_path), sorted(tmp_path.rglob("*"))) == before


@pytest.mark.parametrize("arguments", [[], ["--list", "--output", "out"], ["--output", ""]])
def test_either_an_output_or_the_list_has_to_be_asked_for(tmp_path: Path, arguments: list[str]) -> None:
    write_pong(tmp_path)
    ran = cabinet("seed", DEFINITION, *arguments, cwd=tmp_path)
    assert ran.code == 2
    assert one_line(ran.err).startswith("cabinet-ci: ")


@pytest.mark.parametrize("output", ["out", "a/b/out", "empty"])
def test_a_template_that_does_not_render_is_told_at_its_place_and_leaves_nothing(tmp_path: Path, output: str) -> None:
    folder = write_case(tmp_path)
    put(folder / "specs/problem.md.hbs", "Echo.\n{{nope}}\n")
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.rglob("*"))
    ran = cabinet("seed", DEFAULT_PATH, "--output", output, cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"{DEFAULT_PATH}/specs/problem.md.hbs:2:3: there is no variable `nope` here")
    assert sorted(tmp_path.rglob("*")) == before
    assert cabinet("seed", DEFAULT_PATH, "--list", cwd=tmp_path).code == 1


def test_what_is_held_out_of_a_version_is_never_written(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "workspace/answers").symlink_to("../smoke")
    ran = cabinet("seed", DEFAULT_PATH, "--output", "out", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert not (tmp_path / "out").exists()


def test_a_link_out_of_a_version_s_workspace_is_refused(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    (folder / "workspace/out").symlink_to("/etc")
    ran = cabinet("seed", DEFAULT_PATH, "--output", "out", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "workspace/out is a link that leads out of the version" in one_line(ran.err)


def test_names_that_are_no_utf_8_are_written_as_they_are_and_listed_as_git_writes_them(tmp_path: Path) -> None:
    folder = os.fsencode(write_pong(tmp_path))
    with open(folder + b"/workspaces/none/b\xffd.ts", "wb") as file:
        file.write(b"export {};\n")
    (tmp_path / DEFINITION).rename(os.fsdecode(folder + b"/test-cases/b\xffd.toml"))
    path = os.fsdecode(os.fsencode(VERSION) + b"/test-cases/b\xffd.toml")
    listed = cabinet("seed", path, "--list", "--format", "json", cwd=tmp_path).json
    assert listed["path"] == f"{VERSION}/test-cases/b\\377d.toml"
    assert "b\\377d.ts" in [file["destination"] for file in listed["files"]]
    assert cabinet("seed", path, "--output", "out", cwd=tmp_path).code == 0
    assert b"b\xffd.ts" in os.listdir(os.fsencode(tmp_path / "out"))


def test_no_name_can_write_to_the_terminal(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/a\x1b[31m\nb.ts", "x\n")
    ran = cabinet("seed", DEFINITION, "--list", cwd=tmp_path)
    assert "a\\x1b[31m\\nb.ts" in ran.out
    assert "\x1b" not in ran.out


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a workspace that takes a while to write."""
    root = tmp_path_factory.mktemp("large")
    folder = write_pong(root)
    for index in range(8_000):
        put(folder / f"workspaces/none/part-{index:04}.ts", "export {};\n")
    return root


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("output", ["a/b/out", "empty"])
def test_an_interrupted_run_leaves_no_half_tree(
    tmp_path: Path, large: Path, number: signal.Signals, output: str
) -> None:
    held = tmp_path / "held"
    (held / "empty").mkdir(parents=True)
    command = [sys.executable, "-m", "cabinet_ci", "seed", DEFINITION, "--output", held / output]
    process = subprocess.Popen(command, cwd=large, stderr=subprocess.PIPE, text=True)
    # The first file that is there is the sign that writing has begun.
    while not any(path.name.startswith("part-") for path in held.rglob("*")) and process.poll() is None:
        pass
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in said
    assert list(held.rglob("*")) == [held / "empty"]


def test_a_disk_that_is_full_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(folder / "workspaces/none/large.bin", b"x" * 100_000)
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000));"
        "from cabinet_ci.cli import main; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", script, "seed", DEFINITION, "--output", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "large.bin can't be written; file too large" in one_line(done.stderr)
    assert os.listdir(tmp_path) == ["test-suites"]


def test_the_list_as_json_says_of_which_run_it_is_and_where_each_file_comes_from(tmp_path: Path) -> None:
    write_pong(tmp_path)
    write_case(tmp_path)
    listed = cabinet("seed", DEFINITION, "--list", "--format", "json", cwd=tmp_path).json
    assert (listed["path"], listed["variant"], listed["engine"], listed["bytes"]) == (DEFINITION, None, "none", 225)
    assert listed["files"][2] == {
        "destination": "specs/ball.md",
        "bytes": 109,
        "origin": "specification",
        "rendered": True,
        "script": False,
        "source": "specifications/ball/specification.md",
    }
    listed = cabinet("seed", DEFAULT_PATH, "--list", "--format", "json", cwd=tmp_path).json
    assert (listed["path"], listed["variant"], listed["engine"]) == (DEFAULT_PATH, "base", None)


def test_a_file_larger_than_any_that_is_parsed_is_copied(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    with (folder / "workspaces/none/model.bin").open("wb") as file:
        file.truncate(70 * 1024**2)
    assert cabinet("seed", DEFINITION, "--output", "out", cwd=tmp_path).code == 0
    assert (tmp_path / "out/model.bin").stat().st_size == 70 * 1024**2


def test_more_than_two_gibibytes_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    with (folder / "workspaces/none/model.bin").open("wb") as file:
        file.truncate(2 * 1024**3)
    ran = cabinet("seed", DEFINITION, "--output", "out", cwd=tmp_path)
    assert ran.code == 2
    assert "a run would receive more than 2 GiB" in one_line(ran.err)
    assert os.listdir(tmp_path) == ["test-suites"]
