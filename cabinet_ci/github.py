"""GitHub's API, as far as it is used: nothing else in this package talks to GitHub.

The requests are PyGithub's, which pages, retries and waits for rate limits. It comes with the extra `github`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import tenacity

from cabinet_ci.failure import CannotRun

if TYPE_CHECKING:
    from github import GithubException, GithubRetry
    from github.Repository import Repository

TIMEOUT = 30
"""Seconds that one request may take."""

RETRIES = 5
"""Times that one request is made again after a 5xx, a cut connection or a rate limit."""

LONGEST_WAIT = 120
"""Seconds that are waited for a rate limit to pass; a job should not stand idle for longer."""

ARTIFACT_LIMIT = 16 * 1024 * 1024
"""Bytes of a packed artifact that are read; the largest result that is read packs to less."""

FOLDERS_AT_ONCE = 100
"""Folders that one request looks up."""

ACTIONS_BOT = "github-actions[bot]"
"""Who a workflow's own token writes as."""


class Comment(msgspec.Struct, frozen=True):
    """A comment on a pull request: its number, who wrote it, and its text."""

    number: int
    author: str
    body: str


class PullRequest(msgspec.Struct, frozen=True):
    """A pull request: its number, the commit and repository of its head, and the branch that it is for."""

    number: int
    head: str
    head_repository: str
    base: str


class CutOff(CannotRun):
    """An answer that ended before its end."""


_patiently = tenacity.retry(
    retry=tenacity.retry_if_exception_type(CutOff),
    stop=tenacity.stop_after_attempt(RETRIES),
    wait=tenacity.wait_exponential(0.2, LONGEST_WAIT / 4),
    reraise=True,
)
"""Makes a request again whose answer was cut off, which happens after the library has stopped looking."""


