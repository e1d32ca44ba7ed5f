"""`cabinet-ci comment`: one comment a pull request, from a result that is about it."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cabinet_ci.evaluation.maker import this_engine, this_tool
from cabinet_ci.reporting.comment import MARKER
from tests.support.cases import put
from tests.support.command import Ran, cabinet, one_line
from tests.support.github_markdown import Rendered
from tests.support.hub import BOT, REPOSITORY, TOKEN, Hub, running_hub
from tests.support.results import document, plain, version

HEAD = "1" * 40
OTHER = "2" * 40


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        hub.add_pull(7, HEAD)
        yield hub


def result(root: Path, name: str = "result.json", **changes: Any) -> Path:
    """A result document of a pull request in which one thing was found."""
    tool, engine = this_tool(), this_engine()
    told: dict[str, Any] = {
        "schema": 1,
        "tool": {"name": tool.name, "version": tool.version},
        "engine": {"name": engine.name, "version": engine.version, "fuel_schedule": engine.fuel_schedule},
        "versions": [],
        "origin": {"repository": REPOSITORY, "head": HEAD, "pull_request": 7},
        "findings": {
            "diagnostics": [
                {
                    "code": "CAB101",
                    "severity": "error",
                    "path": "test-cases/performance/easy/echo/v1.0.0/test-case.toml",
                    "line": 3,
                    "column": 1,
                    "message": "unknown key `tag`",
                    "hint": "did you mean `tags`?",
                }
            ],
            "summary": {"errors": 1, "warnings": 0, "checked": 1},
        },
    }
    put(root / name, json.dumps({**told, **changes}))
    return root / name


CASE = "test-cases/performance/easy/echo"
ECHO = f"{CASE}/v1.0.0"


def evaluated(number: str = "v1.0.0") -> Any:
    """A version's result, as JSON."""
    return plain(document(version(number=number)))["versions"][0]


NOTHING_FOUND = {"diagnostics": [], "summary": {"errors": 0, "warnings": 0, "checked": 1}}


def event(root: Path, name: str, payload: dict[str, Any]) -> dict[str, str]:
    put(root / "event.json", json.dumps(payload))
    return {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(root / "event.json")}


def pull_request_event(root: Path, number: int = 7, head: str = HEAD, owner: str = "owner") -> dict[str, str]:
    pull = {
        "number": number,
        "head": {"sha": head, "repo": {"full_name": f"{owner}/catalog", "owner": {"login": owner}}},
        "base": {"sha": OTHER, "repo": {"full_name": REPOSITORY, "owner": {"login": "owner"}}},
    }
    return event(root, "pull_request", {"pull_request": pull})


def run_event(
    root: Path, of: str = "pull_request", head: str = HEAD, owner: str = "owner", conclusion: str = "success"
) -> dict[str, str]:
    repository = {"full_name": f"{owner}/catalog", "owner": {"login": owner}}
    run = {
        "id": 55, "event": of, "conclusion": conclusion,
        "head_sha": head, "head_branch": "topic", "head_repository": repository,
    }  # fmt: skip
    return event(root, "workflow_run", {"workflow_run": run, "action": "completed"})


def refusal_on(hub: Hub) -> str:
    """What the one comment says of why there is no result."""
    [only] = hub.on(7)
    assert "no result" in only["body"].splitlines()[1]
    assert "CAB101" not in only["body"]
    return Rendered(only["body"]).text


