"""`prompt`: exactly what the harness is handed, for a version of the catalog and for a definition of a suite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.suites.pong import VERSION, change, write_pong
from tests.support.cases import DEFAULT_PATH, put, write_case
from tests.support.command import cabinet, one_line

DEFINITION = f"{VERSION}/test-cases/end-to-end.toml"
TEMPLATE = f"{VERSION}/prompts/build.hbs"
ENGINES = '[engines.warp]\nname = "Warp Drive"\ndocs = "/opt/warp/docs"\n'


def test_it_prints_the_prompt_and_nothing_else(tmp_path: Path) -> None:
    write_pong(tmp_path)
    ran = cabinet("prompt", DEFINITION, cwd=tmp_path)
    expected = "Work in /workspace. Read /workspace/specs/ball.md. Read /workspace/specs/paddle.md.\n"
    assert (ran.code, ran.out, ran.err) == (0, expected, "")


def test_the_first_variant_of_a_version_is_the_default_and_any_other_can_be_named(tmp_path: Path) -> None:
    folder = write_case(tmp_path)
    manifest = folder / "test-case.toml"
    both = '["variants/base.toml", "variants/b.toml"]'
    put(manifest, manifest.read_text().replace('["variants/base.toml"]', both))
    put(folder / "variants/b.toml", 'slug = "brief"\nname = "Brief"\ndescription = "Be brief."\n')
    put(folder / "prompt.hbs", "{{variant.slug}}: {{variant.description}}{{#each specs}} {{path}}{{/each}}\n")
    assert cabinet("prompt", DEFAULT_PATH, cwd=tmp_path).out == "base:  /workspace/specs/problem.md\n"
    ran = cabinet("prompt", DEFAULT_PATH, "--variant", "brief", cwd=tmp_path)
    assert ran.out == "brief: Be brief. /workspace/specs/problem.md\n"


def test_an_unknown_variant_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    write_case(tmp_path)
    ran = cabinet("prompt", DEFAULT_PATH, "--variant", "nope", cwd=tmp_path)
    assert (ran.code, one_line(ran.err)) == (2, f"cabinet-ci: {DEFAULT_PATH} has no variant `nope`; it has base")


def test_the_engine_is_chosen_among_those_that_are_declared(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    put(tmp_path / "cabinet-ci.toml", ENGINES)
    engines = {"none": "workspaces/none", "warp": "workspaces/none"}
    change(folder, "test-cases/end-to-end.toml", engines=["none", "warp"], workspaces=engines)
    put(tmp_path / TEMPLATE, "{{engine.name}} {{engine.docs}}\n")
    assert cabinet("prompt", DEFINITION, "--engine", "warp", cwd=tmp_path).out == "Warp Drive /opt/warp/docs\n"
    ran = cabinet("prompt", DEFINITION, "--engine", "nope", cwd=tmp_path)
    assert one_line(ran.err) == "cabinet-ci: end-to-end has no engine `nope`; it has none, warp"


def test_the_workspace_comes_from_the_flag_then_the_environment_then_the_file(tmp_path: Path) -> None:
    write_pong(tmp_path)
    put(tmp_path / TEMPLATE, "{{workspace}}\n")
    put(tmp_path / "cabinet-ci.toml", 'workspace = "/from/file"\n')
    variable = {"CABINET_CI_WORKSPACE": "/from/environment"}
    assert cabinet("prompt", DEFINITION, cwd=tmp_path).out == "/from/file\n"
    assert cabinet("prompt", DEFINITION, cwd=tmp_path, env=variable).out == "/from/environment\n"
    flag = ("--workspace", "/from/flag")
    assert cabinet("prompt", DEFINITION, *flag, cwd=tmp_path, env=variable).out == "/from/flag\n"


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("a\n{{nope}}", "2:3: there is no variable `nope` here"),
        ("{{#if nope}}{{/if}}", "1:7: there is no variable `nope` here"),
        ("{{> build}}", "1:1: partials are not available"),
        ("{{shout workspace}}", "1:3: there is no helper `shout`"),
        ("{{#if workspace}}" * 10_000, "1:1701: blocks are nested more than 100 deep"),
        ("{{#each specifications}}{{#each @root.specifications}}{{/each}}", "1:1: "),
    ],
)
def test_a_template_that_does_not_render_is_told_at_its_place(tmp_path: Path, template: str, fault: str) -> None:
    write_pong(tmp_path)
    put(tmp_path / TEMPLATE, template)
    ran = cabinet("prompt", DEFINITION, cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"{TEMPLATE}:{fault}")


def test_each_fault_of_a_template_is_told(tmp_path: Path) -> None:
    write_pong(tmp_path)
    put(tmp_path / TEMPLATE, "{{nope}}\n{{neither}}\n")
    ran = cabinet("prompt", DEFINITION, cwd=tmp_path)
    assert [line.partition(": ")[0] for line in ran.err.splitlines() if not line.startswith(" ")] == [
        f"{TEMPLATE}:1:3",
        f"{TEMPLATE}:2:3",
    ]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nope", "nope does not exist; "),
        (".", ". is not in a version folder; "),
        ("/etc/passwd", "/etc/passwd is not in a version folder; "),
        (VERSION, f"{VERSION} is no definition of a suite; "),
        (f"{VERSION}/version.toml", f"{VERSION}/version.toml is no definition of a suite; "),
        (f"{VERSION}/test-cases/nope.toml", f"{VERSION}/test-cases/nope.toml does not exist; "),
    ],
)
def test_a_path_that_is_neither_a_version_nor_a_definition_is_refused(tmp_path: Path, path: str, message: str) -> None:
    write_pong(tmp_path)
    write_case(tmp_path)
    ran = cabinet("prompt", path, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert one_line(ran.err).startswith("cabinet-ci: ")
    assert path in ran.err
    assert message.partition(" ")[2] in ran.err


@pytest.mark.parametrize("target", ["/etc/passwd", "nowhere"])
def test_a_prompt_that_is_a_link_out_or_to_nothing_is_never_read(tmp_path: Path, target: str) -> None:
    write_pong(tmp_path)
    (tmp_path / TEMPLATE).unlink()
    (tmp_path / TEMPLATE).symlink_to(target)
    ran = cabinet("prompt", DEFINITION, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "the prompt prompts/build.hbs is not there" in one_line(ran.err)


def test_a_prompt_that_is_a_fifo_is_never_read(tmp_path: Path) -> None:
    write_pong(tmp_path)
    (tmp_path / TEMPLATE).unlink()
    os.mkfifo(tmp_path / TEMPLATE)
    assert cabinet("prompt", DEFINITION, cwd=tmp_path).code == 2


@pytest.mark.parametrize("link", [VERSION, VERSION.partition("/versions")[0]])
def test_a_definition_behind_a_link_out_of_the_suites_is_refused(tmp_path: Path, link: str) -> None:
    write_pong(tmp_path)
    (tmp_path / link).rename(tmp_path / "elsewhere")
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")
    ran = cabinet("prompt", DEFINITION, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "lies behind a link that leads out of test-suites" in one_line(ran.err)


def test_it_works_from_below_the_root_and_behind_a_link_to_the_repository(tmp_path: Path) -> None:
    write_pong(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    put(tmp_path / "real/cabinet-ci.toml", "")
    subprocess.run(["git", "init", "--quiet", tmp_path / "real"], check=True)
    below = cabinet("prompt", "end-to-end.toml", cwd=tmp_path / "real" / VERSION / "test-cases")
    behind = cabinet("prompt", tmp_path / "link" / DEFINITION, "--root", tmp_path / "link", cwd=tmp_path)
    assert below.out == behind.out != ""


@pytest.mark.parametrize("target", ["closed", "full"])
def test_an_output_that_can_t_be_written_is_one_line_and_exit_code_2(tmp_path: Path, target: str) -> None:
    write_pong(tmp_path)
    redirection = {"closed": ">&-", "full": ">/dev/full"}[target]
    command = f'"{sys.executable}" -m cabinet_ci prompt {DEFINITION} {redirection}'
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert one_line(done.stderr).startswith("cabinet-ci: ")
