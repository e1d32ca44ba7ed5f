"""`evaluate`: the table that a person reads."""

from __future__ import annotations

from pathlib import Path

from tests.support.cases import CaseFile, spinning, write_case
from tests.support.command import cabinet


def test_of_a_long_build_log_the_first_error_is_shown(tmp_path: Path) -> None:
    write_case(tmp_path, build="echo 'error[E0583]: no such module'; seq 30; exit 1")
    lines = cabinet("evaluate", cwd=tmp_path).out.splitlines()
    start = next(index for index, line in enumerate(lines) if line.strip().startswith("error[E0583]"))
    assert lines[start + 1].strip() == "1"
    assert any("more lines" in line for line in lines)


def test_the_table_shows_each_stress_case_with_its_share_of_the_ceiling(tmp_path: Path) -> None:
    write_case(tmp_path, references={"slow": spinning(1000)}, fuel_limit=16_016)
    lines = cabinet("evaluate", cwd=tmp_path).out.splitlines()
    stress = next(index for index, line in enumerate(lines) if line.strip().startswith("stress "))
    assert "50.0 %" in lines[stress + 1]
    assert "██████████░░░░░░░░░░" in lines[stress + 1]
    assert "8,008" in lines[stress + 1]
    assert lines[-1] == "1 reference evaluated, all as expected"


def test_smoke_cases_that_pass_are_counted_and_those_that_do_not_are_listed_without_a_share(tmp_path: Path) -> None:
    cases = (CaseFile("right"), CaseFile("off", "[1, 5]", "[1, 2]"), CaseFile("big", "[7]", "[7]", "stress"))
    write_case(tmp_path, cases=cases)
    text = cabinet("evaluate", cwd=tmp_path).out
    assert "1 of 2 smoke cases pass" in text
    assert "cases/right.json" not in text
    (listed,) = [line for line in text.splitlines() if line.strip().startswith("cases/off.json")]
    assert "at $[1]: expected 2, found 5" in listed
    assert "%" not in listed


def test_where_all_smoke_cases_pass_none_is_listed(tmp_path: Path) -> None:
    write_case(
        tmp_path,
        cases=(CaseFile("a"), CaseFile("b", "[2]", "[2]"), CaseFile("c", "[7]", "[7]", "stress")),
    )
    text = cabinet("evaluate", cwd=tmp_path).out
    assert "all 2 smoke cases pass" in text
    assert "cases/a.json" not in text
    assert "cases/c.json" in text


def test_a_wrong_answer_shows_the_first_place_where_it_differs(tmp_path: Path) -> None:
    write_case(tmp_path, cases=(CaseFile("one", "[1, 5]", "[1, 2]", "stress"),))
    assert "at $[1]: expected 2, found 5" in cabinet("evaluate", cwd=tmp_path).out


def test_the_gap_between_two_references_is_shown_per_case(tmp_path: Path) -> None:
    write_case(tmp_path, references={"fast": spinning(100), "slow": spinning(1000)})
    assert "gap to fast" in cabinet("evaluate", cwd=tmp_path).out
