"""Core modules: the ABI, the limits, and how each way to end is told (section 2 of the format)."""

from __future__ import annotations

import pytest
import wasmtime

from cabinet_ci.evaluation.sandbox.calls import Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.engine import load, make_engine
from cabinet_ci.evaluation.sandbox.entry import Subject
from tests.support.cases import ECHO, answering, core_module, spinning, wat

LIMITS = Limits(setup_fuel=10_000, budget=100_000, memory_bytes=1_048_576)


def run(module: bytes, given: bytes = b"[1]", limits: Limits = LIMITS) -> Called:
    subject = Subject(load(make_engine(), module), module, "solve")
    return subject.explain(given, limits, subject.call(given, limits))


def refusal(module: bytes) -> str:
    with pytest.raises(ModuleRefused) as refused:
        Subject(load(make_engine(), module), module, "solve")
    return refused.value.reason


def direct_fuel(module: bytes, given: bytes) -> int:
    """Fuel of the entry's call alone, asked of wasmtime without anything of ours in between."""
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    store.set_fuel(10**9)
    exports = wasmtime.Instance(store, wasmtime.Module(engine, module), []).exports(store)
    pointer = exports["alloc"](store, len(given))
    exports["memory"].write(store, given, pointer)
    before = store.get_fuel()
    exports["solve"](store, pointer, len(given))
    return before - store.get_fuel()


def test_the_answer_is_found_where_the_result_says() -> None:
    assert run(core_module(ECHO), b'{"a": 1}').answer == b'{"a": 1}'


def test_pointer_and_length_are_unsigned() -> None:
    high = core_module("(i64.const 0xffff_fff0_0000_0001)")
    called = run(high)
    assert called.ending == "abi-error"
    assert "4294967280" in called.detail


def test_an_answer_that_ends_past_the_memory_is_an_abi_error() -> None:
    assert run(core_module(f"(i64.const {(65_536 << 32) | 1})")).ending == "abi-error"
    assert run(core_module(f"(i64.const {(65_536 << 32) | 0})")).ending == "answer"


def test_an_alloc_that_points_past_the_memory_is_an_abi_error() -> None:
    called = run(
        wat("""(module (memory (export "memory") 1)
      (func (export "alloc") (param i32) (result i32) (i32.const -1))
      (func (export "solve") (param i32 i32) (result i64) (i64.const 0)))""")
    )
    assert called.ending == "abi-error"
    assert called.fuel is None


@pytest.mark.parametrize("module", [core_module(ECHO), answering("[]"), spinning(50), spinning(1000)])
def test_fuel_is_that_of_a_direct_call_of_the_entry_to_the_unit(module: bytes) -> None:
    assert run(module).fuel == direct_fuel(module, b"[1]")


@pytest.mark.parametrize("rounds", [1, 7, 100, 999])
def test_the_end_of_the_budget_is_exact_to_the_unit(rounds: int) -> None:
    module = spinning(rounds)
    needed = direct_fuel(module, b"[1]")
    for budget, ending in ((needed - 1, "out-of-fuel"), (needed, "answer"), (needed + 1, "answer")):
        called = run(module, limits=Limits(10_000, budget, 1_048_576))
        assert called.ending == ending
        assert called.fuel == (needed if ending == "answer" else budget)


def test_an_endless_loop_is_out_of_fuel_with_the_budget_as_its_fuel() -> None:
    called = run(core_module("(loop (br 0)) (i64.const 0)"))
    assert (called.ending, called.fuel) == ("out-of-fuel", LIMITS.budget)


@pytest.mark.parametrize(
    "extra",
    [
        "(func $start (loop (br 0))) (start $start)",
        '(func (export "_initialize") (loop (br 0)))',
    ],
)
def test_setting_up_past_the_limit_is_out_of_fuel_without_fuel(extra: str) -> None:
    called = run(core_module(ECHO, extra))
    assert (called.ending, called.fuel) == ("out-of-fuel", None)


