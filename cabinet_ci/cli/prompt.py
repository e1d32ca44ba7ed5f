"""`cabinet-ci prompt`: the prompt that a run would be handed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cabinet_ci.cli.options import (
    PathName,
    repository_options,
    resolve_root,
    run_options,
    suites_option,
    write_bytes,
)

if TYPE_CHECKING:
    from cabinet_ci.seeding.documents import UnsoundTemplate


@click.command("prompt")
@click.argument("path", metavar="PATH", type=PathName())
@run_options
@click.option("--workspace", metavar="PATH", help="The workspace inside the run container. [default: /workspace]")
@suites_option
@repository_options
def command(
    path: Path,
    variant: str | None,
    engine: str | None,
    workspace: str | None,
    suites: str | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Print exactly the prompt of a run: of a version folder, or of the file of a suite's definition.

    Exits with 1 where the template does not render, and tells each fault of it.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.seeding.documents import UnsoundTemplate
    from cabinet_ci.seeding.runs import open_run

    top = resolve_root(root)
    config = load_config(top, {"catalog": catalog, "suites": suites, "workspace": workspace})
    run = open_run(top, config, path, variant=variant, engine=engine)
    try:
        prompt = run.prompt(config.workspace)
    except UnsoundTemplate as unsound:
        tell_faults(unsound)
        return 1
    write_bytes(prompt)
    return 0


def tell_faults(unsound: UnsoundTemplate) -> None:
    """Print what is wrong with a template on standard error, each fault at its line and column."""
    from cabinet_ci.reporting.findings import visible

    for fault in unsound.faults:
        click.echo(f"{visible(unsound.path)}:{fault.line}:{fault.column}: {visible(fault.message)}", err=True)
        if fault.hint:
            click.echo(f"    {visible(fault.hint)}", err=True)
