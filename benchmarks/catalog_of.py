"""Generates a catalog of performance versions: realistic, twelve files each, manifests of about 18 KB with comments.

python benchmarks/catalog_of.py FOLDER [--versions 1000]
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

COMMENT = "# The fuel of this case was measured with the efficient reference; see the notes of the version before it.\n"

INPUT_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "numbers": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1_000_000}},
        "mode": {"enum": ["sum", "product"]},
    },
    "required": ["numbers", "mode"],
    "additionalProperties": False,
}
OUTPUT_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"result": {"type": "integer"}},
    "required": ["result"],
    "additionalProperties": False,
}


def write_version(folder: Path, slug: str, seed: int) -> None:
    """Write one version: manifest, variant, prompt, spec, changelog, two schemas, a starter, two cases."""
    chance = random.Random(seed)
    tables = ""
    for name, kind, size in (("smoke/one", "smoke", 3), ("cases/many", "stress", 200)):
        numbers = [chance.randrange(1_000_000) for _ in range(size)]
        _put(folder / f"{name}.json", json.dumps({"numbers": numbers, "mode": "sum"}))
        _put(folder / f"{name}.out", json.dumps({"result": sum(numbers)}))
        runway = "fuel_runway = 4.0\n" if kind == "stress" else ""
        tables += f'{COMMENT * 20}[[case]]\ninput = "{name}.json"\nexpected = "{name}.out"\nkind = "{kind}"\n{runway}\n'
    _put(
        folder / "test-case.toml",
        f"""{COMMENT * 60}
slug = "{slug}"
name = "Case {slug}"
type = "performance"
difficulty = "easy"
tags = ["performance", "generated"]
summary = "Adds numbers."
changelog = "changelog.md"
prompt = "prompt.hbs"
max_runtime_hours = 0.5
workspace = "workspaces/base"
variants = ["variants/base.toml"]

{COMMENT * 30}
[build]
install = "cargo fetch"
build = "cargo build --release --target wasm32-wasip2"
module = "target/wasm32-wasip2/release/solution.wasm"

[contract]
entry = "solve"
input = "schemas/input.json"
output = "schemas/output.json"

{tables}
{COMMENT * 30}
[sandbox]
fuel_limit = 5_000_000_000
max_memory_bytes = 268_435_456

[[spec]]
source = "specs/problem.md"
""",
    )
    _put(folder / "variants/base.toml", 'slug = "base"\nname = "Base"\ndescription = "The base."\n')
    _put(folder / "changelog.md", f"Version {seed}.\n")
    _put(folder / "prompt.hbs", "Work in {{workspace}} on:\n{{#each specs}}\n- {{path}}\n{{/each}}\n")
    _put(folder / "specs/problem.md", "# The problem\n\nAdd the numbers.\n")
    _put(folder / "schemas/input.json", json.dumps(INPUT_SCHEMA, indent=2))
    _put(folder / "schemas/output.json", json.dumps(OUTPUT_SCHEMA, indent=2))
    _put(folder / "workspaces/base/src/lib.rs", "pub fn solve() {}\n")


def write_catalog(root: Path, versions: int) -> None:
    """Write so many versions below `root`/test-cases, four to a case."""
    for number in range(versions):
        slug = f"case-{number // 4:04}"
        folder = root / f"test-cases/performance/easy/{slug}/v1.{number % 4}.0"
        write_version(folder, slug, number)


def _put(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def main() -> None:
    """Write the catalog that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--versions", type=int, default=1000)
    given = parser.parse_args()
    write_catalog(given.folder, given.versions)


if __name__ == "__main__":
    main()
