"""`cabinet-ci solve`: expected answers from a reference solution."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from cabinet_ci.cli.options import PathName, repository_options, resolve_root, write
from cabinet_ci.failure import CannotRun


@click.command("solve")
@click.argument("version", type=PathName())
@click.option("--reference", required=True, metavar="NAME", help="The reference whose answers are taken for right.")
@click.option("--variant", metavar="SLUG", help="The variant that the reference has to be of.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where an answer differs from what is expected.")
@click.option("--base", metavar="REF", help="What is frozen: the merge base of REF and HEAD. [default: found out]")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Cases run side by side. [default: the cores]")
@repository_options
def command(
    version: Path,
    reference: str,
    variant: str | None,
    check: bool,
    base: str | None,
    jobs: int | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Write each case's expected answer of VERSION, as the reference answers it; all of them or none.

    A file that holds the same value already is left as it is. A published version is never written to.
    """
    from cabinet_ci.cli.evaluate import default_jobs
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.requests import requests_for
    from cabinet_ci.rules.solvable import about_expected
    from cabinet_ci.rules.validation import refuse_unsound

    top = resolve_root(root)
    config = load_config(top, {"catalog": catalog})
    requests = requests_for(top, config, [version], references=[reference], variant=variant)
    if len(requests) != 1:
        raise CannotRun(f"{version} holds {len(requests)} versions", "name one version folder")
    (request,) = requests
    (chosen,) = request.references
    if not check:
        if chosen.expect == "fail":
            why = f"the reference `{reference}` is expected to fail, so its answers are none to expect"
            raise CannotRun(why, "name one that answers right")
        _refuse_published(top, request.version.folder, {"base": base, "catalog": catalog}, explicit=root is not None)
    refuse_unsound(request.version, config, about_expected(request.version))

    from cabinet_ci.evaluation.solving import solve, write_expected
    from cabinet_ci.reporting.findings import visible
    from cabinet_ci.reporting.progress import showing_progress

    gc.enable()
    with showing_progress() as observe:
        solved = solve(request.version, chosen, jobs or default_jobs(), observe)
    count = f"{len(solved):,} {'case' if len(solved) == 1 else 'cases'}"
    if check:
        differing = [one for one in solved if one.difference is not None]
        lines = [f"{visible(one.answer.expected)}: {visible(one.difference or '')}" for one in differing]
        verdict = f"{len(differing):,} not as `{reference}` answers" if differing else f"all as `{reference}` answers"
        write("\n".join([*lines, f"{count} checked, {verdict}"]) + "\n", None)
        return int(bool(differing))
    written = write_expected(request.version, solved)
    lines = [f"wrote {visible(request.version.path)}/{visible(path)}" for path in written]
    write("\n".join([*lines, f"{count} solved, {len(written):,} written"]) + "\n", None)
    return 0


def _refuse_published(root: Path, folder: Path, flags: dict[str, str | None], *, explicit: bool) -> None:
    """Raise `CannotRun` for a version that must not change; without git nothing is published."""
    import os

    from cabinet_ci.catalog.discovery import find_root
    from cabinet_ci.history.frozen import frozen_of, read_published
    from cabinet_ci.history.ground import open_ground
    from cabinet_ci.history.quoting import shown

    if find_root(root) is None and not os.environ.get("GIT_DIR"):
        return
    with open_ground(root, flags, explicit=explicit) as ground:
        for note in ground.notes:
            click.echo(f"cabinet-ci: {note}", err=True)
        path = os.path.relpath(os.path.realpath(folder), os.path.realpath(ground.repository.root)).replace(os.sep, "/")
        for frozen in frozen_of(ground, read_published(ground), [path]):
            by = f"by the tag {frozen.tag.name}" if frozen.tag is not None else "on the base"
            raise CannotRun(
                f"{shown(path)} is published {by}", f"run `cabinet-ci bump {shown(path)}`, and solve that one"
            )
