"""The steps of the action, run as the action runs them, with GitHub's variables and files."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.history.repositories import Repo, environment, new_repo
from tests.support.cases import answering, put, write_case
from tests.support.hub import REPOSITORY, TOKEN, Hub, running_hub

FIRST = "test-cases/performance/easy/echo/v1.0.0"
SECOND = "test-cases/performance/easy/echo/v1.1.0"
PACKAGE = Path(__file__).parents[2]


class Step(NamedTuple):
    """How a step ended, what it set and what it added to the summary."""

    code: int
    out: str
    outputs: dict[str, str]
    summary: str

    @property
    def commands(self) -> list[str]:
        """The workflow commands that GitHub acts on."""
        found, stopped = [], None
        for line in self.out.splitlines():
            if stopped is not None:
                stopped = None if line == f"::{stopped}::" else stopped
            elif line.startswith("::stop-commands::"):
                stopped = line.rpartition("::")[2]
            elif line.startswith("::"):
                found.append(line)
        return found


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository whose branch adds a second version to the one on main."""
    made = new_repo(tmp_path / "checkout")
    write_case(made.root, path=FIRST)
    made.commit("Publish")
    made.branch("topic")
    write_case(made.root, path=SECOND)
    put(made.root / SECOND / "changelog.md", "Larger.\n")
    made.commit("A second version")
    return made


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        yield hub


def rewrite(repo: Repo, build: str) -> None:
    """The second version with another build."""
    write_case(repo.root, path=SECOND, build=build)
    put(repo.root / SECOND / "changelog.md", "Larger.\n")


