"""Modules that ask the host for more than it offers, or ask without end."""

from __future__ import annotations

import pytest

from cabinet_ci.evaluation.sandbox.offered import PRINTED_LIMIT, RANDOM_LIMIT
from cabinet_ci.evaluation.sandbox.preview1 import PARAMETERS
from tests.support.cases import ECHO, core_module, wat
from tests.support.gallery import MIB, Gallery

EXPORTS = '(memory (export "memory") 1) (func (export "alloc") (param i32) (result i32) (i32.const 1024))'
NOTHING_OFFERED = "and nothing is offered under that name"
LETTERS = {"i": "i32", "I": "i64"}


def importing(*imports: str) -> bytes:
    return wat(f"""(module {" ".join(imports)} {EXPORTS}
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {ECHO}))""")


def asking(name: str, body: str, data: str = "") -> bytes:
    """A module that imports one function of preview 1 as $f; its entry has the body, then echoes."""
    takes = " ".join(LETTERS[letter] for letter in PARAMETERS[name])
    gives = "" if name == "proc_exit" else "(result i32)"
    return wat(f"""(module (import "wasi_snapshot_preview1" "{name}" (func $f (param {takes}) {gives})) {EXPORTS}
      (data (i32.const 2048) "{data}")
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {body} {ECHO}))""")


@pytest.mark.parametrize(
    ("imported", "name"),
    [
        ('(import "env" "now" (func))', "env.now"),
        ('(import "env" "memory" (memory 1))', "env.memory"),
        ('(import "env" "table" (table 1 funcref))', "env.table"),
        ('(import "env" "global" (global i32))', "env.global"),
        ('(import "" "" (func))', "."),
        ('(import "wasi_unstable" "clock_time_get" (func (param i32 i64 i32) (result i32)))', "wasi_unstable.clock"),
        ('(import "wasi_snapshot_preview1" "thread_spawn" (func (param i32) (result i32)))', "thread_spawn"),
        ('(import "wasi_snapshot_preview1" "memory" (memory 1))', "wasi_snapshot_preview1.memory"),
        ('(import "wasi" "thread-spawn" (func (param i32) (result i32)))', "wasi.thread-spawn"),
        ('(import "wasi_ephemeral_nn" "compute" (func (param i32) (result i32)))', "wasi_ephemeral_nn.compute"),
        ('(import "__wbindgen_placeholder__" "__wbindgen_throw" (func (param i32 i32)))', "__wbindgen_throw"),
    ],
)
def test_an_import_of_anything_else_is_refused_by_its_name(gallery: Gallery, imported: str, name: str) -> None:
    source = imported if "memory" in imported else imported + EXPORTS
    met = gallery.meet(wat(f"(module {source})"))
    assert met.outcome == "abi-error"
    assert met.detail.startswith("the module imports `")
    assert name in met.detail
    assert met.detail.endswith(NOTHING_OFFERED)


@pytest.mark.parametrize(
    "shape",
    ["(func)", "(func (param i32 i32))", "(func (param i64) (result i32))", "(global i32)", "(table 1 funcref)"],
)
def test_an_import_with_another_signature_is_refused_with_the_right_one(gallery: Gallery, shape: str) -> None:
    met = gallery.meet(importing(f'(import "wasi_snapshot_preview1" "random_get" {shape})'))
    assert met.outcome == "abi-error"
    assert "`wasi_snapshot_preview1.random_get` as something else than (i32, i32) -> i32" in met.detail


def test_imports_by_the_thousand_are_refused_at_the_first(gallery: Gallery) -> None:
    met = gallery.meet(importing(*(f'(import "env" "f{number}" (func))' for number in range(10_000))))
    assert (met.outcome, met.detail) == ("abi-error", f"the module imports `env.f0`, {NOTHING_OFFERED}")


def test_one_import_a_thousand_times_is_offered_a_thousand_times(gallery: Gallery) -> None:
    once = '(import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))'
    assert gallery.meet(importing(*[once] * 1000)).outcome == "pass"


def test_an_import_with_a_name_of_megabytes_is_told_shortened(gallery: Gallery) -> None:
    met = gallery.meet(importing(f'(import "env" "{"x" * 90_000}" (func))'))
    assert met.detail.startswith("the module imports `env.xxxx")
    assert len(met.detail) < 400


