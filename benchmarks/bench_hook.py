"""The installed hooks on a commit of one file, against a pre-commit hook that does nothing.

python benchmarks/bench_hook.py [--versions 1000] [--runs 7]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from catalog_of import write_catalog, write_version

BIN = Path(sys.executable).parent

OURS = """repos:
  - repo: local
    hooks:
      - {id: validate, name: v, entry: cabinet-ci validate --staged, language: system, always_run: true}
      - {id: immutable, name: i, entry: cabinet-ci immutable --staged, language: system, always_run: true,
         pass_filenames: false}
"""
NOTHING = """repos:
  - repo: local
    hooks:
      - {id: nothing, name: n, entry: "true", language: system, always_run: true, pass_filenames: false}
"""


def run(root: Path, *command: str) -> None:
    """Run a command in the repository, with its tools first on PATH."""
    names = {f"GIT_{who}_{what}": "bench@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {**os.environ, **names, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def commit(root: Path, config: str, turn: int) -> float:
    """Seconds of a commit of one changed file under these hooks."""
    (root / ".pre-commit-config.yaml").write_text(config)
    run(root, "git", "add", ".pre-commit-config.yaml")
    run(root, "git", "commit", "--quiet", "--no-verify", "--allow-empty", "--message", "hooks")
    (root / "test-cases/performance/easy/fresh/v1.0.0/changelog.md").write_text(f"Turn {turn}, {len(config)}.\n")
    run(root, "git", "add", "--all", "test-cases/performance/easy/fresh")
    started = time.perf_counter()
    run(root, "git", "commit", "--quiet", "--message", "work")
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cabinet-ci-bench-") as folder:
        root = Path(folder)
        write_catalog(root, given.versions)
        run(root, "git", "init", "--quiet", "--initial-branch", "main")
        run(root, "git", "add", "--all")
        run(root, "git", "commit", "--quiet", "--message", "catalog")
        run(root, "git", "switch", "--quiet", "--create", "work")
        write_version(root / "test-cases/performance/easy/fresh/v1.0.0", "fresh", 1)
        (root / ".pre-commit-config.yaml").write_text(NOTHING)
        run(root, "pre-commit", "install")
        pairs = [(commit(root, OURS, turn), commit(root, NOTHING, turn)) for turn in range(given.runs + 1)][1:]
    ours, nothing = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(
        f"commit with hooks {ours:.2f} s, with an empty hook {nothing:.2f} s: {ours - nothing:.2f} s over (at most 0.8)"
    )


if __name__ == "__main__":
    main()
