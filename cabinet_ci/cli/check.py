"""`cabinet-ci check`: everything that a pull request needs, in one command."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cabinet_ci.cli.options import cache_option, open_cache, repository_options, resolve_root, wants_colour, write

if TYPE_CHECKING:
    from cabinet_ci.diagnostics import Report
    from cabinet_ci.evaluation.result import VersionResult


@click.command("check")
@click.option("--all", "everything", is_flag=True, help="Evaluate every version, also those that are as on the base.")
@click.option("--base", metavar="REF", help="Compare with the merge base of REF and HEAD. [default: found out]")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Cases run side by side. [default: the cores]")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True)
@click.option("--no-evaluate", is_flag=True, help="Leave the evaluation to other jobs: see `plan` and `merge-results`.")
@cache_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the result document, for `report`, to FILE as well.",
)
@repository_options
def command(
    everything: bool,
    base: str | None,
    jobs: int | None,
    fail_on: str,
    no_evaluate: bool,
    no_cache: bool,
    form: str,
    output: Path | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Validate everything, check that nothing published was changed, and evaluate what differs from the base.

    Where there is no base, or no repository, everything is evaluated. A version with errors is not. Exits with 1 where
    an error is found or a reference does not do as it is expected to.
    """
    from cabinet_ci.catalog.discovery import find_root
    from cabinet_ci.cli.evaluate import default_jobs
    from cabinet_ci.config import load_config
    from cabinet_ci.diagnostics import make_report
    from cabinet_ci.evaluation.requests import requests_for, sound_versions
    from cabinet_ci.history.standing import trees_of
    from cabinet_ci.reporting.findings import as_text, summary_line
    from cabinet_ci.rules.validation import Selection, validate

    top = resolve_root(root)
    flags = {"catalog": catalog, "base": base}
    config = load_config(top, flags)
    colour = wants_colour()

    def say(text: str) -> None:
        if form == "text":
            write(text, None)

    selection = Selection.of(config)
    report = validate(top, config, (), selection)
    differing = None
    if find_root(top) == top:
        from cabinet_ci.history.verdict import judge_history

        history = judge_history(top, flags)
        for note in history.notes:
            click.echo(f"cabinet-ci: {note}", err=True)
        # No selection holds for history: a branch writes its own configuration, and must not silence what it broke.
        found = [*report.diagnostics, *history.diagnostics]
        report, differing = make_report(found, report.summary.checked), history.differing
    say(as_text(report, colour=colour))
    failed = report.fails("warning" if fail_on == "warning" else "error")

    versions = sound_versions(top, config, {one.path for one in report.diagnostics if one.severity == "error"})
    if not everything and differing is not None:
        versions = [version for version in versions if version.relative_to(top).as_posix() in differing]
    if no_evaluate:
        versions = []
    if not versions:
        say("evaluation is left to others\n" if no_evaluate else "nothing to evaluate\n")
        if form == "json" or output is not None:
            _hand_on((), report, top, flags, form, output)
        return int(failed)

    from cabinet_ci.evaluation.calibration import calibrations_of
    from cabinet_ci.evaluation.runner import evaluate
    from cabinet_ci.reporting import evaluation_text
    from cabinet_ci.reporting.progress import showing_progress

    trees = trees_of(top, [version.relative_to(top).as_posix() for version in versions])
    gc.enable()
    store = open_cache(no_cache)
    with showing_progress() as observe:
        requests = requests_for(top, config, versions)
        document = evaluate(requests, jobs or default_jobs(), observe, lambda version: trees.get(version.path), store)
    calibrations = calibrations_of(document, [request.version for request in requests])
    say("\n" + evaluation_text.as_text(document, calibrations, colour=colour))
    if form == "json" or output is not None:
        _hand_on(document.versions, report, top, flags, form, output)
    failed = failed or not document.as_expected
    verdict = "failed" if failed else "passed"
    say(f"check {verdict}: {summary_line(report)}; {evaluation_text.verdict_line(document)}\n")
    return int(failed)


def _hand_on(
    versions: tuple[VersionResult, ...],
    report: Report,
    top: Path,
    flags: Mapping[str, str | None],
    form: str,
    output: Path | None,
) -> None:
    """Write the result document of the whole check."""
    from cabinet_ci.catalog.discovery import find_root
    from cabinet_ci.evaluation.maker import this_engine, this_tool
    from cabinet_ci.evaluation.result import SCHEMA, ResultDocument, as_json
    from cabinet_ci.history.planning import commits_of
    from cabinet_ci.origin import origin_of

    head, base = commits_of(top, flags) if find_root(top) == top else (None, None)
    document = ResultDocument(
        schema=SCHEMA,
        tool=this_tool(),
        engine=this_engine(),
        versions=versions,
        origin=origin_of(head, base),
        findings=report,
    )
    text = as_json(document)
    if form == "json":
        write(text, None)
    if output is not None:
        write(text, output)
