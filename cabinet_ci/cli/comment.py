"""`cabinet-ci comment`: the pull request's one comment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cabinet_ci.cli.options import repository_options, resolve_root, write

if TYPE_CHECKING:
    from cabinet_ci.evaluation.result import ResultDocument


@click.command("comment")
@click.argument("result", required=False, type=click.Path(path_type=Path))
@click.option("--pr", "number", type=click.IntRange(1), metavar="N", help="The pull request. [default: the event's]")
@click.option("--repository", metavar="OWNER/NAME", help="The repository on GitHub. [default: GITHUB_REPOSITORY]")
@click.option(
    "--previous",
    "earlier",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="RESULT",
    help="Results of earlier versions to compare with; may be repeated.",
)
@click.option(
    "--artifact",
    metavar="NAME",
    help="On `workflow_run`, take the results from this artifact of the run that ended, instead of a file.",
)
@click.option("--author", metavar="LOGIN", help="Whose comment it is. [default: the token's owner]")
@click.option("--delete-when-passed", is_flag=True, help="Where nothing is wrong, delete the comment instead.")
@repository_options
def command(
    result: Path | None,
    number: int | None,
    repository: str | None,
    earlier: tuple[Path, ...],
    artifact: str | None,
    author: str | None,
    delete_when_passed: bool,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Create or update the one comment of a pull request from the result document RESULT.

    The pull request is the event's: on `workflow_run`, which a trusted workflow runs on, the one whose head the run was
    of. Where the event is about no pull request, nothing is done. Needs GITHUB_TOKEN with `pull-requests: write`.
    """
    from cabinet_ci.commenting import Told, post, target_of, told_about, told_by_run
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.reading import read_result
    from cabinet_ci.event import read_event
    from cabinet_ci.failure import CannotRun
    from cabinet_ci.github import GitHub
    from cabinet_ci.reporting.comment import MARKER, as_comment, as_refusal
    from cabinet_ci.reporting.escaping import Place

    if (result is None) == (artifact is None):
        raise click.UsageError("Give either RESULT or --artifact.")
    config = load_config(resolve_root(root), {"catalog": catalog})
    event = read_event()
    github = GitHub.from_environment(repository=repository)
    if artifact is not None:
        if event.run is None:
            raise CannotRun("--artifact takes a run's artifact, and no run has ended", "use it on `workflow_run`")
        if not event.is_of_pull_request:
            return _say("the run that ended was of no pull request; nothing to do")
        told = told_by_run(github, event.run, event, artifact, config.catalog)
    else:
        assert result is not None  # noqa: S101
        told = Told(read_result(result, config.catalog), tuple(read_result(path, config.catalog) for path in earlier))

    origin = told.document.origin if told.document is not None else None
    target = target_of(github, event, number, origin)
    pull = target.pull_request
    if pull is None:
        return _say(f"{target.reason}; nothing to do")
    head = origin.head if origin is not None else None
    if head is not None and head != pull.head and event.head in ("", head):
        return _say(f"pull request {pull.number} has moved on to {pull.head[:12]}; nothing to do")
    told = told_about(github, told, pull, event)
    more = _job_address(event.run, github.repository)
    place = Place(os.environ.get("GITHUB_SERVER_URL") or "https://github.com", github.repository, pull.head)
    author = author or github.whoami()
    if told.document is not None:
        body = as_comment(told.document, told.earlier, place, more, event.conclusion if event.failed else "")
        well = told.document.passed and not event.failed and not _has_findings(told.document)
        done = post(github, pull.number, body, MARKER, author, keep=not (delete_when_passed and well))
        return _say(f"comment on pull request {pull.number} {done}")
    if told.refusal is None:
        return _say(f"run {event.run} has no artifact {artifact}; nothing to do")
    if event.run is not None:
        # What stands in the comment is about another commit, and nobody looks at the log of this job.
        post(github, pull.number, as_refusal(str(told.refusal), place, more), MARKER, author)
    raise told.refusal


def _say(text: str) -> int:
    write(f"{text}\n", None)
    return 0


def _has_findings(document: ResultDocument) -> bool:
    return document.findings is not None and bool(document.findings.diagnostics)


def _job_address(run: int | None, repository: str) -> str:
    """Where the job summary is that holds what had to be cut."""
    number = str(run) if run is not None else os.environ.get("GITHUB_RUN_ID", "")
    server = os.environ.get("GITHUB_SERVER_URL") or "https://github.com"
    return f"{server}/{repository}/actions/runs/{number}" if number.isdigit() else ""
