"""`cabinet-ci list`: everything there is, in both formats."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import PathName, output_option, repository_options, resolve_root, suites_option, write


@click.command("list")
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=PathName())
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--base", metavar="REF", help="The base that decides what is frozen. [default: the main branch]")
@output_option
@suites_option
@repository_options
def command(
    paths: tuple[Path, ...],
    form: str,
    base: str | None,
    output: Path | None,
    suites: str | None,
    root: Path | None,
    catalog: str | None,
) -> None:
    """List cases and suites with their versions: type, difficulty, slug, and what is tagged and frozen.

    With a PATH, what holds it or lies below it. Where git can't tell, tagged and frozen are "?", in JSON null.
    """
    from cabinet_ci.catalog.listing import list_found, with_standing
    from cabinet_ci.config import load_config
    from cabinet_ci.failure import CannotRun
    from cabinet_ci.history.listing import standing_of
    from cabinet_ci.reporting.found_listing import as_json, as_text
    from cabinet_ci.rules.targets import all_targets, targets_of

    top = resolve_root(root)
    flags = {"catalog": catalog, "suites": suites, "base": base}
    config = load_config(top, flags)
    targets = targets_of(top, config, paths) if paths else all_targets(top, config)
    found = list_found(top, config.catalog, targets.versions, targets.trees)
    standing = None
    try:
        standing = standing_of(top, [*targets.versions, *(tree.path for tree in targets.trees)], flags)
    except CannotRun as failure:
        if base is not None:
            raise
        click.echo(f"cabinet-ci: what is tagged and frozen can't be told: {failure}", err=True)
    if standing is not None:
        found = with_standing(found, standing.tags, standing.frozen)
    write(as_json(found) if form == "json" else as_text(found), output)
