"""`cabinet-ci evaluate` beside direct calls of the engine, on as many threads; many small cases; the host's memory.

    python benchmarks/bench_evaluate.py [--cases 8] [--fuel 5_000_000_000] [--small 1000] [--cap 512]

The direct calls use the same engine and settings, each with a store of its own, in a pool of threads, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import wasmtime

from cabinet_ci.evaluation.sandbox.engine import make_engine
from tests.support.cases import ECHO, CaseFile, core_module, write_case

COMMAND = [sys.executable, "-m", "cabinet_ci", "evaluate", "--format", "json"]
RATIO_ALLOWED, SECOND_RUN_ALLOWED, SMALL_ALLOWED, MEMORY_ALLOWED = 1.15, 1.0, 3.0, 150
FUEL_PER_ROUND = 24
CHAIN = """(local $n i32) (local $x i32)
  (loop (local.set $x (i32.load offset=4096
    (i32.and (i32.div_u (local.get $x) (i32.or (local.get $n) (i32.const 1))) (i32.const 16380))))
    (i32.store offset=4096 (i32.and (local.get $x) (i32.const 16380)) (i32.add (local.get $x) (local.get $n)))
    (local.set $n (i32.add (local.get $n) (i32.const 1))) (br_if 0 (i32.lt_u (local.get $n) (i32.const {rounds}))))"""
"""Each round waits for what the one before read and divided: it burns fuel about as fast as a real solution."""

MIB = 1024 * 1024


def evaluate(root: Path, jobs: int, cache: Path | str) -> tuple[float, list[dict[str, Any]]]:
    """Seconds that the whole command took, and the cases of its one run."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "CABINET_CI_CACHE": str(cache)}
    started = time.perf_counter()
    done = subprocess.run(
        [*COMMAND, "--jobs", str(jobs)], cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    taken = time.perf_counter() - started
    assert done.returncode == 0, done.stdout.decode()[-2000:]
    return taken, json.loads(done.stdout)["versions"][0]["runs"][0]["cases"]


def call_directly(source: bytes, inputs: Sequence[bytes], jobs: int) -> tuple[float, list[int]]:
    """Seconds for calling the entry once for each input, and the fuel of each call."""
    started = time.perf_counter()
    engine = make_engine()
    module = wasmtime.Module(engine, source)

    def call(given: bytes) -> int:
        store = wasmtime.Store(engine)
        store.set_fuel(2**62)
        exports = wasmtime.Instance(store, module, []).exports(store)
        pointer = exports["alloc"](store, len(given))
        exports["memory"].write(store, given, pointer)
        before = store.get_fuel()
        exports["solve"](store, pointer, len(given))
        return before - store.get_fuel()

    with ThreadPoolExecutor(jobs) as threads:
        fuel = list(threads.map(call, inputs))
    return time.perf_counter() - started, fuel


def bench_large(count: int, fuel: int, jobs: int) -> None:
    """A few cases that burn much."""
    source = core_module(CHAIN.format(rounds=fuel // FUEL_PER_ROUND) + ECHO)
    cases = [CaseFile(f"s{number}", f"[{number}]", f"[{number}]", "stress") for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        write_case(root, cases=cases, references={"chain": source}, fuel_limit=2 * fuel)
        direct, direct_fuel = call_directly(source, [case.given.encode() for case in cases], jobs)
        ours, results = evaluate(root, jobs, Path(folder) / "cache")
        again, remembered = evaluate(root, jobs, Path(folder) / "cache")
    assert [case["fuel"] for case in results] == direct_fuel, "the fuel differs from that of direct calls"
    assert remembered == results
    print(f"{count} cases of {direct_fuel[-1]:,} fuel, {jobs} at once")
    print(f"  {ours:.2f} s, direct calls {direct:.2f} s: {ours / direct:.3f} x (at most {RATIO_ALLOWED})")
    print(f"  once more {again:.2f} s (at most {SECOND_RUN_ALLOWED})")


def bench_small(count: int, jobs: int) -> None:
    """Many cases that burn nothing."""
    cases = [CaseFile(f"c{number}", f"[{number}]", f"[{number}]", "stress") for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        write_case(root, cases=cases)
        first, _ = evaluate(root, jobs, Path(folder) / "cache")
        again, _ = evaluate(root, jobs, Path(folder) / "cache")
    print(f"{count:,} trivial cases: {first:.2f} s (at most {SMALL_ALLOWED}), once more {again:.2f} s")


def bench_memory(cap: int) -> None:
    """A module that grows to its cap and writes to every page."""
    pages = cap * 16
    body = f"""(local $p i32)
      (drop (memory.grow (i32.const {pages - 1})))
      (loop (i32.store (local.get $p) (i32.const 1)) (local.set $p (i32.add (local.get $p) (i32.const 4096)))
        (br_if 0 (i32.lt_u (local.get $p) (i32.const {pages * 65536}))))
      (i32.store (local.get $ptr) (i32.const 0x205d315b)) {ECHO}"""
    cases = [CaseFile(f"c{number}", "[1]", "[1]", "stress") for number in range(1)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_case(root, cases=cases, references={"grows": core_module(body)}, memory=cap * MIB, fuel_limit=10**9)
        peak = [0]
        over = threading.Event()

        def watch() -> None:
            while not over.is_set():
                peak[0] = max(peak[0], sum(resident(pid) for pid in below(os.getpid())))
                time.sleep(0.005)

        watcher = threading.Thread(target=watch)
        watcher.start()
        _, results = evaluate(root, 1, "off")
        over.set()
        watcher.join()
    assert results[0]["memory_bytes"] == cap * MIB, results
    more = peak[0] / MIB - cap
    print(f"a module that fills its cap of {cap} MiB: {more:.0f} MiB more in all (at most {MEMORY_ALLOWED} MB)")


def below(pid: int) -> list[int]:
    """Processes that a process has started, and those that they have."""
    try:
        told = [(thread / "children").read_text() for thread in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []
    return [each for child in map(int, " ".join(told).split()) for each in (child, *below(child))]


def resident(pid: int) -> int:
    """Bytes of a process in memory, of what it shares its part."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def main() -> None:
    """Run all three and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=8)
    parser.add_argument("--fuel", type=int, default=5_000_000_000)
    parser.add_argument("--small", type=int, default=1000)
    parser.add_argument("--cap", type=int, default=512)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    given = parser.parse_args()
    bench_memory(given.cap)
    bench_small(given.small, given.jobs)
    bench_large(given.cases, given.fuel, given.jobs)


if __name__ == "__main__":
    main()
