"""What a module is offered of the world: what a start-up needs, and nothing that differs from host to host."""

from __future__ import annotations

import pytest

from cabinet_ci.evaluation.sandbox.calls import Called, Limits, ModuleRefused
from cabinet_ci.evaluation.sandbox.engine import load, make_engine
from cabinet_ci.evaluation.sandbox.entry import Subject
from cabinet_ci.evaluation.sandbox.offered import PRINTED_LIMIT, World
from cabinet_ci.evaluation.sandbox.preview1 import PARAMETERS
from tests.support.cases import wat

LIMITS = Limits(setup_fuel=100_000, budget=1_000_000, memory_bytes=1_048_576)

ANSWER_AT_64 = "(i64.or (i64.shl (i64.const 64) (i64.const 32)) (i64.const 8))"
"""The answer is the eight bytes at 64."""


def run(module: bytes) -> Called:
    subject = Subject(load(make_engine(), module), module, "solve")
    return subject.explain(b"[]", LIMITS, subject.call(b"[]", LIMITS))


def refusal(module: bytes) -> str:
    with pytest.raises(ModuleRefused) as refused:
        Subject(load(make_engine(), module), module, "solve")
    return refused.value.reason


def preview1(name: str, body: str, gives: str = "(result i32)", extra: str = "") -> bytes:
    """A core module that imports one function as $f and answers with the eight bytes at 64."""
    takes = " ".join({"i": "i32", "I": "i64"}[letter] for letter in PARAMETERS[name])
    return wat(f"""(module
      (import "wasi_snapshot_preview1" "{name}" (func $f (param {takes}) {gives}))
      (memory (export "memory") 1)
      {extra}
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func (export "solve") (param i32 i32) (result i64) {body} {ANSWER_AT_64}))""")


def number(called: Called) -> int:
    assert called.answer is not None, called
    return int.from_bytes(called.answer, "little")


def errno(module_name: str, arguments: str) -> int:
    """The error number of one call."""
    return number(run(preview1(module_name, f"(i64.store (i32.const 64) (i64.extend_i32_u (call $f {arguments})))")))


def test_the_wall_clock_stands_still() -> None:
    body = "(drop (call $f (i32.const 0) (i64.const 1) (i32.const 64)))"
    assert number(run(preview1("clock_time_get", body))) == 1_577_836_800 * 10**9


def test_the_monotonic_clock_stands_still() -> None:
    body = "(i64.store (i32.const 64) (i64.const 7)) (drop (call $f (i32.const 1) (i64.const 1) (i32.const 64)))"
    assert number(run(preview1("clock_time_get", body))) == 0


def test_random_bytes_are_the_same_for_every_call_of_the_entry() -> None:
    module = preview1("random_get", "(drop (call $f (i32.const 64) (i32.const 8)))")
    assert run(module).answer == run(module).answer == World().random(8)


def test_random_bytes_go_on_within_one_call() -> None:
    once = "(drop (call $f (i32.const 64) (i32.const 8)))"
    assert run(preview1("random_get", once * 2)).answer == World().random(16)[8:]


def test_there_are_no_arguments_and_no_environment() -> None:
    body = "(i64.store (i32.const 64) (i64.const -1)) (drop (call $f (i32.const 64) (i32.const 68)))"
    for name in ("args_sizes_get", "environ_sizes_get"):
        assert number(run(preview1(name, body))) == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("fd_prestat_get", "(i32.const 3) (i32.const 64)"),
        (
            "path_open",
            "(i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 64)",  # noqa: E501
        ),
        ("sock_shutdown", "(i32.const 4) (i32.const 0)"),
        ("fd_read", "(i32.const 3) (i32.const 0) (i32.const 0) (i32.const 64)"),
        ("fd_write", "(i32.const 3) (i32.const 0) (i32.const 0) (i32.const 64)"),
    ],
)
def test_there_are_no_files_and_no_sockets(name: str, arguments: str) -> None:
    assert errno(name, arguments) == 8


def test_standard_input_is_at_its_end() -> None:
    body = "(drop (call $f (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 64)))"
    assert number(run(preview1("fd_read", body))) == 0


def printing(text: str, times: int = 1) -> str:
    """A body that writes a text at 2048 to standard error, so many times."""
    return f"""(i32.store (i32.const 128) (i32.const 2048)) (i32.store (i32.const 132) (i32.const {len(text)}))
      {"(drop (call $f (i32.const 2) (i32.const 128) (i32.const 1) (i32.const 64)))" * times}"""


def test_what_is_printed_is_kept_for_the_detail_of_a_failure() -> None:
    module = preview1("fd_write", printing("what now") + " unreachable", extra='(data (i32.const 2048) "what now")')
    called = run(module)
    assert (called.ending, called.printed) == ("trap", "what now")


