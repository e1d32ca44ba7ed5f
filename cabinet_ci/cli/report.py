"""`cabinet-ci report`: a result document in a form that people read."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cabinet_ci.cli.options import output_option, repository_options, resolve_root, wants_colour, write

FORMATS = ("text", "markdown", "summary", "junit", "html")


@click.command("report")
@click.argument("result", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="markdown: the comment of a pull request; summary: the same for a job, up to 1 MiB.",
)
@click.option(
    "--previous",
    "earlier",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="RESULT",
    help="Results of earlier versions to compare with; may be repeated.",
)
@click.option("--repository", metavar="OWNER/NAME", help="Refuse a RESULT of another repository; lines link to it.")
@click.option("--head", metavar="COMMIT", help="Refuse a RESULT of another commit; lines link to it.")
@click.option("--pull-request", type=click.IntRange(1), metavar="N", help="Refuse a RESULT of another pull request.")
@output_option
@repository_options
def command(
    result: Path,
    form: str,
    earlier: tuple[Path, ...],
    repository: str | None,
    head: str | None,
    pull_request: int | None,
    output: Path | None,
    root: Path | None,
    catalog: str | None,
) -> int:
    """Turn RESULT, of `check --output`, `evaluate --format json` or `merge-results`, into a comment or a page.

    RESULT may be anybody's: it is opened with limits and refused where it can't be true. Exits with 1 where it tells of
    an error, of a reference that did not do as expected, or of a version that was lost.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.evaluation.reading import read_result
    from cabinet_ci.origin import Origin, require_origin
    from cabinet_ci.reporting.escaping import Place

    config = load_config(resolve_root(root), {"catalog": catalog})
    document = read_result(result, config.catalog)
    previous = tuple(read_result(path, config.catalog) for path in earlier)
    wanted = Origin(repository=repository, head=head, pull_request=pull_request)
    require_origin(document.origin, wanted, str(result))
    origin = document.origin or Origin()
    place = None
    if origin.repository is not None and origin.head is not None:
        server = os.environ.get("GITHUB_SERVER_URL") or "https://github.com"
        place = Place(server, origin.repository, origin.head)
    match form:
        case "markdown":
            from cabinet_ci.reporting.comment import as_comment

            text = as_comment(document, previous, place)
        case "summary":
            from cabinet_ci.reporting.comment import as_summary

            text = as_summary(document, previous, place)
        case "junit":
            from cabinet_ci.reporting.result_junit import as_junit

            text = as_junit(document)
        case "html":
            from cabinet_ci.reporting.page import as_page

            text = as_page(document, previous, place)
        case _:
            from cabinet_ci.reporting.result_text import as_text

            text = as_text(document, colour=output is None and wants_colour())
    write(text, output)
    return int(not document.passed)
