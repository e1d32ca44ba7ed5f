"""`cabinet-ci immutable`: did anything change that is published?"""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import output_option, repository_options, wants_colour, write
from cabinet_ci.reporting.findings import FORMATS


@click.command("immutable")
@click.option("--base", metavar="REF", help="Compare with the merge base of REF and HEAD. [default: found out]")
@click.option("--staged", is_flag=True, help="Judge the index, which is what a commit records, not the working tree.")
@click.option("--suites", metavar="FOLDER", help="The suites' folder, relative to the root. [default: test-suites]")
@click.option("--freeze", metavar="WHEN", help="merged: what is on the base is frozen; released: what is tagged.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True)
@output_option
@repository_options
def command(
    base: str | None,
    staged: bool,
    suites: str | None,
    freeze: str | None,
    form: str,
    fail_on: str,
    output: Path | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Check that no published version differs from what was published, and that new versions follow in order.

    Exits with 1 where one does.
    """
    from cabinet_ci.diagnostics import make_report
    from cabinet_ci.history.changes import compare, find_changes
    from cabinet_ci.history.ground import open_ground
    from cabinet_ci.history.order import find_disorder
    from cabinet_ci.reporting.findings import render_report

    flags = {"base": base, "catalog": catalog, "suites": suites, "freeze": freeze}
    with open_ground(root or Path.cwd(), flags, explicit=root is not None) as ground:
        comparison = compare(ground, staged=staged)
        for note in (*ground.notes, *comparison.notes):
            click.echo(f"cabinet-ci: {note}", err=True)
        found = [*find_changes(ground, comparison), *find_disorder(ground, comparison, staged=staged)]
    report = make_report(found, comparison.checked)
    if ground.base is not None:
        # Beside text it is part of the output; the other formats are for programs.
        click.echo(ground.base.line, err=form != "text" or output is not None)
    write(render_report(report, form, colour=output is None and wants_colour()), output)
    return int(report.fails("warning" if fail_on == "warning" else "error"))
