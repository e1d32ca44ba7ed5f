"""Files that are no module, and modules that are hard on who compiles them."""

from __future__ import annotations

import random

import pytest

from cabinet_ci.evaluation.sandbox.calls import COMPONENT_HEADER, CORE_HEADER, MODULE_LIMIT, ModuleRefused
from cabinet_ci.evaluation.sandbox.pool import Pool
from tests.support.binary import NOTHING, built, custom, leb, nested, section
from tests.support.cases import ECHO, component, core_module
from tests.support.gallery import MIB, Gallery

WHOLE = core_module(ECHO, '(table 1 funcref) (elem (i32.const 0) $f) (func $f) (data (i32.const 8) "x")')


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00",
        b"\x00asm",
        CORE_HEADER[:7],
        b"\x00asm\x02\x00\x00\x00",
        b"\x7fELF" + bytes(100),
        b"MZ" + bytes(100),
        b"(module)",
        b"#!/bin/sh\n",
        b"\xef\xbb\xbf" + CORE_HEADER,
        b"BC\xc0\xde" + bytes(100),
    ],
)
def test_a_file_that_is_no_wasm_is_refused(gallery: Gallery, content: bytes) -> None:
    met = gallery.meet(content)
    assert (met.outcome, met.detail) == ("abi-error", "the file is not a wasm module")


@pytest.mark.parametrize("cut", range(8, WHOLE.index(b"\x04name") - 2, 5))
def test_a_module_cut_short_anywhere_is_refused(gallery: Gallery, cut: int) -> None:
    met = gallery.meet(WHOLE[:cut])
    assert met.outcome == "abi-error"
    assert met.detail.startswith(("the module is not accepted", "the module does not export"))


def test_a_component_cut_short_anywhere_is_refused(gallery: Gallery) -> None:
    whole = component()
    for cut in range(8, len(whole) - 1, 7):
        met = gallery.meet(whole[:cut])
        assert met.outcome == "abi-error"
        assert met.detail.startswith(("the module is not accepted", "the component does not export"))


@pytest.mark.parametrize("whole", [WHOLE, component()])
def test_a_module_with_any_bytes_changed_is_refused_or_runs_within_its_limits(gallery: Gallery, whole: bytes) -> None:
    chance = random.Random(7)
    outcomes = set()
    for _ in range(200):
        changed = bytearray(whole)
        for _ in range(chance.choice([1, 1, 3])):
            changed[chance.randrange(8, len(changed))] = chance.randrange(256)
        outcomes.add(gallery.meet(bytes(changed)).outcome)
    assert {"abi-error", "pass"} <= outcomes
    assert outcomes <= {"abi-error", "pass", "trap", "wrong-answer", "invalid-output", "memory-limit", "out-of-fuel"}


def test_bytes_after_the_last_section_are_refused(gallery: Gallery) -> None:
    assert gallery.meet(WHOLE + b"\xff\xff\xff").outcome == "abi-error"


def test_a_section_that_claims_four_gigabytes_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(CORE_HEADER + b"\x01" + leb(2**32 - 1) + bytes(100))
    assert met.outcome == "abi-error"
    assert met.detail.startswith("the module is not accepted")


def test_a_vector_that_claims_four_billion_items_is_refused(gallery: Gallery) -> None:
    assert gallery.meet(CORE_HEADER + section(1, leb(2**32 - 1))).outcome == "abi-error"


def test_a_module_as_a_component_and_a_component_as_a_module_are_refused(gallery: Gallery) -> None:
    assert gallery.meet(COMPONENT_HEADER + WHOLE[8:]).outcome == "abi-error"
    assert gallery.meet(CORE_HEADER + component()[8:]).outcome == "abi-error"


def test_an_empty_module_and_an_empty_component_lack_an_export(gallery: Gallery) -> None:
    assert gallery.meet(CORE_HEADER).detail == "the module does not export its memory as `memory`; it exports nothing"
    assert "does not export a function `solve`" in gallery.meet(COMPONENT_HEADER).detail


def test_a_module_over_the_limit_of_size_is_refused(gallery: Gallery) -> None:
    met = gallery.meet(built(after=custom("padding", bytes(MODULE_LIMIT))))
    assert (met.outcome, met.detail) == ("abi-error", "the module is larger than 64 MiB")


def test_a_custom_section_of_a_hundred_megabytes_is_refused_for_its_size(gallery: Gallery) -> None:
    met = gallery.meet(built(after=custom("padding", bytes(100_000_000))))
    assert met.detail == "the module is larger than 64 MiB"


