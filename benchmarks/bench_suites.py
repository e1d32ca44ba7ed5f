"""Validation of a large suite, the whole command and cold, against a loop that reads and parses the same files.

    python benchmarks/bench_suites.py [--specifications 200] [--requirements 10] [--runs 7]

Each requirement has a validator. The command has to take under 0.5 s for 200 specifications of 10 requirements each.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BIN = Path(sys.executable).parent

BARE_LOOP = """
import os, sys
import rtoml
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(".toml"):
            with open(path, encoding="utf-8") as file:
                rtoml.loads(file.read())
        elif name.endswith((".md", ".hbs")):
            with open(path, "rb") as file:
                file.read().decode()
"""

UNWANTED = ("jsonschema", "jsonschema_rs", "wasmtime", "git", "rich", "tree_sitter", "dotpromptz_handlebars")
"""What a clean run has no use for."""


def put(path: Path, content: str) -> None:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def write_suite(root: Path, specifications: int, requirements: int) -> None:
    """One exported version, sound, with three definitions of every built type."""
    suite = root / "test-suites/large"
    put(suite / "suite.toml", 'slug = "large"\nname = "Large"\n')
    tree = suite / "versions/v1.0.0"
    put(
        tree / "version.toml",
        'version = "1.0.0"\nsummary = "A large suite."\ndescription = "description.md"\nchangelog = "changelog.md"\n',
    )
    put(tree / "description.md", "A large suite.\n")
    put(tree / "changelog.md", "First version.\n")
    for number in range(specifications):
        write_specification(tree, f"part-{number:03}", requirements)
    for number in range(3):
        put(
            tree / f"test-cases/end-to-end-{number}.toml",
            f"""name = "End to end {number}"
type = "end-to-end"
difficulty = "easy"
engines = ["none"]
prompt = "prompts/build.hbs"

[workspaces]
none = "workspaces/none"

[build]
install = "npm ci"
build = "npm run build"

[toolchain]
typecheck = "npm run typecheck"
""",
        )
    put(tree / "prompts/build.hbs", "Work in {{workspace}}:\n{{#each specifications}}\n- {{path}}\n{{/each}}\n")
    put(tree / "workspaces/none/index.ts", "export {};\n")
    put(tree / "reference-implementations/none/index.ts", "export {};\n")
    put(tree / "debug-api.toml", 'handle = "__large"\n')


def write_specification(tree: Path, slug: str, requirements: int) -> None:
    """A specification whose requirements have a validator each."""
    folder = tree / "specifications" / slug
    text = f'id = "{slug}"\nname = "Part {slug}"\nsummary = "One part."\npath = "parts/{slug}.md"\n'
    for number in range(requirements):
        text += (
            f'\n[[requirement]]\nid = "rule-{number}"\nkind = "functional"\n'
            f'text = "The part MUST keep its rule number {number} at all times."\n'
            f'validators = ["{slug}/rule-{number}.ts"]\n'
        )
        put(tree / f"validators/{slug}/rule-{number}.ts", "export const holds = true;\n")
    put(folder / "specification.toml", text)
    put(folder / "specification.md", f"# {slug}\n\nWhat the part does.\n" * 10)


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run; a command that fails is no measure."""
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
    return time.perf_counter() - started


def imported(root: Path) -> list[str]:
    """Modules that a clean run has no use for and imports all the same."""
    code = f"""
import sys
from cabinet_ci.cli import main
try:
    main(["validate", "--root", {str(root)!r}])
except SystemExit:
    print(*(name for name in {UNWANTED!r} if name in sys.modules), file=sys.stderr)
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--specifications", type=int, default=200)
    parser.add_argument("--requirements", type=int, default=10)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="cabinet-ci-bench-"))
    try:
        write_suite(root, given.specifications, given.requirements)
        commands = {
            "validate": [str(BIN / "cabinet-ci"), "validate", "--root", str(root)],
            "bare loop": [sys.executable, "-c", BARE_LOOP, str(root)],
            "no work": [str(BIN / "cabinet-ci"), "--version"],
        }
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for turn in range(given.runs + 1):
            for name, command in commands.items():
                spent = seconds(command)
                if turn:
                    taken[name].append(spent)
        ours, bare, start = (statistics.median(taken[name]) for name in commands)
        total = given.specifications * given.requirements
        print(f"{given.specifications} specifications, {total:,} requirements, {total:,} validators:")
        print(
            f"validate {ours:.3f} s (best {min(taken['validate']):.3f}; under 0.5), of which starting up {start:.3f} s"
        )
        print(f"bare loop {bare:.3f} s; validate / bare loop = {ours / bare:.2f}")
        print(f"imported for nothing: {', '.join(imported(root)) or 'nothing'}")
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