def test_an_import_whose_name_holds_lines_is_told_on_one(gallery: Gallery) -> None:
    met = gallery.meet(importing('(import "env\\n\\n" "a\\r\\nb" (func))'))
    assert met.outcome == "abi-error"
    assert len(met.detail.splitlines()) == 1


def test_an_import_whose_name_is_no_utf_8_is_refused(gallery: Gallery) -> None:
    module = importing('(import "env" "now!" (func))').replace(b"now!", b"\xff\xfe!!")
    assert "UTF-8" in gallery.meet(module).detail


@pytest.mark.parametrize(("code", "shown"), [(0, 0), (3, 3), (-1, 4_294_967_295)])
def test_an_exit_with_any_code_is_a_trap(gallery: Gallery, code: int, shown: int) -> None:
    met = gallery.meet(asking("proc_exit", f"(call $f (i32.const {code}))"))
    assert (met.outcome, met.detail) == ("trap", f"the module exited with code {shown}")


def test_an_exit_in_the_start_function_is_a_trap_without_fuel(gallery: Gallery) -> None:
    module = wat(f"""(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32))) {EXPORTS}
      (func $start (call $exit (i32.const 0))) (start $start)
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {ECHO}))""")
    met = gallery.meet(module)
    assert (met.outcome, met.fuel, met.detail) == ("trap", None, "the module exited with code 0")


def test_raising_a_signal_does_nothing(gallery: Gallery) -> None:
    assert gallery.meet(asking("proc_raise", "(drop (call $f (i32.const 9)))")).outcome == "pass"


FLOOD = """(i32.store (i32.const 8) (i32.const 2048)) (i32.store (i32.const 12) (i32.const {size}))
  (loop (drop (call $f (i32.const {stream}) (i32.const 8) (i32.const 1) (i32.const 0))) (br 0))"""


