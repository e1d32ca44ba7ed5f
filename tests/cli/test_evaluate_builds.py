"""`evaluate`: what a build is given, what it may do, and what is said of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.evaluating import evaluate, only_run, outcomes
from tests.support.cases import DEFAULT_PATH, ECHO, core_module, put, write_case
from tests.support.command import cabinet


def test_a_reference_that_does_not_build_is_never_as_expected(tmp_path: Path) -> None:
    write_case(tmp_path, build="echo the compiler says no; exit 3", expectations={"echo": 'expect = "fail"'})
    ran = evaluate(tmp_path)
    run = only_run(ran)
    assert ran.code == 1
    assert run["module"] is None
    assert run["build"]["ok"] is False
    assert "the compiler says no" in run["build"]["log_tail"]
    assert outcomes(run) == {"one": "not-run", "two": "not-run"}


def test_a_failing_build_shows_the_last_lines_of_its_output(tmp_path: Path) -> None:
    write_case(tmp_path, build="seq 1000; exit 3")
    text = cabinet("evaluate", cwd=tmp_path).out
    assert "exited with 3" in text
    assert "1000" in text.split()
    assert "500" not in text.split()


def test_a_build_that_writes_no_module_says_so_and_where_the_manifest_names_it(tmp_path: Path) -> None:
    folder = write_case(tmp_path, build="mkdir out; mv given.wasm out/other.wasm")
    ran = evaluate(tmp_path)
    assert ran.code == 1
    detail = only_run(ran)["cases"][0]["detail"]
    line = (folder / "test-case.toml").read_text().splitlines().index('module = "solution.wasm"') + 1
    assert "the build wrote no solution.wasm, but there is out/other.wasm" in detail
    assert f"{DEFAULT_PATH}/test-case.toml:{line}" in detail


def test_a_build_sees_the_seeded_tree_with_its_specs_rendered_and_the_reference_over_it(tmp_path: Path) -> None:
    folder = write_case(tmp_path, build="find . -type f | sort; cat specs/problem.md start.txt; exit 1")
    put(folder / "references/echo/start.txt", "Started.\n")
    put(folder / "workspace/.hidden", "")
    log = only_run(evaluate(tmp_path))["build"]["log_tail"]
    assert "Echo, v1.0.0, base." in log
    assert "Started." in log
    files = [line for line in log.splitlines() if line.startswith("./")]
    assert files == [
        "./given.wasm",
        "./schemas/input.json",
        "./schemas/output.json",
        "./specs/problem.md",
        "./start.txt",
    ]


def test_a_build_is_given_no_token(tmp_path: Path) -> None:
    write_case(tmp_path, build="env; exit 1")
    env = {"GITHUB_TOKEN": "s3cret", "CABINET_CI_BASE": "s3cret", "AWS_SECRET_ACCESS_KEY": "s3cret"}
    ran = cabinet("evaluate", "--format", "json", cwd=tmp_path, env=env)
    assert "PATH=" in only_run(ran)["build"]["log_tail"]
    assert "s3cret" not in ran.out


def test_a_missing_compiler_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    write_case(tmp_path, build="no-such-compiler --release")
    ran = cabinet("evaluate", cwd=tmp_path)
    assert ran.code == 2
    assert "no-such-compiler" in ran.err.splitlines()[-1]
    assert "install" in ran.err.splitlines()[-1]


def test_a_rust_without_the_wasm_target_is_told_with_what_to_do(tmp_path: Path) -> None:
    complaint = "error[E0463]: can't find crate for \\`std\\`"
    write_case(tmp_path, build=f'echo "{complaint}"; exit 101 # cargo build --target wasm32-unknown-unknown')
    ran = cabinet("evaluate", cwd=tmp_path)
    assert ran.code == 2
    assert "wasm32-unknown-unknown" in ran.err.splitlines()[-1]


def test_a_build_can_t_put_another_file_in_the_place_of_its_log(tmp_path: Path) -> None:
    put(tmp_path / "secret.txt", "s3cret\n")
    tamper = f"rm -f ../build.log; ln -s {tmp_path}/secret.txt ../build.log; echo honest; exit 3"
    write_case(tmp_path, build=tamper)
    log = only_run(evaluate(tmp_path))["build"]["log_tail"]
    assert "honest" in log
    assert "s3cret" not in log


def test_a_reference_that_has_a_folder_for_a_file_is_one_line(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    put(folder / "references/echo/start.txt/x", "x")
    ran = cabinet("evaluate", cwd=tmp_path)
    assert ran.code == 2
    assert "references/echo/start.txt/x" in ran.err.splitlines()[-1]


@pytest.mark.parametrize("build", ["exit 127", "echo 'sh: sh: not found'; exit 127"])
def test_a_build_that_exits_with_127_for_reasons_of_its_own_is_a_failed_build(build: str, tmp_path: Path) -> None:
    write_case(tmp_path, build=build)
    ran = evaluate(tmp_path)
    assert ran.code == 1
    assert "exited with 127" in only_run(ran)["cases"][0]["detail"]


def test_a_build_ended_by_a_signal_says_so_as_a_shell_does(tmp_path: Path) -> None:
    write_case(tmp_path, build="kill -9 $$")
    assert "exited with 137" in only_run(evaluate(tmp_path))["cases"][0]["detail"]


def test_nothing_that_a_build_starts_outlives_it(tmp_path: Path) -> None:
    beat = f"while true; do date +%N > {tmp_path}/beat; sleep 0.05; done"
    started = f"until [ -s {tmp_path}/beat ]; do sleep 0.02; done"
    write_case(tmp_path, build=f"cp given.wasm solution.wasm; setsid sh -c 'setsid sh -c \"{beat}\" &'; {started}")
    assert evaluate(tmp_path).code == 0
    last = (tmp_path / "beat").read_text()
    time.sleep(0.5)
    assert (tmp_path / "beat").read_text() == last


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_an_evaluation_that_is_ended_leaves_no_folder_and_no_process(end: signal.Signals, tmp_path: Path) -> None:
    kept = tmp_path / "temporary"
    kept.mkdir()
    mark = tmp_path / "pid"
    write_case(tmp_path / "repository", build=f"setsid sh -c 'echo $$ > {mark}; sleep 100'")
    command = [sys.executable, "-m", "cabinet_ci", "evaluate"]
    environment = {**os.environ, "TMPDIR": str(kept)}
    running = subprocess.Popen(command, cwd=tmp_path / "repository", env=environment, stderr=subprocess.PIPE)
    while not (mark.exists() and mark.read_text().strip()):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(end)
    _, told = running.communicate(timeout=30)
    assert b"Traceback" not in told
    assert running.returncode != 0
    assert list(kept.iterdir()) == []
    assert not Path(f"/proc/{mark.read_text().strip()}").exists()


def test_a_missing_entry_is_told_with_the_exports_that_there_are(tmp_path: Path) -> None:
    write_case(tmp_path, references={"echo": core_module(ECHO).replace(b"\x05solve", b"\x05salve")})
    detail = only_run(evaluate(tmp_path))["cases"][0]["detail"]
    assert "does not export a function `solve`" in detail
    assert "it exports `memory`, `alloc`, `salve`" in detail
