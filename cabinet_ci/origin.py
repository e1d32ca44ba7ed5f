"""Which repository, commit and pull request a result is about."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from cabinet_ci.catalog.files import Unreadable, read_bounded
from cabinet_ci.failure import CannotRun

EVENT_LIMIT = 32 * 1024 * 1024
"""Bytes of the event's description that are read; GitHub sends at most 25 MiB."""

_REPOSITORY = r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}(?![\s\S])"
_COMMIT = r"^([0-9a-f]{40}|[0-9a-f]{64})(?![\s\S])"

NAMES = {"repository": "repository", "head": "commit", "base": "base", "pull_request": "pull request"}
"""What each key of an origin is called in a sentence."""

Repository = Annotated[str, Meta(pattern=_REPOSITORY)]
Commit = Annotated[str, Meta(pattern=_COMMIT)]


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a result says of where it comes from; each is left out where it is not known.

    `repository` is GitHub's `owner/name`, `head` the commit that was looked at (a pull request's own head, not the
    commit that GitHub merges it to), `base` its merge base, `pull_request` the pull request's number.
    """

    repository: Repository | None = None
    head: Commit | None = None
    base: Commit | None = None
    pull_request: Annotated[int, Meta(ge=1)] | None = None

    @property
    def is_known(self) -> bool:
        """Whether it says anything."""
        return self != Origin()


def origin_of(head: str | None, base: str | None, environment: Mapping[str, str] = os.environ) -> Origin | None:
    """The origin of what is evaluated here: commits as git tells them, the rest as GitHub Actions does.

    None where nothing is known.
    """
    repository = environment.get("GITHUB_REPOSITORY", "")
    number, own_head = _pull_request(environment.get("GITHUB_EVENT_PATH", ""))
    origin = Origin(
        repository=repository if re.match(_REPOSITORY, repository) else None,
        head=own_head or head,
        base=base,
        pull_request=number,
    )
    return origin if origin.is_known else None


def _pull_request(event_path: str) -> tuple[int | None, str | None]:
    """Number and head of the pull request that the event is about, null where it is about none."""
    if not event_path:
        return None, None
    try:
        event: Any = msgspec.json.decode(read_bounded(event_path, EVENT_LIMIT))
        found = event["pull_request"]
        number, head = found["number"], found["head"]["sha"]
    except (Unreadable, msgspec.DecodeError, KeyError, TypeError, RecursionError):
        return None, None
    if not isinstance(number, int) or not isinstance(head, str) or not re.match(_COMMIT, head):
        return None, None
    return number, head


def require_origin(found: Origin | None, wanted: Origin, name: str) -> None:
    """Raise `CannotRun` where a result says another origin than is wanted, or does not say what is wanted."""
    told = found or Origin()
    for key, called in NAMES.items():
        expected, given = getattr(wanted, key), getattr(told, key)
        if expected is None:
            continue
        if given is None:
            raise CannotRun(f"{name} does not say which {called} it is about", f"it has to be about {expected}")
        if str(given).lower() != str(expected).lower():
            raise CannotRun(f"{name} is about the {called} {given}, not {expected}", "it is another run's result")
