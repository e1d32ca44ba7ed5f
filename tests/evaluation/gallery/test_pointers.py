"""Pointers and lengths that lead out of the memory: both are unsigned, and their sum is not cut to 32 bits."""

from __future__ import annotations

import pytest

from tests.support.cases import ECHO, core_module, wat
from tests.support.gallery import MIB, Gallery, with_alloc

PAGE = 65_536


def answer_at(pointer: int, length: int) -> bytes:
    """A module whose answer lies there, whether or not it can."""
    return core_module(f"(i64.const {(pointer << 32) | length})")


@pytest.mark.parametrize("pointer", [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, PAGE - 2, PAGE, 0xFFFF_FFFD])
def test_an_alloc_that_points_out_of_the_memory_is_an_abi_error(gallery: Gallery, pointer: int) -> None:
    met = gallery.meet(with_alloc(f"(i32.const {pointer})"))
    assert (met.outcome, met.fuel) == ("abi-error", None)
    assert met.detail == f"`alloc(3)` returned {pointer}, which is out of range"


def test_an_alloc_that_points_to_the_last_bytes_of_the_memory_is_right(gallery: Gallery) -> None:
    assert gallery.meet(with_alloc(f"(i32.const {PAGE - 3})")).outcome == "pass"


def test_an_alloc_that_gives_null_is_taken_at_its_word(gallery: Gallery) -> None:
    assert gallery.meet(with_alloc("(i32.const 0)")).outcome == "pass"


def test_an_alloc_that_points_to_the_modules_own_data_overwrites_it(gallery: Gallery) -> None:
    module = wat("""(module (memory (export "memory") 1) (data (i32.const 0) "[9]")
      (func (export "alloc") (param i32) (result i32) (i32.const 0))
      (func (export "solve") (param i32 i32) (result i64) (i64.const 3)))""")
    assert gallery.meet(module).outcome == "pass"


def test_an_alloc_that_takes_no_notice_of_a_large_input_is_an_abi_error(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO), given=f'"{"x" * MIB}"')
    assert (met.outcome, met.detail) == ("abi-error", "`alloc(1048578)` returned 1024, which is out of range")


def test_an_alloc_that_shifts_the_memory_by_growing_it_is_right(gallery: Gallery) -> None:
    grown = "(i32.mul (memory.grow (i32.const 1)) (i32.const 65536))"
    assert gallery.meet(with_alloc(grown)).outcome == "pass"


@pytest.mark.parametrize(
    ("pointer", "length"),
    [
        (0xFFFF_FFF0, 32),
        (0xFFFF_FFFF, 1),
        (0xFFFF_FFFF, 0xFFFF_FFFF),
        (0x8000_0000, 0x8000_0000),
        (1, 0xFFFF_FFFF),
        (0, PAGE + 1),
        (PAGE, 1),
        (PAGE - 2, 3),
        (PAGE + 1, 0),
    ],
)
def test_an_answer_out_of_the_memory_is_an_abi_error(gallery: Gallery, pointer: int, length: int) -> None:
    met = gallery.meet(answer_at(pointer, length))
    assert (met.outcome, met.fuel) == ("abi-error", 2)
    assert met.detail == f"the answer at {pointer}, {length} bytes long, is out of range: the memory has 65536 bytes"


def test_an_answer_in_the_last_bytes_of_the_memory_is_read(gallery: Gallery) -> None:
    module = core_module(f"(i64.const {((PAGE - 3) << 32) | 3})", f'(data (i32.const {PAGE - 3}) "[1]")')
    assert gallery.meet(module).outcome == "pass"


def test_an_answer_in_memory_that_the_entry_grew_is_read(gallery: Gallery) -> None:
    body = f"""(drop (memory.grow (i32.const 1))) (i32.store (i32.const {PAGE}) (i32.const 0x5d315b))
      (i64.const {(PAGE << 32) | 3})"""
    assert gallery.meet(core_module(body)).outcome == "pass"


def test_an_answer_that_overlaps_the_input_is_read(gallery: Gallery) -> None:
    tail = """(i64.or (i64.shl (i64.extend_i32_u (i32.add (local.get $ptr) (i32.const 1))) (i64.const 32))
      (i64.const 1))"""
    assert gallery.meet(core_module(tail), expected="1").outcome == "pass"


@pytest.mark.parametrize("access", ["i32.load", "i64.load", "i32.load8_u", "v128.load", "f64.load"])
def test_a_load_out_of_the_memory_is_a_trap(gallery: Gallery, access: str) -> None:
    met = gallery.meet(core_module(f"(drop ({access} offset=0xffffffff (i32.const -1))) (i64.const 0)"))
    assert (met.outcome, met.detail) == ("trap", "trap: out of bounds memory access")


@pytest.mark.parametrize(
    "bulk",
    [
        "(memory.fill (i32.const 1) (i32.const 0) (i32.const -1))",
        "(memory.copy (i32.const 0) (i32.const -1) (i32.const 1))",
        "(memory.copy (i32.const 65536) (i32.const 65537) (i32.const 0))",
        "(memory.init $d (i32.const 0) (i32.const 2) (i32.const 1))",
    ],
)
def test_a_block_out_of_the_memory_is_a_trap(gallery: Gallery, bulk: str) -> None:
    met = gallery.meet(core_module(f"{bulk} (i64.const 0)", '(data $d "x")'), fuel=2**33)
    assert (met.outcome, met.detail) == ("trap", "trap: out of bounds memory access")


def test_data_that_does_not_fit_the_memory_is_a_trap_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, '(data (i32.const 65530) "hello world")'))
    assert (met.outcome, met.fuel, met.detail) == ("trap", None, "trap: out of bounds memory access")


def test_elements_that_do_not_fit_the_table_are_a_trap_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, "(table 1 funcref) (elem (i32.const 5) $f) (func $f)"))
    assert (met.outcome, met.fuel) == ("trap", None)
    assert "out of bounds table access" in met.detail
