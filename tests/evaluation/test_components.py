"""Components: the entry's shapes, how each way to end is told, and what they may import (section 2 of the format)."""

from __future__ import annotations

import pytest
import wasmtime
from wasmtime import component as library

from cabinet_ci.evaluation.sandbox.calls import Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.engine import load, make_engine
from cabinet_ci.evaluation.sandbox.entry import Subject
from tests.support.cases import component, wat

LIMITS = Limits(setup_fuel=10_000, budget=100_000, memory_bytes=1_048_576)

FAILING = """(i32.store8 (i32.const 8) (i32.const 1)) (i32.store (i32.const 12) (local.get $ptr))
  (i32.store (i32.const 16) (local.get $len)) (i32.const 8)"""
"""Gives its input as an err."""

SUCCEEDING = FAILING.replace("(i32.const 1))", "(i32.const 0))", 1)

SHAPES = ["string", "(list u8)"]


def run(module: bytes, given: bytes = b"[1]", limits: Limits = LIMITS) -> Called:
    subject = Subject(load(make_engine(), module), module, "solve")
    return subject.explain(given, limits, subject.call(given, limits))


def refusal(module: bytes) -> str:
    with pytest.raises(ModuleRefused) as refused:
        Subject(load(make_engine(), module), module, "solve")
    return refused.value.reason


def returning(pointer: int, length: int) -> str:
    return (
        f"(i32.store (i32.const 8) (i32.const {pointer})) (i32.store (i32.const 12) (i32.const {length})) (i32.const 8)"
    )


def direct_fuel(module: bytes, given: str | bytes) -> int:
    """Fuel of the entry's call alone, asked of wasmtime without anything of ours in between."""
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    store.set_fuel(10**9)
    entry = library.Linker(engine).instantiate(store, library.Component(engine, module)).get_func(store, "solve")
    assert entry is not None
    before = store.get_fuel()
    entry(store, given)
    return before - store.get_fuel()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_component_takes_and_gives_strings_or_lists_of_bytes(shape: str) -> None:
    called = run(component(takes=shape, gives=shape), '{"ä": 1}'.encode())
    assert (called.ending, called.answer) == ("answer", '{"ä": 1}'.encode())


@pytest.mark.parametrize("shape", SHAPES)
def test_the_ok_of_a_result_is_the_answer(shape: str) -> None:
    assert run(component(SUCCEEDING, takes=shape, gives=f"(result {shape} (error string))")).answer == b"[1]"


@pytest.mark.parametrize("shape", SHAPES)
def test_the_err_of_a_result_is_told_with_its_text(shape: str) -> None:
    called = run(component(FAILING, takes=shape, gives=f"(result {shape} (error string))"), b"no road")
    assert (called.ending, called.detail, called.answer) == ("err", "no road", None)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 300_000])
def test_every_byte_arrives_whatever_the_size(shape: str, size: int) -> None:
    grow = "(global $g i32 (i32.const 0))"
    given = bytes(32 + at % 90 for at in range(size))
    module = component(takes=shape, gives=shape, extra=grow).replace(b"\x05\x03\x01\x00\x01", b"\x05\x03\x01\x00\x08")
    assert run(module, given, Limits(10_000, 10**7, 2**24)).answer == given


@pytest.mark.parametrize("shape", SHAPES)
def test_fuel_is_that_of_a_direct_call_of_the_entry_to_the_unit(shape: str) -> None:
    module = component(takes=shape, gives=shape)
    assert run(module).fuel == direct_fuel(module, "[1]" if shape == "string" else b"[1]")


def test_the_end_of_the_budget_is_exact_to_the_unit() -> None:
    module = component()
    needed = direct_fuel(module, "[1]")
    for budget, ending in ((needed - 1, "out-of-fuel"), (needed, "answer"), (needed + 1, "answer")):
        called = run(module, limits=Limits(10_000, budget, 1_048_576))
        assert (called.ending, called.fuel) == (ending, min(budget, needed))


def test_an_endless_loop_is_out_of_fuel_with_the_budget_as_its_fuel() -> None:
    called = run(component("(loop (br 0)) (i32.const 8)"))
    assert (called.ending, called.fuel) == ("out-of-fuel", LIMITS.budget)


def test_setting_up_past_the_limit_is_out_of_fuel_without_fuel() -> None:
    called = run(component(extra="(func $start (loop (br 0))) (start $start)"))
    assert (called.ending, called.fuel) == ("out-of-fuel", None)


@pytest.mark.parametrize(
    ("body", "ending", "words"),
    [
        ("unreachable", "trap", "unreachable"),
        ("(call $deep) (i32.const 8)", "trap", "call stack exhausted"),
        (returning(-1, 4), "abi-error", "out of bounds"),
        (returning(0, -1), "abi-error", "out of bounds"),
        ("(i32.const 65533)", "abi-error", "not aligned"),
        ("(i32.store (i32.const 16) (i32.const -1)) " + returning(16, 4), "invalid-output", "not UTF-8"),
    ],
)
def test_each_way_to_fail_is_told(body: str, ending: str, words: str) -> None:
    called = run(component(body, extra="(func $deep (call $deep))"), limits=Limits(10_000, 10**8, 1_048_576))
    assert called.ending == ending
    assert words in called.detail


def test_a_trap_after_a_refused_growth_is_a_memory_limit() -> None:
    grow = "(if (i32.eq (memory.grow (i32.const 100)) (i32.const -1)) (then unreachable)) (i32.const 8)"
    assert run(component(grow)).ending == "memory-limit"
    assert run(component("(drop (memory.grow (i32.const 2))) unreachable")).ending == "trap"


def test_an_initial_memory_over_the_cap_is_a_memory_limit() -> None:
    called = run(component(), limits=Limits(10_000, 100_000, 65_535))
    assert (called.ending, called.fuel) == ("memory-limit", None)


def test_an_answer_of_hundreds_of_megabytes_is_an_invalid_output() -> None:
    grow = "(drop (memory.grow (i32.const 4000))) "
    called = run(component(grow + returning(1024, 200 << 20)), limits=Limits(10_000, 10**6, 2**29))
    assert called.ending == "invalid-output"
    assert "too long" in called.detail


def test_state_is_not_kept_between_cases() -> None:
    counting = """(i32.store8 (i32.const 16) (i32.add (i32.load8_u (i32.const 16)) (i32.const 1)))""" + returning(16, 1)
    module = component(counting, extra='(data (i32.const 16) "0")')
    subject = Subject(load(make_engine(), module), module, "solve")
    assert [subject.call(b"[]", LIMITS).answer for _ in range(3)] == [b"1"] * 3


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (wat("(component)"), "does not export a function `solve`"),
        (component(name="other"), "does not export a function `solve`"),
        (component(takes="string", gives="(list u8)"), "another signature"),
        (component(takes="(list u8)", gives="string"), "another signature"),
        (component(takes="(list s8)", gives="(list s8)"), "another signature"),
        (component(SUCCEEDING, gives="(result string (error u32))"), "another signature"),
        (component(imports='(import "local:secret/door" (instance))'), "`local:secret/door`"),
        (component(imports='(import "wasi:http/types@0.2.0" (instance))'), "`wasi:http/types@0.2.0`"),
        (component(imports='(import "wasi:random/random@0.3.0" (instance))'), "`wasi:random/random@0.3.0`"),
        (component(imports='(import "now" (func (result u64)))'), "`now`"),
    ],
)
def test_a_component_that_can_t_be_run_is_refused_with_the_reason(module: bytes, words: str) -> None:
    assert words in refusal(module)
