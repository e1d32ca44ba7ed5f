"""Specifications, their requirements, and the validators that these claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.suites.pong import TABLES, change, findings, told, write_pong
from tests.support.cases import put
from tests.support.toml import document

BALL = "specifications/ball/specification.toml"
PADDLE = "specifications/paddle/specification.toml"
SPEED = {
    "id": "speed",
    "kind": "functional",
    "text": "The ball MUST keep its speed.",
    "validators": ["ball/speed.ts"],
}


def nested(folder: Path, **changes: Any) -> None:
    """A specification in the folder of another."""
    values = {"id": "spin", "name": "Spin", "summary": "How it turns.", "path": "ball/spin.md"} | changes
    put(folder / "specifications/ball/deep/spin/specification.toml", document(values))
    put(folder / "specifications/ball/deep/spin/specification.md", "It turns.\n")


def requiring(folder: Path, *requirements: dict[str, Any]) -> None:
    """Give the ball these requirements."""
    change(folder, BALL, requirement=list(requirements))


def test_a_specification_may_be_nested_in_another(tmp_path: Path) -> None:
    nested(write_pong(tmp_path))
    assert told(tmp_path) == []


def test_an_id_is_unique_in_the_suite_also_where_it_is_nested(tmp_path: Path) -> None:
    nested(write_pong(tmp_path), id="ball")
    assert told(tmp_path) == ["CAB620 specifications/ball/deep/spin/specification.toml:1"]


def test_an_id_is_kebab_case(tmp_path: Path) -> None:
    nested(write_pong(tmp_path), id="Spin")
    assert [one.code for one in findings(tmp_path)] == ["CAB104"]


@pytest.mark.parametrize("key", ["id", "name", "summary", "path"])
def test_a_specification_needs_each_of_its_keys(tmp_path: Path, key: str) -> None:
    folder = write_pong(tmp_path)
    values = {"id": "spin", "name": "Spin", "summary": "How it turns.", "path": "spin.md"}
    del values[key]
    put(folder / "specifications/spin/specification.toml", document(values))
    put(folder / "specifications/spin/specification.md", "It turns.\n")
    assert told(tmp_path) == ["CAB102 specifications/spin/specification.toml:1"]


def test_a_specification_s_summary_is_one_line(tmp_path: Path) -> None:
    nested(write_pong(tmp_path), summary="How\nit turns.")
    assert [one.code for one in findings(tmp_path)] == ["CAB104"]


@pytest.mark.parametrize(
    ("path", "codes"),
    [
        ("spin.md", []),
        ("deep/er/spin.md", []),
        ("spin.txt", ["CAB621"]),
        ("spin", ["CAB621"]),
        ("spin.md/", ["CAB203"]),
        ("../spin.md", ["CAB201"]),
        ("/spin.md", ["CAB201"]),
        ("a\\spin.md", ["CAB201"]),
        ("ball.md", ["CAB622"]),
        ("./ball.md", ["CAB622"]),
        ("ball.md/spin.md", ["CAB622"]),
    ],
)
def test_a_path_ends_in_md_stays_inside_specs_and_is_unique(tmp_path: Path, path: str, codes: list[str]) -> None:
    nested(write_pong(tmp_path), path=path)
    assert [one.code for one in findings(tmp_path)] == codes


def test_a_requirement_s_id_is_unique_in_its_file_alone(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    plain = {"id": "plain", "kind": "non-functional", "text": "It MUST be plain."}
    change(folder, PADDLE, requirement=[plain, {**plain, "id": "speed"}])
    assert told(tmp_path) == []
    change(folder, PADDLE, requirement=[plain, plain])
    assert [one.code for one in findings(tmp_path)] == ["CAB623"]


@pytest.mark.parametrize("id_", ["Speed", "top speed", ""])
def test_a_requirement_s_id_is_kebab_case(tmp_path: Path, id_: str) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "id": id_})
    assert [one.code for one in findings(tmp_path)] == ["CAB104"]


def test_a_requirement_is_functional_or_non_functional(tmp_path: Path) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "kind": "optional"})
    assert [one.code for one in findings(tmp_path)] == ["CAB104"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The ball MUST NOT stop.", []),
        ("The ball SHALL, where it can, bounce", []),
        ("It is RECOMMENDED that the ball is round.", []),
        ("A border is OPTIONAL.", []),
        ("The ball must keep its speed.", ["CAB624"]),
        ("The ball keeps its speed.", ["CAB624"]),
        ("MUSTARD is no keyword.", ["CAB624"]),
        ("The ball MUST move. It MUST NOT stop.", ["CAB625"]),
        ("The ball MUST move!\nNothing MAY stop it.", ["CAB625"]),
        ("The ball MUST move\n\nand go on.", ["CAB625"]),
        ("The ball MUST move by 1.5 pixels, e.g. Right or left.", []),
        ('The game MUST show "Over. Press a key." at its end.', []),
        ("The ball MUST move\nin a straight line.", []),
        (" ", ["CAB104"]),
    ],
)
def test_a_text_is_one_sentence_with_a_keyword_in_capitals(tmp_path: Path, text: str, codes: list[str]) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "text": text})
    assert [one.code for one in findings(tmp_path)] == codes


def test_the_remedy_names_the_keyword_that_was_written_small(tmp_path: Path) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "text": "It should not stop."})
    assert findings(tmp_path)[0].hint == "write SHOULD in capitals"


def test_a_functional_requirement_has_a_validator(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    requiring(folder, SPEED, {**SPEED, "id": "line", "validators": []})
    assert [one.code for one in findings(tmp_path)] == ["CAB626"]


def test_a_non_functional_requirement_has_none(tmp_path: Path) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "kind": "non-functional"})
    (found,) = [one for one in findings(tmp_path) if one.code == "CAB627"]
    assert found.path.endswith(BALL)


def test_misspelling_the_validators_is_one_fault(tmp_path: Path) -> None:
    spelt = {**SPEED, "validator": SPEED["validators"]}
    del spelt["validators"]
    requiring(write_pong(tmp_path), spelt)
    assert [one.code for one in findings(tmp_path)] == ["CAB101"]


def test_a_validator_that_nobody_claims_is_told_at_its_file(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / "validators/ball/deep/spin.ts", "")
    assert told(tmp_path) == ["CAB650 validators/ball/deep/spin.ts"]


@pytest.mark.parametrize(
    "name", ["ball/spin.test.ts", "vitest.config.ts", "debug-api.ts", "helpers.js", "ball/data.json"]
)
def test_files_that_validate_nothing_need_no_claim(tmp_path: Path, name: str) -> None:
    put(write_pong(tmp_path) / "validators" / name, "{}")
    assert told(tmp_path) == []


def test_a_validator_claimed_twice_is_told_at_both_requirements(tmp_path: Path) -> None:
    folder = write_pong(tmp_path)
    nested(folder, requirement=[{**SPEED, "id": "spin", "validators": ["./ball//speed.ts"]}])
    found = findings(tmp_path)
    assert [(one.code, one.path.rpartition("v1.0.0/")[2]) for one in found] == [
        ("CAB651", "specifications/ball/deep/spin/specification.toml"),
        ("CAB651", BALL),
    ]
    assert "the requirement speed in specifications/ball" in found[0].message
    assert "the requirement spin in specifications/ball/deep/spin" in found[1].message


def test_claiming_a_validator_twice_in_one_list_is_told_at_both(tmp_path: Path) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "validators": ["ball/speed.ts", "ball/speed.ts"]})
    assert [one.code for one in findings(tmp_path)] == ["CAB651", "CAB651"]


@pytest.mark.parametrize("name", ["ball/speed.test.ts", "vitest.config.ts", "notes.md"])
def test_what_is_no_validator_can_t_be_claimed(tmp_path: Path, name: str) -> None:
    folder = write_pong(tmp_path)
    put(folder / "validators/notes.md", "")
    requiring(folder, {**SPEED, "validators": ["ball/speed.ts", name]})
    assert [one.code for one in findings(tmp_path)] == ["CAB652"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("ball/sped.ts", "CAB202"),
        ("validators/ball/speed.ts", "CAB202"),
        ("ball/Speed.ts", "CAB204"),
        ("ball", "CAB203"),
        ("../version.toml", "CAB201"),
        ("/ball/speed.ts", "CAB201"),
    ],
)
def test_a_claim_s_path_is_relative_to_validators_and_leads_there(tmp_path: Path, path: str, code: str) -> None:
    folder = write_pong(tmp_path)
    other = {**SPEED, "id": "other", "validators": ["ball/other.ts"]}
    put(folder / "validators/ball/other.ts", "")
    requiring(folder, {**SPEED, "validators": ["ball/speed.ts"]}, {**other, "validators": ["ball/other.ts", path]})
    assert code in [one.code for one in findings(tmp_path)]
    assert {one.code for one in findings(tmp_path)} <= {code, "CAB651"}


def test_a_misspelt_claim_is_one_finding_that_names_the_file(tmp_path: Path) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "validators": ["ball/sped.ts"]})
    (found,) = findings(tmp_path)
    assert (found.code, found.hint) == ("CAB202", 'did you mean "ball/speed.ts"?')


def test_a_claim_that_climbs_out_is_one_finding_as_well(tmp_path: Path) -> None:
    requiring(write_pong(tmp_path), {**SPEED, "validators": ["../validators/ball/speed.ts"]})
    (found,) = findings(tmp_path)
    assert (found.code, found.hint) == ("CAB201", "write it relative to validators/")


def test_validators_of_a_specification_that_can_t_be_read_are_not_told_as_unclaimed(tmp_path: Path) -> None:
    put(write_pong(tmp_path) / BALL, "id = \n")
    assert [one.code for one in findings(tmp_path)] == ["CAB002"]


def test_a_specification_without_requirements_is_sound(tmp_path: Path) -> None:
    change(write_pong(tmp_path), PADDLE, requirement=None)
    assert told(tmp_path) == []


def test_the_base_of_these_tests_has_what_they_change() -> None:
    assert TABLES[BALL]["requirement"] == [SPEED]
