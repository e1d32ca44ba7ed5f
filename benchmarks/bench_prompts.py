"""Prompts of a large suite: each definition's for each of its engines in one process, and one by the command, cold.

    python benchmarks/bench_prompts.py [--definitions 100] [--specifications 200] [--runs 5]

100 definitions' prompts for 3 engines each, with all of 200 specifications, have to be rendered in under 2 s. Each
definition has a template of its own, so that none is compiled once for all. The process is a new one; the time is that
of its work, importing what it needs and reading the suite included.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from bench_suites import BIN, put, seconds, write_suite

ENGINES = ("none", "simple-2d", "simple-3d")

TEMPLATE = """Definition {number}: work in `{{{{workspace}}}}`.

{{{{#if (eq engine.slug "none")}}}}
Use no engine.
{{{{else}}}}
Use {{{{engine.name}}}}; its documentation is in `{{{{engine.docs}}}}`.
{{{{/if}}}}

There are {{{{len specifications}}}} specifications:

{{{{#each specifications as |document|}}}}
- `{{{{document.path}}}}`: {{{{document.name}}}}. {{{{document.summary}}}}{{{{#if @last}}}} That is all.{{{{/if}}}}
{{{{/each}}}}
"""

ALL_PROMPTS = """
import sys, time
started = time.perf_counter()
from pathlib import Path
from cabinet_ci.catalog.suites.discovery import find_trees
from cabinet_ci.catalog.suites.reading import read_suite_tree
from cabinet_ci.config import load_config
from cabinet_ci.seeding.engines import find_engine
from cabinet_ci.seeding.runs import SuiteRun
root = Path(sys.argv[1])
config = load_config(root, {})
(place,) = find_trees(root, "test-suites/large")
tree = read_suite_tree(root, place)
read = time.perf_counter()
sizes = [
    len(SuiteRun(tree, found, find_engine(config, engine)).prompt(config.workspace))
    for found in tree.definitions
    for engine in found.built.engines
]
done = time.perf_counter()
print(done - started, read - started, len(sizes), sum(sizes))
"""


def write_definitions(root: Path, count: int) -> None:
    """Definitions for three engines, in place of those that the suite has, each with its own template."""
    tree = root / "test-suites/large/versions/v1.0.0"
    configured = (f'[engines.{slug}]\nname = "{slug}"\ndocs = "/opt/{slug}/docs"\n' for slug in ENGINES[1:])
    put(root / "cabinet-ci.toml", "".join(configured))
    shutil.rmtree(tree / "test-cases")
    (tree / "prompts/build.hbs").unlink()
    for number in range(count):
        put(tree / f"prompts/build-{number}.hbs", TEMPLATE.format(number=number))
        put(
            tree / f"test-cases/build-{number}.toml",
            f"""name = "Build {number}"
type = "end-to-end"
difficulty = "easy"
engines = ["{'", "'.join(ENGINES)}"]
prompt = "prompts/build-{number}.hbs"

[workspaces]
{"".join(f'{slug} = "workspaces/none"' + chr(10) for slug in ENGINES)}
[build]
install = "npm ci"
build = "npm run build"

[toolchain]
typecheck = "npm run typecheck"
""",
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--definitions", type=int, default=100)
    parser.add_argument("--specifications", type=int, default=200)
    parser.add_argument("--requirements", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="cabinet-ci-bench-"))
    try:
        write_suite(root, given.specifications, given.requirements)
        write_definitions(root, given.definitions)
        validate = [str(BIN / "cabinet-ci"), "validate", "--root", str(root)]
        without = [*validate, "--ignore", "CAB7"]
        one = [str(BIN / "cabinet-ci"), "prompt", "--root", str(root)]
        one.append(str(root / "test-suites/large/versions/v1.0.0/test-cases/build-0.toml"))
        every = [sys.executable, "-c", ALL_PROMPTS, str(root)]
        taken: list[tuple[float, ...]] = []
        for turn in range(given.runs + 1):
            printed = subprocess.run(every, capture_output=True, text=True, check=True).stdout.split()
            spent = tuple(map(float, printed[:2])) + tuple(map(seconds, (one, validate, without)))
            if turn:
                taken.append(spent)
        whole, reading, command, checked, unchecked = map(statistics.median, zip(*taken, strict=True))
        count, characters = map(int, printed[2:])
        print(f"{given.definitions} definitions, {len(ENGINES)} engines, {given.specifications} specifications:")
        print(f"{count} prompts of {characters:,} bytes in {whole:.3f} s (under 2), of which reading {reading:.3f} s")
        print(f"one prompt by the command: {command:.3f} s")
        print(f"validate {checked:.3f} s; without the rules of templates {unchecked:.3f} s")
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
