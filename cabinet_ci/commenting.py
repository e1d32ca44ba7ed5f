"""The pull request's one comment: which pull request it is, and what becomes of the comment that is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from cabinet_ci.evaluation.artifact import read_artifact
from cabinet_ci.evaluation.reading import one_line
from cabinet_ci.evaluation.result import ResultDocument
from cabinet_ci.event import Event
from cabinet_ci.failure import CannotRun
from cabinet_ci.github import Comment, GitHub, PullRequest
from cabinet_ci.origin import Origin

Posted = Literal["created", "updated", "unchanged", "deleted", "left out"]

ATTEMPTS = 3
"""Times that a comment is written anew because somebody deletes it meanwhile."""


class Target(msgspec.Struct, frozen=True):
    """The pull request to comment on; null with the reason why there is none."""

    pull_request: PullRequest | None
    reason: str = ""


def target_of(github: GitHub, event: Event, number: int | None, origin: Origin | None) -> Target:
    """The pull request that a job is about, by `number` or else by the event, never by the result.

    One branch may be proposed to several others; only then does it matter which of them the result names.
    """
    if number is None:
        number = event.number
    if number is not None:
        return Target(github.pull_request(number))
    if event.run is None:
        return Target(None, f"{event.name or 'no event'} is about no pull request")
    if not event.is_of_pull_request:
        return Target(None, "the run that ended was of no pull request")
    if not event.owner or not event.branch:
        return Target(None, "the repository that the pull request came from is gone")
    pulls = github.pull_requests_of(event.owner, event.branch, event.head)
    pulls = [pull for pull in pulls if pull.head_repository.lower() == event.repository.lower()]
    if not pulls:
        return Target(None, f"no open pull request has {event.head[:12]} as its head")
    named = [pull for pull in pulls if origin is not None and pull.number == origin.pull_request]
    return Target(named[0] if named else min(pulls, key=lambda pull: pull.number))


class Told(msgspec.Struct, frozen=True):
    """What there is to tell a pull request: a result with those to compare with, or why there is none.

    Neither where a run left no result and nothing is wrong about that.
    """

    document: ResultDocument | None
    earlier: tuple[ResultDocument, ...] = ()
    refusal: CannotRun | None = None


def told_by_run(github: GitHub, run: int, event: Event, artifact: str, catalog: str) -> Told:
    """What the artifact of a run tells, which anybody may have written."""
    try:
        packed = github.artifact(run, artifact)
        if packed is None:
            why = CannotRun(f"run {run} ended with {event.conclusion} and left no result", "look at its jobs")
            return Told(None, refusal=why if event.failed else None)
        return Told(*read_artifact(packed, catalog))
    except CannotRun as refusal:
        return Told(None, refusal=refusal)


def told_about(github: GitHub, told: Told, pull: PullRequest, event: Event) -> Told:
    """The same where it is about this pull request and about versions that there are, else the refusal."""
    if told.document is None:
        return told
    try:
        require_about(told.document.origin, pull, event, github.repository)
        if event.run is not None:
            require_versions(github, pull, (told.document, *told.earlier))
    except CannotRun as refusal:
        return Told(None, refusal=refusal)
    return told


def require_about(origin: Origin | None, pull: PullRequest, event: Event, repository: str) -> None:
    """Raise `CannotRun` for a result that is not about this pull request, by what `origin` says."""
    if origin is None:
        if event.run is not None:
            raise CannotRun("the result does not say which commit it is about", "write it with `check --output`")
        return
    if origin.repository is not None and origin.repository.lower() != repository.lower():
        raise CannotRun(f"the result is about {origin.repository}, not {repository}", "it is not posted")
    if origin.pull_request is not None and origin.pull_request != pull.number:
        raise CannotRun(
            f"the result is about pull request {origin.pull_request}, not {pull.number}", "it is not posted"
        )
    if event.is_of_pull_request and event.head and origin.head != event.head:
        raise CannotRun(
            f"the result is about the commit {origin.head}, and the run was of {event.head}", "it is not posted"
        )


def require_versions(github: GitHub, pull: PullRequest, documents: Sequence[ResultDocument]) -> None:
    """Raise `CannotRun` for results of versions that neither the pull request nor the branch that it is for has."""
    paths = [path for told in documents for path in (*(each.path for each in told.versions), *told.lost)]
    found = github.folders_of(paths, (pull.head, f"refs/heads/{pull.base}"))
    missing = [path for path in paths if path not in found]
    if missing:
        raise CannotRun(
            f"the result is about {one_line(missing[0])}, which is not in the repository", "it is not posted"
        )


def post(github: GitHub, number: int, body: str, marker: str, author: str, *, keep: bool = True) -> Posted:
    """Leave exactly one comment with `marker` by `author` on a pull request, holding `body`; none unless `keep`.

    A comment that holds the same already is not touched. Safe beside another job that does the same: of two that were
    made at once the older one stays.
    """
    done: Posted = "unchanged" if keep else "left out"
    for _ in range(ATTEMPTS):
        own = [each for each in github.comments(number) if _is_own(each, marker, author)]
        if not keep:
            for comment in own:
                github.delete_comment(number, comment)
            return "deleted" if own else done
        if not own:
            made = github.create_comment(number, body)
            # The one who really wrote it, so that one's older comment is found where the token's owner was mistaken.
            author = made.author or author
            done = "created"
            continue
        first, *others = own
        for comment in others:
            github.delete_comment(number, comment)
        if _same(first.body, body):
            return done
        if github.edit_comment(number, first, body):
            return "updated" if done == "unchanged" else done
    raise CannotRun(f"the comment on pull request {number} is deleted as often as it is made", "run it again")


def _is_own(comment: Comment, marker: str, author: str) -> bool:
    return comment.author.lower() == author.lower() and comment.body.lstrip().startswith(marker)


def _same(one: str, other: str) -> bool:
    """Whether two texts are one to GitHub, which may change line ends and trim."""
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()
