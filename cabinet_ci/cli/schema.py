"""`cabinet-ci schema`: the JSON Schema of a file, for editors to complete and check it."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import output_option, write


@click.command("schema")
@click.argument("kind", type=click.Choice(["manifest", "variant", "reference", "config"]))
@output_option
def command(kind: str, output: Path | None) -> None:
    """Print the JSON Schema of a KIND of file."""
    from cabinet_ci.catalog.export import json_schema
    from cabinet_ci.catalog.manifest import Manifest, ReferenceFile, VariantFile
    from cabinet_ci.config import Config

    structs = {"manifest": Manifest, "variant": VariantFile, "reference": ReferenceFile, "config": Config}
    write(json_schema(structs[kind]), output)