def test_of_what_is_printed_the_end_is_kept() -> None:
    text = "x" * 1000 + "."
    module = preview1("fd_write", printing(text, 20), extra=f'(data (i32.const 2048) "{text}")')
    assert run(module).printed == (text * 20)[-PRINTED_LIMIT:]


def test_exit_ends_the_case_as_a_trap() -> None:
    called = run(preview1("proc_exit", "(call $f (i32.const 3))", gives=""))
    assert (called.ending, called.detail) == ("trap", "the module exited with code 3")


def test_a_sleep_is_over_at_once() -> None:
    body = "(drop (call $f (i32.const 256) (i32.const 512) (i32.const 1) (i32.const 64)))"
    assert number(run(preview1("poll_oneoff", body))) == 1


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("random_get", "(i32.const -1) (i32.const 8)"),
        ("clock_time_get", "(i32.const 0) (i64.const 0) (i32.const 65530)"),
        ("fd_write", "(i32.const 1) (i32.const 65533) (i32.const 1) (i32.const 64)"),
        ("poll_oneoff", "(i32.const 65530) (i32.const 64) (i32.const 1) (i32.const 64)"),
    ],
)
def test_a_wild_pointer_is_a_fault_for_the_module_to_deal_with(name: str, arguments: str) -> None:
    assert errno(name, arguments) == 21


def test_a_greedy_call_is_refused() -> None:
    assert run(preview1("random_get", "(drop (call $f (i32.const 0) (i32.const -1)))")).ending == "trap"
    assert errno("fd_write", "(i32.const 1) (i32.const 0) (i32.const -1) (i32.const 64)") == 28


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_every_function_of_preview_1_can_be_imported(name: str) -> None:
    takes = " ".join({"i": "i32", "I": "i64"}[letter] for letter in PARAMETERS[name])
    zeroes = " ".join({"i": "(i32.const 0)", "I": "(i64.const 0)"}[letter] for letter in PARAMETERS[name])
    assert takes.count("i") == len(PARAMETERS[name])
    if name == "proc_exit":
        assert run(preview1(name, f"(call $f {zeroes})", gives="")).ending == "trap"
    else:
        assert run(preview1(name, f"(drop (call $f {zeroes}))")).ending == "answer"


@pytest.mark.parametrize(
    ("imported", "words"),
    [
        ('(import "env" "now" (func))', "`env.now`"),
        ('(import "wasi_snapshot_preview1" "fd_teleport" (func))', "`wasi_snapshot_preview1.fd_teleport`"),
        ('(import "wasi_snapshot_preview1" "fd_close" (func))', "(i32) -> i32"),
        ('(import "wasi_snapshot_preview1" "fd_close" (global i32))', "(i32) -> i32"),
        ('(import "wasi_unstable" "fd_close" (func (param i32) (result i32)))', "`wasi_unstable.fd_close`"),
    ],
)
def test_any_other_import_is_refused_by_its_name(imported: str, words: str) -> None:
    assert words in refusal(wat(f'(module {imported} (memory (export "memory") 1))'))


def preview2(interface: str, function: str, kind: str, lowered: str, body: str) -> bytes:
    """A component that imports one function of an interface as $f and answers with the eight bytes at 64."""
    return wat(preview2_text(interface, function, kind, lowered, body))


def preview2_text(interface: str, function: str, kind: str, lowered: str, body: str, types: str = "") -> str:
    return f"""(component
      (import "{interface}" (instance $w {types} (export "{function}" (func {kind}))))
      (core module $store
        (memory (export "memory") 1)
        (global $next (mut i32) (i32.const 1024))
        (func (export "realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
          (local.set $at (global.get $next))
          (global.set $next (i32.and (i32.add (global.get $next) (i32.add (local.get 3) (i32.const 7))) (i32.const -8)))
          (local.get $at)))
      (core instance $s (instantiate $store))
      (alias export $w "{function}" (func $f))
      (core func $g (canon lower (func $f) (memory (core memory $s "memory")) (realloc (core func $s "realloc"))))
      (core module $m
        (import "s" "memory" (memory 1))
        (import "w" "f" (func $f {lowered}))
        (func (export "solve") (param i32 i32) (result i32) {body}
          (i32.store (i32.const 8) (i32.const 64)) (i32.store (i32.const 12) (i32.const 8)) (i32.const 8)))
      (core instance $i (instantiate $m (with "s" (instance $s)) (with "w" (instance (export "f" (func $g))))))
      (func $solve (param "input" (list u8)) (result (list u8))
        (canon lift (core func $i "solve") (memory (core memory $s "memory")) (realloc (core func $s "realloc"))))
      (export "solve" (func $solve)))"""


@pytest.mark.parametrize("version", ["0.2.0", "0.2.3", "0.2.9"])
def test_a_component_sees_the_same_clock(version: str) -> None:
    body = "(i64.store (i32.const 64) (i64.add (call $f) (i64.const 5)))"
    module = preview2(f"wasi:clocks/monotonic-clock@{version}", "now", "(result u64)", "(result i64)", body)
    assert number(run(module)) == 5


