"""`cabinet-ci new`: a complete case version that validates, builds and scores as it stands."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import repository_options, resolve_root, write
from cabinet_ci.failure import CannotRun


@click.command("new")
@click.argument("kind", metavar="TYPE")
@click.argument("difficulty")
@click.argument("slug")
@repository_options
def command(kind: str, difficulty: str, slug: str, root: Path | None, catalog: str | None) -> None:
    """Write the first version of a new case: its TYPE, its DIFFICULTY, its SLUG.

    It is a tiny case with an efficient and a naive reference in Rust, to be filled in.
    """
    from cabinet_ci.config import load_config
    from cabinet_ci.scaffold.writing import write_case

    top = resolve_root(root)
    _require_working_tree(top)
    config = load_config(top, {"catalog": catalog})
    path = write_case(top, config.catalog, kind, difficulty, slug)
    write(f"wrote {path}\nsee it score: cabinet-ci evaluate {path}\n", None)


def _require_working_tree(top: Path) -> None:
    """Raise `CannotRun` in a bare repository, whose folders hold git's own files."""
    if (top / ".git").exists():
        return
    for folder in (top, *top.parents):
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir():
            raise CannotRun(f"{folder} is a bare repository, without a working tree", "run it in a clone of it")
