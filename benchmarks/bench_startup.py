"""Start-up: `cabinet-ci --help` against `python -c "import click"`, and a one-version validation against its parsers.

    python benchmarks/bench_startup.py [--runs 20]

The two commands of a pair run in turn; the ratio is that of their medians.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
VERSION = "test-cases/performance/hard/route-finder/v1.0.0"
OURS = [str(Path(sys.executable).with_name("cabinet-ci"))]

PAIRS = (
    ("--help / import click", [*OURS, "--help"], "import click", 2.0),
    ("validate one manifest / import its parsers", [*OURS, "validate", VERSION], "import click, msgspec, tomli", 2.0),
)


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run, cold."""
    started = time.perf_counter()
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    """Time each pair and print medians and ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    for name, ours, floor, bound in PAIRS:
        pairs = [(seconds(ours), seconds([sys.executable, "-c", floor])) for _ in range(runs + 1)][1:]
        mine, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
        print(f"{name}: {mine * 1000:.0f} ms / {theirs * 1000:.0f} ms = {mine / theirs:.2f} (at most {bound})")


if __name__ == "__main__":
    main()
