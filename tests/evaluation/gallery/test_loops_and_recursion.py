"""Modules that never end: the fuel ends them, wherever they loop, and the stack where they recurse."""

from __future__ import annotations

import pytest

from cabinet_ci.evaluation.sandbox.pool import Pool
from tests.support.cases import ECHO, core_module, wat
from tests.support.gallery import Gallery, with_alloc

FOREVER = "(loop (br 0))"
SETTING_UP = "setting up used more fuel than the limit"
STACK = "trap: call stack exhausted"
PLENTY = 100_000_000


def test_an_entry_that_loops_forever_is_out_of_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(f"{FOREVER} (i64.const 0)"))
    assert (met.outcome, met.fuel, met.detail) == ("out-of-fuel", 100_000, "stopped at the end of the fuel limit")


def test_an_empty_loop_costs_fuel_too(gallery: Gallery) -> None:
    assert gallery.meet(core_module("(loop $a (loop $b (br $a))) (i64.const 0)")).outcome == "out-of-fuel"


def test_a_start_function_that_loops_forever_is_out_of_fuel_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, f"(func $s {FOREVER}) (start $s)"))
    assert (met.outcome, met.fuel, met.detail) == ("out-of-fuel", None, SETTING_UP)


def test_an_initialize_that_loops_forever_is_out_of_fuel_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, f'(func (export "_initialize") {FOREVER})'))
    assert (met.outcome, met.fuel, met.detail) == ("out-of-fuel", None, SETTING_UP)


def test_an_alloc_that_loops_forever_is_out_of_fuel_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(with_alloc(f"{FOREVER} (i32.const 0)"))
    assert (met.outcome, met.fuel, met.detail) == ("out-of-fuel", None, SETTING_UP)


def test_start_initialize_and_alloc_share_one_limit(gallery: Gallery) -> None:
    work = """(local $n i32) (loop (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.get $n) (i32.const 5000))))"""
    parts = (
        f"(func $s {work}) (start $s)",
        f'(func (export "_initialize") {work})',
    )
    assert gallery.meet(with_alloc(f"{work} (i32.const 1024)", parts[0]), fuel=100_000).outcome == "pass"
    assert gallery.meet(with_alloc(f"{work} (i32.const 1024)", "".join(parts)), fuel=100_000).detail == SETTING_UP


def test_work_that_waits_in_alloc_is_not_scored_and_not_free(gallery: Gallery) -> None:
    plain, busy = core_module(ECHO), with_alloc("(drop (memory.grow (i32.const 1))) (i32.const 1024)")
    assert gallery.meet(plain).fuel == gallery.meet(busy).fuel


def test_tail_calls_that_never_end_are_out_of_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module("(return_call $a)", "(func $a (result i64) (return_call $a))"))
    assert (met.outcome, met.fuel) == ("out-of-fuel", 100_000)


def test_recursion_without_end_is_a_trap(gallery: Gallery) -> None:
    met = gallery.meet(core_module("(call $a) (i64.const 0)", "(func $a (call $a))"), fuel=PLENTY)
    assert (met.outcome, met.detail) == ("trap", STACK)


def test_mutual_recursion_is_a_trap(gallery: Gallery) -> None:
    extra = "(func $a (call $b)) (func $b (call $a))"
    assert gallery.meet(core_module("(call $a) (i64.const 0)", extra), fuel=PLENTY).detail == STACK


def test_recursion_through_a_table_is_a_trap(gallery: Gallery) -> None:
    extra = "(table 1 funcref) (elem (i32.const 0) $a) (func $a (call_indirect (i32.const 0)))"
    assert gallery.meet(core_module("(call $a) (i64.const 0)", extra), fuel=PLENTY).detail == STACK


def test_recursion_with_thousands_of_locals_is_a_trap(gallery: Gallery) -> None:
    kept = "".join(f"(drop (local.get {at}))" for at in range(0, 5000, 7))
    extra = f"(func $a (local {'i64 ' * 5000}) (call $a) {kept})"
    assert gallery.meet(core_module("(call $a) (i64.const 0)", extra), fuel=PLENTY).detail == STACK


def test_recursion_in_the_start_function_is_a_trap_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, "(func $a (call $a)) (start $a)"), fuel=PLENTY)
    assert (met.outcome, met.fuel, met.detail) == ("trap", None, STACK)


def test_recursion_in_alloc_is_a_trap_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(with_alloc("(call $a) (i32.const 0)", "(func $a (call $a))"), fuel=PLENTY)
    assert (met.outcome, met.fuel, met.detail) == ("trap", None, STACK)


def test_recursion_that_asks_the_host_at_every_level_is_a_trap(gallery: Gallery) -> None:
    module = wat("""(module
      (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
      (memory (export "memory") 1)
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func $a (drop (call $yield)) (call $a))
      (func (export "solve") (param i32 i32) (result i64) (call $a) (i64.const 0)))""")
    assert gallery.meet(module, fuel=PLENTY).detail == STACK


def test_recursion_by_an_exported_entry_that_calls_itself_is_a_trap(gallery: Gallery) -> None:
    module = wat("""(module (memory (export "memory") 1)
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func $solve (export "solve") (param i32 i32) (result i64) (call $solve (i32.const 0) (i32.const 0))))""")
    assert gallery.meet(module, fuel=PLENTY).detail == STACK


def test_recursion_runs_out_of_fuel_where_there_is_less_of_it_than_stack(gallery: Gallery) -> None:
    met = gallery.meet(core_module("(call $a) (i64.const 0)", "(func $a (call $a))"), fuel=1000)
    assert (met.outcome, met.fuel) == ("out-of-fuel", 1000)


def test_a_loop_with_fuel_for_years_is_a_timeout_and_has_no_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(f"{FOREVER} (i64.const 0)"), fuel=2**62, deadline=0.2)
    assert (met.outcome, met.fuel) == ("timeout", None)
    assert met.detail.startswith("it took longer than")


def test_a_start_function_with_fuel_for_years_is_a_timeout(gallery: Gallery) -> None:
    module = core_module(ECHO, f"(func $s {FOREVER}) (start $s)")
    assert gallery.meet(module, fuel=2**62, deadline=0.2).outcome == "timeout"


@pytest.mark.parametrize("fuel", [1, 3_000_000_000, 2**62])
def test_the_deadline_is_far_above_any_honest_run(fuel: int) -> None:
    from cabinet_ci.evaluation.sandbox.calls import Limits

    # An ordinary machine burns a billion units in a second. Nobody waits for more than a week.
    assert Limits(fuel, fuel, 65_536).seconds >= min(7 * 24 * 3600, max(60, 50 * fuel / 1_000_000_000))


def test_side_by_side_with_endless_loops_an_honest_module_is_not_held_up() -> None:
    from cabinet_ci.evaluation.sandbox.calls import Limits

    limits = Limits(10_000, 2**62, 65_536, 0.5)
    with Pool(2) as pool:
        endless = pool.prepare(core_module(f"{FOREVER} (i64.const 0)"), "solve")
        echo = pool.prepare(core_module(ECHO), "solve")
        ready = [endless, echo, echo, endless, echo]
        called = pool.side_by_side(lambda one: pool.call(one, b"[1]", limits), ready)
    assert [one.ending for one in called] == ["timeout", "answer", "answer", "timeout", "answer"]
