"""What started a job: the event that GitHub Actions describes in its variables and its file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import msgspec

from cabinet_ci.catalog.files import Unreadable, read_bounded
from cabinet_ci.failure import CannotRun
from cabinet_ci.origin import EVENT_LIMIT


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event, as far as it leads to a pull request.

    `number` and `head` are a pull request's own; on `workflow_run` there are `run` (the number of the run that ended),
    `conclusion` (how it ended), and `head`, `repository`, `owner` and `branch` of its head, by which its pull request
    is found.
    """

    name: str = ""
    number: int | None = None
    head: str = ""
    repository: str = ""
    owner: str = ""
    branch: str = ""
    conclusion: str = ""
    is_from_fork: bool = False
    run: int | None = None
    is_of_pull_request: bool = False

    @property
    def failed(self) -> bool:
        """Whether a run ended otherwise than it does where all its jobs succeed."""
        return self.conclusion not in ("", "success", "neutral", "skipped")


class _Owner(msgspec.Struct, frozen=True):
    login: str


class _Repository(msgspec.Struct, frozen=True):
    full_name: str
    owner: _Owner | None = None


class _Ref(msgspec.Struct, frozen=True):
    sha: str
    repo: _Repository | None = None


class _PullRequest(msgspec.Struct, frozen=True):
    number: int
    head: _Ref
    base: _Ref


class _WorkflowRun(msgspec.Struct, frozen=True):
    id: int
    event: str
    head_sha: str
    head_branch: str | None = None
    head_repository: _Repository | None = None
    conclusion: str | None = None


class _Payload(msgspec.Struct, frozen=True):
    pull_request: _PullRequest | None = None
    workflow_run: _WorkflowRun | None = None


def read_event(environment: Mapping[str, str] = os.environ) -> Event:
    """The event of the job at hand, an empty one where there is none.

    Raises `CannotRun` for a description that can't be read or is not one of GitHub's.
    """
    name, path = environment.get("GITHUB_EVENT_NAME", ""), environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        return Event(name=name)
    try:
        payload = msgspec.json.decode(read_bounded(path, EVENT_LIMIT), type=_Payload)
    except (Unreadable, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        reason = fault.reason if isinstance(fault, Unreadable) else f"is no event of GitHub's: {fault}"
        raise CannotRun(f"GITHUB_EVENT_PATH: the file {reason}") from None
    if payload.workflow_run is not None:
        return _of_run(name, payload.workflow_run)
    if payload.pull_request is not None:
        return _of_pull_request(name, payload.pull_request)
    return Event(name=name)


def _of_pull_request(name: str, pull: _PullRequest) -> Event:
    here, there = (side.repo.full_name if side.repo is not None else "" for side in (pull.base, pull.head))
    return Event(name=name, number=pull.number, head=pull.head.sha, is_from_fork=here != there, is_of_pull_request=True)


def _of_run(name: str, run: _WorkflowRun) -> Event:
    head = run.head_repository
    owner: Any = head.owner if head is not None else None
    return Event(
        name=name,
        head=run.head_sha,
        repository=head.full_name if head is not None else "",
        owner=owner.login if owner is not None else "",
        branch=run.head_branch or "",
        run=run.id,
        conclusion=run.conclusion or "",
        is_of_pull_request=run.event in ("pull_request", "pull_request_target"),
    )
