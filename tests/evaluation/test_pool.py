"""Worker processes: what a module does to its process ends its own case and no other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import wasmtime

from cabinet_ci.evaluation.sandbox.calls import FUEL_MAX, Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.pool import Pool
from tests.support.cases import ECHO, component, core_module

DEEPER = "(func $deeper (param i32) (result i32) (i32.add (call $deeper (local.get 0)) (i32.const 1)))"
LIMITS = Limits(setup_fuel=10_000, budget=100_000, memory_bytes=1_048_576)
ENDLESS = core_module("(loop (br 0)) (i64.const 0)")
HOURS = Limits(setup_fuel=10_000, budget=2**62, memory_bytes=1_048_576, deadline=3600)


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(2) as started:
        yield started


@pytest.mark.parametrize("module", [core_module(ECHO), component()])
def test_a_module_is_compiled_once_and_called_in_any_worker(pool: Pool, module: bytes) -> None:
    ready = pool.prepare(module, "solve")
    inputs = [f"[{number}]".encode() for number in range(20)]
    called = pool.side_by_side(lambda given: pool.call(ready, given, LIMITS), inputs)
    assert [one.answer for one in called] == inputs


@pytest.mark.parametrize("module", [core_module(ECHO), component()])
def test_limits_as_large_as_any_integer_of_a_manifest_are_waited_for(pool: Pool, module: bytes) -> None:
    largest = Limits(setup_fuel=2**63 - 1, budget=FUEL_MAX, memory_bytes=2**63 - 1)
    assert pool.call(pool.prepare(module, "solve"), b"[1]", largest).answer == b"[1]"


def test_a_module_that_can_t_be_run_is_refused_with_the_reason(pool: Pool) -> None:
    with pytest.raises(ModuleRefused, match="`other`"):
        pool.prepare(core_module(ECHO), "other")


def test_a_worker_that_dies_ends_its_own_case_and_the_others_go_on(pool: Pool) -> None:
    endless, echo = pool.prepare(ENDLESS, "solve"), pool.prepare(core_module(ECHO), "solve")
    ended: list[Called] = []
    thread = threading.Thread(target=lambda: ended.append(pool.call(endless, b"[]", HOURS)))
    thread.start()
    # The one worker that was started is the one that now runs.
    while not (busy := [pid for pid in pool.pids if _is_running(pid)]):
        time.sleep(0.01)
    os.kill(busy[0], signal.SIGKILL)
    thread.join()
    assert ended[0].ending == "trap"
    assert "SIGKILL" in ended[0].detail
    assert not ended[0].is_repeatable
    assert pool.call(echo, b"[1]", LIMITS).answer == b"[1]"


def _is_running(pid: int) -> bool:
    return "R" in {_state(int(thread), of=pid) for thread in os.listdir(f"/proc/{pid}/task")}


def _state(thread: int, *, of: int) -> str:
    with open(f"/proc/{of}/task/{thread}/stat") as status:
        return status.read().rsplit(")", 1)[1].split()[0]


def test_leaving_the_pool_ends_what_still_runs() -> None:
    with Pool(1) as pool:
        endless = pool.prepare(ENDLESS, "solve")
        ended: list[Called] = []
        thread = threading.Thread(target=lambda: ended.append(pool.call(endless, b"[]", HOURS)))
        thread.start()
        while not [pid for pid in pool.pids if _is_running(pid)]:
            time.sleep(0.01)
    thread.join()
    assert ended[0].ending == "trap"


def test_a_call_past_its_deadline_is_a_timeout_and_the_others_go_on(pool: Pool) -> None:
    endless = pool.prepare(ENDLESS, "solve")
    called = pool.call(endless, b"[]", Limits(10_000, 2**62, 1_048_576, deadline=0.2))
    assert (called.ending, called.is_repeatable) == ("timeout", False)
    assert pool.call(pool.prepare(core_module(ECHO), "solve"), b"[1]", LIMITS).answer == b"[1]"


def test_a_trap_is_looked_into_for_a_refused_growth(pool: Pool) -> None:
    grow = "(if (i32.eq (memory.grow (i32.const 100)) (i32.const -1)) (then unreachable)) (i64.const 0)"
    assert pool.call(pool.prepare(core_module(grow), "solve"), b"[1]", LIMITS).ending == "memory-limit"
    assert pool.call(pool.prepare(core_module("unreachable"), "solve"), b"[1]", LIMITS).ending == "trap"


def test_code_that_the_engine_does_not_take_is_compiled_afresh() -> None:
    with Pool(1) as pool:
        ready = pool.prepare(core_module(ECHO), "solve")
        other = wasmtime.Config()
        other.consume_fuel = False
        code = wasmtime.Module(wasmtime.Engine(other), core_module(ECHO)).serialize()
        Path(ready.compiled).write_bytes(code)
        # Only a worker that holds another module meanwhile looks at the file.
        pool.prepare(core_module("unreachable"), "solve")
        called = pool.call(ready, b"[1]", LIMITS)
    assert (called.ending, called.answer, called.fuel) == ("answer", b"[1]", 8)


def test_a_small_stack_of_the_host_changes_nothing() -> None:
    program = """
from tests.evaluation.test_pool import *
module = core_module("(drop (call $deeper (i32.const 0))) (i64.const 0)", DEEPER)
with Pool(1) as pool:
    called = pool.call(pool.prepare(module, "solve"), b"[]", Limits(10_000, 10_000_000, 1_048_576))
print(called.ending, called.detail)
"""
    limited = ["sh", "-c", 'ulimit -s 512; exec "$@"', "sh", sys.executable, "-c", program]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert done.stdout == "trap trap: call stack exhausted\n", done.stderr


def test_a_module_sees_nothing_of_the_environment(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "s3cret")
    pool.prepare(core_module(ECHO), "solve")
    (pid,) = pool.pids
    with open(f"/proc/{pid}/environ", "rb") as environment:
        assert b"s3cret" not in environment.read()


def test_a_worker_does_not_outlive_the_evaluation_that_started_it() -> None:
    program = """
import sys, threading
from cabinet_ci.evaluation.sandbox.pool import Pool
from tests.evaluation.test_pool import ENDLESS, HOURS
pool = Pool(1)
endless = pool.prepare(ENDLESS, "solve")
print(*pool.pids, flush=True)
pool.call(endless, b"[]", HOURS)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    while not _is_running(worker):
        time.sleep(0.01)
    parent.kill()
    parent.communicate()
    for _ in range(1000):
        if not os.path.exists(f"/proc/{worker}"):
            break
        time.sleep(0.02)
    assert not os.path.exists(f"/proc/{worker}") or _state(worker, of=worker) == "Z"
