"""`cabinet-ci evaluate`: do the reference solutions score as they should?"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import click

from cabinet_ci.cli.options import (
    PathName,
    cache_option,
    open_cache,
    output_option,
    repository_options,
    resolve_root,
    wants_colour,
    write,
)


@click.command("evaluate")
@click.argument("versions", nargs=-1, metavar="[VERSION]...", type=PathName())
@click.option("--reference", "references", multiple=True, metavar="NAME", help="Only this reference; may be repeated.")
@click.option("--variant", metavar="SLUG", help="Only references of this variant.")
@click.option(
    "--module",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Grade this ready wasm module instead of building references.",
)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Cases run side by side. [default: the cores]")
@click.option("--suggest", is_flag=True, help="Tell within which limits each reference does as it is expected to.")
@cache_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@output_option
@repository_options
def command(
    versions: tuple[Path, ...],
    references: tuple[str, ...],
    variant: str | None,
    module: Path | None,
    jobs: int | None,
    suggest: bool,
    no_cache: bool,
    form: str,
    output: Path | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Build the references of each VERSION to wasm, run smoke and stress cases under fuel, grade and score.

    A VERSION is a version folder, or several, a line each, as `plan --matrix` names them; without one, every
    performance version of the catalog is evaluated. Exits with 1 where a reference does not do as it is expected to.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.requests import requests_for

    if suggest and (form != "text" or module is not None):
        other = "--module" if module is not None else "--format json"
        raise click.UsageError(f"--suggest tells about references, in text: leave out {other}")
    top = resolve_root(root)
    config = load_config(top, {"catalog": catalog})
    paths = [Path(line) for given in versions for line in str(given).splitlines()]
    requests = requests_for(top, config, paths, references=references, variant=variant, module=module)

    from cabinet_ci.history.standing import trees_of
    from cabinet_ci.rules.validation import refuse_unsound

    for request in requests:
        refuse_unsound(request.version, config)

    from cabinet_ci.evaluation.measuring import measure
    from cabinet_ci.evaluation.runner import evaluate
    from cabinet_ci.reporting.progress import showing_progress

    trees = trees_of(top, [request.version.path for request in requests])
    gc.enable()
    store = open_cache(no_cache)
    with showing_progress() as observe:
        document = evaluate(requests, jobs or default_jobs(), observe, lambda version: trees.get(version.path), store)
        measured = measure(requests, document, jobs or default_jobs(), observe, store) if suggest else None
    if form == "json":
        import msgspec

        from cabinet_ci.evaluation.result import as_json
        from cabinet_ci.history.planning import head_of
        from cabinet_ci.origin import origin_of

        text = as_json(msgspec.structs.replace(document, origin=origin_of(head_of(top), None)))
    else:
        from cabinet_ci.evaluation.calibration import calibrations_of
        from cabinet_ci.reporting.evaluation_text import as_text

        calibrations = calibrations_of(document, [request.version for request in requests], measured)
        text = as_text(document, calibrations, suggest=suggest, colour=output is None and wants_colour())
    write(text, output)
    return int(not document.as_expected)


def default_jobs() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