def packed(hub: Hub, members: dict[str, bytes]) -> None:
    """Give run 55 an artifact."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    put_artifact(hub, content.getvalue())


def put_artifact(hub: Hub, content: bytes, expired: bool = False) -> None:
    address = f"{hub.address}/repos/{REPOSITORY}/actions/artifacts/9/zip"
    hub.artifacts[55] = [{"id": 9, "name": "cabinet-ci", "expired": expired, "archive_download_url": address}]
    hub.packed[9] = content


def comment(root: Path, hub: Hub, *arguments: str | Path, env: dict[str, str] | None = None) -> Ran:
    ran = cabinet("comment", *arguments, cwd=root, env={**hub.env, **(env or {})})
    assert TOKEN not in ran.out + ran.err
    return ran


def test_the_first_result_makes_a_comment(tmp_path: Path, hub: Hub) -> None:
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert (ran.code, ran.out) == (0, "comment on pull request 7 created\n"), ran.err
    [made] = hub.on(7)
    assert made["body"].startswith(MARKER)
    assert "CAB101" in made["body"]
    assert TOKEN not in made["body"]


def test_the_same_result_again_changes_nothing(tmp_path: Path, hub: Hub) -> None:
    comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    before = hub.on(7)[0].copy()
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert ran.out == "comment on pull request 7 unchanged\n"
    assert hub.on(7) == [before]
    assert hub.writes() == ["POST"]


def test_another_result_updates_the_comment_in_place(tmp_path: Path, hub: Hub) -> None:
    comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    ran = comment(tmp_path, hub, result(tmp_path, findings=NOTHING_FOUND), "--pr", "7")
    assert ran.out == "comment on pull request 7 updated\n"
    [only] = hub.on(7)
    assert "nothing found" in only["body"]


def test_a_comment_of_somebody_else_that_holds_the_marker_is_left_alone(tmp_path: Path, hub: Hub) -> None:
    theirs = hub.add_comment(7, f"{MARKER}\nall is well", author="mallory")
    quoted = hub.add_comment(7, f"> {MARKER}\nwhat does this mean?", author=BOT)
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert ran.out == "comment on pull request 7 created\n"
    assert hub.on(7)[:2] == [theirs, quoted]
    assert theirs["body"].endswith("all is well")
    assert len(hub.on(7)) == 3


def test_the_comment_is_found_behind_hundreds_of_others(tmp_path: Path, hub: Hub) -> None:
    for number in range(250):
        hub.add_comment(7, f"thought {number}", author="alice")
    ours = hub.add_comment(7, f"{MARKER}\nold")
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert ran.out == "comment on pull request 7 updated\n"
    assert "CAB101" in ours["body"]
    assert len(hub.on(7)) == 251


def test_the_author_is_the_tokens_owner_where_it_may_ask(tmp_path: Path, hub: Hub) -> None:
    hub.login = hub.author = "catalog-robot"
    theirs = hub.add_comment(7, f"{MARKER}\nold", author=BOT)
    assert comment(tmp_path, hub, result(tmp_path), "--pr", "7").out.endswith("created\n")
    assert comment(tmp_path, hub, result(tmp_path), "--pr", "7").out.endswith("unchanged\n")
    assert theirs["body"].endswith("old")
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7", "--author", BOT)
    assert ran.out.endswith("updated\n")


def test_a_token_that_may_not_ask_whose_it_is_is_the_workflows_own(tmp_path: Path, hub: Hub) -> None:
    hub.login = None
    for done in ("created", "unchanged"):
        assert comment(tmp_path, hub, result(tmp_path), "--pr", "7").out.endswith(f"{done}\n")


def test_an_app_that_does_not_know_its_name_leaves_one_comment_too(tmp_path: Path, hub: Hub) -> None:
    hub.login, hub.author = None, "catalog-app[bot]"
    for changes in ({}, {"findings": NOTHING_FOUND}):
        ran = comment(tmp_path, hub, result(tmp_path, **changes), "--pr", "7")
        assert ran.code == 0, ran.err
        assert len(hub.on(7)) == 1
    assert "nothing found" in hub.on(7)[0]["body"]


def test_two_jobs_at_once_leave_one_comment(tmp_path: Path, hub: Hub) -> None:
    hub.pause_before_create = threading.Barrier(2)
    document = result(tmp_path)
    ran: list[Ran] = []
    threads = [
        threading.Thread(target=lambda: ran.append(comment(tmp_path, hub, document, "--pr", "7"))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.code for each in ran] == [0, 0]
    assert hub.writes().count("POST") == 2
    assert len(hub.on(7)) == 1


def test_a_passed_result_deletes_the_comment_where_asked_to(tmp_path: Path, hub: Hub) -> None:
    passed = result(tmp_path, "passed.json", findings=NOTHING_FOUND)
    assert comment(tmp_path, hub, passed, "--pr", "7", "--delete-when-passed").out.endswith("left out\n")
    comment(tmp_path, hub, result(tmp_path), "--pr", "7", "--delete-when-passed")
    assert len(hub.on(7)) == 1
    ran = comment(tmp_path, hub, passed, "--pr", "7", "--delete-when-passed")
    assert ran.out == "comment on pull request 7 deleted\n"
    assert hub.on(7) == []


def test_the_number_comes_from_the_event_of_a_pull_request(tmp_path: Path, hub: Hub) -> None:
    ran = comment(tmp_path, hub, result(tmp_path), env=pull_request_event(tmp_path))
    assert (ran.code, ran.out) == (0, "comment on pull request 7 created\n"), ran.err


@pytest.mark.parametrize("name", ["push", "workflow_dispatch", "merge_group", "schedule"])
def test_an_event_without_a_pull_request_is_nothing_to_do(tmp_path: Path, hub: Hub, name: str) -> None:
    ran = comment(tmp_path, hub, result(tmp_path), env=event(tmp_path, name, {"ref": "refs/heads/main"}))
    assert (ran.code, ran.out) == (0, f"{name} is about no pull request; nothing to do\n")
    assert hub.asked == []


@pytest.mark.parametrize("owner", ["owner", "stranger"])
def test_after_a_run_the_number_comes_from_its_head_and_repository(tmp_path: Path, hub: Hub, owner: str) -> None:
    hub.pulls.clear()
    hub.add_pull(12, HEAD, owner=owner)
    hub.add_pull(13, HEAD, owner="somebody")
    document = result(tmp_path, origin={"repository": REPOSITORY, "head": HEAD, "pull_request": 12}).read_bytes()
    packed(hub, {"result.json": document})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path, owner=owner))
    assert (ran.code, ran.out) == (0, "comment on pull request 12 created\n"), ran.err
    assert hub.on(13) == []


def test_an_artifact_that_names_another_pull_request_is_refused(tmp_path: Path, hub: Hub) -> None:
    hub.add_pull(8, OTHER)
    document = result(tmp_path, origin={"repository": REPOSITORY, "head": HEAD, "pull_request": 8}).read_bytes()
    packed(hub, {"result.json": document})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, hub.on(8)) == (2, [])
    assert "the result is about pull request 8, not 7" in one_line(ran.err)
    assert "the result is about pull request 8, not 7" in refusal_on(hub)


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ({"repository": "owner/other", "head": HEAD}, "the result is about owner/other, not owner/catalog"),
        ({"repository": REPOSITORY, "head": OTHER}, "the result is about the commit 2222"),
        (None, "does not say which commit it is about"),
    ],
)
def test_an_artifact_from_elsewhere_is_refused_with_the_reason(
    tmp_path: Path, hub: Hub, origin: dict[str, Any] | None, words: str
) -> None:
    changes = {"origin": origin} if origin is not None else {}
    document = json.loads(result(tmp_path, **changes).read_bytes())
    if origin is None:
        del document["origin"]
    packed(hub, {"result.json": json.dumps(document).encode()})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert ran.code == 2
    assert words in one_line(ran.err)
    assert words in refusal_on(hub)


@pytest.mark.parametrize("revision", [HEAD, "refs/heads/main"])
def test_versions_of_the_pull_request_and_of_its_base_are_told(tmp_path: Path, hub: Hub, revision: str) -> None:
    hub.folders = {revision: {ECHO}}
    packed(hub, {"result.json": result(tmp_path, versions=[evaluated()]).read_bytes()})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, ran.out) == (0, "comment on pull request 7 created\n"), ran.err


@pytest.mark.parametrize("where", ["result.json", "previous.json", "lost"])
def test_a_version_that_the_repository_does_not_have_is_refused(tmp_path: Path, hub: Hub, where: str) -> None:
    hub.folders = {OTHER: {ECHO}}
    told = {"lost": [ECHO]} if where == "lost" else {"versions": [evaluated()]}
    members = {"result.json": result(tmp_path).read_bytes()}
    packed(hub, members | {"result.json" if where == "lost" else where: result(tmp_path, **told).read_bytes()})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, f"{ECHO}, which is not in the repository" in one_line(ran.err)) == (2, True)
    assert ECHO in refusal_on(hub)


def test_versions_by_the_hundred_are_looked_up_in_few_requests(tmp_path: Path, hub: Hub) -> None:
    numbers = [f"v1.0.{number}" for number in range(250)]
    hub.folders = {HEAD: {f"{CASE}/{number}" for number in numbers}}
    packed(hub, {"result.json": result(tmp_path, versions=list(map(evaluated, numbers))).read_bytes()})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert ran.code == 0, ran.err
    assert sum(path.endswith("/graphql") for _, path in hub.asked) == 4


@pytest.mark.parametrize("conclusion", ["failure", "timed_out", "cancelled", "startup_failure"])
def test_a_result_that_passed_in_a_run_that_did_not_is_no_pass(tmp_path: Path, hub: Hub, conclusion: str) -> None:
    packed(hub, {"result.json": result(tmp_path, findings=NOTHING_FOUND).read_bytes()})
    ran = comment(
        tmp_path, hub, "--artifact", "cabinet-ci", "--delete-when-passed",
        env=run_event(tmp_path, conclusion=conclusion),
    )  # fmt: skip
    assert ran.code == 0, ran.err
    [only] = hub.on(7)
    assert only["body"].splitlines()[1] == "### ❌ cabinet-ci did not finish"
    assert f"ended with {conclusion}, and yet its result has no fault" in Rendered(only["body"]).text


def test_a_result_that_failed_in_a_run_that_failed_is_told_as_it_is(tmp_path: Path, hub: Hub) -> None:
    packed(hub, {"result.json": result(tmp_path).read_bytes()})
    comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path, conclusion="failure"))
    [only] = hub.on(7)
    assert "cabinet-ci failed: 1 version checked" in only["body"]
    assert "and yet" not in only["body"]


def test_what_was_said_of_an_older_commit_gives_way_where_a_run_left_no_result(tmp_path: Path, hub: Hub) -> None:
    comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path, conclusion="failure"))
    assert (ran.code, "run 55 ended with failure and left no result" in one_line(ran.err)) == (2, True)
    assert "run 55 ended with failure and left no result" in refusal_on(hub)


def test_a_result_of_an_older_commit_is_not_posted(tmp_path: Path, hub: Hub) -> None:
    hub.add_pull(7, OTHER)
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert (ran.code, hub.comments) == (0, {})
    assert ran.out == "pull request 7 has moved on to 222222222222; nothing to do\n"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda hub: hub.pulls.clear(), "no open pull request has 111111111111 as its head"),
        (lambda hub: hub.pulls[7].update(state="closed"), "no open pull request has 111111111111 as its head"),
        (lambda hub: hub.artifacts.clear(), "run 55 has no artifact cabinet-ci"),
    ],
)
def test_after_a_run_without_a_pull_request_or_result_there_is_nothing_to_do(
    tmp_path: Path, hub: Hub, change: Callable[[Hub], None], words: str
) -> None:
    packed(hub, {"result.json": result(tmp_path).read_bytes()})
    change(hub)
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, ran.out) == (0, f"{words}; nothing to do\n"), ran.err


def test_after_a_run_of_a_push_there_is_nothing_to_do(tmp_path: Path, hub: Hub) -> None:
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path, of="push"))
    assert (ran.code, ran.out) == (0, "the run that ended was of no pull request; nothing to do\n")


def truncated() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("result.json", b"x" * 1000)
    return content.getvalue()[:500]


def bomb() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("result.json", "w") as file:
        for _ in range(80):
            file.write(b" " * 2**20)
    return content.getvalue()


def crowd() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(200):
            archive.writestr(f"{number}.json", b"")
    return content.getvalue()


def packed_otherwise() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("result.json", b"{}")
    return content.getvalue()


def elsewhere() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("../result.json", b"{}")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no sound archive"),
        (b"not a zip", "no sound archive"),
        (truncated(), "no sound archive"),
        (bomb(), "result.json is larger than 64 MiB"),
        (crowd(), "more than 100 files"),
        (packed_otherwise(), "packed in a way that GitHub does not pack"),
        (elsewhere(), "holds no result.json"),
    ],
)
def test_an_artifact_that_is_no_sound_archive_is_refused(tmp_path: Path, hub: Hub, content: bytes, words: str) -> None:
    put_artifact(hub, content)
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert ran.code == 2
    assert words in one_line(ran.err)
    assert words in refusal_on(hub)


def test_the_artifact_is_fetched_from_another_host_without_the_token(tmp_path: Path, hub: Hub) -> None:
    # The store answers only where no token is shown to it.
    packed(hub, {"result.json": result(tmp_path).read_bytes()})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, ran.out) == (0, "comment on pull request 7 created\n"), ran.err
    assert ("GET", "/store/9?signature=secret") in hub.asked


def test_an_artifact_that_the_store_lost_is_told(tmp_path: Path, hub: Hub) -> None:
    put_artifact(hub, b"")
    del hub.packed[9]
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, "GitHub refused to read the artifacts of run 55: 404" in one_line(ran.err)) == (2, True)


def test_a_store_that_lets_nobody_in_is_told(tmp_path: Path, hub: Hub) -> None:
    packed(hub, {"result.json": result(tmp_path).read_bytes()})
    hub.store_status = 403
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, "GitHub refused to read the artifacts of run 55: 403" in one_line(ran.err)) == (2, True), ran.err


def test_an_artifact_that_packs_too_much_is_refused(tmp_path: Path, hub: Hub) -> None:
    put_artifact(hub, bytes(17 * 2**20))
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, "is larger than 16 MiB" in one_line(ran.err)) == (2, True)


def test_what_an_artifact_says_is_told_on_one_line_and_without_what_cant_be_printed(tmp_path: Path, hub: Hub) -> None:
    lie = result(tmp_path, lost=["no\x1b[2J\u202eversion\n::error::forged"])
    packed(hub, {"result.json": lie.read_bytes()})
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert ran.code == 2
    assert "is no version folder" in one_line(ran.err)
    assert ran.err.rstrip("\n").isprintable()


def test_an_artifact_that_has_expired_is_told(tmp_path: Path, hub: Hub) -> None:
    put_artifact(hub, b"", expired=True)
    ran = comment(tmp_path, hub, "--artifact", "cabinet-ci", env=run_event(tmp_path))
    assert (ran.code, "has expired" in one_line(ran.err)) == (2, True)


@pytest.mark.parametrize(
    "failure", [500, 502, 503, "cut", "slow", (429, {"Retry-After": "0"}, {"message": "slow down"})]
)
def test_a_passing_failure_of_github_is_tried_again(tmp_path: Path, hub: Hub, failure: Any) -> None:
    hub.failures = [failure]
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert (ran.code, ran.out) == (0, "comment on pull request 7 created\n"), ran.err


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_secondary_rate_limit_is_waited_for(tmp_path: Path, hub: Hub, method: str) -> None:
    said = {"message": "You have exceeded a secondary rate limit"}
    hub.failures, hub.only = [(403, {"Retry-After": "1"}, said)], (method,)
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert (ran.code, ran.out) == (0, "comment on pull request 7 created\n"), ran.err


@pytest.mark.parametrize(
    "failure",
    [
        (429, {"Retry-After": "3600"}, {"message": "slow down"}),
        (403, {"X-RateLimit-Reset": "99999999999"}, {"message": "API rate limit exceeded for installation"}),
    ],
)
def test_a_rate_limit_of_an_hour_is_not_waited_for(tmp_path: Path, hub: Hub, failure: Any) -> None:
    hub.failures = [failure] * 9
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert ran.code == 2
    assert "run it again" in one_line(ran.err)


def test_a_token_that_may_not_comment_is_told_what_to_do(tmp_path: Path, hub: Hub) -> None:
    hub.may_write = False
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert ran.code == 2
    assert "pull-requests: write" in one_line(ran.err)
    assert "workflow_run" in ran.err


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"GITHUB_TOKEN": "wrong"}, "401 Bad credentials; the token is not valid here"),
        ({"GITHUB_TOKEN": ""}, "needs a token; set GITHUB_TOKEN"),
        ({"GITHUB_REPOSITORY": ""}, "set GITHUB_REPOSITORY=owner/name"),
        ({"GITHUB_REPOSITORY": "a/b/c"}, "set GITHUB_REPOSITORY=owner/name"),
        ({"GITHUB_REPOSITORY": "owner/nowhere"}, "404 Not Found"),
        ({"GITHUB_API_URL": "http://127.0.0.1:9"}, "does not answer"),
        ({"GITHUB_API_URL": "nonsense"}, "no address of an API"),
        ({"GITHUB_EVENT_PATH": "/nowhere"}, "GITHUB_EVENT_PATH: the file does not exist"),
    ],
)
def test_a_setting_that_does_not_fit_is_one_line(tmp_path: Path, hub: Hub, env: dict[str, str], words: str) -> None:
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7", env=env)
    assert ran.code == 2
    assert words in one_line(ran.err)


def test_a_comment_that_github_does_not_take_is_told_with_what_it_says(tmp_path: Path, hub: Hub) -> None:
    said = {"message": "Validation Failed", "errors": [{"message": "this pull request is locked"}]}
    hub.failures, hub.only = [(200, {}, {"data": {"viewer": {"login": BOT}}}), (422, {}, said)], ("POST",)
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert (ran.code, hub.comments) == (2, {})
    assert "422 Validation Failed" in one_line(ran.err)
    assert "this pull request is locked" in ran.err


def test_a_pull_request_that_does_not_exist_is_told(tmp_path: Path, hub: Hub) -> None:
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "8")
    assert ran.code == 2
    assert "GitHub refused to read pull request 8: 404" in one_line(ran.err)


def test_an_answer_that_is_not_githubs_is_told(tmp_path: Path, hub: Hub) -> None:
    hub.failures = [(200, {}, ["what", "is", "this"])]
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7")
    assert ran.code == 2
    assert "does not answer as GitHub's API does" in one_line(ran.err)


def test_a_github_of_ones_own_is_reached_by_its_address(tmp_path: Path, hub: Hub) -> None:
    env = {"GITHUB_API_URL": f"{hub.address}/api/v3", "GITHUB_SERVER_URL": "https://github.example.org"}
    hub.base = "/api/v3"
    ran = comment(tmp_path, hub, result(tmp_path), "--pr", "7", env=env)
    assert ran.code == 0, ran.err
    assert f"https://github.example.org/{REPOSITORY}/blob/{HEAD}/" in hub.on(7)[0]["body"]


@pytest.mark.parametrize("arguments", [[], ["result.json", "--artifact", "cabinet-ci"]])
def test_either_a_file_or_an_artifact_is_given(tmp_path: Path, hub: Hub, arguments: list[str]) -> None:
    ran = comment(tmp_path, hub, *arguments)
    assert ran.code == 2
    assert "Give either RESULT or --artifact." in one_line(ran.err)
