"""`cabinet-ci validate`: is what was written well formed?"""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import PathName, output_option, repository_options, resolve_root, wants_colour, write
from cabinet_ci.reporting.findings import FORMATS


@click.command("validate")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=PathName())
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--fail-on", type=click.Choice(["error", "warning"]), default="error", show_default=True)
@click.option(
    "--staged",
    is_flag=True,
    help="Also the versions of files staged for a commit, deleted ones too; a PATH of no version is passed over.",
)
@click.option("--select", metavar="CODES", help="Only rules with these codes, or prefixes of codes: CAB2,CAB101.")
@click.option("--ignore", metavar="CODES", help="No rules with these codes, or prefixes of codes.")
@click.option(
    "--severity", metavar="CODE=LEVEL", help="How bad findings are: CAB403=error,CAB9=warning, by code or prefix."
)
@output_option
@repository_options
def command(
    paths: tuple[Path, ...],
    form: str,
    fail_on: str,
    staged: bool,
    select: str | None,
    ignore: str | None,
    severity: str | None,
    output: Path | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Check the versions that hold each PATH or lie below it; without a PATH, the whole catalog and all suites.

    A PATH is a manifest, any file of a version or of a suite, or a folder. Exits with 1 where an error is found.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.reporting.findings import render_report
    from cabinet_ci.rules.validation import Selection, validate, validate_holding

    top = resolve_root(root)
    config = load_config(top, {"catalog": catalog, "select": select, "ignore": ignore, "severity": severity})
    if staged:
        from cabinet_ci.history.staged import staged_paths

        report = validate_holding(top, config, [*paths, *staged_paths(top)], Selection.of(config))
    else:
        report = validate(top, config, paths, Selection.of(config))
    write(render_report(report, form, colour=output is None and wants_colour()), output)
    return int(report.fails("warning" if fail_on == "warning" else "error"))
