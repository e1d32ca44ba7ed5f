"""GitHub's API, as far as it is used: nothing else in this package talks to GitHub."""

from __future__ import annotations

import os
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

import msgspec

from cabinet_ci.failure import CannotRun

TIMEOUT = 30
"""Seconds that one request may take."""

ANSWER_LIMIT = 16 * 1024 * 1024
"""Bytes of an answer that are read."""

_PER_PAGE = 100


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token must not follow a redirect to wherever it leads."""

    def redirect_request(self, *_: object) -> None:
        return None


class GitHub:
    """One repository on GitHub, by its API."""

    def __init__(self, api: str, repository: str, token: str) -> None:
        self._api = api.rstrip("/")
        self._repository = repository
        self._token = token
        self._opener = urllib.request.build_opener(_NoRedirect)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> GitHub:
        """The repository that GitHub Actions names. Raises `CannotRun` where a variable is missing."""
        token = environment.get("GITHUB_TOKEN") or environment.get("GH_TOKEN")
        repository = environment.get("GITHUB_REPOSITORY", "")
        if not token:
            raise CannotRun("GitHub's API needs a token", "set GITHUB_TOKEN")
        if repository.count("/") != 1:
            raise CannotRun("it is not known which repository on GitHub is meant", "set GITHUB_REPOSITORY=owner/name")
        return cls(environment.get("GITHUB_API_URL") or "https://api.github.com", repository, token)

    def releases(self) -> frozenset[str]:
        """Tag names of the releases there are. Raises `CannotRun`."""
        tags: list[str] = []
        for page in range(1, 1001):
            found = self._ask("GET", f"releases?per_page={_PER_PAGE}&page={page}", None)
            if not isinstance(found, list):
                raise CannotRun("GitHub's list of releases is no list", "try again later")
            tags += [
                each["tag_name"] for each in found if isinstance(each, dict) and isinstance(each.get("tag_name"), str)
            ]
            if len(found) < _PER_PAGE:
                break
        return frozenset(tags)

    def create_release(self, tag: str, name: str, body: str) -> bool:
        """Make a release of an existing tag; false where another made it meanwhile. Raises `CannotRun`."""
        try:
            self._ask("POST", "releases", {"tag_name": tag, "name": name, "body": body})
        except _Refused as refused:
            if refused.code == 422 and "already_exists" in refused.said:
                return False
            raise
        return True

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        url = f"{self._api}/repos/{urllib.parse.quote(self._repository)}/{path}"
        if urllib.parse.urlsplit(url).scheme not in ("https", "http"):
            raise CannotRun(f"{self._api} is no address of an API", "correct GITHUB_API_URL")
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": "cabinet-ci",
            "X-GitHub-Api-Version": "2022-11-28",
            "Content-Type": "application/json",
        }
        data = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                return msgspec.json.decode(answer.read(ANSWER_LIMIT))
        except urllib.error.HTTPError as error:
            with error:
                raise _Refused(error.code, error.read(64 * 1024).decode("utf-8", "replace"), method, path) from None
        except (OSError, msgspec.DecodeError) as error:
            reason = getattr(error, "reason", None) or error
            raise CannotRun(f"GitHub's API at {self._api} does not answer: {reason}", "run it again") from None


class _Refused(CannotRun):
    def __init__(self, code: int, said: str, method: str, path: str) -> None:
        try:
            message = str(msgspec.json.decode(said)["message"])
        except (msgspec.DecodeError, KeyError, TypeError):
            message = " ".join(said.split())[:200]
        remedy = "give the token the permission `contents: write`" if code in (401, 403, 404) else "run it again"
        super().__init__(f"GitHub refused {method} {path.partition('?')[0]}: {code} {message}", remedy)
        self.code = code
        self.said = said
