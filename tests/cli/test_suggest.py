"""`cabinet-ci evaluate --suggest`, and the warnings that every evaluation gives about its limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.cases import DEFAULT_PATH, ECHO, CaseFile, answering, core_module, put, spinning, wat, write_case
from tests.support.command import Ran, cabinet, one_line

LONG = "[" + ", ".join(map(str, range(100))) + "]"
CASES = (CaseFile("one"), CaseFile("two", LONG, LONG, "stress", 10.0))
OVER = 'expect = "over-ceiling"'


def per_byte(rounds: int) -> bytes:
    """A module that answers with its input after so many rounds of a loop for each byte of it."""
    return core_module(
        f"""(local $n i32) (loop (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get $n) (i32.mul (local.get $len) (i32.const {rounds}))))){ECHO}"""
    )


def costly_to_set_up(rounds: int) -> bytes:
    """A module that answers with its input at once, after a start function of so many rounds."""
    return wat(f"""(module
      (memory (export "memory") 1)
      (func $start (local $n i32) (loop (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get $n) (i32.const {rounds})))))
      (start $start)
      (func (export "alloc") (param i32) (result i32) (i32.const 1024))
      (func (export "solve") (param $ptr i32) (param $len i32) (result i64) {ECHO}))""")


def write_pair(
    root: Path, limit: int, *, runway: float = 10.0, naive: str = OVER, modules: Mapping[str, bytes] | None = None
) -> None:
    """A version with an efficient reference and one that needs ten times its fuel."""
    write_case(
        root,
        cases=(CASES[0], CASES[1]._replace(runway=runway)),
        references=modules or {"efficient": per_byte(10), "naive": per_byte(100)},
        expectations={"naive": naive},
        fuel_limit=limit,
    )


def suggest(root: Path, *arguments: str) -> Ran:
    return cabinet("evaluate", "--suggest", *arguments, cwd=root)


def rewrite(root: Path, key: str, value: object) -> None:
    manifest = root / DEFAULT_PATH / "test-case.toml"
    text = manifest.read_text()
    assert f"{key} = " in text
    manifest.write_text(re.sub(f"{key} = .*", f"{key} = {value}", text))


def is_right(root: Path, key: str, value: object) -> bool:
    rewrite(root, key, value)
    return cabinet("evaluate", cwd=root).code == 0


def bound(text: str, word: str) -> int:
    found = re.search(rf"^  ([0-9,]+) or {word}", text, re.MULTILINE)
    assert found is not None, text
    return int(found[1].replace(",", ""))


def words_of(text: str) -> str:
    """The text on one line: long lines of the report are folded."""
    return " ".join(text.split())


@pytest.mark.parametrize("naive", [OVER, 'expect = "fail"'])
def test_the_interval_is_exact_to_the_unit(tmp_path: Path, naive: str) -> None:
    write_pair(tmp_path, 150_000, runway=1.5, naive=naive)
    ran = suggest(tmp_path)
    low, high = bound(ran.out, "more"), bound(ran.out, "less")
    assert is_right(tmp_path, "fuel_limit", low)
    assert is_right(tmp_path, "fuel_limit", high)
    assert not is_right(tmp_path, "fuel_limit", low - 1)
    assert not is_right(tmp_path, "fuel_limit", high + 1)


def test_every_round_number_that_is_suggested_is_right(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000)
    found = re.search("round numbers inside: (.*)", suggest(tmp_path).out)
    assert found is not None
    limits = found[1].split(", ")
    assert len(limits) > 1
    assert all(is_right(tmp_path, "fuel_limit", limit) for limit in limits)


def test_the_runway_is_exact_and_a_round_one_suggested(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000)
    row = re.search(r"cases/two.json +10 +([0-9.]+) or more +([0-9.]+) +naive", suggest(tmp_path).out)
    assert row is not None
    assert is_right(tmp_path, "fuel_runway", row[1])
    assert is_right(tmp_path, "fuel_runway", row[2])
    assert not is_right(tmp_path, "fuel_runway", float(row[1]) - 0.000_01)


def test_a_limit_that_needs_another_runway_is_suggested_with_it(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000, runway=1.0)
    ran = suggest(tmp_path)
    limit = re.search("with the runways below: ([0-9_]+)", ran.out)
    runway = re.search(r"cases/two.json +1 +[0-9.]+ or more +([0-9.]+)", ran.out)
    assert ran.code == 1
    assert limit is not None
    assert runway is not None
    rewrite(tmp_path, "fuel_limit", limit[1])
    assert is_right(tmp_path, "fuel_runway", runway[1])


def test_what_a_stopped_case_needs_is_measured(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000, runway=1.0)
    needed = re.search(r"ran out of fuel +case +needs.*\nnaive +cases/two.json +([0-9,]+) ", suggest(tmp_path).out)
    assert needed is not None
    rewrite(tmp_path, "fuel_runway", 1000)
    ran = cabinet("evaluate", "--format", "json", "--reference", "naive", cwd=tmp_path)
    assert ran.json["versions"][0]["runs"][0]["cases"][1]["fuel"] == int(needed[1].replace(",", ""))


def test_a_case_that_ran_out_of_fuel_against_expectation_is_pointed_here(tmp_path: Path) -> None:
    words = "--suggest measures what a case needs that ran out of fuel"
    write_pair(tmp_path, 100_000, runway=1.0)
    assert words in cabinet("evaluate", cwd=tmp_path).out
    write_pair(tmp_path, 100_000, runway=1.0, naive='expect = "fail"')
    assert words not in cabinet("evaluate", cwd=tmp_path).out


def test_variants_are_told_apart(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000)
    folder = tmp_path / DEFAULT_PATH
    rewrite(tmp_path, "variants", '["variants/base.toml", "variants/other.toml"]')
    put(folder / "variants/other.toml", 'slug = "other"\nreference_implementation = "complete/naive"\n')
    put(folder / "complete/naive/given.wasm", per_byte(20))
    out = suggest(tmp_path).out
    assert re.search(r"gap to efficient \(base\) +naive \(base\) +naive \(other\)", out)
    assert re.search(r"^naive \(other\) +cases/two.json +[0-9,]+ +[0-9.]+ %$", out, re.MULTILINE)
    assert re.search(r"^naive \(base\) +cases/two.json +[0-9,]+ +over the ceiling", out, re.MULTILINE)


def test_what_takes_more_than_twenty_times_its_budget_stays_open(tmp_path: Path) -> None:
    modules = {"efficient": per_byte(10), "naive": per_byte(100_000)}
    write_pair(tmp_path, 100_000, runway=1.0, naive='expect = "fail"', modules=modules)
    out = words_of(suggest(tmp_path).out)
    assert "over 2,000,000" in out
    assert "2,000,000 or less, and how much more is not known" in out


def test_setting_up_is_measured_too(tmp_path: Path) -> None:
    write_case(tmp_path, references={"efficient": costly_to_set_up(1000)}, fuel_limit=10_000)
    low = bound(suggest(tmp_path).out, "more")
    assert low > 1000
    assert is_right(tmp_path, "fuel_limit", low)
    assert not is_right(tmp_path, "fuel_limit", low - 1)


def test_setting_up_that_was_stopped_is_measured_as_well(tmp_path: Path) -> None:
    write_case(tmp_path, references={"efficient": costly_to_set_up(1000)}, fuel_limit=1000)
    ran = suggest(tmp_path)
    assert ran.code == 1
    assert is_right(tmp_path, "fuel_limit", bound(ran.out, "more"))


def test_references_that_clash_are_both_named(tmp_path: Path) -> None:
    modules = {"efficient": per_byte(100), "naive": per_byte(100)}
    write_pair(tmp_path, 100_000, modules=modules)
    out = words_of(suggest(tmp_path).out)
    assert "none is right with these runways" in out
    assert "or more: efficient must pass cases/two.json" in out
    assert "or less: naive must be over the ceiling at cases/two.json" in out
    assert "round numbers" not in out


def test_a_wrong_reference_that_a_smoke_case_stops_bounds_nothing(tmp_path: Path) -> None:
    modules = {"efficient": per_byte(10), "naive": answering("[0]")}
    write_pair(tmp_path, 100_000, naive='expect = "fail"\n[cases]\n"cases/two.json" = "not-run"', modules=modules)
    ran = suggest(tmp_path)
    assert ran.code == 0
    assert "there is no upper end" in ran.out


def test_headroom_is_shown_for_each_reference(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000)
    lines = suggest(tmp_path).out.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("nearest to the ceiling"))
    assert re.fullmatch(r"efficient +cases/two.json +[0-9,]+ +[0-9.]+ %", lines[start + 1])
    assert re.fullmatch(r"naive +cases/two.json +[0-9,]+ +over the ceiling: [0-9.]+ [x%]", lines[start + 2])


@pytest.mark.parametrize("command", [["evaluate"], ["check", "--all"]])
def test_a_limit_near_an_end_is_a_warning_of_every_evaluation(tmp_path: Path, command: list[str]) -> None:
    write_pair(tmp_path, 100_000)
    low = bound(suggest(tmp_path).out, "more")
    rewrite(tmp_path, "fuel_limit", low + low // 20)
    ran = cabinet(*command, cwd=tmp_path)
    assert ran.code == 0
    assert "warning: fuel_limit" in ran.out
    assert "is within 10 % of the least that is right" in words_of(ran.out)


def test_a_gap_under_two_is_a_warning_with_its_reason(tmp_path: Path) -> None:
    write_pair(tmp_path, 50_000, modules={"efficient": per_byte(10), "naive": per_byte(19)})
    out = words_of(cabinet("evaluate", cwd=tmp_path).out)
    assert "warning: cases/two.json hardly tells naive from efficient: the gap is 1.90" in out


def test_limits_that_are_chosen_well_give_no_warning(tmp_path: Path) -> None:
    write_pair(tmp_path, 100_000)
    assert "warning" not in cabinet("evaluate", cwd=tmp_path).out


@pytest.mark.parametrize("arguments", [["--format", "json"], ["--module", "x.wasm"]])
def test_what_does_not_go_with_it_is_refused_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    write_case(tmp_path, references={"efficient": spinning(10)})
    ran = suggest(tmp_path, *arguments)
    assert ran.code == 2
    assert f"leave out {' '.join(arguments[:2] if arguments[0] == '--format' else arguments[:1])}" in one_line(ran.err)
