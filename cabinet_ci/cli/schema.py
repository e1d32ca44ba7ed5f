"""`cabinet-ci schema`: the JSON Schema of a file, for editors to complete and check it."""

from __future__ import annotations

from pathlib import Path

import click

from cabinet_ci.cli.options import output_option, write

KINDS = {
    "manifest": "test-case.toml of the catalog",
    "variant": "a variant's file",
    "reference": "reference.toml of a reference solution",
    "config": "cabinet-ci.toml",
    "suite": "suite.toml",
    "suite-version": "version.toml of an exported version or a draft",
    "draft": "draft.toml",
    "specification": "specification.toml",
    "definition": "a test case definition of a suite",
    "asset": "asset.toml",
    "demo": "demo.toml",
    "showcase": "showcase.toml",
    "debug-api": "debug-api.toml",
}
"""Kind -> the file that it is the schema of."""


@click.command("schema", epilog="; ".join(f"{kind}: {file}" for kind, file in KINDS.items()))
@click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
@output_option
def command(kind: str, output: Path | None) -> None:
    """Print the JSON Schema of a KIND of file."""
    from cabinet_ci.catalog.export import json_schema, json_schema_by_key
    from cabinet_ci.catalog.manifest import Manifest, ReferenceFile, VariantFile
    from cabinet_ci.catalog.suites import files
    from cabinet_ci.catalog.suites.definition import STRUCTS
    from cabinet_ci.config import Config

    structs: dict[str, type] = {
        "manifest": Manifest,
        "variant": VariantFile,
        "reference": ReferenceFile,
        "config": Config,
        "suite": files.SuiteFile,
        "suite-version": files.VersionFile,
        "draft": files.DraftFile,
        "specification": files.SpecificationFile,
        "asset": files.AssetFile,
        "demo": files.DemoFile,
        "showcase": files.ShowcaseFile,
        "debug-api": files.DebugApiFile,
    }
    write(json_schema_by_key("type", STRUCTS) if kind == "definition" else json_schema(structs[kind]), output)