def test_a_custom_section_of_almost_the_limit_is_passed_over(gallery: Gallery) -> None:
    assert gallery.meet(built(after=custom("padding", bytes(60 * MIB)))).outcome == "pass"


@pytest.mark.parametrize(
    "name", ["name", "producers", "target_features", "dylink.0", ".debug_info", "sourceMappingURL"]
)
def test_a_custom_section_of_rubbish_is_passed_over(gallery: Gallery, name: str) -> None:
    assert gallery.meet(built(after=custom(name, bytes(range(256)) * 10))).outcome == "pass"


def test_custom_sections_by_the_ten_thousand_are_passed_over(gallery: Gallery) -> None:
    assert gallery.meet(built(after=custom("x", b"y") * 10_000)).outcome == "pass"


def test_functions_by_the_thousand_are_compiled(gallery: Gallery) -> None:
    assert gallery.meet(built(more=[NOTHING] * 10_000)).outcome == "pass"


def test_more_functions_than_wasm_knows_are_refused(gallery: Gallery) -> None:
    met = gallery.meet(built(more=[NOTHING] * 1_000_001))
    assert met.outcome == "abi-error"
    assert "functions count exceeds limit" in met.detail


@pytest.mark.parametrize("kind", [b"\x7f", b"\x7e", b"\x7c", b"\x7b", b"\x70"])
def test_fifty_thousand_locals_are_compiled(gallery: Gallery, kind: bytes) -> None:
    met = gallery.meet(built(b"\x01" + leb(49_990) + kind + b"\x42\x00\x0b"), expected="0")
    assert met.outcome == "invalid-output"


def test_four_billion_locals_are_refused(gallery: Gallery) -> None:
    met = gallery.meet(built(b"\x01" + leb(2**32 - 1) + b"\x7e\x42\x00\x0b"))
    assert met.outcome == "abi-error"
    assert "too many locals" in met.detail


def test_a_function_of_megabytes_is_refused(gallery: Gallery) -> None:
    assert gallery.meet(built(b"\x00" + b"\x01" * 8_000_000 + b"\x42\x00\x0b")).outcome == "abi-error"


def test_a_hundred_thousand_blocks_within_blocks_are_compiled(gallery: Gallery) -> None:
    assert gallery.meet(built(nested(b"\x02\x40", 100_000))).outcome == "invalid-output"


def test_a_jump_table_of_a_hundred_thousand_targets_is_refused(gallery: Gallery) -> None:
    table = b"\x00\x02\x40\x41\x00\x0e" + leb(100_000) + bytes(100_001) + b"\x0b\x42\x00\x0b"
    met = gallery.meet(built(table))
    assert met.outcome == "abi-error"
    assert "`br_table` has 100000 targets" in met.detail


def test_jump_tables_by_the_hundred_are_compiled(gallery: Gallery) -> None:
    table = b"\x02\x40\x41\x00\x0e" + leb(2000) + bytes(2001) + b"\x0b"
    assert gallery.meet(built(b"\x00" + table * 100 + b"\x42\x00\x0b")).outcome == "invalid-output"


def test_loops_within_loops_that_take_minutes_to_compile_are_given_up() -> None:
    slow = built(nested(b"\x03\x40", 60_000))
    with Pool(1, compile_seconds=0.5) as pool:
        echo = pool.prepare(core_module(ECHO), "solve")
        with pytest.raises(ModuleRefused, match="can't be compiled: it took longer than"):
            pool.prepare(slow, "solve")
        assert pool.prepare(core_module(ECHO), "solve") == echo


def test_a_module_that_takes_too_much_memory_to_compile_is_given_up() -> None:
    greedy = built(more=[NOTHING] * 40_000)
    with Pool(1, compile_memory=160 * MIB) as pool:
        echo = pool.prepare(core_module(ECHO), "solve")
        with pytest.raises(ModuleRefused, match=r"ended by SIGABRT \(compiling may take 160 MiB of memory\)"):
            pool.prepare(greedy, "solve")
        assert pool.prepare(core_module(ECHO), "solve") == echo


def test_what_compiling_took_is_given_back(gallery: Gallery) -> None:
    # Met again after a large module, a small one has the memory of a small one.
    gallery.meet(built(more=[NOTHING] * 30_000))
    assert gallery.meet(core_module(ECHO)).outcome == "pass"
