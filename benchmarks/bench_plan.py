"""`cabinet-ci plan` on a catalog of which a few versions changed: seconds, the median of several runs.

    python benchmarks/bench_plan.py [--versions 1000] [--changed 3] [--runs 10]

The catalog is committed on `main`; on a branch the changed versions get one edited case each.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from catalog_of import write_catalog

OURS = [sys.executable, "-m", "cabinet_ci", "plan", "--base", "main"]
SECONDS_ALLOWED = 1.0
GIT = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", "-c", "core.autocrlf=false"]


def git(root: Path, *arguments: str) -> None:
    """Run git quietly."""
    subprocess.run([*GIT, *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL)


def make_repository(root: Path, versions: int, changed: int) -> None:
    """A catalog on `main`, each version with a reference, and a branch that edits a case of the first `changed`."""
    write_catalog(root, versions)
    folders = sorted(root.glob("test-cases/*/*/*/v*"))
    for folder in folders:
        source = folder / "references/plain/src/lib.rs"
        source.parent.mkdir(parents=True)
        source.write_text("pub fn solve() {}\n")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Publish")
    git(root, "switch", "--quiet", "--create", "work")
    for folder in folders[:changed]:
        (folder / "cases/many.json").write_text(json.dumps({"numbers": [1], "mode": "sum"}))
        (folder / "cases/many.out").write_text(json.dumps({"result": 1}))


def main() -> None:
    """Make the repository, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", type=int, default=1000)
    parser.add_argument("--changed", type=int, default=3)
    parser.add_argument("--runs", type=int, default=10)
    given = parser.parse_args()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_repository(root, given.versions, given.changed)
        taken = []
        for _ in range(given.runs + 1):
            started = time.perf_counter()
            done = subprocess.run(OURS, cwd=root, env=environment, capture_output=True, text=True, check=True)
            taken.append(time.perf_counter() - started)
            assert f"{given.changed:,} version" in done.stdout.splitlines()[-1], done.stdout
    print(f"{done.stdout.splitlines()[-1]}: {statistics.median(taken[1:]):.3f} s (at most {SECONDS_ALLOWED})")


if __name__ == "__main__":
    main()
