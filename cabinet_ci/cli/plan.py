"""`cabinet-ci plan`: what has to be evaluated, and how the work is shared out."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import output_option, repository_options, resolve_root, write

JOBS = 20
"""Jobs of a matrix by default: as many as GitHub runs side by side on its free plan."""


@click.command("plan")
@click.option("--all", "everything", is_flag=True, help="Plan every version, also those that are as on the base.")
@click.option("--base", metavar="REF", help="Compare with the merge base of REF and HEAD. [default: found out]")
@click.option(
    "--since",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="RESULT",
    help="An earlier result document: plan also what it does not hold, or holds by another tool, engine or files.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--matrix", is_flag=True, help="Print the plan as a matrix of GitHub jobs, on one line.")
@click.option(
    "--shards", type=click.IntRange(1, 256), metavar="N", default=JOBS, show_default=True, help="At most so many jobs."
)
@output_option
@repository_options
def command(
    everything: bool,
    base: str | None,
    since: tuple[Path, ...],
    form: str,
    matrix: bool,
    shards: int,
    output: Path | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Tell which versions have to be evaluated: they differ from the merge base, or their result may change.

    A change to what names the tool, the engine or the compiler (requirements, lock files, workflows, rust-toolchain)
    may change every result. Versions with errors are left out, for `evaluate` refuses them.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.maker import this_engine, this_tool
    from cabinet_ci.evaluation.planning import Earlier, Question, plan
    from cabinet_ci.evaluation.reading import read_result
    from cabinet_ci.evaluation.result import as_json
    from cabinet_ci.history.planning import standing_of
    from cabinet_ci.history.standing import trees_of

    top = resolve_root(root)
    flags = {"catalog": catalog, "base": base}
    config = load_config(top, flags)
    standing = standing_of(top, flags)
    question = Question(
        differing=standing.differing if standing.base is not None else None,
        renewing=("it was asked for", *standing.renewing) if everything else standing.renewing,
        earlier=Earlier.of(read_result(path, config.catalog) for path in since) if since else None,
        made_by=(this_tool(), this_engine()) if since else None,
        trees=lambda paths: trees_of(top, paths),
    )
    found = plan(top, config, question, (standing.head, standing.base))
    for path in found.faulty:
        click.echo(f"cabinet-ci: {path} has errors and is left out; run `cabinet-ci validate {path}`", err=True)
    if matrix:
        from cabinet_ci.evaluation.planning import as_matrix

        write(as_matrix(found, shards) + "\n", output)
    elif form == "json":
        write(as_json(found), output)
    else:
        from cabinet_ci.reporting.plan_text import as_text

        write(as_text(found), output)
    return 0