@pytest.mark.parametrize("stream", [1, 2])
def test_a_flood_of_output_ends_with_the_fuel_and_its_end_is_kept(gallery: Gallery, stream: int) -> None:
    met = gallery.meet(asking("fd_write", FLOOD.format(size=4, stream=stream), "abc."), fuel=10_000)
    assert met.outcome == "out-of-fuel"
    assert met.called is not None
    assert met.called.printed == "abc." * (PRINTED_LIMIT // 4)
    assert len(met.detail) < PRINTED_LIMIT + 100


def test_a_flood_of_output_by_the_megabyte_is_not_kept_on_the_host(gallery: Gallery) -> None:
    body = "(drop (memory.grow (i32.const 1000)))" + FLOOD.format(size=60 * MIB, stream=1)
    met = gallery.meet(asking("fd_write", body), memory=64 * MIB)
    assert met.outcome == "out-of-fuel"
    assert met.called is not None
    assert len(met.called.printed) == PRINTED_LIMIT


def test_a_pass_says_nothing_of_what_was_printed(gallery: Gallery) -> None:
    write = FLOOD.format(size=4, stream=1).replace("(br 0)", "")
    met = gallery.meet(asking("fd_write", write, "abc."))
    assert (met.outcome, met.detail) == ("pass", "")


def test_output_that_is_no_utf_8_is_kept_as_far_as_it_can_be_read(gallery: Gallery) -> None:
    met = gallery.meet(
        asking("fd_write", FLOOD.format(size=3, stream=1).replace("(br 0)", "") + "unreachable", "a\\ff!")
    )
    assert met.detail == "trap: wasm `unreachable` instruction executed; it printed: a\ufffd!"


def test_output_of_a_million_pieces_at_once_is_refused_to_the_module(gallery: Gallery) -> None:
    refused = "(if (i32.ne (call $f (i32.const 1) (i32.const 0) (i32.const 1000000) (i32.const 0)) (i32.const 28)) (then unreachable))"  # noqa: E501
    assert gallery.meet(asking("fd_write", refused)).outcome == "pass"


def test_waiting_for_a_thousand_clocks_without_end_is_out_of_fuel(gallery: Gallery) -> None:
    loop = "(loop (drop (call $f (i32.const 0) (i32.const 0) (i32.const 1024) (i32.const 0))) (br 0))"
    assert gallery.meet(asking("poll_oneoff", loop), fuel=5000).outcome == "out-of-fuel"


def test_random_bytes_without_end_are_out_of_fuel(gallery: Gallery) -> None:
    loop = "(loop (drop (call $f (i32.const 0) (i32.const 65536))) (br 0))"
    assert gallery.meet(asking("random_get", loop), fuel=2000).outcome == "out-of-fuel"


def test_more_random_bytes_at_once_than_are_given_are_a_trap(gallery: Gallery) -> None:
    met = gallery.meet(asking("random_get", f"(drop (call $f (i32.const 0) (i32.const {RANDOM_LIMIT + 1})))"))
    assert met.outcome == "trap"
    assert met.detail == "1,048,577 random bytes asked for at once, and at most 1,048,576 are given"


@pytest.mark.parametrize("name", sorted(set(PARAMETERS) - {"proc_exit"}))
def test_wild_arguments_to_any_function_do_no_harm(gallery: Gallery, name: str) -> None:
    for value in (-1, -(2**31), 2**31 - 1, 65_535):
        arguments = " ".join(f"({LETTERS[letter]}.const {value})" for letter in PARAMETERS[name])
        met = gallery.meet(asking(name, f"(drop (call $f {arguments}))"))
        assert met.outcome == "pass" or "random bytes asked for at once" in met.detail


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("clock_time_get", "(i32.const 0) (i64.const 0) (i32.const 2048)"),
        ("clock_time_get", "(i32.const 1) (i64.const 0) (i32.const 2048)"),
        ("clock_time_get", "(i32.const 2) (i64.const 0) (i32.const 2048)"),
        ("random_get", "(i32.const 2048) (i32.const 8)"),
        ("environ_sizes_get", "(i32.const 2048) (i32.const 2052)"),
        ("args_sizes_get", "(i32.const 2048) (i32.const 2052)"),
    ],
)
def test_what_differs_from_host_to_host_elsewhere_is_the_same_twice(
    gallery: Gallery, name: str, arguments: str
) -> None:
    answer = f"(drop (call $f {arguments})) (return (i64.const {(2048 << 32) | 8}))"
    first, second = (gallery.meet(asking(name, answer)).called for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.answer is not None
    assert first.answer == second.answer


OPEN = """(call $f (i32.const {dir}) (i32.const 0) (i32.const 2048) (i32.const 11) (i32.const 0)
  (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 64))"""


@pytest.mark.parametrize("directory", [-1, 0, 3, 4, 5])
def test_no_file_can_be_opened_from_any_folder(gallery: Gallery, directory: int) -> None:
    opened = f"(if (i32.ne {OPEN.format(dir=directory)} (i32.const 8)) (then unreachable))"
    assert gallery.meet(asking("path_open", opened, "/etc/passwd")).outcome == "pass"


def test_the_memory_of_another_module_can_t_be_imported(gallery: Gallery) -> None:
    module = wat('(module (import "solution" "memory" (memory 1)) (export "memory" (memory 0)))')
    assert gallery.meet(module).detail == f"the module imports `solution.memory`, {NOTHING_OFFERED}"


def test_what_is_offered_asks_no_memory_of_a_module_that_has_none(gallery: Gallery) -> None:
    module = wat("""(module (import "wasi_snapshot_preview1" "fd_write" (func $f (param i32 i32 i32 i32) (result i32)))
      (func $start (drop (call $f (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 0)))) (start $start))""")
    assert gallery.meet(module).detail == "the module does not export its memory as `memory`; it exports nothing"


def test_what_is_offered_can_be_asked_while_setting_up(gallery: Gallery) -> None:
    module = core_module(ECHO)
    assert gallery.meet(module).outcome == "pass"
    early = wat(f"""(module (import "wasi_snapshot_preview1" "fd_write" (func $f (param i32 i32 i32 i32) (result i32)))
      {EXPORTS} (data (i32.const 8) "\\00\\08\\00\\00\\05\\00\\00\\00") (data (i32.const 2048) "early")
      (func $start (drop (call $f (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 0))) unreachable) (start $start)
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {ECHO}))""")
    met = gallery.meet(early)
    assert met.detail == "trap: wasm `unreachable` instruction executed; it printed: early"
