"""Validation of 1,000 generated versions against its floor and its peers, all in one run.

    python benchmarks/bench_validate.py [--versions 1000] [--runs 5]

- the whole command against a bare loop that reads and parses the same TOML and JSON files with the same parsers;
- the key checks of the manifests alone against `taplo lint` and `check-jsonschema` with the exported schema;
- a 5 MB expected answer against its schema, the fast verdict and jsonschema's.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from catalog_of import write_catalog

BIN = Path(sys.executable).parent

BARE_LOOP = """
import os, sys
import rtoml
from cabinet_ci.catalog.strict_json import parse_json
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith(".toml"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                rtoml.loads(file.read())
        elif name.endswith((".json", ".out")):
            with open(os.path.join(folder, name), "rb") as file:
                parse_json(file.read())
"""

KEY_CHECKS = """
import gc, sys
gc.disable()
from cabinet_ci.catalog.decode import decode
from cabinet_ci.catalog.files import MANIFEST_LIMIT, read_bounded
from cabinet_ci.catalog.manifest import Manifest
from cabinet_ci.catalog.toml import parse_toml
for path in sys.argv[1:]:
    assert not decode(Manifest, parse_toml(read_bounded(path, MANIFEST_LIMIT)))[1]
"""


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run; a command that fails is no measure."""
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
    return time.perf_counter() - started


def medians(commands: dict[str, list[str]], runs: int) -> dict[str, float]:
    """The median of each command, all run in turn after a warm-up."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            spent = seconds(command)
            if turn:
                taken[name].append(spent)
    return {name: statistics.median(times) for name, times in taken.items()}


def whole_command(root: Path, runs: int) -> None:
    """The whole validation against the bare loop, and its memory."""
    ours = [str(BIN / "cabinet-ci"), "validate", "--root", str(root)]
    found = medians({"validate": ours, "bare loop": [sys.executable, "-c", BARE_LOOP, str(root)]}, runs)
    ratio = found["validate"] / found["bare loop"]
    print(f"validate {found['validate']:.2f} s / bare loop {found['bare loop']:.2f} s = {ratio:.2f} (at most 4)")
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of any command so far: {megabytes:.0f} MB (validate: under 150)")


def key_checks(root: Path, runs: int) -> None:
    """The key checks alone against two checkers with the exported schema."""
    from cabinet_ci.catalog.manifest import Manifest

    schema = root / "manifest.schema.json"
    # taplo's engine of patterns has no look-ahead.
    text = msgspec.json.encode(msgspec.json.schema(Manifest)).decode().replace("(?![\\\\s\\\\S])", "$")
    schema.write_text(text)
    manifests = [str(path) for path in sorted(root.rglob("test-case.toml"))]
    commands = {
        "key checks": [sys.executable, "-c", KEY_CHECKS, *manifests],
        "taplo lint": [str(BIN / "taplo"), "lint", "--schema", schema.as_uri(), *manifests],
        "check-jsonschema": [str(BIN / "check-jsonschema"), "--schemafile", str(schema), *manifests],
    }
    found = medians(commands, runs)
    ours, taplo, other = found["key checks"], found["taplo lint"], found["check-jsonschema"]
    print(f"key checks {ours:.2f} s / taplo lint {taplo:.2f} s = {ours / taplo:.2f} (at most 1)")
    print(f"check-jsonschema {other:.2f} s / key checks = {other / ours:.1f} (at least 5)")


def large_answer() -> None:
    """A 5 MB answer, read and judged."""
    import jsonschema

    from cabinet_ci.catalog.strict_json import parse_json
    from cabinet_ci.rules.schemas import judge_schema, violations

    schema = {"type": "array", "items": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}}
    source = json.dumps([[number, f"name-{number}"] for number in range(210_000)]).encode()
    value = parse_json(source)

    def ours() -> None:
        assert not list(violations(judge_schema(json.dumps(schema).encode(), schema), parse_json(source)))

    def theirs() -> None:
        jsonschema.Draft202012Validator(schema).validate(value)

    mine, other = _timed(ours), _timed(theirs)
    print(
        f"{len(source) / 1e6:.1f} MB answer: read and judged in {mine:.2f} s (under 1); jsonschema alone {other:.2f} s"
    )


def _timed(action: Callable[[], None]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="cabinet-ci-bench-"))
    try:
        write_catalog(root, given.versions)
        whole_command(root, given.runs)
        key_checks(root, given.runs)
    finally:
        shutil.rmtree(root)
    large_answer()


if __name__ == "__main__":
    main()
