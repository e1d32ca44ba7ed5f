"""`cabinet-ci evaluate` on both module kinds, and what it tells of a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.cases import CaseFile, answering, component, put, wat, write_case
from tests.support.command import cabinet

ERR = """(i32.store8 (i32.const 8) (i32.const 1)) (i32.store (i32.const 12) (local.get $ptr))
  (i32.store (i32.const 16) (local.get $len)) (i32.const 8)"""


def only_run(root: Path) -> Any:
    ran = cabinet("evaluate", "--format", "json", cwd=root)
    (version,) = ran.json["versions"]
    (run,) = version["runs"]
    return run


def test_a_component_is_evaluated_as_it_is(tmp_path: Path) -> None:
    write_case(tmp_path, references={"echo": component()})
    run = only_run(tmp_path)
    assert (run["status"], run["module"]["kind"]) == ("pass", "component")
    assert run["score"] == sum(case["fuel"] for case in run["cases"] if case["kind"] == "stress")


def test_a_core_module_is_told_as_one(tmp_path: Path) -> None:
    write_case(tmp_path)
    assert only_run(tmp_path)["module"]["kind"] == "core"


def test_the_err_of_a_component_is_a_wrong_answer_with_its_text(tmp_path: Path) -> None:
    write_case(tmp_path, references={"err": component(ERR, gives="(result string (error string))")})
    case = only_run(tmp_path)["cases"][0]
    assert case["outcome"] == "wrong-answer"
    assert "[1]" in case["detail"]


def test_correct_on_the_runway_is_over_the_ceiling_for_a_component_too(tmp_path: Path) -> None:
    cases = (CaseFile("one", kind="stress", runway=10.0),)
    write_case(tmp_path, cases=cases, references={"echo": component()})
    needed = only_run(tmp_path)["cases"][0]["fuel"]
    for limit, outcome in ((needed - 1, "over-ceiling"), (needed, "pass")):
        write_case(tmp_path, cases=cases, references={"echo": component()}, fuel_limit=limit)
        case = only_run(tmp_path)["cases"][0]
        assert (case["outcome"], case["fuel"]) == (outcome, needed)


def test_what_a_module_printed_is_shown_where_it_fails(tmp_path: Path) -> None:
    printing = wat("""(module
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (data (i32.const 100) "\\c8\\00\\00\\00\\10\\00\\00\\00")
      (data (i32.const 200) "index past bound")
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func (export "solve") (param i32 i32) (result i64)
        (drop (call $write (i32.const 2) (i32.const 100) (i32.const 1) (i32.const 64))) unreachable))""")
    write_case(tmp_path, references={"printing": printing})
    case = only_run(tmp_path)["cases"][0]
    assert case["outcome"] == "trap"
    assert case["detail"].endswith("it printed: index past bound")


def test_a_wrong_answer_that_breaks_the_output_schema_says_where(tmp_path: Path) -> None:
    folder = write_case(tmp_path, references={"odd": answering('["one"]')})
    put(folder / "schemas/output.json", '{"type": "array", "items": {"type": "integer"}}')
    detail = only_run(tmp_path)["cases"][0]["detail"]
    assert detail.startswith("at $[0]: expected 1, found ")
    assert "it breaks schemas/output.json at $[0]" in detail


def test_a_wrong_answer_that_keeps_the_output_schema_says_nothing_of_it(tmp_path: Path) -> None:
    folder = write_case(tmp_path, references={"odd": answering("[2]")})
    put(folder / "schemas/output.json", '{"type": "array", "items": {"type": "integer"}}')
    assert only_run(tmp_path)["cases"][0]["detail"] == "at $[0]: expected 1, found 2"


def test_an_import_that_is_not_offered_is_named(tmp_path: Path) -> None:
    importing = wat("""(module (import "env" "clock" (func)) (memory (export "memory") 1))""")
    write_case(tmp_path, references={"odd": importing})
    assert "`env.clock`" in cabinet("evaluate", cwd=tmp_path).out
