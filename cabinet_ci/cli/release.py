"""`cabinet-ci release`: tags for versions that have none."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cabinet_ci.cli.options import repository_options, wants_colour, write
from cabinet_ci.failure import CannotRun

if TYPE_CHECKING:
    from cabinet_ci.github import GitHub
    from cabinet_ci.history.ground import Ground
    from cabinet_ci.history.release import Incomplete, Plan
    from cabinet_ci.history.snapshot import Folder


@click.command("release")
@click.option("--push", is_flag=True, help="Make the tags and push them; without it, only tell what would be done.")
@click.option("--github-release", is_flag=True, help="Make a release on GitHub of each tag, too.")
@click.option("--remote", metavar="NAME", default="origin", show_default=True, help="Where the tags are pushed.")
@click.option("--base", metavar="REF", help="The main branch, which HEAD has to be on. [default: found out]")
@click.option("--suites", metavar="FOLDER", help="The suites' folder, relative to the root. [default: test-suites]")
@repository_options
def command(
    push: bool,
    github_release: bool,
    remote: str,
    base: str | None,
    suites: str | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Tag each version at HEAD that has no tag, is complete and not experimental: `<slug>-vX.Y.Z`.

    A tag's message is the version's changelog entry, with the git tree of its folder in a trailer. A tag that exists
    with the same content is left alone; with another content it is an error, and nothing is tagged.
    """
    from cabinet_ci.history.ground import open_ground
    from cabinet_ci.history.publishing import publish
    from cabinet_ci.history.release import plan_release

    if not remote:
        raise CannotRun("--remote is empty", "name a remote, such as origin, or leave it out")
    github = None
    if github_release and push:
        from cabinet_ci.github import GitHub

        github = GitHub.from_environment()
    flags = {"base": base, "catalog": catalog, "suites": suites}
    with open_ground(root or Path.cwd(), flags, explicit=root is not None) as ground:
        incomplete = _judge(ground)
        if not push:
            plan = plan_release(ground, None, incomplete)
            return _tell(plan, _dry_run(ground, plan, github_release=github_release))
        release = publish(ground, remote, incomplete)
        if release.plan.findings:
            return _tell(release.plan, "nothing was tagged")
        pushed = len(release.pushed)
        outcome = f"{_count(pushed, 'tag')} pushed to {remote}" if pushed else f"nothing to tag; {remote} has every tag"
        if not release.atomic:
            outcome += ", one by one: it can't take all or none"
        if release.unkept:
            outcome += f"; here they are to be fetched, as {release.unkept}"
        if github is not None:
            made = _release_on_github(github, ground, release.plan, release.at_head)
            outcome += f"; {_count(made, 'release')} made on GitHub"
        return _tell(release.plan, outcome)


def _dry_run(ground: Ground, plan: Plan, *, github_release: bool) -> str:
    number = _count(len(plan.of_state("new")), "tag")
    and_release = " and a release on GitHub of each" if github_release else ""
    text = f"dry run: --push would make {number}{and_release}"
    if ground.base is not None and ground.base.merge_base != ground.head:
        text += f", but only once HEAD is on {ground.base.name}"
    return text


def _tell(plan: Plan, outcome: str) -> int:
    from cabinet_ci.diagnostics import make_report
    from cabinet_ci.history.quoting import shown
    from cabinet_ci.reporting.findings import render_report

    words = {"new": "new", "unpushed": "tagged here", "present": "there already"}
    width = max((len(each.tag) for each in plan.versions), default=0)
    lines = [
        f"{each.tag:<{width}}  {words.get(each.state) or 'left out: ' + each.reason}  {shown(each.path)}"
        for each in plan.versions
    ]
    if plan.findings:
        lines += render_report(
            make_report(plan.findings, len(plan.versions)), "text", colour=wants_colour()
        ).splitlines()
    write("\n".join([*lines, outcome]) + "\n", None)
    return int(bool(plan.findings))


def _judge(ground: Ground) -> Incomplete:
    """Which versions are not complete: not as committed, or not well formed."""

    def incomplete(folders: Sequence[Folder]) -> Mapping[str, str]:
        from cabinet_ci.history.layout import SUITE_NAME
        from cabinet_ci.history.standing import trees_of
        from cabinet_ci.rules.validation import Selection, validate

        root = ground.repository.root
        trees = trees_of(root, [folder.place.path for folder in folders])
        reasons = {path: _unlike_committed(ground, path) for path, tree in trees.items() if tree is None}
        for place in (folder.place for folder in folders if folder.place.path not in reasons):
            judged = [root / place.path]
            if place.kind == "suite":
                judged.append(root / posixpath.dirname(place.siblings) / SUITE_NAME)
            report = validate(root, ground.config, [path for path in judged if path.exists()], Selection())
            if report.summary.errors:
                reasons[place.path] = f"{_count(report.summary.errors, 'error')}, see cabinet-ci validate"
        return reasons

    return incomplete


def _unlike_committed(ground: Ground, path: str) -> str:
    from cabinet_ci.history.contents import read_index

    if any(each.left_out for each in read_index(ground.repository, path).hidden):
        return "not all of it is checked out (sparse checkout)"
    return "its files are not as committed"


def _release_on_github(github: GitHub, ground: Ground, plan: Plan, tags: Collection[str]) -> int:
    """Make the releases that are missing for tags on HEAD, an earlier run's that was cut short too."""
    from cabinet_ci.history.release import release_notes

    wanted = [each for each in plan.versions if each.tag in tags]
    there = github.releases() if wanted else frozenset()
    made = 0
    for each in wanted:
        if each.tag not in there:
            slug, _, version = each.tag.rpartition("-")
            notes = release_notes(ground.repository, ground.head or "", each.path)
            made += github.create_release(each.tag, f"{slug} {version}", notes)
    return made


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
