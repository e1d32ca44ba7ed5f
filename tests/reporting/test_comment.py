"""The comment: verdict first, findings with links, a table per version, never larger than GitHub takes."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cabinet_ci.evaluation.result import BuildOutcome
from cabinet_ci.reporting import comment, page, templating, version_tables
from cabinet_ci.reporting.comment import COMMENT_LIMIT, MARKER, SUMMARY_LIMIT, as_comment, as_refusal, as_summary
from cabinet_ci.reporting.escaping import Place, shown
from tests.reporting.test_escaping import JOINED
from tests.support.github_markdown import Rendered
from tests.support.results import SMOKE, case, document, finding, found, measured_by, run, version

PLACE = Place("https://github.example", "owner/catalog", "a" * 40)


def row_of(seen: Rendered, first: str) -> list[str]:
    rows = [row for row in seen.rows if row and row[0] == first]
    assert len(rows) == 1, seen.rows
    return rows[0]


def test_the_first_line_is_the_marker_and_the_second_the_verdict() -> None:
    lines = as_comment(document(version(), **found(checked=3))).splitlines()
    assert lines[0] == MARKER
    assert (
        lines[1]
        == "### ✅ cabinet-ci passed: 3 versions checked, nothing found; 1 reference evaluated, all as expected"
    )


def test_an_error_an_unexpected_reference_and_a_lost_version_each_fail_the_verdict() -> None:
    for told in (
        document(version(), **found(finding())),
        document(version(run(expect="fail"))),
        document(version(), lost=("test-cases/performance/easy/gone/v1.0.0",)),
    ):
        assert as_comment(told).splitlines()[1].startswith("### ❌ cabinet-ci failed: ")


def test_a_warning_alone_does_not_fail_the_verdict() -> None:
    told = as_comment(document(**found(finding(severity="warning"))))
    assert told.splitlines()[1] == "### ✅ cabinet-ci passed: 1 version checked: 0 errors, 1 warning"


def test_a_finding_links_to_its_line_at_the_commit() -> None:
    seen = Rendered(as_comment(document(**found(finding("unknown key `tag`", hint="did you mean `tags`?"))), (), PLACE))
    path = "test-cases/performance/easy/echo/v1.0.0/test-case.toml"
    assert seen.addresses[0] == f"https://github.example/owner/catalog/blob/{'a' * 40}/{path}#L7"
    assert seen.items == [f"❌ {path}:7:1 CAB101 unknown key tag↳ did you mean tags?"]


def test_without_a_commit_there_is_no_link() -> None:
    assert Rendered(as_comment(document(**found(finding())))).addresses == []


def test_errors_come_before_warnings() -> None:
    told = document(**found(finding("late", path="z"), finding("early", path="a", severity="warning")))
    assert ["late" in item for item in Rendered(as_comment(told)).items] == [True, False]


def test_a_version_shows_each_reference_with_its_share_of_the_ceiling() -> None:
    naive = run(SMOKE, case(fuel=2_500, outcome="over-ceiling", runway=4), reference="naive")
    frugal = run(SMOKE, case(fuel=500, runway=4))
    seen = Rendered(as_comment(document(version(frugal, naive))))
    assert seen.rows[:3] == [
        ["reference", "expected", "status", "score", "of the ceiling"],
        ["efficient", "pass", "✅ pass", "500", "█████░░░░░ 50.0 %"],
        ["naive", "over-ceiling", "✅ over-ceiling", "–", "██████████ 250.0 %"],
    ]


def test_references_of_several_variants_are_told_apart() -> None:
    seen = Rendered(as_comment(document(version(run(), run(variant="sparse")))))
    assert [row[0] for row in seen.rows[1:3]] == ["efficient (base)", "efficient (sparse)"]


def test_stress_and_smoke_are_folded_apart_with_the_exact_difference_to_the_version_before() -> None:
    before = version(run(case("smoke/a.json", 12, kind="smoke"), case(fuel=600)), number="v1.9.0")
    now = version(run(SMOKE, case(fuel=500)), number="v1.10.0")
    text = as_comment(document(now), [document(version(number="v1.2.0"), before)])
    assert text.count("<details>") == text.count("</details>") == 2
    seen = Rendered(text)
    assert [row for row in seen.rows if row[0] == "case"] == [
        ["case", "reference", "outcome", "fuel", "of the ceiling", "against v1.9.0", ""],
        ["case", "reference", "outcome", "fuel", "against v1.9.0", ""],
    ]
    assert row_of(seen, "cases/a.json") == [
        "cases/a.json", "efficient", "✅ pass", "500", "█████░░░░░ 50.0 %", "−100 (−16.7 %)", ""
    ]  # fmt: skip
    assert row_of(seen, "smoke/a.json") == ["smoke/a.json", "efficient", "✅ pass", "10", "−2 (−16.7 %)", ""]
    assert row_of(seen, "efficient")[-1] == "−100 (−16.7 %)"


def test_the_version_before_may_be_in_the_same_document() -> None:
    told = document(version(), version(run(SMOKE, case(fuel=501)), number="v2.0.0"))
    assert "+1 (+0.2 %)" in as_comment(told)


def test_a_higher_version_is_not_the_one_before() -> None:
    told = as_comment(document(version()), [document(version(number="v2.0.0"))])
    assert "against" not in told


def test_an_earlier_result_of_the_same_version_stands_in_where_there_is_none_before() -> None:
    told = as_comment(document(version(run(SMOKE, case(fuel=501)))), [document(version())])
    assert "against its last result" in Rendered(told).text
    assert "+1 (+0.2 %)" in told


def test_fuel_of_another_schedule_is_not_compared_and_it_says_so() -> None:
    told = as_comment(document(version(number="v2.0.0")), [document(version(), engine=measured_by("00"))])
    assert "another fuel schedule" in told
    assert "against" not in told


def test_a_case_that_was_wrong_before_is_not_compared() -> None:
    before = version(run(SMOKE, case(outcome="wrong-answer")))
    seen = Rendered(as_comment(document(version(number="v2.0.0")), [document(before)]))
    assert row_of(seen, "cases/a.json")[5] == ""
    assert row_of(seen, "smoke/a.json")[4] == "±0"


def test_an_unexpected_reference_tells_which_cases_failed_and_why() -> None:
    wrong = run(case("smoke/a.json", 10, kind="smoke", outcome="wrong-answer", detail="expected 1, found 2"),
                case(fuel=None, outcome="not-run"), expect="pass")  # fmt: skip
    assert Rendered(as_comment(document(version(wrong)))).items == [
        "❌ efficient was expected to end as pass, and ended as fail",
        "smoke/a.json: wrong-answer expected 1, found 2",
    ]


def test_cases_over_the_ceiling_are_not_what_a_reference_fails_by_that_was_to_be_over_it() -> None:
    naive = run(SMOKE, case(fuel=2_000, outcome="over-ceiling", runway=4),
                case("cases/b.json", 4_000, outcome="out-of-fuel", runway=4), expect="over-ceiling")  # fmt: skip
    assert Rendered(as_comment(document(version(naive)))).items == [
        "❌ efficient was expected to end as over-ceiling, and ended as fail",
        "cases/b.json: out-of-fuel",
    ]


@pytest.mark.parametrize(("number", "folded"), [(10, 0), (11, 1), (40, 30)])
def test_of_many_findings_the_first_ten_are_seen_and_the_others_folded(number: int, folded: int) -> None:
    body = as_comment(document(**found(*(finding(line=index + 1) for index in range(number)))))
    seen, _, rest = body.partition("<details>")
    assert len(Rendered(body).items) == number
    assert (len(Rendered(seen).items), len(Rendered(rest).items)) == (number - folded, folded)
    assert (f"<summary>{folded} more finding" in rest) == (folded > 0)


def test_a_build_that_fails_shows_the_end_of_its_log() -> None:
    broken = msgspec.structs.replace(
        run(case(fuel=None, outcome="not-run"), expect="fail"),
        as_expected=False,
        module=None,
        build=BuildOutcome(False, 1.0, "$ make\nerror: @someone | broke it"),
    )
    (item,) = Rendered(as_comment(document(version(broken)))).items
    assert item == "❌ efficient does not build$ makeerror: @someone | broke it"


def test_lost_versions_are_named() -> None:
    seen = Rendered(as_comment(document(version(), lost=("test-cases/performance/easy/gone/v1.0.0",))))
    assert "No result came back for test-cases/performance/easy/gone/v1.0.0" in seen.text


def test_versions_with_something_unexpected_come_first() -> None:
    told = as_comment(document(version(slug="fine"), version(run(expect="fail"), slug="wrong")))
    assert told.index("easy/wrong") < told.index("easy/fine")


def test_thousands_of_findings_are_cut_with_their_count_and_the_version_is_still_shown() -> None:
    findings = [finding(f"number {index} `@someone`", line=index + 1) for index in range(5_000)]
    told = document(version(), **found(*findings))
    body = as_comment(told, more="https://github.example/owner/catalog/actions/runs/1")
    assert len(body.encode()) <= COMMENT_LIMIT
    seen = Rendered(body)
    shown_ = sum("number" in item for item in seen.items)
    assert shown_ > 100
    assert f"… and {5_000 - shown_:,} more findings" in seen.items
    assert row_of(seen, "efficient")[2] == "✅ pass"
    assert seen.addresses == ["https://github.example/owner/catalog/actions/runs/1"]
    assert len(as_summary(told).encode()) <= SUMMARY_LIMIT
    assert as_summary(told).count("CAB101") > 2_000


def test_a_thousand_versions_are_cut_with_their_count_and_the_failing_one_stays() -> None:
    versions = [version(slug=f"case-{index}") for index in range(1_000)]
    body = as_comment(document(*versions, version(run(expect="fail"), slug="wrong")))
    assert len(body.encode()) <= COMMENT_LIMIT
    kept = body.count("\n#### ")
    assert f"… and {1_001 - kept:,} more versions" in body
    assert "easy/wrong" in body


def test_a_result_of_nothing_has_its_verdict_alone() -> None:
    assert Rendered(as_comment(document())).text.split("\n")[:2] == ["", "✅ cabinet-ci passed: nothing evaluated"]


def test_the_last_line_names_the_commit_and_what_measured_it() -> None:
    seen = Rendered(as_comment(document(version()), (), PLACE))
    assert seen.text.rstrip().splitlines()[-1] == "commit aaaaaaaaaaaa, cabinet-ci 0.1.0, wasmtime 50.0.1"
    assert seen.addresses[-1] == f"https://github.example/owner/catalog/commit/{'a' * 40}"
    assert Rendered(as_comment(document(version()))).text.rstrip().endswith("\ncabinet-ci 0.1.0, wasmtime 50.0.1")


def test_a_refusal_tells_the_reason_as_text() -> None:
    body = as_refusal("it says `<img>` @somebody --> #1", PLACE, "https://github.example/run")
    seen = Rendered(body)
    assert body.splitlines()[:2] == [MARKER, "### ❌ cabinet-ci has no result"]
    assert "it says <img> @somebody --> #1" in seen.text
    assert (seen.acted_on, "img" in seen.elements, len(seen.comments)) == ([], False, 1)


def test_the_job_summary_is_the_same_without_the_marker() -> None:
    told = document(version(), **found(finding()))
    assert MARKER + "\n" + as_summary(told) == as_comment(told)


NAMES = JOINED.filter(bool)


@settings(max_examples=60, deadline=None)
@given(names=st.lists(NAMES, min_size=1, max_size=3, unique=True), text=JOINED, reference=NAMES)
def test_no_text_of_a_repository_breaks_the_comment_or_is_acted_on(names: list[str], text: str, reference: str) -> None:
    assume(reference not in names)
    cases = [case(name, outcome="wrong-answer", detail=text) for name in names]
    failing = run(SMOKE, *cases, reference=reference, expect="pass")
    told = document(
        version(failing, folder=f"test-cases/performance/easy/{text.replace('/', '')}"),
        **found(finding(text, hint=text, path=names[0])),
        lost=(names[0],),
    )
    body = as_comment(told, (), PLACE)
    seen = Rendered(body)
    assert body.startswith(MARKER)
    assert seen.comments == [" cabinet-ci: comment "]
    assert seen.acted_on == []
    assert all(address.startswith("https://github.example/owner/catalog/") for address in seen.addresses)
    assert not {"script", "img", "iframe", "pre", "blockquote", "hr", "h1", "h2", "ol", "input", "del", "em"} & set(
        seen.elements
    )
    assert [row[0] for row in seen.rows if row[0] not in ("case", "reference")] == [
        shown(reference, 200), *(shown(name, 300) for name in names), "smoke/a.json"
    ]  # fmt: skip
    assert len({len(row) for row in seen.rows if row[0] in map(shown, names)}) == 1


@settings(max_examples=25, deadline=None)
@given(
    findings=st.integers(0, 3_000),
    versions=st.integers(0, 60),
    cases=st.integers(1, 60),
    width=st.integers(1, 900),
    failing=st.booleans(),
)
def test_no_result_makes_a_comment_too_large(
    findings: int, versions: int, cases: int, width: int, failing: bool
) -> None:
    wide = "🦀|" * (width // 2) + "x"
    runs = run(*(case(f"{index}{wide}") for index in range(cases)), expect="fail" if failing else None)
    told = document(
        *(version(runs, slug=f"case-{index}") for index in range(versions)),
        **found(*(finding(wide, line=index + 1) for index in range(findings))),
        lost=tuple(f"{wide}{index}" for index in range(20)),
    )
    assert len(as_comment(told, (), PLACE).encode()) <= COMMENT_LIMIT


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("comment", comment._Frame),
        ("finding", comment._Finding),
        ("version", version_tables._Version),
        ("cases", version_tables._Cases),
        ("page", page._Page),
    ],
)
def test_every_name_in_a_template_is_one_of_its_view(name: str, view: type) -> None:
    named = set(re.findall(r"\{\{\{?[#/^]?(\w+)", templating._template(name)))
    assert named
    assert named <= _fields(view)


def _fields(view: object) -> set[str]:
    """Names of a Struct's fields and of those within it."""
    names: set[str] = set()
    for field in msgspec.inspect.type_info(view).fields:  # type: ignore[attr-defined]
        names.add(field.name)
        inner = getattr(field.type, "item_type", field.type)
        if isinstance(inner, msgspec.inspect.StructType):
            names |= _fields(inner.cls)
    return names
