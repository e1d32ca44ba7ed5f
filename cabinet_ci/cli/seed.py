"""`cabinet-ci seed`: exactly the files that a run would receive."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import PathName, repository_options, resolve_root, run_options, suites_option, write


@click.command("seed")
@click.argument("path", metavar="PATH", type=PathName())
@click.option("--output", type=PathName(), metavar="DIR", help="The folder to write: empty, or not there yet.")
@click.option("--list", "only_list", is_flag=True, help="Write nothing, and list what would be written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@run_options
@suites_option
@repository_options
def command(
    path: Path,
    output: Path | None,
    only_list: bool,
    form: str,
    variant: str | None,
    engine: str | None,
    suites: str | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Write what a run of a version folder, or of a suite's definition, receives: whole or not at all.

    Exits with 1 where a template does not render, and tells each fault of it.
    """
    from cabinet_ci.cli.prompt import tell_faults
    from cabinet_ci.config import load_config
    from cabinet_ci.failure import CannotRun
    from cabinet_ci.seeding.documents import UnsoundTemplate
    from cabinet_ci.seeding.runs import CatalogRun, open_run

    if only_list == (output is not None):
        raise CannotRun(
            "--list writes nothing" if only_list else "there is no folder to write to",
            "leave out --output, or --list" if only_list else "name one with --output, or look at it with --list",
        )
    top = resolve_root(root)
    config = load_config(top, {"catalog": catalog, "suites": suites})
    run = open_run(top, config, path, variant=variant, engine=engine)
    try:
        plan = run.plan()
        if isinstance(run, CatalogRun):
            from cabinet_ci.rules.seeding import refuse_held_out

            refuse_held_out(run.version, config)
        if output is None:
            from cabinet_ci.reporting.seed_listing import as_json, as_text
            from cabinet_ci.seeding.listing import list_seed

            listing = list_seed(run, plan)
            write(as_json(listing) if form == "json" else as_text(listing), None)
        else:
            from cabinet_ci.seeding.write import seed

            seed(run, plan, output)
    except UnsoundTemplate as unsound:
        tell_faults(unsound)
        return 1
    return 0
