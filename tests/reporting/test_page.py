"""The page: whole in itself, without scripts, and each figure where the eye looks for it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabinet_ci.reporting.escaping import Place, shown
from cabinet_ci.reporting.page import as_page
from cabinet_ci.reporting.scale import Scale, close_around, whole_decades
from tests.reporting.test_escaping import JOINED
from tests.support.results import SMOKE, case, document, finding, found, measured_by, run, version

VOID = {"meta", "br", "link", "img", "hr", "input", "wbr"}
SHAPES = {"line", "circle", "path", "rect"}


class Page(HTMLParser):
    """Elements with their attributes, in order; text; and whether every element was closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def attributes(self, tag: str, cls: str = "") -> list[dict[str, str]]:
        return [
            attributes for name, attributes in self.elements
            if name == tag and (not cls or cls in attributes.get("class", "").split())
        ]  # fmt: skip

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style" and data.strip():
            self.text.append(data.strip())


NAIVE = run(SMOKE, case(fuel=2_000, outcome="over-ceiling", runway=10), reference="naive")
TOLD = document(version(run(SMOKE, case(fuel=100, runway=10)), NAIVE), **found(finding()))


def test_the_page_has_no_script_and_loads_nothing() -> None:
    page = Page(as_page(TOLD))
    names = {name for name, _ in page.elements}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert not re.search(r"url\(|@import|https?:", as_page(TOLD))
    policy = next(each["content"] for each in page.attributes("meta") if "http-equiv" in each)
    assert "default-src 'none'" in policy


def test_it_follows_the_reader_s_scheme_and_the_width_of_a_phone() -> None:
    text = as_page(TOLD)
    assert "@media (prefers-color-scheme: dark)" in text
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in Page(text).attributes("meta")


def test_ceiling_runway_and_fuel_lie_on_one_logarithmic_scale() -> None:
    page = Page(as_page(TOLD))
    # From 100 to 10,000: the ceiling of 1,000 lies in the middle, the runway ends at the end.
    assert {"class": "ceiling", "x1": "50.0%", "x2": "50.0%", "y1": "0", "y2": "24"} in page.attributes("line")
    assert {"class": "runway", "x": "50.0%", "width": "50.0%", "height": "24"} in page.attributes("rect")
    assert [each["cx"] for each in page.attributes("circle", "within") if "%" in each["cx"]] == ["0.0%"]
    assert [each["x"] for each in page.attributes("svg") if each.get("y") == "12"] == ["65.05%"]


def test_headroom_and_gap_stand_beside_the_marks() -> None:
    text = " ".join(Page(as_page(TOLD)).text)
    assert "10.0 %, headroom 10.0 x" in text.replace("\u00a0", " ")
    assert "over-ceiling, 200.0 %, 20.0 x efficient" in text.replace("\u00a0", " ")


def test_the_gap_of_a_reference_goes_from_the_least_to_the_most_of_its_stress_cases() -> None:
    other = case("cases/b.json", 100, runway=10)
    frugal = run(SMOKE, case(fuel=100, runway=10), other)
    naive = run(case("smoke/a.json", 900, kind="smoke"), case(fuel=2_000, outcome="over-ceiling", runway=10),
                case("cases/b.json", 150, runway=10), reference="naive")  # fmt: skip
    assert "1.5 to 20.0 x" in Page(as_page(document(version(frugal, naive)))).text
    assert "20.0 x" in Page(as_page(TOLD)).text


def test_a_reference_whose_stress_cases_never_ran_is_named_once_and_has_no_marks() -> None:
    failing = run(case("smoke/a.json", 10, kind="smoke", outcome="trap"), case(fuel=None, outcome="not-run"))
    page = Page(as_page(document(version(failing))))
    assert page.attributes("line", "stem") == []
    assert page.attributes("div", "figures") == [{"class": "figures"}] * 2
    assert "Of efficient no stress case ran." in " ".join(page.text)
    assert "no stress case ran" not in as_page(TOLD)


def test_a_case_that_was_not_measured_has_no_mark() -> None:
    trapped = run(SMOKE, case(fuel=None, outcome="abi-error"), case("cases/b.json", 100))
    page = Page(as_page(document(version(trapped))))
    assert len(page.attributes("line", "stem")) == 1
    assert "abi-error" in page.text


def test_the_chart_is_told_to_those_who_can_t_see_it() -> None:
    labels = [each["aria-label"] for each in Page(as_page(TOLD)).attributes("svg") if each.get("role") == "img"]
    assert labels[0].startswith("efficient: 100 fuel, 10.0")


def history(*fuels: int) -> str:
    *before, last = [version(run(SMOKE, case(fuel=fuel)), number=f"v1.{index}.0") for index, fuel in enumerate(fuels)]
    return as_page(document(last), [document(*before)])


def test_the_history_has_a_line_per_reference_over_the_versions_in_order() -> None:
    page = Page(history(900, 300, 100))
    titles = [text for text in page.text if text.startswith("efficient, v")]
    assert titles == ["efficient, v1.0.0: 900", "efficient, v1.1.0: 300", "efficient, v1.2.0: 100"]
    heights = [float(each["cy"]) for each in page.attributes("circle", "c0") if "%" in each["cx"]]
    assert heights[0] < heights[1] < heights[2]
    assert heights[1] - heights[0] == pytest.approx(heights[2] - heights[1], abs=0.2)
    assert "300, −600 (−66.7 %)" in page.text


def test_one_version_has_no_history() -> None:
    assert "over the versions" not in history(100)


def test_versions_of_another_fuel_schedule_are_left_out_of_the_history() -> None:
    earlier = document(version(), engine=measured_by("00"))
    text = as_page(document(version(number="v2.0.0")), [earlier])
    assert "over the versions" not in text
    assert "another fuel schedule" in text


def test_findings_link_to_their_lines() -> None:
    page = Page(as_page(TOLD, (), Place("https://github.example", "owner/name", "a" * 40)))
    path = "test-cases/performance/easy/echo/v1.0.0/test-case.toml"
    assert [each["href"] for each in page.attributes("a")] == [
        f"https://github.example/owner/name/blob/{'a' * 40}/{path}#L7"
    ]


@settings(max_examples=60, deadline=None)
@given(name=JOINED.filter(bool), text=JOINED)
def test_no_text_of_a_repository_adds_an_element(name: str, text: str) -> None:
    def told(name: str, text: str) -> Page:
        cases = run(SMOKE, case(name, outcome="wrong-answer", detail=text), reference=name)
        return Page(as_page(document(version(cases), **found(finding(text, hint=text, path=name)))))

    page, plain = told(name, text), told("plain", "plain" if text else "")
    assert [element for element, _ in page.elements] == [element for element, _ in plain.elements]
    assert [sorted(attributes) for _, attributes in page.elements] == [
        sorted(attributes) for _, attributes in plain.elements
    ]
    assert page.open == []
    if shown(name).strip():
        assert shown(name).strip() in page.text


@given(values=st.lists(st.integers(0, 2**64), min_size=1), other=st.integers(0, 2**64))
def test_a_scale_holds_its_values_in_order_and_has_few_ticks(values: list[int], other: int) -> None:
    for scale in (whole_decades(values), close_around(values)):
        places = [scale.at(value) for value in sorted([*values, other])]
        assert places == sorted(places)
        assert all(0 <= place <= 100 for place in places)
        assert len(scale.ticks()) <= 6


def test_ticks_are_round() -> None:
    assert Scale(3, 6).ticks() == [1_000, 10_000, 100_000, 1_000_000]
    assert Scale(3, 4).ticks() == [1_000, 2_000, 5_000, 10_000]
