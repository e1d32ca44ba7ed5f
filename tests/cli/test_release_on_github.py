"""`cabinet-ci release --github-release`: a release on GitHub of each tag, with the changelog as notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.releasing import TAG, pushed_clone, release, tags_at_remote
from tests.history.repositories import Repo
from tests.support.command import one_line
from tests.support.hub import Hub, running_hub


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return pushed_clone(tmp_path)


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        hub.only = ("POST",)
        yield hub


def test_a_release_on_github_has_the_changelog_as_notes(repo: Repo, hub: Hub) -> None:
    ran = release(repo, "--push", "--github-release", **hub.env)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "1 tag pushed to origin; 1 release made on GitHub"), ran.err
    [made] = hub.releases
    assert (made["tag_name"], made["name"], made["body"]) == (TAG, "echo v1.0.0", "First version.")


def test_a_release_that_failed_is_made_when_run_again_and_only_once(repo: Repo, hub: Hub) -> None:
    hub.failures.append(403)
    ran = release(repo, "--push", "--github-release", **hub.env)
    assert ran.code == 2
    assert "403 Not today" in one_line(ran.err)
    assert "secret-token" not in ran.err
    assert (tags_at_remote(repo), hub.releases) == ([TAG], [])
    for made in ("1 release", "0 releases"):
        ran = release(repo, "--push", "--github-release", **hub.env)
        assert (ran.code, ran.out.splitlines()[-1].rpartition("; ")[2]) == (0, f"{made} made on GitHub")
    assert len(hub.releases) == 1


def test_releases_beyond_the_first_page_are_seen(repo: Repo, hub: Hub) -> None:
    hub.releases.extend({"tag_name": f"x-v0.0.{number}"} for number in range(150))
    hub.releases.append({"tag_name": TAG})
    hub.failures.append(500)  # should it ask for another
    assert release(repo, "--push", "--github-release", **hub.env).code == 0
    assert len(hub.releases) == 151


def test_a_dry_run_does_not_ask_github(repo: Repo, hub: Hub) -> None:
    ran = release(repo, "--github-release")
    assert ran.out.splitlines()[-1] == "dry run: --push would make 1 tag and a release on GitHub of each"
    assert hub.releases == []


@pytest.mark.parametrize(
    ("missing", "said"),
    [("GITHUB_TOKEN", "set GITHUB_TOKEN"), ("GITHUB_REPOSITORY", "set GITHUB_REPOSITORY=owner/name")],
)
def test_what_github_needs_is_asked_for_before_anything_is_tagged(
    repo: Repo, hub: Hub, missing: str, said: str
) -> None:
    ran = release(repo, "--push", "--github-release", **{**hub.env, missing: ""})
    assert (ran.code, said in one_line(ran.err)) == (2, True)
    assert tags_at_remote(repo) == []


def test_a_github_that_does_not_answer_is_one_line(repo: Repo, hub: Hub) -> None:
    ran = release(repo, "--push", "--github-release", **{**hub.env, "GITHUB_API_URL": "http://127.0.0.1:9"})
    assert (ran.code, "does not answer" in one_line(ran.err)) == (2, True)
