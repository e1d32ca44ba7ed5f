"""Making a release: tags pushed all or none, and safe to run beside another release or again."""

from __future__ import annotations

import msgspec

from cabinet_ci.failure import CannotRun
from cabinet_ci.history.ground import Ground
from cabinet_ci.history.refs import read_refs
from cabinet_ci.history.release import AtRemote, Incomplete, Plan, keep_tags, make_tags, plan_release, require_room
from cabinet_ci.history.remote import Rejected, push_tags, remote_tags, require_remote

ATTEMPTS = 4
"""Pushes tried while other releases keep making tags; each time there is less left to do."""


class Release(msgspec.Struct, frozen=True):
    """What was done: the last plan, the tags that were pushed, and whether that was all or none.

    `at_head` are all the remote's release tags that are on HEAD, an earlier run's too. `unkept` says why the tags that
    were pushed could not be made here too, empty where they were.
    """

    plan: Plan
    pushed: tuple[str, ...]
    at_head: tuple[str, ...]
    atomic: bool
    unkept: str = ""


def require_main(ground: Ground) -> None:
    """Raise `CannotRun` where HEAD is not on the base: tags belong on what is merged."""
    base = ground.base
    if base is not None and base.merge_base != ground.head:
        raise CannotRun(f"HEAD is not on {base.name}", "release from the main branch, once it is pushed")


def publish(ground: Ground, remote: str, incomplete: Incomplete) -> Release:
    """Tag and push what has no tag yet; with a finding nothing is tagged.

    A tag that another release made meanwhile with the same content is as good as one of our own. Raises `CannotRun`
    where HEAD is not on the base, the remote can't be reached, or it refuses a tag.
    """
    require_main(ground)
    require_remote(ground.repository, remote)
    repository = ground.repository
    pushed: list[str] = []
    atomic, unkept = True, ""
    for _ in range(ATTEMPTS):
        ground = msgspec.structs.replace(ground, refs=read_refs(repository))
        names = [each.tag for each in plan_release(ground, None, lambda _: {}).versions]
        at_remote = remote_tags(repository, remote, names)
        plan = plan_release(ground, AtRemote(remote, at_remote), incomplete)
        at_head = {tag.name for tag in at_remote.values() if tag.commit == ground.head}
        new, unpushed = plan.of_state("new"), plan.of_state("unpushed")
        if plan.findings or not (new or unpushed):
            return Release(plan, tuple(pushed), tuple(sorted(at_head)), atomic, unkept)
        require_room(repository, [each.tag for each in new])
        made = make_tags(repository, ground.head or "", new)
        refspecs = [f"{oid}:refs/tags/{name}" for name, oid in made.items()]
        refspecs += [f"refs/tags/{each.tag}:refs/tags/{each.tag}" for each in unpushed]
        refused, atomic = push_tags(repository, remote, refspecs)
        kept = set() if refused and atomic else {each.tag for each in (*new, *unpushed)} - {one.tag for one in refused}
        try:
            keep_tags(repository, {name: oid for name, oid in made.items() if name in kept})
        except CannotRun as failure:
            unkept = failure.why
        pushed += sorted(kept)
        if not refused:
            return Release(plan, tuple(pushed), tuple(sorted({*at_head, *made})), atomic, unkept)
        if not remote_tags(repository, remote, [each.tag for each in refused]):
            break  # not another release, but the remote itself
    raise _refusal(remote, refused, pushed)


def _refusal(remote: str, refused: list[Rejected], pushed: list[str]) -> CannotRun:
    first = next((each for each in refused if "atomic" not in each.reason), refused[0])
    others = "1 other tag was" if len(pushed) == 1 else f"{len(pushed)} other tags were"
    done = f"{others} pushed" if pushed else "nothing was tagged"
    return CannotRun(f"{remote} refused the tag {first.tag}: {first.reason}", f"{done}; it is safe to run again")