class GitHub:
    """One repository on GitHub, by its API. Every method raises `CannotRun` where GitHub refuses or is out of reach."""

    def __init__(self, api: str, repository: str, token: str) -> None:
        _require_library()
        import github

        # What it has to say of a request that failed is told as an error, in one line.
        logging.getLogger("github").setLevel(logging.CRITICAL + 1)

        self._api = api.rstrip("/")
        self._token = token
        self.repository = repository
        try:
            self._client = github.Github(
                auth=github.Auth.Token(token),
                base_url=self._api,
                timeout=TIMEOUT,
                per_page=100,
                retry=_retry(),
                user_agent="cabinet-ci",
                seconds_between_requests=None,
                seconds_between_writes=None,
            )
        except (AssertionError, ValueError, AttributeError, TypeError):
            raise CannotRun(f"{api} is no address of an API", "correct GITHUB_API_URL") from None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ, repository: str | None = None) -> GitHub:
        """The repository that GitHub Actions names, or `repository`. Raises `CannotRun` where a variable is missing."""
        token = environment.get("GITHUB_TOKEN") or environment.get("GH_TOKEN")
        repository = repository or environment.get("GITHUB_REPOSITORY", "")
        if not token:
            raise CannotRun("GitHub's API needs a token", "set GITHUB_TOKEN")
        if repository.count("/") != 1 or not all(repository.split("/")):
            raise CannotRun("it is not known which repository on GitHub is meant", "set GITHUB_REPOSITORY=owner/name")
        return cls(environment.get("GITHUB_API_URL") or "https://api.github.com", repository, token)

    @_patiently
    def releases(self) -> frozenset[str]:
        """Tag names of the releases there are."""
        with self._asking("list releases", "contents: read"):
            return frozenset(release.tag_name for release in self._repo.get_releases())

    @_patiently
    def create_release(self, tag: str, name: str, body: str) -> bool:
        """Make a release of an existing tag; false where another made it meanwhile."""
        import github

        with self._asking(f"make a release of {tag}", "contents: write"):
            try:
                self._repo.create_git_release(tag=tag, name=name, message=body)
            except github.GithubException as refusal:
                if refusal.status == 422 and "already_exists" in str(refusal.data):
                    return False
                raise
        return True

    @_patiently
    def pull_request(self, number: int) -> PullRequest:
        """The pull request with a number."""
        with self._asking(f"read pull request {number}", "pull-requests: read"):
            return _pull(self._repo.get_pull(number))

    @_patiently
    def pull_requests_of(self, owner: str, branch: str, commit: str) -> list[PullRequest]:
        """Open pull requests whose head is this commit of a branch, in a repository of `owner`."""
        with self._asking("list pull requests", "pull-requests: read"):
            found = self._repo.get_pulls(state="open", head=f"{owner}:{branch}")
            return [_pull(each) for each in found if each.head.sha == commit]

    @_patiently
    def folders_of(self, paths: Sequence[str], revisions: Sequence[str]) -> frozenset[str]:
        """Those of the paths that are folders at one of the revisions."""
        owner, _, name = self.repository.partition("/")
        found = set()
        with self._asking("look up folders", "contents: read"):
            for some in _batched(dict.fromkeys(paths), FOLDERS_AT_ONCE):
                places = [(path, f"{revision}:{path}") for path in some for revision in revisions]
                variables = {f"e{index}": place for index, (_, place) in enumerate(places)}
                declared = "".join(f", ${each}: String!" for each in variables)
                asked = " ".join(f"{each}: object(expression: ${each}) {{ __typename }}" for each in variables)
                query = (
                    f"query($owner: String!, $name: String!{declared})"
                    f" {{ repository(owner: $owner, name: $name) {{ {asked} }} }}"
                )
                _, told = self._client.requester.graphql_query(query, {"owner": owner, "name": name, **variables})
                kinds = [told["data"]["repository"][each] for each in variables]
                found |= {
                    path
                    for (path, _), kind in zip(places, kinds, strict=True)
                    if kind is not None and kind["__typename"] == "Tree"
                }
        return frozenset(found)

    @_patiently
    def whoami(self) -> str:
        """Login of who the token writes as: a person, an app, or the workflow's own `ACTIONS_BOT`."""
        import github

        with self._asking("tell whose token this is", "metadata: read"):
            try:
                # Only here may every kind of token ask.
                _, told = self._client.requester.graphql_query("query { viewer { login } }", {})
                return str(told["data"]["viewer"]["login"])
            except github.GithubException as refusal:
                if refusal.status in (400, 403, 404):
                    return ACTIONS_BOT
                raise

    @_patiently
    def comments(self, number: int) -> list[Comment]:
        """All comments on a pull request, oldest first."""
        with self._asking(f"read the comments on pull request {number}", "pull-requests: read"):
            issue = self._repo.get_issue(number)
            found = [
                Comment(each.id, each.user.login if each.user else "", each.body or "") for each in issue.get_comments()
            ]
            return sorted(found, key=lambda comment: comment.number)

    @_patiently
    def create_comment(self, number: int, body: str) -> Comment:
        """Write a comment on a pull request."""
        with self._asking(f"comment on pull request {number}", "pull-requests: write"):
            made = self._repo.get_issue(number).create_comment(body)
            return Comment(made.id, made.user.login if made.user else "", body)

    @_patiently
    def edit_comment(self, number: int, comment: Comment, body: str) -> bool:
        """Replace the text of a comment; false where it is gone."""
        with self._asking(f"edit the comment on pull request {number}", "pull-requests: write"):
            return self._on_comment(comment, lambda found: found.edit(body))

    @_patiently
    def delete_comment(self, number: int, comment: Comment) -> bool:
        """Delete a comment; false where it is gone."""
        with self._asking(f"delete the comment on pull request {number}", "pull-requests: write"):
            return self._on_comment(comment, lambda found: found.delete())

    @_patiently
    def artifact(self, run: int, name: str) -> bytes | None:
        """The packed artifact of a workflow's run, of at most `ARTIFACT_LIMIT` bytes; None where the run has none."""
        with self._asking(f"read the artifacts of run {run}", "actions: read"):
            found = [each for each in self._repo.get_workflow_run(run).get_artifacts() if each.name == name]
            if not found:
                return None
            newest = max(found, key=lambda each: each.id)
            if newest.expired:
                raise CannotRun(f"the artifact {name} of run {run} has expired", "run the workflow again")
            content = self._download(f"{self._api}/repos/{self.repository}/actions/artifacts/{newest.id}/zip")
            if len(content) > ARTIFACT_LIMIT:
                raise CannotRun(f"the artifact {name} of run {run} is larger than {ARTIFACT_LIMIT // 2**20} MiB")
            return content

    def _download(self, address: str) -> bytes:
        """What lies at an address of the API, up to one byte more than `ARTIFACT_LIMIT`.

        GitHub sends the reader on to a store of another host, where PyGithub does not go, and where the token may not.
        """
        import requests
        from requests.adapters import HTTPAdapter

        def identify(request: requests.PreparedRequest) -> requests.PreparedRequest:
            request.headers["Authorization"] = f"Bearer {self._token}"
            return request

        with requests.Session() as session:
            for scheme in ("https://", "http://"):
                session.mount(scheme, HTTPAdapter(max_retries=_retry()))
            session.headers["User-Agent"] = "cabinet-ci"
            with session.get(address, auth=identify, stream=True, timeout=TIMEOUT) as answer:
                if not answer.ok:
                    raise self._client.requester.createException(
                        answer.status_code, dict(answer.headers), {"message": answer.reason}
                    )
                content = bytearray()
                for chunk in answer.iter_content(64 * 1024):
                    content += chunk
                    if len(content) > ARTIFACT_LIMIT:
                        break
                return bytes(content)

    @property
    def _repo(self) -> Repository:
        return self._client.get_repo(self.repository, lazy=True)

    def _on_comment(self, comment: Comment, act: Any) -> bool:
        import github
        from github.IssueComment import IssueComment

        url = f"{self._api}/repos/{self.repository}/issues/comments/{comment.number}"
        found: IssueComment = IssueComment(
            self._client.requester, {}, {"url": url, "id": comment.number}, completed=True
        )
        try:
            act(found)
        except github.UnknownObjectException:
            return False
        return True

    @contextmanager
    def _asking(self, what: str, permission: str) -> Iterator[None]:
        """Turn every way in which a request can fail into `CannotRun`, with what to do about it."""
        import github
        import requests

        try:
            yield
        except github.GithubException as refusal:
            raise CannotRun(*_refused(refusal, what, permission)) from None
        except requests.exceptions.ChunkedEncodingError:
            raise CutOff(f"an answer of GitHub's API at {self._api} was cut off", "run it again") from None
        except requests.exceptions.RequestException as error:
            reason = _innermost(error)
            raise CannotRun(f"GitHub's API at {self._api} does not answer: {reason}", "run it again") from None
        except (RuntimeError, ValueError, TypeError, KeyError, AttributeError, AssertionError) as error:
            # An answer that is not what GitHub's API gives, a redirect to another host among them.
            reason = " ".join(str(error).split())[:200]
            raise CannotRun(
                f"{self._api} does not answer as GitHub's API does: {reason}", "is it the right address?"
            ) from None