def test_a_component_sees_the_same_random_bytes() -> None:
    body = "(i64.store (i32.const 64) (call $f))"
    module = preview2("wasi:random/random@0.2.0", "get-random-u64", "(result u64)", "(result i64)", body)
    assert run(module).answer == World().random(8)


def test_a_component_is_given_random_bytes_as_a_list() -> None:
    body = """(call $f (i64.const 8) (i32.const 16))
      (i64.store (i32.const 64) (i64.load (i32.load (i32.const 16))))"""
    kind = '(param "len" u64) (result (list u8))'
    module = preview2("wasi:random/random@0.2.0", "get-random-bytes", kind, "(param i64 i32)", body)
    assert run(module).answer == World().random(8)


def test_a_component_has_no_environment() -> None:
    body = "(i32.store (i32.const 20) (i32.const 9)) (call $f (i32.const 16)) (i64.store (i32.const 64) (i64.load32_u (i32.const 20)))"  # noqa: E501
    kind = "(result (list (tuple string string)))"
    module = preview2("wasi:cli/environment@0.2.0", "get-environment", kind, "(param i32)", body)
    assert number(run(module)) == 0


def test_the_exit_of_a_component_ends_the_case_as_a_trap() -> None:
    module = preview2(
        "wasi:cli/exit@0.2.0", "exit", '(param "status" (result))', "(param i32)", "(call $f (i32.const 1))"
    )
    called = run(module)
    assert (called.ending, called.detail) == ("trap", "the module exited with code 1")


def test_what_a_component_has_nothing_to_work_on_for_is_a_trap_that_names_it() -> None:
    module = preview2("wasi:cli/run@0.2.0", "run", "(result u32)", "(result i32)", "(drop (call $f))")
    called = run(module)
    assert called.ending == "trap"
    assert "`wasi:cli/run.run`" in called.detail


def test_where_an_interface_can_say_so_what_there_is_not_is_not_supported() -> None:
    codes = '(enum "access-denied" "not-supported")'
    module = wat(
        preview2_text(
            "wasi:sockets/tcp-create-socket@0.2.0",
            "create-tcp-socket",
            "(result (result u32 (error $code)))",
            "(param i32)",
            "(call $f (i32.const 64))",
            f'(type $codes {codes}) (export "error-code" (type $code (eq $codes)))',
        )
    )
    answer = run(module).answer
    assert answer is not None
    assert (answer[0], answer[4]) == (1, 1)


PRINTING_COMPONENT = """(component
  (import "wasi:io/error@0.2.0" (instance $e (export "error" (type (sub resource)))))
  (alias export $e "error" (type $error))
  (import "wasi:io/streams@0.2.0" (instance $streams
    (export "output-stream" (type $o (sub resource)))
    (alias outer 1 $error (type $outer))
    (export "error" (type $inner (eq $outer)))
    (type $shape (variant (case "last-operation-failed" (own $inner)) (case "closed")))
    (export "stream-error" (type $failure (eq $shape)))
    (export "[method]output-stream.blocking-write-and-flush"
      (func (param "self" (borrow $o)) (param "contents" (list u8)) (result (result (error $failure)))))))
  (alias export $streams "output-stream" (type $out))
  (import "wasi:cli/stderr@0.2.0" (instance $stderr
    (alias outer 1 $out (type $outer))
    (export "output-stream" (type $inner (eq $outer)))
    (export "get-stderr" (func (result (own $inner))))))
  (alias export $streams "[method]output-stream.blocking-write-and-flush" (func $write))
  (alias export $stderr "get-stderr" (func $get))
  (core module $store
    (memory (export "memory") 1)
    (data (i32.const 200) "what now")
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
  (core instance $s (instantiate $store))
  (core func $lowered-get (canon lower (func $get)))
  (core func $lowered-write
    (canon lower (func $write) (memory (core memory $s "memory")) (realloc (core func $s "realloc"))))
  (core module $m
    (import "w" "get" (func $get (result i32)))
    (import "w" "write" (func $write (param i32 i32 i32 i32)))
    (func (export "solve") (param i32 i32) (result i32)
      (call $write (call $get) (i32.const 200) (i32.const 8) (i32.const 64))
      unreachable))
  (core instance $i (instantiate $m (with "w" (instance
    (export "get" (func $lowered-get)) (export "write" (func $lowered-write))))))
  (func $solve (param "input" string) (result string)
    (canon lift (core func $i "solve") (memory (core memory $s "memory")) (realloc (core func $s "realloc"))))
  (export "solve" (func $solve)))"""


def test_what_a_component_prints_is_kept_for_the_detail_of_a_failure() -> None:
    called = run(wat(PRINTING_COMPONENT))
    assert (called.ending, called.printed) == ("trap", "what now")