def step(repo: Repo, name: str, env: Mapping[str, str] | None = None, **inputs: str) -> Step:
    temp = repo.root.parent / "temp"
    temp.mkdir(exist_ok=True)
    files = {"GITHUB_OUTPUT": temp / "output", "GITHUB_STEP_SUMMARY": temp / "summary"}
    for file in files.values():
        file.write_text("")
    variables = {
        "PYTHONPATH": str(PACKAGE),
        "RUNNER_TEMP": str(temp),
        "CABINET_CI_CACHE": str(temp / "cache"),
        **{key: str(file) for key, file in files.items()},
        **{f"INPUT_{key.upper()}": value for key, value in inputs.items()},
        **(env or {}),
    }
    done = subprocess.run(
        [sys.executable, "-P", "-m", "cabinet_ci.action", name],
        cwd=repo.root,
        env=environment(variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stdout, done.stdout
    outputs = re.findall(r"([^\n]+)<<([0-9a-f]{32})\n(.*?)\n\2\n", files["GITHUB_OUTPUT"].read_text(), re.DOTALL)
    return Step(
        done.returncode,
        done.stdout,
        {key: value for key, _, value in outputs},
        files["GITHUB_STEP_SUMMARY"].read_text(),
    )


def pull_request(repo: Repo, owner: str = "owner") -> dict[str, str]:
    """GitHub's variables for a pull request of the checkout's HEAD."""
    head = repo.git("rev-parse", "HEAD")
    pull = {
        "number": 7,
        "head": {"sha": head, "repo": {"full_name": f"{owner}/catalog"}},
        "base": {"sha": repo.git("rev-parse", "main"), "repo": {"full_name": REPOSITORY}},
    }
    put(repo.root.parent / "event.json", json.dumps({"pull_request": pull}))
    return {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(repo.root.parent / "event.json"),
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_BASE_REF": "main",
        "GITHUB_SHA": head,
    }


def result_of(found: Step) -> Any:
    return json.loads(Path(found.outputs["result"]).read_text())


def test_check_evaluates_what_differs_and_says_so_in_outputs_and_summary(repo: Repo) -> None:
    found = step(repo, "run", pull_request(repo), run="check", base="main")
    assert found.code == 0, found.out
    assert (found.outputs["status"], found.outputs["findings"]) == ("passed", "0")
    assert json.loads(found.outputs["changed"]) == [SECOND]
    assert "v1.1.0" in found.summary
    assert found.commands == []
    document = result_of(found)
    assert document["origin"]["pull_request"] == 7
    assert document["origin"]["head"] == repo.git("rev-parse", "HEAD")


def test_the_version_before_is_evaluated_to_compare_with_unless_not_wanted(repo: Repo) -> None:
    found = step(repo, "run", pull_request(repo), run="check", base="main")
    previous = Path(found.outputs["result"]).with_name("previous.json")
    assert [version["path"] for version in json.loads(previous.read_text())["versions"]] == [FIRST]
    step(repo, "run", pull_request(repo), run="evaluate", paths=FIRST)
    assert not previous.exists()
    step(repo, "run", pull_request(repo), run="evaluate", paths=SECOND, compare="false")
    assert not previous.exists()


def test_a_finding_is_an_annotation_on_its_line_and_fails_the_job(repo: Repo) -> None:
    manifest = repo.root / SECOND / "test-case.toml"
    manifest.write_text(manifest.read_text().replace("tags = []", "tag = []"))
    found = step(repo, "run", pull_request(repo), run="validate")
    assert (found.code, found.outputs["status"]) == (1, "failed")
    [command] = found.commands
    assert command.startswith(f"::error file={SECOND}/test-case.toml,line=4,col=1,title=CAB101::unknown key `tag`")
    assert "CAB101" in found.summary


def test_a_reference_that_does_not_do_as_expected_is_an_annotation_of_its_version(repo: Repo) -> None:
    put(repo.root / SECOND / "references/echo/given.wasm", answering("[2]"))
    found = step(repo, "run", pull_request(repo), run="check", base="main")
    assert (found.code, found.outputs["status"]) == (1, "failed")
    assert f"::error file={SECOND}/test-case.toml,title=evaluate::echo was to pass and did fail" in found.commands


def test_a_frozen_version_that_was_changed_fails_immutable(repo: Repo) -> None:
    put(repo.root / FIRST / "prompt.hbs", "Another.\n")
    found = step(repo, "run", pull_request(repo), run="immutable", base="main")
    assert (found.code, found.outputs["status"], found.outputs["findings"]) == (1, "failed", "1")
    assert "CAB801" in found.commands[0]


def test_the_work_is_planned_spread_and_joined(repo: Repo) -> None:
    event = pull_request(repo)
    planned = step(repo, "run", event, run="plan", base="main", shards="4")
    assert planned.code == 0, planned.out
    assert planned.outputs["any"] == "true"
    [job] = json.loads(planned.outputs["matrix"])["include"]
    assert job["versions"] == SECOND

    parts = repo.root.parent / "parts"
    temp = repo.root.parent / "temp/cabinet-ci"
    put(parts / "plan/plan.json", (temp / "plan.json").read_bytes())
    for name, inputs in (
        ("check", {"run": "check", "base": "main", "evaluate": "false"}),
        ("part", {"run": "evaluate", "paths": job["versions"]}),
    ):
        assert step(repo, "run", event, **inputs).code == 0
        put(parts / name / "result.json", (temp / "result.json").read_bytes())
    joined = step(repo, "run", event, run="merge", results=str(parts))
    assert (joined.code, joined.outputs["status"]) == (0, "passed"), joined.out
    assert json.loads(joined.outputs["changed"]) == [SECOND]

    (parts / "part/result.json").unlink()
    lost = step(repo, "run", event, run="merge", results=str(parts))
    assert (lost.code, lost.outputs["status"]) == (1, "failed")
    assert SECOND in lost.summary


def test_a_plan_with_nothing_to_do_says_so(repo: Repo) -> None:
    repo.git("switch", "--quiet", "main")
    planned = step(repo, "run", run="plan", base="main")
    assert planned.outputs["any"] == "false"
    assert json.loads(planned.outputs["changed"]) == []


@pytest.mark.parametrize(
    ("build", "needed"),
    [
        ("cp given.wasm solution.wasm", set()),
        ("cargo build --release", {"rust"}),
        ("/usr/bin/clang -O2 solution.c", {"clang"}),
        ("sh build.sh", {"clang", "wasm-tools"}),
        ("sh -c 'cargo build'", {"rust"}),
        ("$(command -v rustc) a.rs; CC=clang make", {"rust", "clang"}),
    ],
)
def test_the_compilers_that_builds_need_are_told(repo: Repo, build: str, needed: set[str]) -> None:
    rewrite(repo, build)
    put(repo.root / SECOND / "workspace/build.sh", "clang --target=wasm32 a.c\nwasm-tools component new a.wasm\n")
    if build != "sh build.sh":
        (repo.root / SECOND / "workspace/build.sh").unlink()
    found = step(repo, "prepare", run="check", base="main")
    assert {name for name, value in found.outputs.items() if value == "true"} == needed
    assert step(repo, "prepare", run="validate", base="main").outputs["rust"] == "false"


def test_the_compilers_of_the_version_before_are_needed_where_it_is_compared_with(repo: Repo) -> None:
    write_case(repo.root, path=FIRST, build="cargo build")
    for inputs in ({"run": "check", "base": "main"}, {"run": "evaluate", "paths": SECOND}):
        assert step(repo, "prepare", **inputs).outputs["rust"] == "true"
    assert step(repo, "prepare", run="evaluate", paths=SECOND, compare="false").outputs["rust"] == "false"


def test_an_evaluation_of_everything_needs_the_compilers_of_everything(repo: Repo) -> None:
    rewrite(repo, "cargo build")
    repo.commit("Rust")
    assert step(repo, "prepare", run="evaluate", compare="false").outputs["rust"] == "true"


@pytest.fixture
def parts(repo: Repo) -> Path:
    """What the jobs of a plan left: the plan, what validation found, and the one version's result."""
    folder = repo.root.parent / "parts"
    event = pull_request(repo)
    for name, kept, inputs in (
        ("plan", "plan.json", {"run": "plan", "base": "main"}),
        ("check", "result.json", {"run": "check", "base": "main", "evaluate": "false"}),
        ("part", "result.json", {"run": "evaluate", "paths": SECOND, "compare": "false"}),
    ):
        assert step(repo, "run", event, **inputs).code == 0
        put(folder / name / kept, (repo.root.parent / "temp/cabinet-ci" / kept).read_bytes())
    return folder


@pytest.mark.parametrize("content", ["", "{", '{"schema": 1}'])
def test_a_result_that_cant_be_read_is_told_and_its_versions_are_lost(repo: Repo, parts: Path, content: str) -> None:
    (parts / "part/result.json").write_text(content)
    found = step(repo, "run", pull_request(repo), run="merge", results=str(parts))
    assert (found.code, found.outputs["status"]) == (1, "failed"), found.out
    refused, lost = found.commands
    assert refused.startswith("::error title=cabinet-ci::")
    assert "part/result.json" in refused
    assert lost.startswith(f"::error file={SECOND}/test-case.toml,title=evaluate::no result came back")
    assert result_of(found)["lost"] == [SECOND]


def test_without_what_validation_found_nothing_passes(repo: Repo, parts: Path) -> None:
    (parts / "check/result.json").unlink()
    found = step(repo, "run", pull_request(repo), run="merge", results=str(parts))
    assert (found.code, found.outputs["status"]) == (2, "error"), found.out
    assert "the job that validates was lost" in found.commands[0]


def test_no_plan_among_several_makes_less_of_what_was_to_be_done(repo: Repo, parts: Path) -> None:
    (parts / "part/result.json").unlink()
    put(parts / "another/plan.json", '{"include": []}')
    found = step(repo, "run", pull_request(repo), run="merge", results=str(parts))
    assert (found.code, result_of(found)["lost"]) == (1, [SECOND])


def test_no_token_reaches_a_build_a_log_or_a_result(repo: Repo) -> None:
    printing = "env; exit 3"
    rewrite(repo, printing)
    environ = {**pull_request(repo), "GITHUB_TOKEN": TOKEN, "GH_TOKEN": TOKEN, "INPUT_TOKEN": TOKEN}
    found = step(repo, "run", environ, run="check", base="main")
    assert found.code == 1
    [version] = result_of(found)["versions"]
    log = version["runs"][0]["build"]["log_tail"]
    assert "PATH=" in log
    assert "TOKEN" not in log
    assert TOKEN not in found.out + found.summary + Path(found.outputs["result"]).read_text()


def test_nothing_that_a_command_prints_is_a_command_to_github(repo: Repo) -> None:
    rewrite(repo, "printf '::error::forged\\n::stop-commands::x\\n'; exit 1")
    found = step(repo, "run", pull_request(repo), run="check", base="main")
    assert "forged" in found.out
    assert not any("forged" in command for command in found.commands)


def test_the_comment_is_made_from_the_result_of_the_step_before(repo: Repo, hub: Hub) -> None:
    hub.add_pull(7, repo.git("rev-parse", "HEAD"))
    event = {**pull_request(repo), **hub.env}
    step(repo, "run", event, run="check", base="main")
    for _ in range(2):
        assert step(repo, "comment", event).code == 0
    [only] = hub.on(7)
    assert "v1.1.0" in only["body"]
    assert hub.writes() == ["POST"]


def test_a_pull_request_from_a_fork_is_left_to_the_other_workflow(repo: Repo, hub: Hub) -> None:
    event = {**pull_request(repo, owner="stranger"), **hub.env}
    step(repo, "run", event, run="check", base="main")
    found = step(repo, "comment", event)
    assert found.code == 0
    [notice] = found.commands
    assert notice.startswith("::notice ")
    assert hub.asked == []


def test_after_the_run_of_a_fork_the_comment_is_made_from_its_artifact(repo: Repo, hub: Hub) -> None:
    head = repo.git("rev-parse", "HEAD")
    step(repo, "run", pull_request(repo, owner="stranger"), run="check", base="main")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("result.json", "previous.json"):
            archive.write(repo.root.parent / "temp/cabinet-ci" / name, name)
    hub.packed[3] = content.getvalue()
    hub.artifacts[55] = [{"id": 3, "name": "kept", "expired": False}]
    hub.add_pull(7, head, owner="stranger")
    hub.folders = {head: {FIRST, SECOND}}
    run = {
        "id": 55, "event": "pull_request", "conclusion": "success", "head_sha": head, "head_branch": "topic",
        "head_repository": {"full_name": "stranger/catalog", "owner": {"login": "stranger"}},
    }  # fmt: skip
    put(repo.root.parent / "event.json", json.dumps({"workflow_run": run}))
    event = {**hub.env, "GITHUB_EVENT_NAME": "workflow_run", "GITHUB_EVENT_PATH": str(repo.root.parent / "event.json")}
    # The trusted job has the main branch, and nothing of the run but its artifact.
    repo.git("switch", "--quiet", "main")
    for done in ("created", "unchanged"):
        found = step(repo, "comment", event, artifact="kept")
        assert (found.code, f"comment on pull request 7 {done}" in found.out) == (0, True), found.out
        assert TOKEN not in found.out
    [only] = hub.on(7)
    assert "±0" in only["body"]
    assert TOKEN not in only["body"]


@pytest.mark.parametrize("name", ["push", "workflow_dispatch", "merge_group"])
def test_other_events_are_checked_and_not_commented_on(repo: Repo, hub: Hub, name: str) -> None:
    put(repo.root.parent / "event.json", json.dumps({"ref": "refs/heads/main"}))
    event = {
        **hub.env,
        "GITHUB_EVENT_NAME": name,
        "GITHUB_EVENT_PATH": str(repo.root.parent / "event.json"),
        "GITHUB_SHA": repo.git("rev-parse", "HEAD"),
    }
    assert step(repo, "run", event, run="check", base="main").outputs["status"] == "passed"
    found = step(repo, "comment", event)
    assert (found.code, "about no pull request" in found.out) == (0, True)
    assert hub.comments == {}


def test_a_release_is_pushed_with_the_token(repo: Repo, hub: Hub) -> None:
    repo.git("switch", "--quiet", "main")
    repo.git("init", "--quiet", "--bare", "--initial-branch", "main", str(repo.root.parent / "remote"))
    repo.git("remote", "add", "origin", str(repo.root.parent / "remote"))
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    told = step(repo, "run", hub.env, run="release", push="false")
    assert "dry run" in told.out
    found = step(repo, "run", hub.env, run="release", github_release="true")
    assert (found.code, found.outputs["status"]) == (0, "passed"), found.out
    assert [each["tag_name"] for each in hub.releases] == ["echo-v1.0.0"]


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("run", {"run": "dance"}, "the input run is 'dance'"),
        ("run", {"run": "check", "all": "perhaps"}, "the input all is 'perhaps'"),
        ("comment", {}, "there is no result to comment with"),
        ("jump", {}, "there is no step jump"),
        ("run", {"run": "merge", "results": ""}, ""),
        ("run", {"run": "evaluate", "paths": "nowhere"}, ""),
    ],
)
def test_what_cant_be_done_is_exit_code_2_and_told(repo: Repo, name: str, inputs: dict[str, str], words: str) -> None:
    found = step(repo, name, **inputs)
    assert found.code == 2, found.out
    if words:
        assert words in found.commands[0]


def test_a_package_of_the_same_name_in_the_checkout_is_not_run(repo: Repo) -> None:
    put(repo.root / "cabinet_ci/__init__.py", "raise SystemExit('hijacked')\n")
    put(repo.root / "cabinet_ci/__main__.py", "raise SystemExit('hijacked')\n")
    found = step(repo, "run", pull_request(repo), run="validate")
    assert found.code == 0, found.out
    assert "hijacked" not in found.out
