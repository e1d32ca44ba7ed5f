"""Modules that want more memory than they may have, and what else could take the host's."""

from __future__ import annotations

from tests.support.cases import ECHO, core_module, wat
from tests.support.gallery import MIB, Gallery, with_alloc

CAP = "after the memory could not grow (the cap is 1,048,576 bytes)"


def grow(pages: int, then: str = "unreachable") -> str:
    """Grow by so many pages; `then` where that is refused."""
    return f"(if (i32.eq (memory.grow (i32.const {pages})) (i32.const -1)) (then {then}))"


FULL = "(drop (memory.grow (i32.const 2047))) (memory.fill (i32.const 0) (i32.const 49) (i32.const 0x8000000))"
"""Grow to 128 MiB and write the digit 1 to each byte of it."""


def test_growth_to_the_cap_is_granted(gallery: Gallery) -> None:
    met = gallery.meet(core_module(grow(15) + ECHO))
    assert met.outcome == "pass"
    assert met.called is not None
    assert met.called.memory_bytes == MIB


def test_growth_past_the_cap_that_the_module_gives_up_on_is_a_memory_limit(gallery: Gallery) -> None:
    met = gallery.meet(core_module(grow(16) + ECHO))
    assert met.outcome == "memory-limit"
    assert met.detail.endswith(CAP)


def test_growth_past_the_cap_that_the_module_lives_with_is_a_pass(gallery: Gallery) -> None:
    assert gallery.meet(core_module(grow(16, "nop") + ECHO)).outcome == "pass"


def test_growth_page_by_page_until_refused_is_a_memory_limit(gallery: Gallery) -> None:
    loop = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable"
    assert gallery.meet(core_module(loop)).outcome == "memory-limit"


def test_growth_that_is_tried_forever_is_out_of_fuel(gallery: Gallery) -> None:
    loop = "(loop (drop (memory.grow (i32.const 1))) (br 0)) (i64.const 0)"
    assert gallery.meet(core_module(loop)).outcome == "out-of-fuel"


def test_growth_by_more_pages_than_there_are_is_refused(gallery: Gallery) -> None:
    assert gallery.meet(core_module(grow(-1) + ECHO)).outcome == "memory-limit"


def test_growth_in_alloc_to_the_cap_is_granted(gallery: Gallery) -> None:
    assert gallery.meet(with_alloc(f"{grow(15)} (i32.const 1024)")).outcome == "pass"


def test_growth_in_alloc_past_the_cap_is_a_memory_limit_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(with_alloc(f"{grow(16)} (i32.const 1024)"))
    assert (met.outcome, met.fuel) == ("memory-limit", None)


def test_growth_in_the_start_function_past_the_cap_is_a_memory_limit_without_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, f"(func $s {grow(1000)}) (start $s)"))
    assert (met.outcome, met.fuel) == ("memory-limit", None)
    assert met.detail.endswith(CAP)


def test_an_initial_memory_of_the_cap_is_granted(gallery: Gallery) -> None:
    assert gallery.meet(core_module(ECHO, pages=16)).outcome == "pass"


def test_an_initial_memory_over_the_cap_is_a_memory_limit(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, pages=17))
    assert (met.outcome, met.fuel, met.detail) == ("memory-limit", None, "the initial memory is over the cap")


def test_an_initial_memory_of_4_gib_is_a_memory_limit(gallery: Gallery) -> None:
    assert gallery.meet(core_module(ECHO, pages=65_536)).outcome == "memory-limit"


def test_a_memory_that_is_filled_to_the_cap_takes_no_more_of_the_host(gallery: Gallery) -> None:
    assert gallery.meet(core_module(FULL + ECHO), expected="111", fuel=2**30, memory=128 * MIB).outcome == "pass"


def test_memories_of_several_cases_do_not_add_up_on_the_host(gallery: Gallery) -> None:
    for _ in range(4):
        met = gallery.meet(core_module(FULL + "unreachable"), fuel=2**30, memory=128 * MIB)
        assert met.outcome == "trap"


def test_a_fill_that_the_fuel_does_not_reach_for_is_out_of_fuel(gallery: Gallery) -> None:
    met = gallery.meet(core_module(FULL + ECHO), memory=128 * MIB)
    assert (met.outcome, met.fuel) == ("out-of-fuel", 100_000)


def test_a_table_of_a_hundred_million_elements_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, "(table 100000000 funcref)"))
    assert met.outcome == "abi-error"
    assert "100000000 elements exceeds table limits" in met.detail


def test_a_table_grown_by_half_a_billion_elements_is_refused_to_the_module(gallery: Gallery) -> None:
    refused = "(if (i32.ne (table.grow (ref.null func) (i32.const 500000000)) (i32.const -1)) (then unreachable))"
    assert gallery.meet(core_module(refused + ECHO, "(table 1 funcref)")).outcome == "pass"


def test_a_table_that_grows_until_refused_ends_within_the_hosts_memory(gallery: Gallery) -> None:
    loop = "(loop (br_if 0 (i32.ne (table.grow (ref.null func) (i32.const 1000)) (i32.const -1))))"
    assert gallery.meet(core_module(loop + ECHO, "(table 1 funcref)"), fuel=10_000_000).outcome == "pass"


def test_all_tables_at_their_largest_stay_within_the_hosts_memory(gallery: Gallery) -> None:
    filled = "".join(f"(table.fill {number} (i32.const 0) (ref.func $f) (i32.const 1000000))" for number in range(8))
    module = core_module(filled + ECHO, "(table 1000000 funcref)" * 8 + "(func $f) (elem declare func $f)")
    assert gallery.meet(module, fuel=100_000_000).outcome == "pass"


def test_more_tables_than_there_may_be_are_refused(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO, "(table 1 funcref)" * 9))
    assert (met.outcome, met.detail) == ("abi-error", "resource limit exceeded: table count too high at 9")


def test_a_table_of_references_to_the_host_has_the_same_limit(gallery: Gallery) -> None:
    assert gallery.meet(core_module(ECHO, "(table 1000000 externref)")).outcome == "pass"
    assert gallery.meet(core_module(ECHO, "(table 1000001 externref)")).outcome == "abi-error"


def test_a_second_memory_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(wat('(module (memory (export "memory") 1) (memory 1))'))
    assert met.outcome == "abi-error"
    assert "multiple memories" in met.detail


def test_a_memory_of_64_bits_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(wat('(module (memory (export "memory") i64 1))'))
    assert met.outcome == "abi-error"
    assert "memory64" in met.detail


def test_a_shared_memory_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(wat('(module (memory (export "memory") 1 1 shared))'))
    assert met.outcome == "abi-error"
    assert "threads must be enabled" in met.detail


def test_a_memory_with_pages_of_another_size_is_refused(gallery: Gallery) -> None:
    module = core_module(ECHO).replace(b"\x05\x03\x01\x00\x01", b"\x05\x04\x01\x08\x01\x00")
    assert "custom page sizes" in gallery.meet(module).detail


def test_a_module_without_a_memory_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(wat('(module (func (export "alloc") (param i32) (result i32) (i32.const 0)))'))
    assert (met.outcome, met.detail) == (
        "abi-error",
        "the module does not export its memory as `memory`; it exports `alloc`",
    )


def test_a_memory_under_another_name_is_not_found(gallery: Gallery) -> None:
    met = gallery.meet(core_module(ECHO).replace(b"\x06memory", b"\x06Memory"))
    assert met.detail.startswith("the module does not export its memory as `memory`; it exports ")