def test_setting_up_is_not_metered_into_the_result() -> None:
    work = "(local i32) (loop (local.set 0 (i32.add (local.get 0) (i32.const 1))) (br_if 0 (i32.lt_u (local.get 0) (i32.const 500))))"  # noqa: E501
    busy = core_module(ECHO, f'(func (export "_initialize") {work})')
    assert run(busy).fuel == run(core_module(ECHO)).fuel


def test_initialize_is_called_before_the_entry() -> None:
    initialize = '(func (export "_initialize") (i32.store8 (i32.const 8) (i32.const 55)))'
    module = core_module("(i64.const 0x800000001)", f'(data (i32.const 8) "0") {initialize}')
    assert run(module).answer == b"7"


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("unreachable", "unreachable"),
        ("(drop (i32.load (i32.const 65536))) (i64.const 0)", "out of bounds memory access"),
        ("(drop (i32.div_u (i32.const 1) (i32.const 0))) (i64.const 0)", "integer divide by zero"),
        ("(call $deep) (i64.const 0)", "call stack exhausted"),
    ],
)
def test_a_trap_is_told_by_its_name(body: str, word: str) -> None:
    called = run(core_module(body, "(func $deep (call $deep))"), limits=Limits(10_000, 100_000_000, 1_048_576))
    assert called.ending == "trap"
    assert word in called.detail


def test_a_trap_after_a_refused_growth_is_a_memory_limit() -> None:
    grow = "(if (i32.eq (memory.grow (i32.const 100)) (i32.const -1)) (then unreachable)) (i64.const 0)"
    assert run(core_module(grow)).ending == "memory-limit"


def test_a_trap_after_a_growth_that_was_granted_is_a_trap() -> None:
    assert run(core_module("(drop (memory.grow (i32.const 2))) unreachable")).ending == "trap"


def test_a_growth_that_is_refused_and_lived_with_is_no_failure() -> None:
    assert run(core_module(f"(drop (memory.grow (i32.const 100))) {ECHO}")).ending == "answer"


def test_memory_may_grow_to_the_cap_and_no_further() -> None:
    to_cap = core_module(f"(if (i32.eq (memory.grow (i32.const 15)) (i32.const -1)) (then unreachable)) {ECHO}")
    called = run(to_cap)
    assert (called.ending, called.memory_bytes) == ("answer", 1_048_576)


def test_an_initial_memory_over_the_cap_is_a_memory_limit() -> None:
    called = run(core_module(ECHO, pages=17))
    assert (called.ending, called.fuel) == ("memory-limit", None)


def test_state_is_not_kept_between_cases() -> None:
    counting = core_module(
        """(i32.store8 (i32.const 8) (i32.add (i32.load8_u (i32.const 8)) (i32.const 1))) (i64.const 0x800000001)""",
        '(data (i32.const 8) "0")',
    )
    assert [run(counting).answer for _ in range(3)] == [b"1"] * 3


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (b"", "not a wasm module"),
        (b"not wasm", "not a wasm module"),
        (b"\x00asm\x01\x00\x00\x00\x01\xff", "not accepted"),
        (wat("(module)"), "`memory`"),
        (wat('(module (memory (export "memory") 1))'), "`alloc`"),
        (core_module(ECHO).replace(b"solve", b"other"), "`solve`"),
        (core_module(ECHO, '(func (export "_initialize") (param i64))'), "(i64) -> nothing"),
        (wat('(module (import "env" "now" (func)) (memory (export "memory") 1))'), "`env.now`"),
        (wat('(module (memory (export "memory") i64 1))'), "not accepted"),
        (wat("(module (memory 1) (memory 1))"), "not accepted"),
        (wat("(module (memory 1 1 shared))"), "not accepted"),
    ],
)
def test_a_module_that_can_t_be_run_is_refused_with_the_reason(module: bytes, words: str) -> None:
    assert words in refusal(module)
