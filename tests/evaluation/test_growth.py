"""The copy of a module that traps where its memory is refused growth."""

from __future__ import annotations

import pytest

from cabinet_ci.evaluation.sandbox.calls import Called, Limits
from cabinet_ci.evaluation.sandbox.engine import load, make_engine
from cabinet_ci.evaluation.sandbox.entry import Subject
from cabinet_ci.evaluation.sandbox.growth import DIVISION, UNREACHABLE, trapping_on_refusal
from tests.support.cases import ECHO, component, core_module, wat

LIMITS = Limits(setup_fuel=10_000, budget=100_000, memory_bytes=1_048_576)
"""Sixteen pages."""


def run(module: bytes) -> Called:
    subject = Subject(load(make_engine(), module), module, "solve")
    return subject.explain(b"[1]", LIMITS, subject.call(b"[1]", LIMITS))


def refused(pages: int, then: str = "unreachable") -> str:
    return f"(if (i32.eq (memory.grow (i32.const {pages})) (i32.const -1)) (then {then}))"


DIVIDE = "(drop (i32.div_u (i32.const 1) (i32.const 0)))"


@pytest.mark.parametrize("then", ["unreachable", DIVIDE, "(drop (i32.load (i32.const -1)))"])
@pytest.mark.parametrize("pages", [16, 1000, 65_535, 65_536, -1])
def test_any_trap_after_any_refused_growth_is_a_memory_limit(pages: int, then: str) -> None:
    called = run(core_module(refused(pages, then) + ECHO))
    assert called.ending == "memory-limit"
    assert "1,048,576" in called.detail


@pytest.mark.parametrize("then", ["unreachable", DIVIDE])
@pytest.mark.parametrize("before", ["", "(drop (memory.grow (i32.const 15)))", "(drop (memory.grow (i32.const 0)))"])
def test_a_trap_without_a_refused_growth_stays_a_trap(before: str, then: str) -> None:
    assert run(core_module(before + then + ECHO)).ending == "trap"


def test_a_trap_before_the_growth_that_would_be_refused_stays_a_trap() -> None:
    assert run(core_module("unreachable" + refused(1000) + ECHO)).ending == "trap"


def test_a_growth_refused_while_setting_up_counts_as_well() -> None:
    start = f'(func (export "_initialize") {refused(1000, "nop")})'
    assert run(core_module("unreachable", start)).ending == "memory-limit"


def test_a_growth_past_the_modules_own_maximum_is_refused_too() -> None:
    module = core_module(refused(2) + ECHO, pages=1).replace(b"\x05\x03\x01\x00\x01", b"\x05\x04\x01\x01\x01\x02")
    assert run(module).ending == "memory-limit"


def test_an_exit_after_a_refused_growth_is_a_memory_limit() -> None:
    module = wat(f"""(module
      (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
      (memory (export "memory") 1)
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64)
        {refused(1000, "(call $exit (i32.const 1))")} {ECHO}))""")
    assert run(module).ending == "memory-limit"


