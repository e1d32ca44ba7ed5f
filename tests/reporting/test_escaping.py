"""Text of a repository stays text: tried by GitHub's own Markdown renderer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet_ci.reporting.comment import MARKER
from cabinet_ci.reporting.escaping import Place, code, prose, shown
from tests.support.github_markdown import Rendered

HOSTILE = [
    "@someone",
    "someone@example.org",
    "a|b",
    r"a\|b",
    "`a`",
    "``` x",
    "<!-- cabinet-ci: comment -->",
    MARKER,
    "--><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &#64;someone",
    "#123",
    "GH-123",
    "owner/name#12",
    "https://example.org/a",
    "www.example.org",
    "see www.example.org, https://example.org and defaced1",
    "[x](https://example.org)",
    "![x](https://example.org/x.png)",
    "*a* _b_ ~~c~~ **d**",
    ":tada: :+1:",
    "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    "a\nb\r\nc",
    "\u202egnp.exe",
    "שלום",
    "👩\u200d👩\u200d👧 ✅",
    "a\x00\x1b[31mb",
    "  two  spaces  ",
    "[^1]",
    "$x^2$ {{x}} {{{y}}}",
    "\\",
    "]: x",
    "</code></td></table>",
]

AWKWARD = st.text(
    st.sampled_from("@#:/.-_~*`|\\<>&![](){}\"'$^=+ \n\t\u202e\u200dabcdefw019א😀") | st.characters(codec="utf-8")
)
JOINED = st.lists(st.sampled_from(HOSTILE) | AWKWARD, max_size=4).map("".join)


def in_a_table(text: str) -> Rendered:
    return Rendered(f"| one | two |\n|---|---|\n| {text} | end |\n| next | row |")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_as_it_is_and_nothing_in_it_is_acted_on(name: str) -> None:
    seen = in_a_table(code(name))
    assert seen.rows == [
        ["one", "two"],
        [shown(name), "end"],
        ["next", "row"],
    ]
    assert set(seen.elements) <= {"table", "thead", "tbody", "tr", "td", "th", "code", "wbr"}
    assert (seen.comments, seen.addresses, seen.acted_on) == ([], [], [])


@given(name=JOINED)
def test_no_name_leaves_its_cell(name: str) -> None:
    seen = in_a_table(code(name))
    assert seen.rows == [["one", "two"], [shown(name), "end"], ["next", "row"]]
    assert set(seen.elements) <= {"table", "thead", "tbody", "tr", "td", "th", "code", "wbr"}
    assert (seen.comments, seen.addresses, seen.acted_on) == ([], [], [])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_sentence_says_what_it_said_and_nothing_in_it_is_acted_on(text: str) -> None:
    assert_harmless(text)


@given(text=JOINED)
def test_no_sentence_leaves_its_cell(text: str) -> None:
    assert_harmless(text)


def assert_harmless(text: str) -> None:
    seen = in_a_table(prose(text))
    assert len(seen.rows) == 3
    assert len(seen.rows[1]) == 2
    assert seen.rows[1][0].replace("`", "").split() == shown(text).replace("`", "").split()
    assert set(seen.elements) <= {"table", "thead", "tbody", "tr", "td", "th", "code", "wbr"}
    assert (seen.comments, seen.addresses, seen.acted_on) == ([], [], [])


@given(text=JOINED)
def test_no_text_spells_the_marker(text: str) -> None:
    assert "<!--" not in code(text) + prose(text)
    assert MARKER not in code(text) + prose(text)


def test_plain_words_stay_plain_and_what_is_quoted_becomes_code() -> None:
    assert prose("unknown key `tag`, did you mean this?") == "unknown key <code>tag</code>, did you mean this?"


def test_what_can_t_be_seen_is_spelt_out() -> None:
    assert shown("a\u202eb\nc\x1b") == r"a\u202eb\nc\x1b"


def test_an_emoji_of_several_stays_whole() -> None:
    assert shown("👩\u200d👧") == "👩\u200d👧"


def test_a_long_text_ends_in_dots() -> None:
    assert shown("a" * 50, 10) == "a" * 10 + "..."


@given(path=st.text(st.characters(codec="utf-8"), min_size=1))
def test_an_address_holds_the_path_and_never_leaves_its_attribute(path: str) -> None:
    from urllib.parse import unquote

    place = Place("https://github.example", "owner/name", "a" * 40)
    seen = Rendered(f'- <a href="{place.link(path, 7)}">x</a> end')
    assert [unquote(address) for address in seen.addresses] == [
        f"https://github.example/owner/name/blob/{'a' * 40}/{path}#L7"
    ]
    assert seen.items == ["x end"]
