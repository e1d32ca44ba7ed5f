"""`cabinet-ci check`: everything that a pull request needs, in one command."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from cabinet_ci.cli.options import repository_options, resolve_root, wants_colour, write


@click.command("check")
@click.option("--all", "everything", is_flag=True, help="Evaluate every version, also those that are as on the base.")
@click.option("--base", metavar="REF", help="Compare with the merge base of REF and HEAD. [default: found out]")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Cases run side by side. [default: the cores]")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True)
@repository_options
def command(
    everything: bool, base: str | None, jobs: int | None, fail_on: str, root: Path | None, catalog: str | None
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
    from cabinet_ci.reporting.findings import as_text, summary_line
    from cabinet_ci.rules.validation import Selection, validate

    top = resolve_root(root)
    flags = {"catalog": catalog, "base": base}
    config = load_config(top, flags)
    colour = wants_colour()
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
    write(as_text(report, colour=colour), None)
    failed = report.fails("warning" if fail_on == "warning" else "error")

    versions = sound_versions(top, config, {one.path for one in report.diagnostics if one.severity == "error"})
    if not everything and differing is not None:
        versions = [version for version in versions if version.relative_to(top).as_posix() in differing]
    if not versions:
        write("nothing to evaluate\n", None)
        return int(failed)

    from cabinet_ci.evaluation.runner import evaluate
    from cabinet_ci.reporting import evaluation_text
    from cabinet_ci.reporting.progress import showing_progress

    gc.enable()
    with showing_progress() as observe:
        requests = requests_for(top, config, versions)
        document = evaluate(requests, jobs or default_jobs(), observe)
    write("\n" + evaluation_text.as_text(document, colour=colour), None)
    failed = failed or not document.as_expected
    verdict = "failed" if failed else "passed"
    write(f"check {verdict}: {summary_line(report)}; {evaluation_text.verdict_line(document)}\n", None)
    return int(failed)
