"""`cabinet-ci check`: everything that a pull request needs, in one command."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import repository_options, resolve_root, wants_colour, write


@click.command("check")
@click.option("--all", "everything", is_flag=True, help="Evaluate every version, also those that did not change.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Cases run side by side. [default: the cores]")
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True)
@repository_options
def command(everything: bool, jobs: int | None, fail_on: str, root: Path | None, catalog: str | None) -> int:  # noqa: ARG001
    """Validate the whole catalog, then evaluate its references.

    A version with errors is not evaluated. Exits with 1 where an error is found or a reference does not do as it is
    expected to.
    """
    from cabinet_ci.cli.evaluate import default_jobs
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.requests import requests_for, sound_versions
    from cabinet_ci.reporting.findings import as_text, summary_line
    from cabinet_ci.rules.validation import Selection, validate

    top = resolve_root(root)
    config = load_config(top, {"catalog": catalog})
    colour = wants_colour()
    report = validate(top, config, (), Selection.of(config))
    write(as_text(report, colour=colour), None)
    failed = report.fails("warning" if fail_on == "warning" else "error")

    versions = sound_versions(top, config, {found.path for found in report.diagnostics if found.severity == "error"})
    if not versions:
        write("nothing to evaluate\n", None)
        return int(failed)

    from cabinet_ci.evaluation.runner import evaluate
    from cabinet_ci.reporting import evaluation_text
    from cabinet_ci.reporting.progress import showing_progress

    with showing_progress() as observe:
        requests = requests_for(top, config, versions)
        document = evaluate(requests, jobs or default_jobs(), observe)
    write("\n" + evaluation_text.as_text(document, colour=colour), None)
    failed = failed or not document.as_expected
    verdict = "failed" if failed else "passed"
    write(f"check {verdict}: {summary_line(report)}; {evaluation_text.verdict_line(document)}\n", None)
    return int(failed)
