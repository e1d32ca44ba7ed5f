"""`cabinet-ci immutable --base main` on a large repository: seconds, git processes, and the ratio to `git diff --raw`.

    python benchmarks/bench_immutable.py [--versions 1000] [--files 10] [--commits 2000] [--runs 10] [--tags]

The repository is made with `git fast-import`. It is measured as it was cloned, after one edit to a frozen version, and
with twice the versions, which must not take more processes. `--tags` gives each version its release tag.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OURS = [sys.executable, "-m", "cabinet_ci", "immutable", "--base", "main"]
RAW = ["git", "diff", "--raw", "main"]
MANIFEST = (
    'slug = "case-{case}"\nname = "Case {case}"\nchangelog = "changelog.md"\ntags = []\n'
    + "[build]\n"
    + "# comment\n" * 1800
)
VERSIONS_OF_A_CASE = 4
SECONDS_ALLOWED, PROCESSES_ALLOWED = 1.0, 12


def make_repository(root: Path, versions: int, files: int, commits: int, *, tags: bool) -> None:
    """A repository on a branch `work` that has just left `main`, every version on which is frozen."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", "--initial-branch", "main"], cwd=root, check=True)
    stream: list[str] = []
    for number in range(max(commits, versions)):
        stream.append(f"commit refs/heads/main\ncommitter A <a@example.org> {1700000000 + number} +0000\ndata 1\nx\n")
        if number < versions:
            case, patch = divmod(number, VERSIONS_OF_A_CASE)
            folder = f"test-cases/performance/hard/case-{case}/v1.0.{patch}"
            stream.append(f"M 100644 inline {folder}/test-case.toml\n{_data(MANIFEST.format(case=case))}")
            stream += [
                f"M 100644 inline {folder}/cases/{file}.json\n{_data(f'[{number}, {file}]')}"
                for file in range(files - 1)
            ]
        if tags and number < versions:
            stream.append(f"reset refs/tags/case-{case}-v1.0.{patch}\nfrom refs/heads/main\n\n")
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input="".join(stream).encode(), check=True)
    subprocess.run(["git", "checkout", "--quiet", "-b", "work", "main"], cwd=root, check=True)


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def seconds(command: list[str], root: Path, expected: int) -> float:
    """Wall-clock seconds of one run, cold."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=root, env=_environment(), capture_output=True)
    assert done.returncode == expected, done.stderr.decode() + done.stdout.decode()
    return time.perf_counter() - started


def processes(root: Path) -> int:
    """Git processes that one run starts, counted by a stand-in for git that keeps a list."""
    with tempfile.TemporaryDirectory() as folder:
        git = Path(folder) / "git"
        git.write_text(f'#!/bin/sh\necho x >> {folder}/log\nexec {shutil.which("git")} "$@"\n')
        git.chmod(0o755)
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(OURS, cwd=root, env={**_environment(), "PATH": path}, capture_output=True)
        return len((Path(folder) / "log").read_text().splitlines())


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}


def measure(name: str, root: Path, runs: int, expected: int) -> int:
    """Print one line of figures; returns the number of processes."""
    pairs = [(seconds(OURS, root, expected), seconds(RAW, root, 0)) for _ in range(runs + 1)][1:]
    ours, raw = (statistics.median(side) for side in zip(*pairs, strict=True))
    used = processes(root)
    print(
        f"{name}: {ours:.3f} s (at most {SECONDS_ALLOWED}), git diff --raw {raw:.3f} s, ratio {ours / raw:.1f}, "
        f"{used} git processes (at most {PROCESSES_ALLOWED})"
    )
    return used


def main() -> None:
    """Make the repositories, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--versions", type=int, default=1000)
    parser.add_argument("--files", type=int, default=10, help="files of one version")
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--tags", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for factor in (1, 2):
            versions = given.versions * factor
            root = Path(folder) / str(factor)
            make_repository(root, versions, given.files, given.commits, tags=given.tags)
            name = f"{versions:,} versions, {versions * given.files:,} files, {max(given.commits, versions):,} commits"
            measure(f"{name}, untouched", root, given.runs, 0)
            (root / "test-cases/performance/hard/case-3/v1.0.0/cases/0.json").write_text("[]")
            measure(f"{name}, one edit", root, given.runs, 1)


if __name__ == "__main__":
    main()