LOCALS = "(local $v v128) (local $n i32) (local i64 f32 f64)"
EVERYTHING = """
  (block (result i32) (loop (br_if 1 (i32.const 7) (i32.const 1)) (drop) (br 1 (i32.const 8))) (i32.const 64)) (drop)
  (block (block (br_table 0 1 0 (i32.const 64)))) (nop) (if (i32.const 64) (then) (else nop))
  (drop (select (i32.const 64) (i32.const 1) (i32.const 0))) (drop (select (result i64) (i64.const 64) (i64.const -64) (i32.const 0)))
  (drop (call $id (i32.const 64))) (drop (call_indirect (param i32) (result i32) (i32.const 64) (i32.const 0)))
  (drop (f32.const 64)) (drop (f64.const -64.5)) (drop (i64.const 0x4040404040404040)) (drop (f64.const 32.50390625))
  (drop (i32.load offset=64 (i32.const 64))) (i64.store16 offset=4096 align=1 (i32.const 64) (i64.const 64))
  (drop (i64.extend32_s (i64.const 64))) (drop (i32.trunc_sat_f64_u (f64.const 64)))
  (memory.fill (i32.const 512) (i32.const 64) (i32.const 64)) (memory.copy (i32.const 512) (i32.const 64) (i32.const 0))
  (memory.init $data (i32.const 600) (i32.const 0) (i32.const 1)) (data.drop $data)
  (drop (table.get $t (i32.const 0))) (table.set $t (i32.const 0) (ref.func $id)) (drop (ref.is_null (ref.null func)))
  (drop (table.size $t)) (drop (table.grow $t (ref.null func) (i32.const 0)))
  (table.fill $t (i32.const 0) (ref.func $id) (i32.const 1)) (table.copy $t $t (i32.const 0) (i32.const 0) (i32.const 1))
  (table.init $t $elem (i32.const 0) (i32.const 0) (i32.const 1)) (elem.drop $elem)
  (local.set $v (v128.const i8x16 64 0 64 0 64 0 64 0 64 0 64 0 64 0 64 0))
  (local.set $v (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (local.get $v) (local.get $v)))
  (drop (i8x16.extract_lane_u 4 (local.get $v))) (local.set $v (i32x4.replace_lane 1 (local.get $v) (i32.const 64)))
  (local.set $v (v128.load offset=64 (i32.const 0))) (v128.store (i32.const 512) (local.get $v))
  (local.set $v (v128.load16_lane offset=64 3 (i32.const 0) (local.get $v))) (v128.store32_lane 1 (i32.const 512) (local.get $v))
  (local.set $v (v128.load32_zero (i32.const 64))) (local.set $v (i16x8.splat (i32.const 64)))
  (drop (i64x2.all_true (i8x16.popcnt (local.get $v)))) (drop (memory.size)) (global.set $g (i32.const 64))
  (drop (local.tee $n (global.get $g)))
"""  # noqa: E501
"""Instructions of every form, with 64 (the byte of `memory.grow`) wherever a number stands."""

EXTRA = """(global $g (mut i32) (i32.const 64)) (table $t 64 funcref)
  (func $id (param i32) (result i32) (local.get 0)) (elem (i32.const 0) $id) (elem $elem func $id)
  (data $data "@@") (func $tail (param i32) (result i32) (return_call $id (local.get 0)))"""


@pytest.mark.parametrize("trap", [UNREACHABLE, DIVISION])
def test_the_copy_does_what_the_module_does_whatever_instructions_it_is_made_of(trap: bytes) -> None:
    grow = "(drop (memory.grow (i32.const 1)))"
    module = core_module(LOCALS + grow + EVERYTHING + grow + ECHO, EXTRA)
    copy = trapping_on_refusal(module, trap)
    assert copy is not None
    assert run(copy).answer == run(module).answer == b"[1]"
    assert run(copy).memory_bytes == 3 * 65_536


def test_a_copy_is_made_of_each_core_module_within_a_component() -> None:
    module = component("(drop (memory.grow (i32.const 100))) (i32.const 8)")
    copy = trapping_on_refusal(module, UNREACHABLE)
    assert copy is not None
    assert run(copy).ending == "memory-limit" or "unreachable" in run(copy).detail


def test_a_module_that_never_grows_needs_no_copy() -> None:
    assert trapping_on_refusal(core_module(ECHO), UNREACHABLE) is None


@pytest.mark.parametrize("cut", range(9, 150, 7))
def test_of_what_is_cut_short_no_copy_is_made_without_a_crash(cut: int) -> None:
    whole = core_module("(drop (memory.grow (i32.const 1)))" + ECHO)
    copy = trapping_on_refusal(whole[:cut], UNREACHABLE)
    assert copy is None or isinstance(copy, bytes)