def _require_library() -> None:
    try:
        import github  # noqa: F401
    except ImportError:
        raise CannotRun("talking to GitHub needs PyGithub", 'install it: pip install "cabinet-ci[github]"') from None


def _retry() -> GithubRetry:
    """What is tried again and for how long: never so long that a job would stand idle."""
    import github

    class Patience(github.GithubRetry):
        def get_retry_after(self, response: Any) -> float | None:
            seconds: float | None = super().get_retry_after(response)
            if seconds is not None and seconds > LONGEST_WAIT:
                raise CannotRun(f"GitHub asks to wait for {seconds:,.0f} seconds", "run it again after that")
            return seconds

    return Patience(
        total=RETRIES,
        backoff_factor=0.2,
        backoff_max=LONGEST_WAIT / 4,
        max_rate_limit_wait=LONGEST_WAIT,
        secondary_rate_wait=LONGEST_WAIT / 2,
        status_forcelist=[429, *range(500, 600)],
        allowed_methods=frozenset({"GET", "POST", "PATCH", "DELETE"}),
    )


def _batched(values: Iterable[str], size: int) -> Iterator[list[str]]:
    left = iter(values)
    while some := list(islice(left, size)):
        yield some


def _pull(found: Any) -> PullRequest:
    repository = found.head.repo
    # A fork that was deleted leaves pull requests without a repository.
    return PullRequest(
        found.number, found.head.sha, repository.full_name if repository is not None else "", found.base.ref
    )


def _refused(refusal: GithubException, what: str, permission: str) -> tuple[str, str]:
    """What was refused and what to do, from the status and what GitHub says."""
    data = refusal.data
    said = data.get("message") if isinstance(data, dict) else None
    said = " ".join(str(said or refusal.message or "").split())[:300]
    message = f"GitHub refused to {what}: {refusal.status} {said}".rstrip()
    if isinstance(data, dict) and data.get("errors"):
        message += f" ({' '.join(str(data['errors']).split())[:300]})"
    if refusal.status == 401:
        return message, "the token is not valid here: set GITHUB_TOKEN to one that is"
    if refusal.status == 429 or "rate limit" in said.lower():
        return message, "run it again later"
    if refusal.status == 403:
        remedy = f"give the token the permission `{permission}`"
        if permission == "pull-requests: write":
            remedy += "; in a pull request from a fork it has none, so comment from a workflow on `workflow_run`"
        return message, remedy
    if refusal.status == 404:
        return message, f"check that it exists and that the token has the permission `{permission}`"
    return message, "run it again later" if refusal.status >= 500 else "it can't be done as asked"


def _innermost(error: BaseException) -> str:
    """The reason of a request that failed, without the objects that libraries print around it."""
    reason: Any = error
    while True:
        inner = getattr(reason, "reason", None) or next(
            (each for each in reason.args if isinstance(each, Exception)), None
        )
        if not isinstance(inner, Exception):
            break
        reason = inner
    text = inner if isinstance(inner, str) else str(reason)
    return " ".join(text.rpartition(">: ")[2].split())[:200]
