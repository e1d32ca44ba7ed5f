"""`cabinet-ci merge-results`: one result document from those of shards."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import output_option, repository_options, resolve_root, write
from cabinet_ci.failure import CannotRun


@click.command("merge-results")
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path))
@click.option(
    "--expect",
    "plans",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PLAN",
    help="What `plan --format json` or `--matrix` wrote: versions it names that are in no FILE are told as lost. "
    "May be repeated.",
)
@output_option
@repository_options
def command(
    files: tuple[Path, ...], plans: tuple[Path, ...], output: Path | None, root: Path | None, catalog: str | None
) -> int:
    """Join result documents, of `evaluate --format json` or `check --output`, into one.

    All have to be of one tool, engine, fuel schedule, repository and commit. Exits with 1 where a version is lost, an
    error was found or a reference did not do as it is expected to.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.maker import this_engine, this_tool
    from cabinet_ci.evaluation.merging import Part, merge
    from cabinet_ci.evaluation.planning import read_planned
    from cabinet_ci.evaluation.reading import read_result
    from cabinet_ci.evaluation.result import as_json

    if not files and not plans:
        raise CannotRun("there is nothing to join", "name the result documents")
    config = load_config(resolve_root(root), {"catalog": catalog})
    expected = [path for each in plans for path in read_planned(each)]
    parts = [Part(str(path), read_result(path, config.catalog)) for path in files]
    document = merge(parts, expected, (this_tool(), this_engine()))
    for path in document.lost:
        click.echo(f"cabinet-ci: {path} was to be evaluated and has no result", err=True)
    write(as_json(document), output)
    return int(not document.passed)
